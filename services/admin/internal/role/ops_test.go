package role_test

import (
	"encoding/json"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/role"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, role.Ops(role.Deps{})...)) }

const (
	list        = "/admin/role/list"
	options     = "/admin/role/options"
	create      = "/admin/role/create"
	read        = "/admin/role/read"
	update      = "/admin/role/update"
	remove      = "/admin/role/delete"
	permissions = "/admin/role/permissions"
	info        = "/admin/auth/info"
)

// office is a service with the roles of super (1), of chief (2), with all permissions on roles and that to read orders,
// and of packer (3), who may ship; and clerks (4), a role to read orders that nobody has.
func office(t *testing.T) *apitest.Env {
	t.Helper()
	w := apitest.Open(t)
	w.Super()
	w.Operator("chief", "admin:role:list", "admin:role:create", "admin:role:read", "admin:role:update",
		"admin:role:delete", "admin:role:permission-get", "admin:role:permission-update", "admin:order:list")
	w.Operator("packer", "admin:order:ship")
	w.Super().POST(create, `{"name":"clerks","desc":"read orders"}`).OK()
	w.Super().POST(permissions, `{"roleId":4,"permissions":["admin:order:list"]}`).OK()
	return w
}

func chief(w *apitest.Env) *optest.Client { return w.Operator("chief") }

// granted is what a role grants as stored.
func granted(w *apitest.Env, id int) string {
	return strings.Join(w.Shop.Texts("SELECT permission FROM permission WHERE role_id = ? AND deleted = 0 "+
		"ORDER BY permission", id), " ")
}

func TestList(t *testing.T) {
	t.Parallel()
	w := office(t)
	c := chief(w)
	c.GET(list + "?limit=2").OK().Golden("list")
	c.GET(list + "?name=nobody").Empty()
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
		require.Equal(t, want, c.GET(list+"?"+query).IDs(), query)
	}
	for _, query := range []string{"sort=name", "order=up", "limit=-1", "page=0", "limit=10001"} {
		c.GET(list + "?" + query).Fails(errno.Invalid)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	w := office(t)
	w.Shop.Exec("UPDATE role SET enabled = 0 WHERE id = 4")
	w.Shop.Exec("UPDATE role SET deleted = 1, del_mark = id WHERE id = 3")
	nobody := w.Operator("nobody")
	nobody.GET(options).OK().Golden("options")
	nobody.GET(options + "?page=9&limit=2").OK().Golden("options_page")
	nobody.GET(options + "?sort=anything&order=up").OK()
	nobody.GET(options + "?page=0").Fails(errno.Invalid)
}

func TestRead(t *testing.T) {
	t.Parallel()
	w := office(t)
	chief(w).GET(read + "?id=4").OK().Golden("read")
	chief(w).GET(read).Fails(errno.Missing)
	chief(w).GET(read + "?id=x").Fails(errno.Invalid)
	chief(w).GET(read + "?id=99").Fails(errno.Invalid)
}

// The name of a deleted role is free.
func TestCreate(t *testing.T) {
	t.Parallel()
	w := office(t)
	c := chief(w)
	c.POST(create, `{"name":"readers","desc":"nobody yet","enabled":"false","id":1,"deleted":true,"permissions":["*"]}`).
		OK().Golden("create")
	require.Empty(t, granted(w, 5))
	for _, same := range []string{"Readers", "ＲＥＡＤＥＲＳ", " readers\u3000"} {
		c.POST(create, `{"name":"%s"}`, same).Fails(errno.RoleNameExists)
	}
	c.POST(remove, `{"id":5}`).OK()
	c.POST(create, `{"name":"readers"}`).OK().Golden("create_again")
	for _, other := range []string{"🍺", "🍣", "𠮷", "𡈽", "réaders"} {
		c.POST(create, `{"name":"%s"}`, other).OK()
		require.Len(t, c.GET(list+"?name="+url.QueryEscape(other)).IDs(), 1, other)
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
		c.POST(create, "%s", body).Fails(want)
	}
	c.POST(create, `{"name":"%s","desc":"%s"}`, strings.Repeat("长", 63), strings.Repeat("长", 1023)).OK()
	keyed := c.With("Idempotency-Key", "k1")
	first := keyed.POST(create, `{"name":"once"}`).OK()
	require.JSONEq(t, string(first.Body), string(keyed.POST(create, `{"name":"once"}`).OK().Body))
	keyed.POST(create, `{"name":"twice"}`).Fails(errno.Invalid)
	w.Conflict("INSERT INTO role")
	c.POST(create, `{"name":"x"}`).Fails(errno.Stale)
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	w := office(t)
	c := chief(w)
	c.POST(update, `{"id":4,"name":"readers","desc":"read","enabled":0,"deleted":true,"addTime":"x"}`).OK().
		Golden("update")
	c.POST(update, `{"id":4,"enabled":true}`).OK().Golden("update_part")
	c.POST(update, `{"id":99,"name":"x"}`).Fails(errno.UpdateFailed)
	c.POST(update, `{"id":4,"name":"ROLE of chief"}`).Fails(errno.RoleNameExists)
	c.POST(update, `{"id":4,"name":"READERS"}`).OK()
	c.POST(update, `{"id":4,"name":"readers"}`).OK()
	c.POST(update, `{"id":1,"name":"x"}`).Fails(errno.RoleSuperProtected).Says("该角色拥有超级权限，只有超级管理员能修改")
	c.POST(update, `{"id":3,"enabled":false}`).Fails(errno.NoPermission).Says("不能授予或收回自己没有的权限")
	for body, want := range map[string]*errno.Code{
		`{"name":"x"}`:               errno.Missing,
		`{"id":4,"name":""}`:         errno.Missing,
		`{"id":4,"name":" "}`:        errno.Missing,
		`{"id":4,"enabled":"maybe"}`: errno.Invalid,
		`{"id":4,"name":"` + strings.Repeat("x", 64) + `"}`: errno.Invalid,
	} {
		c.POST(update, "%s", body).Fails(want)
	}
	super := w.Super()
	super.POST(update, `{"id":1,"name":"owners","desc":"all","enabled":true}`).OK()
	super.POST(update, `{"id":1,"enabled":false}`).Fails(errno.RoleSuperProtected)
	super.POST(update, `{"id":3,"enabled":false}`).OK()
	w.Operator("packer").GET(info).OK()
	require.Equal(t, []string{"GET /admin/dashboard"}, perms(w, "packer"))
	w.Conflict("UPDATE role")
	c.POST(update, `{"id":4,"name":"x"}`).Fails(errno.Stale)
}

// perms are the operations that the console shows an operator.
func perms(w *apitest.Env, name string) []string {
	var got struct{ Perms []string }
	w.Operator(name).GET(info).Data(&got)
	return got.Perms
}

func TestDelete(t *testing.T) {
	t.Parallel()
	w := office(t)
	c := chief(w)
	w.Super().POST("/admin/admin/create", `{"username":"clerk_one","password":"secret-1","roleIds":[4]}`).OK()
	c.POST(remove, `{"id":4}`).Fails(errno.RoleInUse)
	c.POST(remove, `{"id":1}`).Fails(errno.RoleSuperProtected).Says("该角色拥有超级权限，只有超级管理员能修改")
	w.Super().POST(remove, `{"id":1}`).Fails(errno.RoleSuperProtected)
	c.POST(remove, `{"id":3}`).Fails(errno.NoPermission).Says("不能授予或收回自己没有的权限")
	c.POST(remove, `{}`).Fails(errno.Missing)
	c.POST(remove, `{"id":"x"}`).Fails(errno.Invalid)
	w.Super().POST("/admin/admin/delete", `{"id":4}`).OK()
	c.POST(remove, `{"id":4,"name":"something else"}`).OK().Golden("delete")
	require.Empty(t, granted(w, 4))
	c.POST(remove, `{"id":4}`).OK().Golden("delete_again")
	c.GET(read + "?id=4").Fails(errno.Invalid)
	c.POST(update, `{"id":4,"deleted":false}`).Fails(errno.UpdateFailed)
	c.POST(create, `{"name":"clerks"}`).OK()
	w.Conflict("UPDATE role SET deleted")
	c.POST(remove, `{"id":5}`).Fails(errno.Stale)
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	w := office(t)
	var got role.Permissions
	chief(w).GET(permissions + "?roleId=4").OK().Data(&got)
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
	page := got.System[slices.IndexFunc(got.System, func(g role.Group) bool { return g.ID == "menu:sys" })]
	require.Equal(t, role.Leaf{
		ID: "admin:role:permission-get", Label: "权限详情", API: "GET /admin/role/permissions",
		Description: "System / Roles / Permission detail",
	}, leafOf(t, page, "admin:role:permission-get"))

	w.Super().GET(permissions + "?roleId=1").Data(&got)
	require.Equal(t, w.Handler.Registry.Values(), got.Assigned, "a super role grants everything there is")
	require.Nil(t, got.Cur)
	chief(w).GET(permissions + "?roleId=99").Fails(errno.Invalid)
	chief(w).GET(permissions + "?roleId=x").Fails(errno.Invalid)
	chief(w).GET(permissions).Data(&got)
	require.Equal(t, []string{}, got.Assigned)
}

func leafOf(t *testing.T, g role.Group, id string) role.Leaf {
	t.Helper()
	for _, page := range g.Children {
		for _, leaf := range page.Children {
			if leaf.ID == id {
				return leaf
			}
		}
	}
	t.Fatalf("no leaf %s", id)
	return role.Leaf{}
}

func TestGrant(t *testing.T) {
	t.Parallel()
	w := office(t)
	c := chief(w)
	c.POST(permissions, `{"roleId":4,"permissions":["admin:role:list","admin:role:permission:get","admin:role:list"]}`).
		OK().Golden("grant")
	require.Equal(t, "admin:role:list admin:role:permission-get", granted(w, 4), "an alias is stored as the value")
	c.POST(permissions, `{"roleId":4,"permissions":[]}`).OK().Golden("grant_nothing")
	require.Empty(t, granted(w, 4))
	c.POST(permissions, `{"roleId":4,"permissions":["admin:role:list"]}`).OK()
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
		c.POST(permissions, "%s", body).Fails(want)
	}
	require.Equal(t, "admin:role:list", granted(w, 4), "nothing half done")
	w.Super().POST(permissions, `{"roleId":1,"permissions":[]}`).Fails(errno.RoleSuperProtected).Says("超级权限不能授予，也不能收回")
	c.POST(permissions, `{"roleId":3,"permissions":["admin:order:ship","admin:role:list"]}`).OK()
	require.Equal(t, "admin:order:ship admin:role:list", granted(w, 3), "what stays needs not be held")
	w.Conflict("UPDATE permission")
	c.POST(permissions, `{"roleId":4,"permissions":[]}`).Fails(errno.Stale)
}

// TestPermissionsAnswer shows the tree of one page; the whole one grows with every operation.
func TestPermissionsAnswer(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Operator("reader", "admin:role:permission-get", "admin:nobody:knows")
	a := w.Operator("reader").GET(permissions + "?roleId=1").OK()
	var whole struct {
		Errno  int
		Errmsg string
		Data   role.Permissions
	}
	require.NoError(t, json.Unmarshal(a.Body, &whole))
	at := slices.IndexFunc(whole.Data.System, func(g role.Group) bool { return g.ID == "menu:sys" })
	group := whole.Data.System[at]
	group.Children = slices.DeleteFunc(group.Children, func(p role.Page) bool { return p.ID != "menu:sys/role" })
	whole.Data.System = []role.Group{group}
	var err error
	a.Body, err = json.Marshal(map[string]any{"errno": whole.Errno, "errmsg": whole.Errmsg, "data": whole.Data})
	require.NoError(t, err)
	a.Golden("permissions")
}
