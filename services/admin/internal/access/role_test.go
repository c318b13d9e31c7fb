package access_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/access"
	"shop.internal/services/admin/internal/apitest"
)

const (
	listRoles       = "/admin/role/list"
	roleOptions     = "/admin/role/options"
	createRole      = "/admin/role/create"
	readRole        = "/admin/role/read"
	updateRole      = "/admin/role/update"
	removeRole      = "/admin/role/delete"
	rolePermissions = "/admin/role/permissions"
	roleInfo        = "/admin/auth/info"
)

// roleOffice is a service with the roles of super (1), of chief (2), with all permissions on roles and that to read orders,
// and of packer (3), who may ship; and clerks (4), a role to read orders that nobody has.
func roleOffice(t *testing.T) *apitest.Env {
	t.Helper()
	w := apitest.Open(t)
	w.Super()
	w.Operator("chief", "admin:role:list", "admin:role:create", "admin:role:read", "admin:role:update",
		"admin:role:delete", "admin:role:permission-get", "admin:role:permission-update", "admin:order:list")
	w.Operator("packer", "admin:order:ship")
	w.Super().POST(createRole, `{"name":"clerks","desc":"read orders"}`).OK()
	w.Super().POST(rolePermissions, `{"roleId":4,"permissions":["admin:order:list"]}`).OK()
	return w
}

func roleChief(w *apitest.Env) *optest.Client { return w.Operator("chief") }

// granted is what a role grants as stored.
func granted(w *apitest.Env, id int) string {
	return strings.Join(w.Shop.Texts("SELECT permission FROM permission WHERE role_id = ? AND deleted = 0 "+
		"ORDER BY permission", id), " ")
}

func TestRoleList(t *testing.T) {
	t.Parallel()
	w := roleOffice(t)
	c := roleChief(w)
	c.GET(listRoles + "?limit=2").OK().Golden("role/list")
	c.GET(listRoles + "?name=nobody").Empty()
	for query, want := range map[string][]int64{
		"":                                       {4, 3, 2, 1},
		"sort=id&order=asc":                      {1, 2, 3, 4},
		"name=CLERK":                             {4},
		"name=%25":                               {},
		"page=9&limit=3":                         {1},
		"limit=0&order=asc":                      {1, 2, 3, 4},
		"name=of&order=desc":                     {3, 2, 1},
		"name=" + url.QueryEscape("' OR '1'='1"): {},
	} {
		require.Equal(t, want, c.GET(listRoles+"?"+query).IDs(), query)
	}
	for _, query := range []string{"sort=name", "order=up", "limit=-1", "page=0", "limit=10001"} {
		c.GET(listRoles + "?" + query).Fails(errno.Invalid)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	w := roleOffice(t)
	w.Shop.Exec("UPDATE role SET enabled = 0 WHERE id = 4")
	w.Shop.Exec("UPDATE role SET deleted = 1, del_mark = id WHERE id = 3")
	nobody := w.Operator("nobody")
	nobody.GET(roleOptions).OK().Golden("role/options")
	nobody.GET(roleOptions + "?page=9&limit=2").OK().Golden("role/options_page")
	nobody.GET(roleOptions + "?sort=anything&order=up").OK()
	nobody.GET(roleOptions + "?page=0").Fails(errno.Invalid)
}

func TestRoleRead(t *testing.T) {
	t.Parallel()
	w := roleOffice(t)
	roleChief(w).GET(readRole + "?id=4").OK().Golden("role/read")
	roleChief(w).GET(readRole).Fails(errno.Missing)
	roleChief(w).GET(readRole + "?id=x").Fails(errno.Invalid)
	roleChief(w).GET(readRole + "?id=99").Fails(errno.Invalid)
}

// The name of a deleted role is free.
func TestRoleCreate(t *testing.T) {
	t.Parallel()
	w := roleOffice(t)
	c := roleChief(w)
	c.POST(createRole, `{"name":"readers","desc":"nobody yet","enabled":"false","id":1,"deleted":true,"permissions":["*"]}`).
		OK().Golden("role/create")
	require.Empty(t, granted(w, 5))
	for _, same := range []string{"Readers", "ＲＥＡＤＥＲＳ", " readers\u3000"} {
		c.POST(createRole, `{"name":"%s"}`, same).Fails(errno.RoleNameExists)
	}
	c.POST(removeRole, `{"id":5}`).OK()
	c.POST(createRole, `{"name":"readers"}`).OK().Golden("role/create_again")
	for _, other := range []string{"🍺", "🍣", "𠮷", "𡈽", "réaders"} {
		c.POST(createRole, `{"name":"%s"}`, other).OK()
		require.Len(t, c.GET(listRoles+"?name="+url.QueryEscape(other)).IDs(), 1, other)
	}
	for body, want := range map[string]*errno.Code{
		`{}`:                               errno.Missing,
		`{"name":""}`:                      errno.Missing,
		`{"name":" "}`:                     errno.Missing,
		`{"name":[]}`:                      errno.Invalid,
		`{"name":"x","enabled":"perhaps"}`: errno.Invalid,
		`{"name":"` + strings.Repeat("长", 64) + `"}`:              errno.Invalid,
		`{"name":"x","desc":"` + strings.Repeat("x", 1024) + `"}`: errno.Invalid,
	} {
		c.POST(createRole, "%s", body).Fails(want)
	}
	c.POST(createRole, `{"name":"%s","desc":"%s"}`, strings.Repeat("长", 63), strings.Repeat("长", 1023)).OK()
	keyed := c.With("Idempotency-Key", "k1")
	first := keyed.POST(createRole, `{"name":"once"}`).OK()
	require.JSONEq(t, string(first.Body), string(keyed.POST(createRole, `{"name":"once"}`).OK().Body))
	keyed.POST(createRole, `{"name":"twice"}`).Fails(errno.Invalid)
	w.Conflict("INSERT INTO role")
	c.POST(createRole, `{"name":"x"}`).Fails(errno.Stale)
}

func TestRoleUpdate(t *testing.T) {
	t.Parallel()
	w := roleOffice(t)
	c := roleChief(w)
	c.POST(updateRole, `{"id":4,"name":"readers","desc":"read","enabled":0,"deleted":true,"addTime":"x"}`).OK().
		Golden("role/update")
	c.POST(updateRole, `{"id":4,"enabled":true}`).OK().Golden("role/update_part")
	c.POST(updateRole, `{"id":99,"name":"x"}`).Fails(errno.UpdateFailed)
	c.POST(updateRole, `{"id":4,"name":"ROLE of chief"}`).Fails(errno.RoleNameExists)
	c.POST(updateRole, `{"id":4,"name":"READERS"}`).OK()
	c.POST(updateRole, `{"id":4,"name":"readers"}`).OK()
	c.POST(updateRole, `{"id":1,"name":"x"}`).Fails(errno.RoleSuperProtected).Says("该角色拥有超级权限，只有超级管理员能修改")
	c.POST(updateRole, `{"id":3,"enabled":false}`).Fails(errno.NoPermission).Says("不能授予或收回自己没有的权限")
	for body, want := range map[string]*errno.Code{
		`{"name":"x"}`:               errno.Missing,
		`{"id":4,"name":""}`:         errno.Missing,
		`{"id":4,"name":" "}`:        errno.Missing,
		`{"id":4,"enabled":"maybe"}`: errno.Invalid,
		`{"id":4,"name":"` + strings.Repeat("x", 64) + `"}`: errno.Invalid,
	} {
		c.POST(updateRole, "%s", body).Fails(want)
	}
	super := w.Super()
	super.POST(updateRole, `{"id":1,"name":"owners","desc":"all","enabled":true}`).OK()
	super.POST(updateRole, `{"id":1,"enabled":false}`).Fails(errno.RoleSuperProtected)
	super.POST(updateRole, `{"id":3,"enabled":false}`).OK()
	w.Operator("packer").GET(roleInfo).OK()
	require.Equal(t, []string{"GET /admin/dashboard"}, perms(w, "packer"))
	w.Conflict("UPDATE role")
	c.POST(updateRole, `{"id":4,"name":"x"}`).Fails(errno.Stale)
}

// perms are the operations that the console shows an operator.
func perms(w *apitest.Env, name string) []string {
	var got struct{ Perms []string }
	w.Operator(name).GET(roleInfo).Data(&got)
	return got.Perms
}

func TestRoleDelete(t *testing.T) {
	t.Parallel()
	w := roleOffice(t)
	c := roleChief(w)
	w.Super().POST("/admin/admin/create", `{"username":"clerk_one","password":"secret-1","roleIds":[4]}`).OK()
	c.POST(removeRole, `{"id":4}`).Fails(errno.RoleInUse)
	c.POST(removeRole, `{"id":1}`).Fails(errno.RoleSuperProtected).Says("该角色拥有超级权限，只有超级管理员能修改")
	w.Super().POST(removeRole, `{"id":1}`).Fails(errno.RoleSuperProtected)
	c.POST(removeRole, `{"id":3}`).Fails(errno.NoPermission).Says("不能授予或收回自己没有的权限")
	c.POST(removeRole, `{}`).Fails(errno.Missing)
	c.POST(removeRole, `{"id":"x"}`).Fails(errno.Invalid)
	w.Super().POST("/admin/admin/delete", `{"id":4}`).OK()
	c.POST(removeRole, `{"id":4,"name":"something else"}`).OK().Golden("role/delete")
	require.Empty(t, granted(w, 4))
	c.POST(removeRole, `{"id":4}`).OK().Golden("role/delete_again")
	c.GET(readRole + "?id=4").Fails(errno.Invalid)
	c.POST(updateRole, `{"id":4,"deleted":false}`).Fails(errno.UpdateFailed)
	c.POST(createRole, `{"name":"clerks"}`).OK()
	w.Conflict("UPDATE role SET deleted")
	c.POST(removeRole, `{"id":5}`).Fails(errno.Stale)
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	w := roleOffice(t)
	var got access.Permissions
	roleChief(w).GET(rolePermissions + "?roleId=4").OK().Data(&got)
	require.Equal(t, []string{"admin:order:list"}, got.Assigned)
	require.Contains(t, *got.Cur, "admin:role:permission-get")
	require.NotContains(t, *got.Cur, "admin:order:ship")

	ids := map[string]bool{}
	var leaves []string
	for _, group := range got.System {
		require.False(t, ids[group.ID], group.ID)
		ids[group.ID] = true
		for _, page := range group.Children {
			require.True(t, strings.HasPrefix(page.ID, group.ID+"/"))
			require.False(t, ids[page.ID], page.ID)
			ids[page.ID] = true
			for _, leaf := range page.Children {
				leaves = append(leaves, leaf.ID)
			}
		}
	}
	require.Equal(t, w.Handler.Registry.Values(), leaves, "the tree is in the order of the registry")
	page := got.System[slices.IndexFunc(got.System, func(g access.GrantGroup) bool { return g.ID == "menu:sys" })]
	require.Equal(t, access.GrantLeaf{
		ID: "admin:role:permission-get", Label: "权限详情", API: "GET /admin/role/permissions",
		Description: "System / Roles / Permission detail",
	}, leafOf(t, page, "admin:role:permission-get"))

	w.Super().GET(rolePermissions + "?roleId=1").Data(&got)
	require.Equal(t, w.Handler.Registry.Values(), got.Assigned, "a super role grants everything there is")
	require.Nil(t, got.Cur)
	roleChief(w).GET(rolePermissions + "?roleId=99").Fails(errno.Invalid)
	roleChief(w).GET(rolePermissions + "?roleId=x").Fails(errno.Invalid)
	roleChief(w).GET(rolePermissions).Data(&got)
	require.Equal(t, []string{}, got.Assigned)
}

func leafOf(t *testing.T, g access.GrantGroup, id string) access.GrantLeaf {
	t.Helper()
	for _, page := range g.Children {
		for _, leaf := range page.Children {
			if leaf.ID == id {
				return leaf
			}
		}
	}
	t.Fatalf("no leaf %s", id)
	return access.GrantLeaf{}
}

func TestGrant(t *testing.T) {
	t.Parallel()
	w := roleOffice(t)
	c := roleChief(w)
	c.POST(rolePermissions, `{"roleId":4,"permissions":["admin:role:list","admin:role:permission:get","admin:role:list"]}`).
		OK().Golden("role/grant")
	require.Equal(t, "admin:role:list admin:role:permission-get", granted(w, 4), "an alias is stored as the value")
	c.POST(rolePermissions, `{"roleId":4,"permissions":[]}`).OK().Golden("role/grant_nothing")
	require.Empty(t, granted(w, 4))
	c.POST(rolePermissions, `{"roleId":4,"permissions":["admin:role:list"]}`).OK()
	for body, want := range map[string]*errno.Code{
		`{"permissions":[]}`:                                                errno.Missing,
		`{"roleId":4}`:                                                      errno.Missing,
		`{"roleId":4,"permissions":null}`:                                   errno.Missing,
		`{"roleId":4,"permissions":"admin:role:list"}`:                      errno.Invalid,
		`{"roleId":4,"permissions":["menu:sys"]}`:                           errno.Invalid,
		`{"roleId":4,"permissions":["admin:role:list",""]}`:                 errno.Invalid,
		`{"roleId":4,"permissions":["ADMIN:ROLE:LIST"]}`:                    errno.Invalid,
		`{"roleId":4,"permissions":["admin:role:*"]}`:                       errno.Invalid,
		`{"roleId":99,"permissions":["admin:role:list"]}`:                   errno.Invalid,
		`{"roleId":99,"permissions":["*"]}`:                                 errno.Invalid,
		`{"roleId":4,"permissions":["*"]}`:                                  errno.RoleSuperProtected,
		`{"roleId":1,"permissions":["admin:role:list"]}`:                    errno.RoleSuperProtected,
		`{"roleId":4,"permissions":["admin:role:list","admin:order:ship"]}`: errno.NoPermission,
		`{"roleId":3,"permissions":[]}`:                                     errno.NoPermission,
		`{"roleId":2,"permissions":["admin:order:ship"]}`:                   errno.NoPermission,
	} {
		c.POST(rolePermissions, "%s", body).Fails(want)
	}
	require.Equal(t, "admin:role:list", granted(w, 4), "nothing half done")
	w.Super().POST(rolePermissions, `{"roleId":1,"permissions":[]}`).Fails(errno.RoleSuperProtected).Says("超级权限不能授予，也不能收回")
	c.POST(rolePermissions, `{"roleId":3,"permissions":["admin:order:ship","admin:role:list"]}`).OK()
	require.Equal(t, "admin:order:ship admin:role:list", granted(w, 3), "what stays needs not be held")
	w.Conflict("UPDATE permission")
	c.POST(rolePermissions, `{"roleId":4,"permissions":[]}`).Fails(errno.Stale)
}

// TestPermissionsAnswer shows the tree of one page; the whole one grows with every operation.
func TestPermissionsAnswer(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Operator("reader", "admin:role:permission-get", "admin:nobody:knows")
	a := w.Operator("reader").GET(rolePermissions + "?roleId=1").OK()
	var whole struct {
		Errno  int
		Errmsg string
		Data   access.Permissions
	}
	require.NoError(t, json.Unmarshal(a.Body, &whole))
	at := slices.IndexFunc(whole.Data.System, func(g access.GrantGroup) bool { return g.ID == "menu:sys" })
	group := whole.Data.System[at]
	group.Children = slices.DeleteFunc(group.Children, func(p access.GrantPage) bool { return p.ID != "menu:sys/role" })
	whole.Data.System = []access.GrantGroup{group}
	var err error
	a.Body, err = json.Marshal(map[string]any{"errno": whole.Errno, "errmsg": whole.Errmsg, "data": whole.Data})
	require.NoError(t, err)
	a.Golden("role/permissions")
}
