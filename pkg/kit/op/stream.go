package op

import (
	"context"
	"net/http"
	"reflect"
	"time"
)

// Stream is a GET that binds its request from the query string and answers with a file that is written in pieces. A
// refusal, and an error before the first piece, are answered with the envelope; a later error breaks the connection, so
// that no client takes the part for the whole. Its statements grow with its rows.
type Stream[Req any] struct {
	Path   string
	Title  string
	Access Access
	// Audit describes the audit record of this export, which the writer of the file stores.
	Audit Audit
	// AllowStale is that of Read.
	AllowStale bool
	// Limit is the timeout if that is longer than the service's.
	Limit time.Duration
	Do    func(context.Context, Req, http.ResponseWriter) error
}

func (o Stream[Req]) spec() Spec {
	s := Spec{
		Method: http.MethodGet, Path: o.Path, Title: o.Title, Access: o.Access, Audit: o.Audit,
		Req: reflect.TypeFor[Req](), timeout: o.Limit, Budget: PerItem,
		allowStale: o.AllowStale,
	}
	p := planOf(s.Req)
	s.plan = p
	serve := func(w http.ResponseWriter, r *http.Request) error {
		values, err := p.query(r.URL.RawQuery)
		if err != nil {
			return err
		}
		var req Req
		if err := p.bind(reflect.ValueOf(&req).Elem(), &input{received: values, get: true}); err != nil {
			return err
		}
		return o.Do(r.Context(), req, w)
	}
	s.raw = &rawAnswer{serve: serve, statuses: nil, breaks: true, head: false}
	return s
}
