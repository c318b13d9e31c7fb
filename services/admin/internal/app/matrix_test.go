package app_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

// refused is what a caller gets before anything of the request is looked at, nil where it gets further.
func refused(a *optest.Answer) *errno.Code {
	switch c := a.Code(); c {
	case errno.LoginRequired, errno.NoPermission:
		return c
	default:
		return nil
	}
}

func send(c *optest.Client, s op.Spec) *optest.Answer {
	if s.Method == http.MethodPost {
		return c.POST(s.Path, "{}")
	}
	return c.GET(s.Path)
}

// TestPermissionMatrix asks every operation as every kind of caller.
func TestPermissionMatrix(t *testing.T) {
	w := apitest.Open(t)
	var all []string
	for _, e := range w.Handler.Registry.Entries() {
		all = append(all, e.Value)
	}
	callers := map[string]struct {
		client func(value string) *optest.Client
		// signedIn and permitted are the answers of operations that ask for a token alone, and for a permission too.
		signedIn, permitted *errno.Code
	}{
		"no token":      {func(string) *optest.Client { return w.Nobody() }, errno.LoginRequired, errno.LoginRequired},
		"shopper token": {func(string) *optest.Client { return w.Shopper() }, errno.LoginRequired, errno.LoginRequired},
		"invented token": {
			func(string) *optest.Client { return w.Nobody().With("X-Shop-Admin-Token", "x") },
			errno.LoginRequired, errno.LoginRequired,
		},
		"no role":   {func(string) *optest.Client { return w.Operator("norole") }, nil, errno.NoPermission},
		"just this": {func(v string) *optest.Client { return w.Operator("just "+v, v) }, nil, nil},
		"all but this": {
			func(v string) *optest.Client { return w.Operator("not "+v, without(all, v)...) }, nil, errno.NoPermission,
		},
		"super": {func(string) *optest.Client { return w.Super() }, nil, nil},
		"role disabled": {
			func(string) *optest.Client {
				return w.Spoiled("disabled", "UPDATE role SET enabled = 0 WHERE name = CONCAT('role of ', ?)", all...)
			}, nil, errno.NoPermission,
		},
		"role deleted": {
			func(string) *optest.Client {
				return w.Spoiled("deleted", "UPDATE role SET deleted = 1, del_mark = id WHERE name = CONCAT('role of ', ?)", all...)
			}, nil, errno.NoPermission,
		},
		"operator locked": {
			func(string) *optest.Client {
				return w.Spoiled("locked", "UPDATE admin SET status = 1 WHERE username = ?", all...)
			}, errno.LoginRequired, errno.LoginRequired,
		},
		"operator deleted": {
			func(string) *optest.Client {
				return w.Spoiled("gone", "UPDATE admin SET deleted = 1, del_mark = id WHERE username = ?", all...)
			}, errno.LoginRequired, errno.LoginRequired,
		},
	}
	for name, caller := range callers {
		t.Run(name, func(t *testing.T) {
			for _, s := range w.Handler.Specs {
				if s.Path == "/admin/auth/401" || s.Path == "/admin/auth/403" || s.Path == "/admin/auth/logout" {
					continue // these answer with the very codes, or end the session
				}
				var want *errno.Code
				switch {
				case s.Access.Permission.Value != "":
					want = caller.permitted
				case s.Access.NeedsToken():
					want = caller.signedIn
				}
				got := send(caller.client(s.Access.Permission.Value).In(t), s)
				require.Equal(t, want, refused(got), "%s answers %s", s.Key(), got.Body)
			}
		})
	}
}

func without(all []string, value string) []string {
	var rest []string
	for _, v := range all {
		if v != value {
			rest = append(rest, v)
		}
	}
	return rest
}
