package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	requestLimit = 10 * time.Second
	jsonType     = "application/json;charset=UTF-8"
	shopHeader   = "X-Shop-Token"
	staffHeader  = "X-Shop-Admin-Token"
)

// agent is one who speaks to a service: where it is, and the token he shows there, if any.
type agent struct {
	name, base, header, token string
}

// fields is the body of a request.
type fields map[string]any

// call is a request before it is sent. A body that is text is sent as it is, anything else as JSON.
type call struct {
	method, path string
	query        []any // names and values in turn
	body         any
	header       map[string]string
}

// exchange is a request and what came back.
type exchange struct {
	who, method, address, sent string
	status                     int
	header                     http.Header
	got                        []byte
	took                       time.Duration
}

var secret = regexp.MustCompile(`("(?:token|password)"\s*:\s*")[^"]*"|("code"\s*:\s*")[0-9]{6}"`)

// String shows the exchange without tokens, passwords and codes, long texts cut.
func (e *exchange) String() string {
	got := shorten(string(e.got))
	if isPicture(e.header.Get("Content-Type")) {
		got = fmt.Sprintf("(%d bytes of a picture)", len(e.got))
	}
	sent := shorten(e.sent)
	if !utf8.ValidString(e.sent) {
		sent = fmt.Sprintf("(%d bytes of a file)", len(e.sent))
	}
	return fmt.Sprintf("request:  %s: %s %s %s\nresponse: %d %s (%s)", e.who, e.method, e.address, sent,
		e.status, got, e.took.Round(time.Millisecond))
}

// shorten hides secrets and cuts what is too long to be read.
func shorten(text string) string {
	const most = 1500
	text = secret.ReplaceAllString(text, `$1$2***"`)
	if cut := []rune(text); len(cut) > most {
		return string(cut[:most]) + fmt.Sprintf("... (%d bytes)", len(text))
	}
	return text
}

// get reads: the values follow the path as names and values in turn.
func (s *step) get(a agent, path string, query ...any) answer {
	return s.send(a, call{method: http.MethodGet, path: path, query: query})
}

// post changes something.
func (s *step) post(a agent, path string, body any) answer {
	return s.send(a, call{method: http.MethodPost, path: path, body: body})
}

// send makes the call and checks the envelope of the answer.
func (s *step) send(a agent, c call) answer {
	ex := s.raw(a, c)
	return s.envelope(a, ex)
}

// raw makes the call and leaves the answer unread.
func (s *step) raw(a agent, c call) *exchange {
	address := a.base + c.path
	if len(c.query) > 0 {
		values := url.Values{}
		for i := 0; i+1 < len(c.query); i += 2 {
			values.Add(fmt.Sprint(c.query[i]), fmt.Sprint(c.query[i+1]))
		}
		address += "?" + values.Encode()
	}
	var body []byte
	switch b := c.body.(type) {
	case nil:
	case string:
		body = []byte(b)
	default:
		var err error
		if body, err = json.Marshal(b); err != nil {
			s.fatalf(nil, "writing the body of %s: %v", c.path, err)
		}
	}
	header := map[string]string{}
	if c.method == http.MethodPost {
		header["Content-Type"] = "application/json"
	}
	if a.token != "" {
		header[a.header] = a.token
	}
	for name, value := range c.header {
		header[name] = value
	}
	ex := &exchange{who: a.name, method: c.method, address: address, sent: string(body)}
	if err := s.w.exchange(ex, header, body); err != nil {
		s.fatalf(ex, "no answer: %v", err)
	}
	s.last = ex
	s.w.covered.note(ex)
	if s.w.verbose {
		s.w.printf("%s\n", ex)
	}
	return ex
}

// exchange sends the request and keeps the answer, all within one deadline.
func (w *walk) exchange(ex *exchange, header map[string]string, body []byte) error {
	ctx, cancel := context.WithTimeout(w.ctx, requestLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, ex.method, ex.address, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("making the request: %w", err)
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	start := time.Now()
	res, err := w.http.Do(req)
	if err != nil {
		return fmt.Errorf("sending the request: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // what was read counts; a late close error changes nothing
	ex.status, ex.header = res.StatusCode, res.Header
	ex.got, err = io.ReadAll(io.LimitReader(res.Body, 32<<20))
	ex.took = time.Since(start)
	if err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	return nil
}

// answer is an envelope that has been checked for form.
type answer struct {
	s      *step
	ex     *exchange
	errno  int64
	errmsg string
	data   value
}

// What a text for people must not name: the database, the program, its files.
var internals = regexp.MustCompile(`(?i)sql|mariadb|gorm|redis|goroutine|panic|runtime error|stack|\.go\b|` +
	`/[a-z]+/[a-z]+/|duplicate entry|select .* from|unmarshal|json:|strconv|invalid character|errno\.|<nil>|%!`)

// statusOf gives the HTTP status that belongs to an errno. An oversize body alone answers 402 with another.
func statusOf(errno int64) int {
	switch errno {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return int(errno)
	}
	return http.StatusOK
}

// envelope reads the answer and checks all that holds for every operation.
func (s *step) envelope(a agent, ex *exchange) answer {
	equal(s, ex, "Content-Type", jsonType, ex.header.Get("Content-Type"))
	all := s.object(ex)
	members := all.object()
	ans := answer{s: s, ex: ex, errno: all.at("errno").integer(), errmsg: all.at("errmsg").text()}
	for name := range members {
		if name != "errno" && name != "errmsg" && name != "data" {
			s.failf(ex, "the envelope has the member %q", name)
		}
	}
	data, has := members["data"]
	ans.data = value{s: s, ex: ex, path: "data", v: data, absent: !has}
	wx := strings.HasPrefix(strings.TrimPrefix(ex.address, a.base), "/wx")
	s.checkStatus(ans, has)
	if has {
		s.checkTree(ans.data, wx)
	}
	if !wx && a.token != "" && ex.status == http.StatusOK {
		equal(s, ex, "Cache-Control of an answer to a token", "no-store", ex.header.Get("Cache-Control"))
	}
	return ans
}

// object reads an answer that must be one JSON object and nothing more.
func (s *step) object(ex *exchange) value {
	members := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(ex.got))
	d.UseNumber()
	if err := d.Decode(&members); err != nil {
		s.fatalf(ex, "the answer is no JSON object: %v", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		s.failf(ex, "something follows the JSON object of the answer")
	}
	return value{s: s, ex: ex, v: members}
}

// checkStatus checks that number, text, data and HTTP status of an envelope fit each other.
func (s *step) checkStatus(ans answer, has bool) {
	if ans.ex.status == http.StatusRequestEntityTooLarge {
		equal(s, ans.ex, "errno of an oversize request", 402, ans.errno)
	} else {
		equal(s, ans.ex, "HTTP status", statusOf(ans.errno), ans.ex.status)
	}
	if ans.errno == 0 {
		s.w.checkLanguage(s, ans)
		return
	}
	if has {
		s.failf(ans.ex, "a failure carries data")
	}
	if strings.TrimSpace(ans.errmsg) == "" {
		s.failf(ans.ex, "a failure without a text")
	}
	if found := internals.FindString(ans.errmsg); found != "" {
		s.failf(ans.ex, "the text for people names something internal: %q", found)
	}
}

// checkLanguage learns the language of the shop from its first success and holds it to that.
func (w *walk) checkLanguage(s *step, ans answer) {
	switch {
	case ans.errmsg != "成功" && ans.errmsg != "success":
		s.failf(ans.ex, "errmsg of a success: expected 成功 or success, got %q", ans.errmsg)
	case w.success == "":
		w.success = ans.errmsg
	default:
		equal(s, ans.ex, "errmsg of a success", w.success, ans.errmsg)
	}
}

// ok expects success with data and gives it.
func (a answer) ok() value {
	if a.errno != 0 {
		a.s.fatalf(a.ex, "errno: expected 0, got %d (%s)", a.errno, a.errmsg)
	}
	if a.data.absent {
		a.s.fatalf(a.ex, "a success without data, expected some")
	}
	return a.data
}

// none expects success without data.
func (a answer) none() {
	if a.errno != 0 {
		a.s.fatalf(a.ex, "errno: expected 0, got %d (%s)", a.errno, a.errmsg)
	}
	if !a.data.absent {
		a.s.failf(a.ex, "data: expected none")
	}
}

// fails expects this errno and goes on where it is another.
func (a answer) fails(errno int64) {
	equal(a.s, a.ex, "errno", errno, a.errno)
}
