package client

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Operation is a POST as the document of its service declares it.
type Operation struct {
	Path string
	// Access is public, token or permission.
	Access string
	// ContentType is that of its body, empty if it has none.
	ContentType string
	// Body is the schema of a JSON body.
	Body gjson.Result
	// Envelope says that it answers with an envelope; Errnos are those of its failures.
	Envelope bool
	Errnos   []int64
	// Statuses are the HTTP statuses that it declares.
	Statuses []int
	// Repeatable says that it accepts an Idempotency-Key.
	Repeatable bool
}

// Operations reads the documents that both services serve, and returns each POST, sorted by path.
func (s *Shop) Operations(ctx context.Context) ([]Operation, error) {
	var found []Operation
	for _, service := range []*Service{s.Storefront, s.Admin} {
		a, err := service.Guest().Send(ctx, Request{Method: http.MethodGet, Path: "/docs/openapi.json"})
		if err != nil {
			return nil, err
		}
		if a.Status != http.StatusOK || !gjson.ValidBytes(a.Body) {
			return nil, fmt.Errorf("the document of the %s: status %d", service.Name, a.Status)
		}
		gjson.GetBytes(a.Body, "paths").ForEach(func(path, methods gjson.Result) bool {
			if post := methods.Get("post"); post.Exists() {
				found = append(found, operation(path.String(), post))
			}
			return true
		})
	}
	slices.SortFunc(found, func(a, b Operation) int { return cmp.Compare(a.Path, b.Path) })
	return found, nil
}

func operation(path string, post gjson.Result) Operation {
	o := Operation{Path: path, Access: post.Get("x-access").String()}
	post.Get("requestBody.content").ForEach(func(kind, content gjson.Result) bool {
		o.ContentType, o.Body = kind.String(), content.Get("schema")
		return false
	})
	post.Get("responses").ForEach(func(status, response gjson.Result) bool {
		if n, err := strconv.Atoi(status.String()); err == nil {
			o.Statuses = append(o.Statuses, n)
		}
		if status.String() == "200" {
			response.Get("content").ForEach(func(kind, content gjson.Result) bool {
				o.Envelope = strings.HasPrefix(kind.String(), "application/json")
				for _, no := range content.Get("schema.oneOf.1.properties.errno.enum").Array() {
					o.Errnos = append(o.Errnos, no.Int())
				}
				return false
			})
		}
		return true
	})
	for _, p := range post.Get("parameters").Array() {
		o.Repeatable = o.Repeatable || p.Get("name").String() == "Idempotency-Key"
	}
	return o
}

// Cents parses an amount, a number or a text with two fraction digits.
func Cents(r gjson.Result) (int64, error) {
	n, err := strconv.ParseInt(strings.Replace(strings.Trim(r.Raw, `"`), ".", "", 1), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no amount: %w", r.Raw, err)
	}
	return n, nil
}
