package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// fields is the JSON body of a request.
type fields map[string]any

// caller calls a service, with or without a token.
type caller struct {
	s       *scenario
	service *service
	name    string
	token   string
}

// exchange is a request and its answer.
type exchange struct {
	who, method, address, sent string
	status                     int
	header                     http.Header
	got                        []byte
	errno                      int64
}

// patience is how long a call is repeated that a busy service has refused.
const patience = 30 * time.Second

// busy reports that the service had no place for the call and began nothing, as it says with Retry-After.
func (e *exchange) busy() bool {
	return e.status == http.StatusServiceUnavailable && e.header.Get("Retry-After") != ""
}

var secret = regexp.MustCompile(`("(?:token|\w*[pP]assword)"\s*:\s*")[^"]*"|("code"\s*:\s*")[0-9]{6}"`)

// String shows the exchange without tokens, passwords and codes.
func (e *exchange) String() string {
	if e == nil {
		return "    (before the first call)"
	}
	return fmt.Sprintf("    %s: %s %s %s\n    answer: %d %s",
		e.who, e.method, e.address, readable([]byte(e.sent)), e.status, readable(e.got))
}

func readable(text []byte) string {
	const most = 1500
	if !utf8.Valid(text) {
		return fmt.Sprintf("(%d bytes)", len(text))
	}
	shown := secret.ReplaceAllString(strings.TrimSpace(string(text)), `$1$2***"`)
	if runes := []rune(shown); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return shown
}

// get calls an operation that reads; query contains alternating names and values.
func (c caller) get(path string, query ...any) answer {
	c.s.t.Helper()
	return c.call(http.MethodGet, path+encode(query), "", nil)
}

// post calls an operation that writes with a JSON body; header contains alternating names and values.
func (c caller) post(path string, body fields, header ...string) answer {
	c.s.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		c.s.t.Fatalf("the body of %s: %v", path, err)
	}
	return c.call(http.MethodPost, path, "application/json", text, header...)
}

// upload calls an operation with a file.
func (c caller) upload(path, name string, content []byte) answer {
	c.s.t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", name)
	if err == nil {
		_, err = part.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		c.s.t.Fatalf("the form for %s: %v", path, err)
	}
	return c.call(http.MethodPost, path, w.FormDataContentType(), b.Bytes())
}

// download calls an operation that answers a file, and returns it.
func (c caller) download(path string, query ...any) []byte {
	c.s.t.Helper()
	ex := c.declared(http.MethodGet, path+encode(query), "", nil)
	if ex.status != http.StatusOK || strings.HasPrefix(ex.header.Get("Content-Type"), "application/json") {
		c.s.stop("expected a file")
	}
	return ex.got
}

func encode(query []any) string {
	values := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		values.Add(fmt.Sprint(query[i]), fmt.Sprint(query[i+1]))
	}
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}

// answer is the envelope of an answer.
type answer struct {
	s      *scenario
	errno  int64
	errmsg string
	data   gjson.Result
}

// ok requires success and returns the data, which is null if there is none.
func (a answer) ok() gjson.Result {
	a.s.t.Helper()
	if a.errno != 0 {
		a.s.stop("expected success, got errno %d (%s)", a.errno, a.errmsg)
	}
	return a.data
}

// fails requires this error.
func (a answer) fails(errno int64) {
	a.s.t.Helper()
	equal(a.s, "errno", errno, a.errno)
}

// call makes a call that is answered with an envelope.
func (c caller) call(method, path, contentType string, body []byte, header ...string) answer {
	c.s.t.Helper()
	ex := c.declared(method, path, contentType, body, header...)
	if !gjson.ValidBytes(ex.got) {
		c.s.stop("the answer is no JSON")
	}
	envelope := gjson.ParseBytes(ex.got)
	return answer{s: c.s, errno: ex.errno, errmsg: envelope.Get("errmsg").String(), data: envelope.Get("data")}
}

// declared makes a call and validates the answer against the service's document, and also the request if it is
// accepted.
func (c caller) declared(method, path, contentType string, body []byte, header ...string) *exchange {
	c.s.t.Helper()
	ex, req := c.send(method, c.service.base+path, contentType, body, header...)
	for end := time.Now().Add(patience); ex.busy() && time.Now().Before(end); {
		time.Sleep(time.Second)
		ex, req = c.send(method, c.service.base+path, contentType, body, header...)
	}
	c.s.violation("the answer", method+req.URL.Path, c.service.faults(req, ex))
	accepted := ex.status < http.StatusBadRequest && ex.errno == 0
	if accepted {
		req.Body = io.NopCloser(bytes.NewReader(body))
		c.s.violation("the request, which was accepted,", method+req.URL.Path, c.service.requestFaults(req))
	}
	c.service.note(method, req.URL.Path, accepted)
	return ex
}

// send makes a call, also to an address that no document declares.
func (c caller) send(method, address, contentType string, body []byte, header ...string) (*exchange, *http.Request) {
	c.s.t.Helper()
	// What a scenario has created is deleted at its end, when the context of the test has ended.
	req, err := http.NewRequestWithContext(context.WithoutCancel(c.s.t.Context()), method, address, bytes.NewReader(body))
	if err != nil {
		c.s.t.Fatalf("the request %s %s: %v", method, address, err)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if c.token != "" {
		req.Header.Set(c.service.header, c.token)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	ex := &exchange{who: c.name, method: method, address: address, sent: string(body)}
	c.s.last = ex
	res, err := client.Do(req)
	if err != nil {
		c.s.stop("no answer: %v", err)
	}
	defer res.Body.Close()
	ex.status, ex.header = res.StatusCode, res.Header
	if ex.got, err = io.ReadAll(res.Body); err != nil {
		c.s.stop("the answer breaks off: %v", err)
	}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
		ex.errno = gjson.GetBytes(ex.got, "errno").Int()
	}
	return ex, req
}
