package op_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/op"
)

type noted struct {
	Text string `json:"text"`
}

func nothing[Req any](context.Context, Req) (op.None, error) { return op.None{}, nil }

// sent posts a body with headers; a header with an empty value is not sent.
func (s *service) sent(t *testing.T, path, body string, headers map[string]string) reply {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	for name, value := range headers {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	return s.send(t, r)
}

// A browser sends the media types of forms to any address for any page, without a preflight.
func TestAPageOfAnotherSiteCannotPostUnasked(t *testing.T) {
	calls := 0
	count := func(context.Context, noted) (op.None, error) { calls++; return op.None{}, nil }
	s := mount(t, nil,
		op.Write[noted, op.None]{Path: "/open", Title: "O", Access: op.Public, Do: count},
		op.Write[noted, op.None]{Path: "/known", Title: "K", Access: op.Optional, Do: count},
	)
	const origin = "https://evil.example"
	for name, tt := range map[string]struct {
		path, kind, origin, token string
		want                      int
	}{
		"JSON":                        {"/open", "application/json", origin, "", 0},
		"JSON with a charset":         {"/open", "Application/JSON; charset=utf-8", origin, "", 0},
		"plain text":                  {"/open", "text/plain", origin, "", 402},
		"plain text, to a known name": {"/known", "text/plain;charset=UTF-8", origin, "", 402},
		"a form":                      {"/open", "application/x-www-form-urlencoded", origin, "", 402},
		"a form with parts":           {"/open", "multipart/form-data; boundary=x", origin, "", 402},
		"no type":                     {"/open", "", origin, "", 402},
		"no type, of a sandbox":       {"/open", "", "null", "", 402},
		"a malformed type":            {"/open", "application/json;=", origin, "", 402},
		"with a token":                {"/known", "", origin, "t1", 0},
		"a token that is none":        {"/known", "text/plain", origin, "t2", 402},
		"no browser":                  {"/open", "", "", "", 0},
		"no browser, as curl does":    {"/open", "application/x-www-form-urlencoded", "", "", 0},
	} {
		before := calls
		a := s.sent(t, tt.path, `{"text":"x"}`, map[string]string{
			"Content-Type": tt.kind, "Origin": tt.origin, "X-Token": tt.token,
		})
		require.Equal(t, tt.want, a.Errno, name)
		require.Equal(t, tt.want == 0, calls > before, name)
	}
}

func TestEveryWriteIsLimited(t *testing.T) {
	asked := []string{}
	limit := func(h *op.Hooks) {
		h.Limit = func(_ context.Context, s *op.Spec) error {
			asked = append(asked, s.Path+" "+s.Rate)
			if s.Rate == "rare" {
				return errno.Invalid.Because(text.TooMany)
			}
			return nil
		}
	}
	s := mount(t, limit,
		op.Read[noted, op.None]{Path: "/read", Title: "R", Access: op.Public, Do: nothing[noted]},
		op.Write[noted, op.None]{Path: "/write", Title: "W", Access: op.Public, Do: nothing[noted]},
		op.Write[noted, op.None]{Path: "/rare", Title: "S", Access: op.Public, Rate: "rare", Do: nothing[noted]},
		op.Write[noted, op.None]{Path: "/signed", Title: "T", Access: op.SignedIn, Do: nothing[noted]},
		op.Raw{
			Method: http.MethodPost, Path: "/bare", Title: "B", Access: op.Public,
			Serve: func(w http.ResponseWriter, _ *http.Request) error { w.WriteHeader(http.StatusNoContent); return nil },
		},
	)
	require.Equal(t, 0, s.get(t, "/read").Errno)
	require.Equal(t, 0, s.sent(t, "/write", `{}`, nil).Errno)
	a := s.sent(t, "/rare", `no JSON`, nil)
	require.Equal(t, http.StatusOK, a.Status)
	require.Equal(t, 402, a.Errno, "before the body is looked at")
	require.Equal(t, "too many requests, try again later", a.Errmsg)
	require.Equal(t, 501, s.sent(t, "/signed", `{}`, nil).Errno, "the token comes first")
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/bare", strings.NewReader(`{}`))
	w := httptest.NewRecorder()
	s.g.ServeHTTP(w, r)
	require.Equal(t, http.StatusNoContent, w.Code)
	require.Equal(t, 404, s.sent(t, "/unknown", `{}`, nil).Errno)
	require.Equal(t, []string{"/write ", "/rare rare"}, asked)
}
