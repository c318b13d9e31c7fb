// Package optest calls a service in process and checks every answer against its declarations: the envelope, no data on
// failure, no undeclared code, and no more statements than its budget. It also records which answers were checked, so
// that a package can require them all.
package optest

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"shop.internal/pkg/kit/op"
)

// Patience is the timeout of operations under test: it finds one that hangs, however slow the machine is.
const Patience = 5 * time.Minute

// API is a service under test.
type API struct {
	// Handler is the whole service, its engine with everything mounted.
	Handler http.Handler
	// Specs are all operations of the service.
	Specs []op.Spec
	// Count adds a counter of statements to a request's context; it may be nil.
	Count func(context.Context) (context.Context, func() int)
	// Watch is called for every request before it is sent, and the function it returns for the answer. It may be nil.
	Watch func(t testing.TB, r *http.Request) func(a *Answer)
	// Address is the client's address; it defaults to 192.0.2.1.
	Address string

	traffic *crossing
}

// New returns the API of a handler with its operations mounted.
func New(handler http.Handler, specs []op.Spec) *API {
	return &API{Handler: handler, Specs: specs, traffic: &crossing{}}
}

// Shares declares that the service has the same database as another one: their calls may conflict.
func (a *API) Shares(with *API) { a.traffic = with.traffic }

// Client sends requests with the same headers. Its methods fail the test of the client.
type Client struct {
	api     *API
	t       testing.TB
	headers map[string]string
	// wrap changes the context of requests, and writer the connection on which they are answered; both may be nil.
	wrap   func(context.Context) context.Context
	writer func(*httptest.ResponseRecorder, context.CancelFunc) http.ResponseWriter
}

// Client returns a client without headers.
func (a *API) Client(t testing.TB) *Client {
	t.Helper()
	return &Client{api: a, t: t}
}

// With returns a client that also sends a header, such as a token or an Idempotency-Key.
func (c *Client) With(name, value string) *Client {
	headers := maps.Clone(c.headers)
	if headers == nil {
		headers = map[string]string{}
	}
	headers[name] = value
	with := *c
	with.headers = headers
	return &with
}

// In returns the same client for another test, such as a subtest.
func (c *Client) In(t testing.TB) *Client {
	t.Helper()
	in := *c
	in.t = t
	return &in
}

// GET sends a query. The path is a format; values that are not numbers or plain words need url.QueryEscape.
func (c *Client) GET(path string, args ...any) *Answer {
	c.t.Helper()
	return c.Send(http.MethodGet, format(path, args), nil)
}

// POST sends a body, which is a format; an empty one sends none.
func (c *Client) POST(path, body string, args ...any) *Answer {
	c.t.Helper()
	return c.Send(http.MethodPost, path, strings.NewReader(format(body, args)))
}

// format returns a text without arguments unchanged, so that it may contain percent signs.
func format(text string, args []any) string {
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// Upload sends a form with one file. The name is sent unchanged; "" sends none.
func (c *Client) Upload(path, part, name string, data []byte) *Answer {
	c.t.Helper()
	const boundary = "boundary-of-a-form"
	disposition := "form-data; name=" + part
	if name != "" {
		disposition += `; filename="` + name + `"`
	}
	body := "--" + boundary + "\r\nContent-Disposition: " + disposition + "\r\nContent-Type: image/png\r\n\r\n" +
		string(data) + "\r\n--" + boundary + "--\r\n"
	return c.With("Content-Type", "multipart/form-data; boundary="+boundary).
		Send(http.MethodPost, path, strings.NewReader(body))
}

// Send sends any request.
func (c *Client) Send(method, path string, body io.Reader) *Answer {
	c.t.Helper()
	ctx, statements := c.t.Context(), func() int { return 0 }
	if c.api.Count != nil {
		ctx, statements = c.api.Count(ctx)
	}
	if c.wrap != nil {
		ctx = c.wrap(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, method, path, body)
	r.RemoteAddr = "192.0.2.1:40000"
	if c.api.Address != "" {
		r.RemoteAddr = net.JoinHostPort(c.api.Address, "40000")
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range c.headers {
		r.Header.Set(name, value)
	}
	watched := func(*Answer) {}
	if c.api.Watch != nil {
		watched = c.api.Watch(c.t, r)
	}
	w := httptest.NewRecorder()
	alone := c.api.traffic.enter()
	if c.writer == nil {
		c.api.Handler.ServeHTTP(w, r)
	} else {
		c.api.Handler.ServeHTTP(c.writer(w, cancel), r)
	}
	met := !alone()
	a := &Answer{
		t: c.t, Spec: c.api.find(method, r.URL.Path), Request: method + " " + path,
		Status: w.Code, Header: w.Header(), Body: w.Body.Bytes(), Statements: statements(),
	}
	a.check()
	if !met {
		a.checkBudget(r.Header.Get("Idempotency-Key") != "")
	}
	c.api.documented(a)
	watched(a)
	return a
}

// documented checks an answer against the API document.
func (a *API) documented(answer *Answer) {
	answer.t.Helper()
	if answer.Spec == nil {
		return
	}
	d, err := documentOf(a.Specs)
	if err == nil {
		err = d.check(answer.Spec, answer.Status, answer.Header.Get("Content-Type"), answer.Body)
	}
	answer.expect(err == nil, "not as the API document says: %v", err)
}

// find returns the operation of a path, nil for none.
func (a *API) find(method, path string) *op.Spec {
	for i := range a.Specs {
		if a.Specs[i].Method == method && matches(a.Specs[i].Path, path) {
			return &a.Specs[i]
		}
	}
	return nil
}

// matches compares a path with a declared one, in which {x} matches one part.
func matches(declared, path string) bool {
	want, got := strings.Split(declared, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i] != got[i] && (!strings.HasPrefix(want[i], "{") || got[i] == "") {
			return false
		}
	}
	return true
}
