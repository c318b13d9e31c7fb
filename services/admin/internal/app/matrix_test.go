package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/auth"
)

// refused is the code that a caller gets before the request is read, nil if it is read.
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

// The columns of the matrix.
const (
	noToken       = "no token"
	shopperToken  = "shopper token"
	inventedToken = "invented token"
	noRole        = "no role"
	justThis      = "just this"
	allButThis    = "all but this"
	super         = "super"
	roleDisabled  = "role disabled"
	roleDeleted   = "role deleted"
	locked        = "operator locked"
	deleted       = "operator deleted"
)

// opens says for each column the answer of an operation that requires only a token, and of one that requires a
// permission.
func opens() map[string]struct{ signedIn, permitted *errno.Code } {
	return map[string]struct{ signedIn, permitted *errno.Code }{
		noToken:       {errno.LoginRequired, errno.LoginRequired},
		shopperToken:  {errno.LoginRequired, errno.LoginRequired},
		inventedToken: {errno.LoginRequired, errno.LoginRequired},
		noRole:        {nil, errno.NoPermission},
		justThis:      {nil, nil},
		allButThis:    {nil, errno.NoPermission},
		super:         {nil, nil},
		roleDisabled:  {nil, errno.NoPermission},
		roleDeleted:   {nil, errno.NoPermission},
		locked:        {errno.LoginRequired, errno.LoginRequired},
		deleted:       {errno.LoginRequired, errno.LoginRequired},
	}
}

// crowd is a service with an operator for each cell of the matrix. They are inserted by few statements, without
// passwords: there are more than two for each permission.
type crowd struct {
	*apitest.Env
	values []string
	ids    map[string]int64
}

func newCrowd(t *testing.T) *crowd {
	t.Helper()
	w := apitest.Open(t)
	c := &crowd{Env: w, values: w.Handler.Registry.Values(), ids: map[string]int64{}}
	holds := map[string][]string{
		noRole: nil, super: {"*"}, roleDisabled: c.values, roleDeleted: c.values, locked: c.values, deleted: c.values,
	}
	for i, v := range c.values {
		holds[justThis+" "+v] = []string{v}
		holds[allButThis+" "+v] = slices.Concat(c.values[:i], c.values[i+1:])
	}
	var operators, grants, holdings []string
	for name, values := range holds {
		id := int64(len(c.ids) + 1)
		c.ids[name] = id
		operators = append(operators, fmt.Sprintf("(%d, '%d', '%d', '', NOW(), NOW())", id, id, id))
		if values != nil {
			holdings = append(holdings, fmt.Sprintf("(%d, %d, NOW())", id, id))
		}
		for _, v := range values {
			grants = append(grants, fmt.Sprintf("(%d, '%s', NOW(), NOW())", id, v))
		}
	}
	insert := func(into string, rows []string) {
		w.Shop.Exec("INSERT INTO " + into + " VALUES " + strings.Join(rows, ", "))
	}
	insert("admin (id, username, username_key, password_hash, add_time, update_time)", operators)
	insert("admin_role (admin_id, role_id, add_time)", holdings)
	w.Shop.Exec("INSERT INTO role (id, name, add_time, update_time) SELECT id, username, add_time, add_time FROM admin")
	for part := range slices.Chunk(grants, 5000) {
		insert("permission (role_id, permission, add_time, update_time)", part)
	}
	w.Shop.Exec("UPDATE role SET enabled = 0 WHERE id = ?", c.ids[roleDisabled])
	w.Shop.Exec("UPDATE role SET deleted = 1, del_mark = id WHERE id = ?", c.ids[roleDeleted])
	w.Shop.Exec("UPDATE admin SET status = 1 WHERE id = ?", c.ids[locked])
	w.Shop.Exec("UPDATE admin SET deleted = 1, del_mark = id WHERE id = ?", c.ids[deleted])
	return c
}

// client is the caller of a cell, with its own session.
func (c *crowd) client(t *testing.T, column, value string) *optest.Client {
	t.Helper()
	anonymous := c.Anonymous().In(t)
	switch column {
	case noToken:
		return anonymous
	case shopperToken:
		return c.Shopper().In(t)
	case inventedToken:
		return anonymous.With(auth.Header, "x")
	case justThis, allButThis:
		if column += " " + value; value == "" {
			column = noRole // without a permission
		}
	}
	id, known := c.ids[column]
	require.True(t, known, column)
	token, err := c.Shop.StaffTokens.Issue(t.Context(), id, 0, "192.0.2.1")
	require.NoError(t, err)
	return anonymous.With(auth.Header, token)
}

// TestPermissionMatrix calls every operation as every kind of caller.
func TestPermissionMatrix(t *testing.T) {
	t.Parallel()
	w := newCrowd(t)
	for column, answers := range opens() {
		t.Run(column, func(t *testing.T) {
			for _, s := range w.Handler.Specs {
				var want *errno.Code
				switch {
				case s.Path == "/admin/auth/401":
					want = errno.LoginRequired // public
				case s.Path == "/admin/auth/403":
					want = errno.NoPermission
				case s.Access.Permission.Value != "":
					want = answers.permitted
				case s.Access.NeedsToken():
					want = answers.signedIn
				}
				got := send(w.client(t, column, s.Access.Permission.Value), s)
				require.Equal(t, want, refused(got), "%s answers %s", s.Key(), got.Body)
				require.NotEqual(t, errno.Internal, got.Code(), "%s answers %s", s.Key(), got.Body)
			}
		})
	}
}

// TestWhatIsOpen compares the operations without a permission with the lists of the contract: all others must require
// one, and one value opens one operation, except for the two that share another's.
func TestWhatIsOpen(t *testing.T) {
	t.Parallel()
	anonymous := []string{
		"POST /admin/auth/login", "GET /admin/auth/kaptcha", "GET /admin/auth/401", "GET /admin/auth/403",
		"GET /admin/auth/index", "GET /admin/index/index",
	}
	signedIn := []string{
		"POST /admin/auth/logout", "GET /admin/auth/info", "GET /admin/dashboard", "GET /admin/region/list",
		"GET /admin/region/clist", "GET /admin/goods/catAndBrand", "GET /admin/order/channel", "GET /admin/role/options",
		"POST /admin/profile/password", "GET /admin/profile/nnotice", "GET /admin/profile/lsnotice",
		"POST /admin/profile/catnotice", "POST /admin/profile/bcatnotice", "POST /admin/profile/rmnotice",
		"POST /admin/profile/brmnotice",
	}
	shared := map[string]string{
		"GET /admin/category/l1": "admin:category:list", "POST /admin/storage/read": "admin:storage:read",
		"GET /admin/order/cases": "admin:order:refund", "POST /admin/order/case/settle": "admin:order:refund",
		"POST /admin/order/case/repay": "admin:order:refund", "POST /admin/order/case/retry": "admin:order:refund",
		"POST /admin/order/case/dismiss": "admin:order:refund",
		"GET /admin/aftersale/read":      "admin:aftersale:list",
		"GET /admin/order/counts":        "admin:order:list", "GET /admin/aftersale/counts": "admin:aftersale:list",
	}
	for _, s := range apitest.Open(t).Handler.Specs {
		switch value := s.Access.Permission.Value; {
		case s.Access.Shared():
			if value, listed := shared[s.Key()]; listed {
				require.Equal(t, value, s.Access.Permission.Value, s.Key())
				continue
			}
			require.True(t, s.IsRaw() || strings.Contains(s.Path, "export") || strings.Contains(s.Path, "import"),
				"%s shares %s", s.Key(), value)
		case value != "":
		case s.Access.NeedsToken():
			require.Contains(t, signedIn, s.Key())
		default:
			require.Contains(t, anonymous, s.Key())
		}
	}
}
