package op_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/op"
)

type thing struct {
	ID   int64 `json:"id" check:"required"`
	Mode int   `json:"mode" check:"max=3"`
}

// place is a page or a button.
type place string

func (p place) String() string { return string(p) }

func things() []op.Op {
	do := func(ctx context.Context, r thing) (map[string]any, error) {
		switch r.Mode {
		case 1:
			panic("in the middle of things")
		case 2:
			return nil, fmt.Errorf("select secret from hidden: %w", io.ErrClosedPipe)
		case 3:
			return nil, fmt.Errorf("look at hidden: %w", errno.GoodsUnknown)
		}
		who, _ := ctx.Value(whoKey{}).(string)
		deadline, _ := ctx.Deadline()
		return map[string]any{"id": r.ID, "who": who, "limited": time.Until(deadline) > 0}, nil
	}
	none := func(context.Context, op.None) (op.None, error) { return op.None{}, nil }
	return []op.Op{
		op.Write[thing, map[string]any]{Path: "/admin/thing/public", Title: "T", Access: op.Public, Do: do, IdempotencyScope: "thing.make"},
		op.Write[thing, map[string]any]{Path: "/admin/thing/optional", Title: "T", Access: op.Optional, Do: do},
		op.Write[thing, map[string]any]{Path: "/admin/thing/signed", Title: "T", Access: op.SignedIn, Do: do},
		op.Write[thing, map[string]any]{
			Path: "/admin/thing/ours", Title: "T", Do: do, Access: op.Permit("admin:thing:ours", place("P"), place("Ours")),
		},
		op.Write[thing, map[string]any]{
			Path: "/admin/thing/forbidden", Title: "T", Do: do,
			Access: op.Permit("admin:thing:forbidden", place("P"), place("Forbidden")),
		},
		op.Read[op.None, op.None]{Path: "/admin/thing/none", Title: "T", Access: op.Public, Private: true, Do: none},
		op.Write[op.None, op.None]{Path: "/admin/thing/nothing", Title: "T", Access: op.Public, Do: none},
		op.Raw{
			Method: http.MethodGet, Path: "/admin/file/{key}", Title: "F", Access: op.Public,
			Serve: func(w http.ResponseWriter, r *http.Request) error {
				switch r.PathValue("key") {
				case "refused":
					w.Header().Set("Content-Type", "application/json;charset=UTF-8")
					w.WriteHeader(http.StatusForbidden)
					return errno.NoPermission
				case "gone":
					return fmt.Errorf("open hidden: %w", io.ErrClosedPipe)
				}
				w.Header().Set("Content-Type", "application/json;charset=UTF-8")
				_, _ = fmt.Fprintf(w, `{"errmsg":%q}`, r.PathValue("key"))
				if r.PathValue("key") == "broken off" {
					return fmt.Errorf("read hidden: %w", io.ErrUnexpectedEOF)
				}
				return nil
			},
		},
		op.Raw{
			Method: http.MethodPost, Path: "/admin/upload", Title: "U", Access: op.Public, BodyLimit: 2 * limit,
			Serve: func(w http.ResponseWriter, r *http.Request) error {
				n, err := io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", "application/json;charset=UTF-8")
				_, _ = fmt.Fprintf(w, `{"errno":%d,"errmsg":"%v"}`, n, err)
				return nil
			},
		},
	}
}

// as sends a POST with a token.
func (s *service) as(t *testing.T, token, path, body string) reply {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("X-Token", token)
	return s.send(t, r)
}

func TestWhoMayCall(t *testing.T) {
	s := mount(t, nil, things()...)
	for _, tt := range []struct {
		path, token string
		want        int
		who         string
	}{
		{"public", "", 0, ""},
		{"public", "t1", 0, ""},
		{"public", "broken", 0, ""},
		{"optional", "", 0, ""},
		{"optional", "t1", 0, "clerk 1"},
		{"optional", "stale", 0, ""},
		{"optional", "broken", 0, ""},
		{"signed", "", 501, ""},
		{"signed", "stale", 501, ""},
		{"signed", "t1", 0, "clerk 1"},
		{"signed", "broken", 502, ""},
		{"ours", "", 501, ""},
		{"ours", "t1", 0, "clerk 1"},
		{"forbidden", "", 501, ""},
		{"forbidden", "t1", 506, ""},
	} {
		a := s.as(t, tt.token, "/admin/thing/"+tt.path, `{"id":5}`)
		require.Equal(t, tt.want, a.Errno, tt)
		require.Equal(t, 200, a.Status)
		if tt.want == 0 {
			require.JSONEq(t, fmt.Sprintf(`{"id":5,"who":%q,"limited":true}`, tt.who), string(a.Data))
		} else {
			require.Nil(t, a.Data)
		}
	}
}

func TestTheOrderOfChecks(t *testing.T) {
	s := mount(t, nil, things()...)
	require.Equal(t, 501, s.as(t, "", "/admin/thing/signed", `{`).Errno, "token before form")
	require.Equal(t, 506, s.as(t, "t1", "/admin/thing/forbidden", `{`).Errno, "permission before form")
	require.Equal(t, 402, s.as(t, "t1", "/admin/thing/signed", `{`).Errno, "form before presence")
	require.Equal(t, 401, s.as(t, "t1", "/admin/thing/signed", `{"mode":9}`).Errno, "presence before range")
	require.Equal(t, 402, s.as(t, "t1", "/admin/thing/signed", `{"mode":9,"id":1}`).Errno)
}

// large is a body of 2 MB.
var large = `{"id":1,"x":"` + strings.Repeat("x", 2*limit) + `"}`

// unsized hides the length of a body.
type unsized struct{ io.Reader }

func TestSizes(t *testing.T) {
	open := mount(t, nil, things()...)
	guarded := mount(t, func(h *op.Hooks) { h.GuardAll = "/admin/" }, things()...)
	for _, tt := range []struct {
		name, path, token string
		s                 *service
		status, errno     int
	}{
		{"public", "/admin/thing/public", "", open, 413, 402},
		{"size before token", "/admin/thing/signed", "", open, 413, 402},
		{"token before size", "/admin/thing/signed", "", guarded, 200, 501},
		{"size before permission", "/admin/thing/forbidden", "t1", guarded, 413, 402},
		{"nothing to read, still too large", "/admin/thing/nothing", "", open, 413, 402},
		{"path before size", "/admin/nowhere", "", open, 404, 404},
		{"method before size", "/admin/thing/none", "", open, 405, 405},
	} {
		a := tt.s.as(t, tt.token, tt.path, large)
		require.Equal(t, tt.status, a.Status, tt.name)
		require.Equal(t, tt.errno, a.Errno, tt.name)
		if tt.status == 413 {
			require.Equal(t, "close", a.Header.Get("Connection"))
		}
	}
	a := open.send(t, httptest.NewRequest(http.MethodPost, "/admin/thing/public", unsized{strings.NewReader(large)}))
	require.Equal(t, 413, a.Status, "without Content-Length")
	require.Equal(t, 402, a.Errno)
	fits := `{"id":1}` + strings.Repeat(" ", limit-8)
	require.Equal(t, 0, open.post(t, "/admin/thing/public", fits).Errno)
	require.Equal(t, 413, open.post(t, "/admin/thing/public", fits+" ").Status)
	unknownSize := httptest.NewRequest(http.MethodPost, "/admin/thing/public", unsized{strings.NewReader(fits)})
	require.Equal(t, 0, open.send(t, unknownSize).Errno)
	short := httptest.NewRequest(http.MethodPost, "/admin/thing/public", strings.NewReader(`{"id":1}`))
	short.ContentLength = 100
	require.Equal(t, 402, open.send(t, short).Errno, "a body that ends early")
}

func TestARawMayTakeMore(t *testing.T) {
	s := mount(t, nil, things()...)
	require.Equal(t, limit+1, s.post(t, "/admin/upload", strings.Repeat("x", limit+1)).Errno)
	require.Equal(t, 413, s.post(t, "/admin/upload", strings.Repeat("x", 2*limit+1)).Status)
	endless := httptest.NewRequest(http.MethodPost, "/admin/upload", unsized{strings.NewReader(strings.Repeat("x", 3*limit))})
	require.Contains(t, s.send(t, endless).Errmsg, "too large")
	require.Equal(t, "a b", s.get(t, "/admin/file/a b").Errmsg)
}

func TestWhatARawReturnsIsForTheLog(t *testing.T) {
	s := mount(t, nil, things()...)
	require.JSONEq(t, `{"errmsg":"broken off"}`, s.get(t, "/admin/file/broken off").Body)
	require.ErrorIs(t, s.last().Err, io.ErrUnexpectedEOF)
	require.Equal(t, "200 502", fmt.Sprint(s.last().Status, " ", s.last().Errno))
	require.JSONEq(t, `{"errno":502,"errmsg":"internal error"}`, s.get(t, "/admin/file/gone").Body, "nothing was answered yet")
	require.ErrorIs(t, s.last().Err, io.ErrClosedPipe)
	w := httptest.NewRecorder()
	s.g.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/admin/file/refused", nil))
	require.Equal(t, "403 ", fmt.Sprint(w.Code, " ", w.Body.String()), "a status alone is an answer")
	require.Equal(t, "403 506", fmt.Sprint(s.last().Status, " ", s.last().Errno))
}

func TestPathsAndMethods(t *testing.T) {
	open := mount(t, nil, things()...)
	guarded := mount(t, func(h *op.Hooks) { h.GuardAll = "/admin/" }, things()...)
	ask := func(s *service, method, path, token string) reply {
		r := httptest.NewRequest(method, "/", nil)
		r.URL.Path = path
		r.Header.Set("X-Token", token)
		return s.send(t, r)
	}
	for _, path := range []string{
		"/admin/nowhere", "/admin", "/ADMIN/thing/none", "//admin/thing/none", "/admin/thing/none/", "/admin/thing/public/../none",
	} {
		require.Equal(t, 404, ask(open, "GET", path, "").Status, path)
		require.Equal(t, 404, ask(open, "GET", path, "").Errno, path)
		hidden := ask(guarded, "GET", path, "")
		require.Equal(t, 501, hidden.Errno, path)
		require.Equal(t, 200, hidden.Status, path)
		require.Equal(t, "no-store", hidden.Header.Get("Cache-Control"))
		require.Equal(t, 404, ask(guarded, "GET", path, "t1").Errno, path)
		require.Equal(t, 502, ask(guarded, "GET", path, "broken").Errno, path)
	}
	require.Equal(t, 404, ask(guarded, "GET", "/elsewhere", "").Errno)
	for _, method := range []string{"GET", "PUT", "DELETE", "PATCH", "OPTIONS", "FANCY"} {
		require.Equal(t, 405, ask(open, method, "/admin/thing/signed", "").Status, method)
		require.Equal(t, 405, ask(open, method, "/admin/thing/signed", "").Errno, method)
		require.Equal(t, 501, ask(guarded, method, "/admin/thing/signed", "").Errno, method)
		require.Equal(t, 405, ask(guarded, method, "/admin/thing/signed", "t1").Errno, method)
		require.Equal(t, 405, ask(guarded, method, "/admin/thing/public", "").Errno, "an open path hides nothing")
	}
	require.Equal(t, "other", guarded.last().Method, "made-up methods do not become labels")
	require.Equal(t, "unknown", guarded.last().Path)
	require.Equal(t, 0, ask(guarded, "GET", "/admin/thing/none", "").Errno, "what is public stays public")
}

func TestFailuresSayNothingOfTheInside(t *testing.T) {
	s := mount(t, nil, things()...)
	for mode, want := range map[int]int{1: 502, 2: 502, 3: 712} {
		a := s.post(t, "/admin/thing/public", fmt.Sprintf(`{"id":1,"mode":%d}`, mode))
		require.Equal(t, want, a.Errno)
		require.Equal(t, 200, a.Status)
		for _, hidden := range []string{"hidden", "goroutine", ".go", "panic", "things", "select", "data"} {
			require.NotContains(t, a.Body, hidden)
		}
	}
	var whole string
	for _, r := range s.results {
		whole += r.Err.Error()
	}
	require.Contains(t, whole, "panic: in the middle of things", "the log has it all")
	require.Contains(t, whole, "mount_test.go")
	require.Contains(t, whole, "select secret from hidden: io: read/write on closed pipe")
}

func TestEveryAnswerIsToldAndNamed(t *testing.T) {
	s := mount(t, nil, things()...)
	a := s.as(t, "t1", "/admin/thing/signed", `{"id":1}`)
	require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
	id := a.Header.Get("X-Request-Id")
	require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, id)
	r := s.last()
	require.Equal(t, id, r.ID)
	require.Equal(t, "clerk 1", r.Who)
	require.Equal(t, "POST /admin/thing/signed 200 0", fmt.Sprint(r.Method, " ", r.Path, " ", r.Status, " ", r.Errno))
	require.Equal(t, "192.0.2.1", r.Address)
	require.Positive(t, r.Took)
	for given, kept := range map[string]bool{
		"abcdefgh": true, strings.Repeat("a", 64): true, "short": false, strings.Repeat("a", 65): false, "with blank": false,
		"new\nline-abc": false, "schlüssel": false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/admin/thing/none", nil)
		r.Header["X-Request-Id"] = []string{given}
		got := s.send(t, r).Header.Get("X-Request-Id")
		require.Equal(t, kept, got == given, given)
	}
	require.Equal(t, "no-store", s.get(t, "/admin/thing/none").Header.Get("Cache-Control"))
	require.Equal(t, op.Call{}, op.CallOf(t.Context()))
}

func TestIdempotencyKeys(t *testing.T) {
	s := mount(t, nil, things()...)
	send := func(path, key, body string) int {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Idempotency-Key", key)
		return s.send(t, r).Errno
	}
	require.Equal(t, 0, send("/admin/thing/public", "k1", `{"id":1}`))
	require.Equal(t, 0, send("/admin/thing/public", "k1", `{"id":1}`))
	require.Equal(t, 0, send("/admin/thing/public", "k1", `{"id":2}`))
	require.Equal(t, 0, send("/admin/thing/optional", "k2", `{"id":2}`), "an operation that creates nothing takes no key")
	require.Equal(t, 402, send("/admin/thing/public", "with blank", `{"id":1}`))
	require.Equal(t, 402, send("/admin/thing/public", strings.Repeat("k", 97), `{"id":1}`))
	require.Len(t, s.once, 3)
	require.Equal(t, s.once[0], s.once[1])
	require.NotEqual(t, s.once[0], s.once[2])
	require.True(t, strings.HasPrefix(s.once[0], "thing.make k1 "))
}

func TestARequestThatHasNoBodyStillHasAForm(t *testing.T) {
	s := mount(t, nil, things()...)
	require.Equal(t, 0, s.post(t, "/admin/thing/nothing", "").Errno)
	require.Equal(t, 0, s.post(t, "/admin/thing/nothing", `{"any":1}`).Errno)
	require.Equal(t, 402, s.post(t, "/admin/thing/nothing", "a=b").Errno)
	require.Nil(t, s.post(t, "/admin/thing/nothing", "").Data)
}

func TestMistakesOfDeclarationsAreToldAtOnce(t *testing.T) {
	do := func(context.Context, op.None) (op.None, error) { return op.None{}, nil }
	read := func(path, title string, a op.Access) op.Op {
		return op.Read[op.None, op.None]{Path: path, Title: title, Access: a, Do: do}
	}
	_, err := tryMount(nil,
		read("/a", "A", op.Access{}), read("/b", "", op.Public), read("/c", "C", op.Public), read("/c", "C", op.Public),
		read("/d", "D", op.Permit("admin:D", place("P"), place("D"))),
		read("/e", "E", op.Permit("admin:x:y", place("P"), place("E"))), read("/f", "F", op.Permit("admin:x:y", place("P"), place("F"))),
		read("/g", "G", op.Permit("admin:x:z", place("P"), place("E"))), read("/h", "H", op.SharedPermit("admin:no:one")),
		op.Raw{Method: "GET", Path: "/i", Title: "I", Access: op.Public, Budget: -2},
	)
	for _, want := range []string{
		"GET /a: no access", "GET /b: no title", "GET /c: the path GET /c is taken", `GET /d: malformed permission "admin:D"`,
		"GET /f: the permission admin:x:y is taken by GET /e", "GET /g: the button P / E is taken by GET /e",
		"GET /h: shares admin:no:one, which no operation declares", "GET /i: a budget of -2 statements",
	} {
		require.ErrorContains(t, err, want)
	}
	_, err = tryMount(func(h *op.Hooks) { h.Authenticate, h.Authorize, h.WithIdempotencyKey = nil, nil, nil }, things()...)
	require.ErrorContains(t, err, "POST /admin/thing/signed: no hook Authenticate")
	require.ErrorContains(t, err, "POST /admin/thing/public: no hook WithIdempotencyKey")
	_, err = tryMount(func(h *op.Hooks) { h.BodyLimit = 0 }, things()...)
	require.Error(t, err)
}

func TestCodesFollowFromTheDeclaration(t *testing.T) {
	specs, err := op.Specs(things()...)
	require.NoError(t, err)
	byPath := map[string][]*errno.Code{}
	for _, s := range specs {
		byPath[s.Path] = s.Codes()
	}
	require.Equal(t, []*errno.Code{errno.OK, errno.Missing, errno.Invalid, errno.Internal}, byPath["/admin/thing/public"])
	require.Equal(t, []*errno.Code{
		errno.OK, errno.Missing, errno.Invalid, errno.LoginRequired, errno.NoPermission, errno.Internal,
	}, byPath["/admin/thing/ours"])
	require.Equal(t, []*errno.Code{errno.OK, errno.Internal}, byPath["/admin/thing/none"])
	require.Equal(t, []*errno.Code{errno.OK, errno.Invalid, errno.Internal}, byPath["/admin/thing/nothing"])
}

func TestAnOperationEndsWhenItsTimeIsUp(t *testing.T) {
	slow := op.Read[op.None, op.None]{
		Path: "/slow", Title: "Slow", Access: op.Public,
		Do: func(ctx context.Context, _ op.None) (op.None, error) {
			<-ctx.Done()
			return op.None{}, ctx.Err()
		},
	}
	s := mount(t, func(h *op.Hooks) { h.Timeout = time.Millisecond }, slow)
	require.Equal(t, 502, s.get(t, "/slow").Errno)
	require.ErrorIs(t, s.last().Err, context.DeadlineExceeded)
}

// A change gives up when it has lost every attempt to concurrent ones, so each that uses the database may answer 504.
func TestEveryChangeMayLoseItsConflicts(t *testing.T) {
	do := func(context.Context, op.None) (op.None, error) { return op.None{}, nil }
	specs, err := op.Specs(
		op.Write[op.None, op.None]{Path: "/a", Title: "a", Access: op.Public, Budget: 2, Do: do},
		op.Write[op.None, op.None]{Path: "/b", Title: "b", Access: op.Public, Budget: 2, Fails: []*errno.Code{errno.Stale}, Do: do},
		op.Write[op.None, op.None]{Path: "/c", Title: "c", Access: op.Public, Do: do},
		op.Read[op.None, op.None]{Path: "/d", Title: "d", Access: op.Public, Budget: 2, Do: do},
	)
	require.NoError(t, err)
	want := map[string]int{"/a": 1, "/b": 1, "/c": 0, "/d": 0}
	for _, s := range specs {
		n := 0
		for _, c := range s.Codes() {
			if c == errno.Stale {
				n++
			}
		}
		require.Equal(t, want[s.Path], n, s.Path)
	}
}
