package app_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/auth"
)

// sending is one request, to be sent by any client.
type sending func(*optest.Client) *optest.Answer

// repeating are the ways in which a shopper comes to send a request a second time. Each sends it on one process, and
// perhaps on another, and returns the first answer.
var repeating = map[string]func(send sending, here, there *optest.Client) *optest.Answer{
	"the answer arrives":         func(send sending, here, _ *optest.Client) *optest.Answer { return send(here).OK() },
	"the answer is cut off":      func(send sending, here, _ *optest.Client) *optest.Answer { return send(here.Cut()).OK() },
	"another process takes over": func(send sending, here, _ *optest.Client) *optest.Answer { return send(here.Cut()).OK() },
	"the first is still running": meet,
}

// meet lets a repetition reach another process while the first one runs. It waits for the first answer, or is told that
// the first is under way.
func meet(send sending, here, there *optest.Client) (first *optest.Answer) {
	var second *optest.Answer
	domaintest.Meet(
		func(wrap func(context.Context) context.Context) { first = send(here.Under(wrap)) },
		func(wrap func(context.Context) context.Context) { second = send(there.Under(wrap)) },
	)
	if first.OK(); second.Code() == errno.Stale {
		return first
	}
	if again := lasting(second.OK()); again != lasting(first) {
		second.Same(first)
	}
	return first
}

var session = regexp.MustCompile(`"token":"[^"]+"`)

// lasting is an answer without the token of a session: no token is stored, so a repeated registration begins a session of
// its own.
func lasting(a *optest.Answer) string { return session.ReplaceAllString(string(a.Body), `"token"`) }

// repeated calls every operation of a shop and sends those with keys a second time.
type repeated struct {
	*filledShop
	how    string
	other  *apitest.Shop
	rows   string
	called map[string]bool
	sent   int
}

// A request with an Idempotency-Key that is sent again gives the first answer and changes nothing, however the first
// answer was lost.
func TestEveryChangeCanBeRepeated(t *testing.T) {
	t.Parallel()
	for how := range repeating {
		t.Run(how, func(t *testing.T) {
			m := newFilledShop(t, 3)
			r := &repeated{filledShop: m, how: how, other: m.Shop, rows: everything(m.Shop), called: map[string]bool{}}
			if how == "another process takes over" || how == "the first is still running" {
				r.other = m.Replica()
			}
			get := func(string, ...any) {} // what only reads needs no key
			m.account(get, r.post)
			m.carts(get, r.post)
			m.traces(get, r.post)
			m.groups(get, r.post)
			r.upload()
			m.orders(get, r.post)
			for _, s := range m.API.Specs {
				require.True(t, s.IdempotencyScope == "" || r.called[s.Key()], "no call of %s", s.Key())
			}
		})
	}
}

func (r *repeated) post(path, body string, args ...any) {
	r.t.Helper()
	r.twice(path, func(c *optest.Client) *optest.Answer { return c.POST(path, body, args...) })
}

func (r *repeated) upload() {
	r.t.Helper()
	var dot bytes.Buffer
	require.NoError(r.t, png.Encode(&dot, image.NewGray(image.Rect(0, 0, 2, 2))))
	const path = "/wx/storage/upload"
	r.twice(path, func(c *optest.Client) *optest.Answer { return c.Upload(path, "file", "dot.png", dot.Bytes()) })
}

func (r *repeated) twice(path string, send sending) {
	r.t.Helper()
	r.Domain.Clock.Move(time.Minute)
	r.sent++
	spec := r.specOf(path)
	token := r.Domain.Token(r.lin) // one session: a change of the mobile number ends the others
	here, there := r.Guest().With(auth.Header, token), r.other.Guest().With(auth.Header, token)
	if spec.IdempotencyScope == "" {
		send(here).OK()
		return
	}
	key := fmt.Sprint("again-", r.sent, path)
	first := repeating[r.how](send, here.With("Idempotency-Key", key), there.With("Idempotency-Key", key))
	after := r.Domain.Text(r.rows)
	require.Equal(r.t, lasting(first), lasting(send(there.With("Idempotency-Key", key)).OK()), path)
	require.Equal(r.t, after, r.Domain.Text(r.rows), path)
	r.called[spec.Key()] = true
}

func (r *repeated) specOf(path string) op.Spec {
	r.t.Helper()
	for _, s := range r.API.Specs {
		if s.Method == http.MethodPost && s.Path == path {
			return s
		}
	}
	r.t.Fatalf("no operation at %s", path)
	return op.Spec{}
}
