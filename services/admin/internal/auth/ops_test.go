package auth_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/auth"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, auth.Ops(auth.Deps{})...)) }

const login = "/admin/auth/login"

// masked replaces random parts by a word.
func masked(a *optest.Answer, random string) *optest.Answer {
	a.Body = bytes.ReplaceAll(a.Body, []byte(random), []byte("RANDOM"))
	return a
}

func TestLogin(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Operator("clerk", "admin:order:list", "admin:order:ship", "admin:nobody:knows")
	var session auth.Session
	a := w.Anonymous().POST(login, `{"username":" Clerk","password":"%s","code":"abcd"}`, apitest.Password)
	a.Data(&session)
	require.Len(t, session.Token, 43)
	masked(a, session.Token).Golden("login")
	me := w.Anonymous().With(auth.Header, session.Token)
	me.GET("/admin/auth/info?token=" + session.Token).OK().Golden("info")
	me.POST("/admin/auth/logout", "").OK()
	me.POST("/admin/auth/logout", "").Fails(errno.LoginRequired)
	me.GET("/admin/auth/info").Fails(errno.LoginRequired)
}

func TestInfo(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Super().GET("/admin/auth/info").OK().Golden("info_super")
	w.Operator("norole").GET("/admin/auth/info").OK().Golden("info_nothing")
}

func TestLoginRefused(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Operator("clerk")
	tests := map[string]struct {
		body string
		want *errno.Code
	}{
		"no name":          {`{"password":"x"}`, errno.Missing},
		"no password":      {`{"username":"clerk"}`, errno.Missing},
		"nothing":          {``, errno.Missing},
		"empty name":       {`{"username":"","password":"x"}`, errno.Missing},
		"null password":    {`{"username":"clerk","password":null}`, errno.Missing},
		"not an object":    {`[1]`, errno.Invalid},
		"name is a list":   {`{"username":["clerk"],"password":"x"}`, errno.Invalid},
		"wrong password":   {`{"username":"clerk","password":"x"}`, errno.AdminInvalidAccount},
		"unknown name":     {`{"username":"unknown","password":"x"}`, errno.AdminInvalidAccount},
		"injected":         {`{"username":"clerk' -- ","password":"x"}`, errno.AdminInvalidAccount},
		"a very long name": {`{"username":"` + strings.Repeat("n", 100_000) + `","password":"x"}`, errno.AdminInvalidAccount},
	}
	texts := map[string]bool{}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := w.Anonymous().In(t).POST(login, strings.ReplaceAll(tt.body, "%", "%%")).Fails(tt.want)
			if tt.want == errno.AdminInvalidAccount {
				a.Fails(errno.AdminInvalidAccount)
				texts[string(a.Body)] = true
			}
		})
	}
	require.Len(t, texts, 1, "all refusals read the same")
}

func TestLoginRateLimit(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Operator("clerk")
	for range 5 {
		w.Anonymous().POST(login, `{"username":"clerk","password":"x"}`).Fails(errno.AdminInvalidAccount)
	}
	w.Anonymous().POST(login, `{"username":"CLERK","password":"%s"}`, apitest.Password).Fails(errno.AdminInvalidAccount)
	w.Super().GET("/admin/auth/info").OK()
}

func TestOpenAddresses(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Anonymous().GET("/admin/auth/401").Fails(errno.LoginRequired)
	w.Anonymous().GET("/admin/auth/403").Fails(errno.NoPermission)
	w.Anonymous().GET("/admin/auth/index").OK()
	w.Anonymous().GET("/admin/index/index").OK().Golden("alive")
	a := w.Anonymous().GET("/admin/auth/kaptcha")
	var uri string
	a.Data(&uri)
	require.True(t, strings.HasPrefix(uri, "data:image/png;base64,"))
	raw, err := json.Marshal(uri)
	require.NoError(t, err)
	masked(a, string(raw[1:len(raw)-1])).Golden("kaptcha")
}
