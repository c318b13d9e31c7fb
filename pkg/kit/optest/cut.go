package optest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
)

// errCut is what a service gets that answers a client who has gone.
var errCut = errors.New("the connection is cut")

// cut is a connection that breaks when the service begins to answer: from then on the request is cancelled and every
// write fails. It keeps what the client would have read.
type cut struct {
	*httptest.ResponseRecorder
	cancel context.CancelFunc
}

func (w cut) WriteHeader(status int) {
	w.cancel()
	w.ResponseRecorder.WriteHeader(status)
}

func (w cut) Write(b []byte) (int, error) {
	w.cancel()
	_, _ = w.ResponseRecorder.Write(b) // never fails
	return 0, errCut
}

func (w cut) WriteString(s string) (int, error) { return w.Write([]byte(s)) }

// Cut returns a client whose connection breaks when the service begins to answer, after its commit. Its answers are
// what it would have read.
func (c *Client) Cut() *Client {
	breaking := *c
	breaking.writer = func(w *httptest.ResponseRecorder, cancel context.CancelFunc) http.ResponseWriter {
		return cut{w, cancel}
	}
	return &breaking
}

// Under returns a client whose requests have a context that wrap has changed, such as one that stops at a statement.
func (c *Client) Under(wrap func(context.Context) context.Context) *Client {
	wrapped := *c
	wrapped.wrap = wrap
	return &wrapped
}

// Same requires the same answer as another one.
func (a *Answer) Same(other *Answer) *Answer {
	a.t.Helper()
	a.expect(string(a.Body) == string(other.Body), "want the answer %s", other.Body)
	return a
}
