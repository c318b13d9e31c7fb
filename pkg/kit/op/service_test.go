package op_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/envelope"
	"shop.internal/pkg/kit/op"
)

// service has operations mounted as in a service, with a guest, a clerk (token t1) and a doorkeeper.
type service struct {
	g       *gin.Engine
	results []op.Result
	once    []string
}

const limit = 1 << 20

// mount mounts operations on an engine; change may alter the hooks.
func mount(t testing.TB, change func(*op.Hooks), ops ...op.Op) *service {
	t.Helper()
	s, err := tryMount(change, ops...)
	require.NoError(t, err)
	return s
}

func tryMount(change func(*op.Hooks), ops ...op.Op) (*service, error) {
	gin.SetMode(gin.ReleaseMode)
	s := &service{g: gin.New()}
	h := op.Hooks{
		Credentials: []string{"x-token"},
		Authenticate: func(ctx context.Context, r *http.Request) (context.Context, string, error) {
			switch r.Header.Get("X-Token") {
			case "t1":
				return context.WithValue(ctx, whoKey{}, "clerk 1"), "clerk 1", nil
			case "broken":
				return nil, "", io.ErrUnexpectedEOF
			}
			return nil, "", errno.LoginRequired
		},
		Authorize: func(_ context.Context, permission string) error {
			if permission == "admin:thing:forbidden" {
				return errno.NoPermission
			}
			return nil
		},
		WithIdempotencyKey: func(ctx context.Context, scope, key, hash string) context.Context {
			s.once = append(s.once, scope+" "+key+" "+hash[:8])
			return ctx
		},
		Done: func(r op.Result) { s.results = append(s.results, r) },
		Now:  time.Now, Envelope: envelope.New("en"), BodyLimit: limit, Timeout: 10 * time.Second,
	}
	if change != nil {
		change(&h)
	}
	return s, op.Mount(s.g, h, ops...)
}

type whoKey struct{}

// reply is a decoded answer.
type reply struct {
	Status int
	Header http.Header
	Body   string
	Errno  int             `json:"errno"`
	Errmsg string          `json:"errmsg"`
	Data   json.RawMessage `json:"data"`
}

// tester is a test or a property.
type tester interface {
	require.TestingT
	Helper()
}

func (s *service) send(t tester, r *http.Request) reply {
	t.Helper()
	w := httptest.NewRecorder()
	s.g.ServeHTTP(w, r)
	a := reply{Status: w.Code, Header: w.Header(), Body: w.Body.String()}
	if w.Code == http.StatusNotModified || w.Header().Get("Content-Encoding") != "" {
		return a
	}
	require.Equal(t, envelope.ContentType, w.Header().Get("Content-Type"))
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &a), a.Body)
	return a
}

func (s *service) get(t tester, path string) reply {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.URL.Path, r.URL.RawQuery, _ = strings.Cut(path, "?")
	return s.send(t, r)
}

func (s *service) post(t tester, path, body string) reply {
	t.Helper()
	return s.send(t, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
}

func (s *service) last() op.Result { return s.results[len(s.results)-1] }

// echo declares two operations that bind the same request, a GET and a POST, and stores what they bind.
func echo[Req any](into *Req) []op.Op {
	do := func(_ context.Context, r Req) (op.None, error) {
		*into = r
		return op.None{}, nil
	}
	return []op.Op{
		op.Read[Req, op.None]{Path: "/echo", Title: "Echo", Access: op.Public, Do: do},
		op.Write[Req, op.None]{Path: "/echo/body", Title: "Echo", Access: op.Public, Do: do},
	}
}
