package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tidwall/gjson"
)

// Password is that of the demo shoppers and operators.
const Password = "demo-shop-1"

// Timeout is how long a call may take: longer than the services' own deadlines, so that they decide.
const Timeout = 30 * time.Second

// Fields is the JSON body of a request.
type Fields map[string]any

// Amount formats cents as an amount.
func Amount(cents int64) json.Number {
	return json.Number(fmt.Sprintf("%d.%02d", cents/100, cents%100))
}

// Shop is the two services, each with one or more replicas.
type Shop struct{ Storefront, Admin *Service }

// New returns a shop by the base addresses of the replicas.
func New(storefront, admin []string) *Shop {
	client := &http.Client{
		Timeout:       Timeout,
		Transport:     &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 128, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Shop{
		Storefront: &Service{Name: "storefront", header: "X-Shop-Token", bases: storefront, client: client},
		Admin:      &Service{Name: "admin", header: "X-Shop-Admin-Token", bases: admin, client: client},
	}
}

// Of returns the service that serves a path.
func (s *Shop) Of(path string) *Service {
	if strings.HasPrefix(path, "/admin/") {
		return s.Admin
	}
	return s.Storefront
}

// Through has all requests sent by a transport.
func (s *Shop) Through(t http.RoundTripper) {
	s.Storefront.client.Transport, s.Admin.client.Transport = t, t
}

// Patient makes Get and Post repeat a request that a service refuses because it is busy: nothing was done then.
func (s *Shop) Patient() {
	s.Storefront.patient, s.Admin.patient = true, true
}

// Service is one of the two services. Its replicas take turns.
type Service struct {
	patient      bool
	Name, header string
	bases        []string
	client       *http.Client
	turn         atomic.Uint64
}

// Caller calls a service, with a token or as a guest.
type Caller struct {
	Name, Token string
	service     *Service
}

// Guest calls a service without a token.
func (s *Service) Guest() Caller { return Caller{Name: "guest", service: s} }

// With returns a caller with a token.
func (s *Service) With(name, token string) Caller {
	return Caller{Name: name, Token: token, service: s}
}

// Request is a request to a path of a service.
type Request struct {
	Method, Path, ContentType string
	Body                      []byte
	Header                    http.Header
	// Replica chooses a replica by its number, from 1 on, modulo their count; 0 is the next one.
	Replica int
}

// Answer is an answer of a service. Errno is -1 for an answer without an envelope.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	Errno  int64
	Errmsg string
	Data   gjson.Result
}

// RefusedError is an answer with an errno or a status that is no success.
type RefusedError struct {
	Path, Body string
	Answer     Answer
}

// Error shows the request and its answer.
func (r *RefusedError) Error() string {
	return fmt.Sprintf("%s %.300s: answer %d %.300s", r.Path, r.Body, r.Answer.Status, r.Answer.Body)
}

// OK returns the data of a success, and a *RefusedError of anything else.
func (a Answer) OK(path string, body []byte) (gjson.Result, error) {
	if a.Status != http.StatusOK || a.Errno != 0 {
		return gjson.Result{}, &RefusedError{Path: path, Body: string(body), Answer: a}
	}
	return a.Data, nil
}

// Get calls an operation that reads, and requires success.
func (c Caller) Get(ctx context.Context, path string, query ...any) (gjson.Result, error) {
	values := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		values.Add(fmt.Sprint(query[i]), fmt.Sprint(query[i+1]))
	}
	if len(values) > 0 {
		path += "?" + values.Encode()
	}
	a, err := c.Repeat(ctx, Request{Method: http.MethodGet, Path: path})
	if err != nil {
		return gjson.Result{}, err
	}
	return a.OK(path, nil)
}

// Post calls an operation that writes, and requires success; header has alternating names and values.
func (c Caller) Post(ctx context.Context, path string, body any, header ...string) (gjson.Result, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return gjson.Result{}, fmt.Errorf("the body of %s: %w", path, err)
	}
	r := Request{Method: http.MethodPost, Path: path, ContentType: "application/json", Body: text, Header: http.Header{}}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	a, err := c.Repeat(ctx, r)
	if err != nil {
		return gjson.Result{}, err
	}
	return a.OK(path, text)
}

// Repeat sends a request, and again while a patient caller finds the service busy, at most for half a minute.
func (c Caller) Repeat(ctx context.Context, r Request) (Answer, error) {
	a, err := c.Send(ctx, r)
	for range 30 {
		if err != nil || a.Status != http.StatusServiceUnavailable || !c.service.patient {
			break
		}
		select {
		case <-ctx.Done():
			return a, ctx.Err()
		case <-time.After(time.Second):
		}
		a, err = c.Send(ctx, r)
	}
	return a, err
}

// Send sends a request and returns any answer. It fails only if there is none.
func (c Caller) Send(ctx context.Context, r Request) (Answer, error) {
	turn := uint64(max(r.Replica-1, 0))
	if r.Replica == 0 {
		turn = c.service.turn.Add(1)
	}
	base := c.service.bases[turn%uint64(len(c.service.bases))]
	req, err := http.NewRequestWithContext(ctx, r.Method, base+r.Path, bytes.NewReader(r.Body))
	if err != nil {
		return Answer{}, fmt.Errorf("the request %s %s: %w", r.Method, r.Path, err)
	}
	for name, values := range r.Header {
		req.Header[name] = values
	}
	if r.ContentType != "" {
		req.Header.Set("Content-Type", r.ContentType)
	}
	if c.Token != "" {
		req.Header.Set(c.service.header, c.Token)
	}
	res, err := c.service.client.Do(req)
	if err != nil {
		return Answer{}, fmt.Errorf("%s %s: %w", r.Method, r.Path, err)
	}
	defer func() { _ = res.Body.Close() }()
	a := Answer{Status: res.StatusCode, Header: res.Header, Errno: -1}
	if a.Body, err = io.ReadAll(res.Body); err != nil {
		return a, fmt.Errorf("the answer to %s %s breaks off: %w", r.Method, r.Path, err)
	}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") && gjson.ValidBytes(a.Body) {
		envelope := gjson.ParseBytes(a.Body)
		if no := envelope.Get("errno"); no.Type == gjson.Number && envelope.Get("errmsg").Type == gjson.String {
			a.Errno, a.Errmsg, a.Data = no.Int(), envelope.Get("errmsg").String(), envelope.Get("data")
		}
	}
	return a, nil
}
