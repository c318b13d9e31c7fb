package access_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/access"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/auth"
)

const (
	holders    = "/admin/access/holders?permission="
	readRights = "/admin/access/read?id="
	view       = "/admin/access/view"
)

// rightsOffice is a service with the super operator (role 1), an auditor who may use all of these operations (2), a clerk who
// may list ads and orders (3), and one whose role is disabled (4).
func rightsOffice(t *testing.T) *apitest.Env {
	t.Helper()
	w := apitest.Open(t)
	w.Super()
	w.Operator("auditor", "admin:access:list", "admin:access:view", "admin:ad:list", "admin:ad:create", "admin:find:list")
	w.Operator("clerk", "admin:ad:list", "admin:order:list")
	w.Operator("former", "admin:ad:list")
	w.Shop.Exec("UPDATE role SET enabled = 0 WHERE id = 4")
	return w
}

func TestHolders(t *testing.T) {
	t.Parallel()
	w := rightsOffice(t)
	w.Shop.Exec("UPDATE admin SET status = 1 WHERE username = 'clerk'")
	c := w.Operator("auditor")
	c.GET("%s", holders+"admin:ad:list").OK().Golden("rights/holders")
	var all []access.Holder
	c.GET("%s", holders+"*").Data(&all)
	require.Len(t, all, 1)
	require.True(t, all[0].Everything && all[0].Effective)
	c.GET("%s", holders+"admin:role:permission:get").Data(&all) // an alias
	require.Len(t, all, 1)
	c.GET("%s", holders+"admin:nobody:knows").Fails(errno.Invalid)
	c.GET("%s", holders).Fails(errno.Missing)
}

func TestRightsRead(t *testing.T) {
	t.Parallel()
	w := rightsOffice(t)
	c := w.Operator("auditor")
	w.Super().POST("/admin/admin/update", `{"id":3,"roleIds":[3,4]}`).OK()
	c.GET("%s", readRights+"3").OK().Golden("rights/read")
	var all access.Operator
	c.GET("%s", readRights+"1").Data(&all)
	require.Equal(t, []string{"*"}, all.Roles[0].Permissions)
	c.GET("%s", readRights+"99").Fails(errno.Invalid)
	c.GET("%s", readRights+"x").Fails(errno.Invalid)
	w.Super().POST("/admin/admin/create", `{"username":"newcomer","password":"secret-9","roleIds":[]}`).OK()
	c.GET("%s", readRights+"5").Data(&all)
	require.Empty(t, all.Roles)
}

func TestView(t *testing.T) {
	t.Parallel()
	w := rightsOffice(t)
	c := w.Operator("auditor")
	c.POST(view, `{"roleId":3}`).OK().Golden("rights/view")
	c.POST(view, `{"roleId":99}`).Fails(errno.Invalid)
	c.POST(view, `{}`).Fails(errno.Missing)
	w.Operator("clerk").POST(view, `{"roleId":3}`).Fails(errno.NoPermission)
	w.Conflict("INSERT INTO audit_log")
	c.POST(view, `{"roleId":3}`).Fails(errno.Stale)
}

// A call as a role sees the console reads what both may, and changes nothing.
func TestCallsAsARole(t *testing.T) {
	t.Parallel()
	w := rightsOffice(t)
	as := func(name, role string) *optest.Client { return w.Operator(name).With(auth.ViewHeader, role) }
	const ads, orders, info = "/admin/ad/list", "/admin/order/list", "/admin/auth/info"
	permissions := func(c *optest.Client) (held []string, roles []string) {
		var got struct{ Permissions, Roles []string }
		c.GET(info).Data(&got)
		return got.Permissions, got.Roles
	}

	w.Super().GET(ads).OK() // loads the grants, which no budget contains
	held, roles := permissions(as("super", "3"))
	require.Equal(t, []string{"admin:ad:list", "admin:order:list"}, held)
	require.Equal(t, []string{"role of clerk"}, roles)
	as("super", "3").GET(orders).OK()
	as("super", "3").GET("/admin/user/list").Fails(errno.NoPermission)

	held, _ = permissions(as("auditor", "3"))
	require.Equal(t, []string{"admin:ad:list"}, held, "no more than one holds oneself")
	as("auditor", "3").GET(ads).OK()
	as("auditor", "3").GET(orders).Fails(errno.NoPermission)
	held, _ = permissions(as("auditor", "1"))
	require.Len(t, held, 5, "a role with everything shows what one holds oneself")
	var hits []struct{ Kind string }
	as("auditor", "2").GET("/admin/find?keyword=x").Data(&hits)

	held, _ = permissions(as("super", "4"))
	require.Empty(t, held, "a disabled role grants nothing")
	as("super", "4").GET(ads).Fails(errno.NoPermission)

	// Nothing can be changed, whatever the role grants, and whether or not a permission is required.
	for _, path := range []string{"/admin/ad/create", view, "/admin/profile/rmnotice", "/admin/auth/logout"} {
		as("auditor", "2").POST(path, `{"id":1,"name":"x"}`).Fails(errno.Invalid).Says("正在以角色视角查看，只能看不能改")
	}
	w.Operator("auditor").GET(ads).OK()

	for _, role := range []string{"99", "0", "-1", "x", "", "3 "} {
		as("super", role).GET(info).Fails(errno.Invalid)
		as("super", role).GET(ads).Fails(errno.NoPermission)
	}
	for _, path := range []string{info, ads} {
		as("clerk", "3").GET(path).Fails(errno.NoPermission)
	}
	w.Nobody().With(auth.ViewHeader, "3").GET(info).Fails(errno.LoginRequired)
}
