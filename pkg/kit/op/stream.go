package op

import (
	"context"
	"net/http"
	"reflect"
	"time"
)

// Stream is a GET that takes its request from the query string and answers a file bit by bit. What is wrong with the
// request, and an error before the first bit, is answered by the envelope; an error after it breaks the connection off,
// so that nobody takes the part for the whole. Its statements grow with its rows.
type Stream[Req any] struct {
	Path   string
	Title  string
	Access Access
	// Audit says what the record of this export is about; whoever writes the file writes the record.
	Audit Audit
	// Limit is the longest that it may take where that is more than the service's timeout.
	Limit time.Duration
	Do    func(context.Context, Req, http.ResponseWriter) error
}

func (o Stream[Req]) spec() Spec {
	s := Spec{
		Method: http.MethodGet, Path: o.Path, Title: o.Title, Access: o.Access, Audit: o.Audit,
		Req: reflect.TypeFor[Req](), timeout: o.Limit, breaks: true, Budget: PerItem,
	}
	p := planOf(s.Req)
	s.plan = p
	s.raw = func(w http.ResponseWriter, r *http.Request) error {
		given, err := p.query(r.URL.RawQuery)
		if err != nil {
			return err
		}
		var req Req
		if err := p.bind(reflect.ValueOf(&req).Elem(), &input{given: given, get: true}); err != nil {
			return err
		}
		return o.Do(r.Context(), req, w)
	}
	return s
}
