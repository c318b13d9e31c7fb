package staff_test

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/staff"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, staff.Ops(staff.Deps{})...)) }

const (
	list   = "/admin/admin/list"
	create = "/admin/admin/create"
	read   = "/admin/admin/read"
	update = "/admin/admin/update"
	remove = "/admin/admin/delete"
	info   = "/admin/auth/info"
)

// office is a service with the operators super (1), chief (2), with all permissions on operators and that to read
// orders, clerk (3), who may read orders, and packer (4), who may ship. The ids of their roles are the same.
func office(t *testing.T) *apitest.Env {
	t.Helper()
	w := apitest.Open(t)
	w.Super()
	w.Operator("chief", "admin:admin:list", "admin:admin:create", "admin:admin:read", "admin:admin:update",
		"admin:admin:delete", "admin:order:list")
	w.Operator("clerk", "admin:order:list")
	w.Operator("packer", "admin:order:ship")
	return w
}

func chief(w *apitest.Env) *optest.Client { return w.Operator("chief") }

// roles are those of an operator as stored, in order.
func roles(w *apitest.Env, operator int) string {
	return w.Shop.Text("SELECT COALESCE(GROUP_CONCAT(role_id ORDER BY position, role_id), '') FROM admin_role "+
		"WHERE admin_id = ?", operator)
}

// The search text is a parameter, and the order comes from a table of words.
func TestList(t *testing.T) {
	t.Parallel()
	w := office(t)
	w.Shop.Exec("UPDATE admin SET deleted = 1, del_mark = id WHERE username = 'packer'")
	c := chief(w)
	c.GET(list + "?limit=2").OK().Golden("list")
	c.GET(list + "?username=nobody").Empty()
	for query, want := range map[string][]int64{
		"":                     {3, 2, 1},
		"sort=id&order=asc":    {1, 2, 3},
		"username=CLE":         {3},
		"username=%25":         {},
		"username=_":           {},
		"username=packer":      {},
		"page=9&limit=2":       {1},
		"username=":            {3, 2, 1},
		"limit=0&order=asc":    {1, 2, 3},
		"timeArray=x&token=no": {3, 2, 1},
		"username=" + url.QueryEscape("' OR '1'='1"): {},
	} {
		require.Equal(t, want, c.GET(list+"?"+query).IDs(), query)
	}
	for _, query := range []string{"sort=username", "sort=id;drop", "order=up", "limit=-1", "page=0", "limit=10001"} {
		c.GET(list + "?" + query).Fails(errno.Invalid)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	w := office(t)
	chief(w).GET(read + "?id=2").OK().Golden("read")
	chief(w).GET(read).Fails(errno.Missing)
	chief(w).GET(read + "?id=x").Fails(errno.Invalid)
	chief(w).GET(read + "?id=99").Fails(errno.Invalid)
	w.Shop.Exec("UPDATE admin SET deleted = 1, del_mark = id WHERE id = 3")
	chief(w).GET(read + "?id=3").Fails(errno.Invalid)
}

func TestCreate(t *testing.T) {
	t.Parallel()
	w := office(t)
	c := chief(w)
	c.POST(create, `{"username":"new_clerk","password":"secret-1","avatar":"http://shop.test/a.png","roleIds":[3,"3"],
		"roleId":[],"id":1,"deleted":true,"addTime":"2001-01-01 00:00:00","status":1}`).OK().Golden("create")
	require.Equal(t, "3", roles(w, 5))
	w.Anonymous().POST("/admin/auth/login", `{"username":"NEW_CLERK","password":"secret-1"}`).OK()
	c.POST(create, `{"username":"plain_one","password":"secret-1"}`).OK()
	require.Empty(t, roles(w, 6))

	c.POST(create, `{"username":"short","password":"secret-1"}`).Fails(errno.AdminInvalidName).Says("管理员名称不符合规定：应为 6 到 20 个字母、数字、汉字或下划线，不能以下划线结尾")
	c.POST(create, `{"username":"clerk_two","password":"12345"}`).Fails(errno.AdminInvalidPassword).Says("管理员密码不符合规定：应为 6 到 64 个字，不超过 72 字节")
	c.POST(create, `{"username":"New_Clerk","password":"secret-1"}`).Fails(errno.AdminNameExists)
	c.POST(create, `{"username":"clerk_two","password":"secret-1","roleIds":[3,4]}`).
		Fails(errno.AdminAlterNotAllowed).Says("不能分配或收回权限超出自己的角色")
	w.Conflict("INSERT INTO admin (")
	c.POST(create, `{"username":"clerk_two","password":"secret-1"}`).Fails(errno.Stale)
}

func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	w := office(t)
	c := chief(w)
	w.Shop.Exec("INSERT INTO role (id, name, add_time, update_time, deleted, del_mark) " +
		"VALUES (8, 'gone', NOW(), NOW(), 1, 8)")
	for name, tt := range map[string]struct {
		body string
		want *errno.Code
	}{
		"nothing":                 {`{}`, errno.Missing},
		"no name":                 {`{"password":"secret-1"}`, errno.Missing},
		"an empty name":           {`{"username":"","password":"secret-1"}`, errno.Missing},
		"a null name":             {`{"username":null,"password":"secret-1"}`, errno.Missing},
		"a name with a blank":     {`{"username":"new clerk","password":"secret-1"}`, errno.AdminInvalidName},
		"a name in an object":     {`{"username":{},"password":"secret-1"}`, errno.Invalid},
		"no password":             {`{"username":"new_clerk"}`, errno.AdminInvalidPassword},
		"a long password":         {`{"username":"new_clerk","password":"` + strings.Repeat("x", 65) + `"}`, errno.AdminInvalidPassword},
		"a password of bytes":     {`{"username":"new_clerk","password":"` + strings.Repeat("密", 25) + `"}`, errno.AdminInvalidPassword},
		"a long avatar":           {`{"username":"new_clerk","password":"secret-1","avatar":"` + strings.Repeat("x", 256) + `"}`, errno.Invalid},
		"an unknown role":         {`{"username":"new_clerk","password":"secret-1","roleIds":[99]}`, errno.Invalid},
		"a deleted role":          {`{"username":"new_clerk","password":"secret-1","roleIds":[8]}`, errno.Invalid},
		"a role of words":         {`{"username":"new_clerk","password":"secret-1","roleIds":["x"]}`, errno.Invalid},
		"roles that are none":     {`{"username":"new_clerk","password":"secret-1","roleIds":3}`, errno.Invalid},
		"two sets of roles":       {`{"username":"new_clerk","password":"secret-1","roleIds":[3],"roleId":[2]}`, errno.Invalid},
		"the super role":          {`{"username":"new_clerk","password":"secret-1","roleIds":[1]}`, errno.AdminAlterNotAllowed},
		"a role beyond their own": {`{"username":"new_clerk","password":"secret-1","roleId":[4]}`, errno.AdminAlterNotAllowed},
	} {
		t.Run(name, func(t *testing.T) {
			c.In(t).POST(create, "%s", tt.body).Fails(tt.want)
			require.EqualValues(t, 4, w.Shop.Int("SELECT COUNT(*) FROM admin"), "nothing half done")
		})
	}
	w.Super().POST(create, `{"username":"new_super","password":"secret-1","roleIds":[1,4]}`).OK()
}

func TestCreateOnce(t *testing.T) {
	t.Parallel()
	w := office(t)
	c := chief(w).With("Idempotency-Key", "k1")
	first := c.POST(create, `{"username":"new_clerk","password":"secret-1","roleIds":[3]}`).OK()
	again := c.POST(create, `{"username":"new_clerk","password":"secret-1","roleIds":[3]}`).OK()
	require.JSONEq(t, string(first.Body), string(again.Body))
	c.POST(create, `{"username":"other_one","password":"secret-1"}`).Fails(errno.Invalid)
	require.EqualValues(t, 5, w.Shop.Int("SELECT COUNT(*) FROM admin"))
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM idempotency WHERE response LIKE '%secret%' OR response LIKE '%$2a$%'"))
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	w := office(t)
	c := chief(w)
	before := w.Shop.Text("SELECT CONCAT(password_hash, token_version) FROM admin WHERE id = 3")
	c.POST(update, `{"id":3,"username":"clerk_one","avatar":"http://shop.test/b.png","roleIds":[3],"roleId":[3],
		"password":"another-one","deleted":true,"addTime":"2001-01-01 00:00:00","lastLoginIp":"1.2.3.4","status":1}`).
		OK().Golden("update")
	require.Equal(t, before, w.Shop.Text("SELECT CONCAT(password_hash, token_version) FROM admin WHERE id = 3"))
	w.Operator("clerk").GET(info).OK()
	c.POST(update, `{"id":3,"avatar":""}`).OK().Golden("update_part")
	c.POST(update, `{"id":"3","username":"CLERK_one","password":""}`).OK()
	require.Equal(t, "CLERK_one", w.Shop.Text("SELECT username FROM admin WHERE id = 3"))

	c.POST(update, `{"id":99,"username":"clerk_nine"}`).Fails(errno.UpdateFailed)
	c.POST(update, `{"id":3,"username":"clerk_"}`).Fails(errno.AdminInvalidName).Says("管理员名称不符合规定：应为 6 到 20 个字母、数字、汉字或下划线，不能以下划线结尾")
	c.POST(update, `{"id":3,"password":"12345"}`).Fails(errno.AdminInvalidPassword).Says("管理员密码不符合规定：应为 6 到 64 个字，不超过 72 字节")
	c.POST(create, `{"username":"second_one","password":"secret-1"}`).OK()
	c.POST(update, `{"id":3,"username":"Second_One"}`).Fails(errno.AdminNameExists)
	c.POST(update, `{"id":3,"roleIds":[4]}`).Fails(errno.AdminAlterNotAllowed).Says("不能分配或收回权限超出自己的角色")
	w.Conflict("UPDATE admin SET username")
	c.POST(update, `{"id":3,"avatar":"x"}`).Fails(errno.Stale)
}

func TestUpdateRefuses(t *testing.T) {
	t.Parallel()
	w := office(t)
	w.Shop.Exec("UPDATE admin SET deleted = 1, del_mark = id WHERE id = 4")
	for name, tt := range map[string]struct {
		body string
		want *errno.Code
	}{
		"no id":                       {`{"username":"clerk_one"}`, errno.Missing},
		"an empty name":               {`{"id":3,"username":""}`, errno.Missing},
		"a blank name":                {`{"id":3,"username":" "}`, errno.Missing},
		"an id of words":              {`{"id":"x"}`, errno.Invalid},
		"a long avatar":               {`{"id":3,"avatar":"` + strings.Repeat("x", 256) + `"}`, errno.Invalid},
		"an unknown role":             {`{"id":3,"roleIds":[99]}`, errno.Invalid},
		"two new sets of roles":       {`{"id":3,"roleIds":[2],"roleId":[4]}`, errno.Invalid},
		"a deleted operator":          {`{"id":4,"avatar":"x"}`, errno.UpdateFailed},
		"a super operator":            {`{"id":1,"avatar":"x"}`, errno.AdminAlterNotAllowed},
		"the super role for themself": {`{"id":2,"roleIds":[2,1]}`, errno.AdminAlterNotAllowed},
		"more than they hold":         {`{"id":3,"roleIds":[3,4]}`, errno.AdminAlterNotAllowed},
	} {
		t.Run(name, func(t *testing.T) {
			chief(w).In(t).POST(update, "%s", tt.body).Fails(tt.want)
			require.Equal(t, "1/2/3/4", roles(w, 1)+"/"+roles(w, 2)+"/"+roles(w, 3)+"/"+roles(w, 4))
		})
	}
	w.Super().POST(update, `{"id":1,"roleIds":[2]}`).Fails(errno.AdminAlterNotAllowed)
	w.Super().POST(update, `{"id":1,"roleIds":[]}`).Fails(errno.AdminAlterNotAllowed)
	require.Equal(t, "1", roles(w, 1), "the last super operator stays one")
}

func TestWhichRolesCount(t *testing.T) {
	t.Parallel()
	w := office(t)
	for _, tt := range []struct{ body, want string }{
		{`"roleIds":[4,3]`, "4,3"},
		{`"roleId":[3,4,3]`, "3,4"},
		{`"roleIds":[2],"roleId":[4,3]`, "2"},            // an older client's echo beside the new set
		{`"roleIds":[2,2],"roleId":[3,4]`, "3,4"},        // and the reverse
		{`"roleIds":[2,3],"roleId":[3,2]`, "3,2"},        // the same set twice
		{`"roleIds":[],"roleId":[2,3]`, ""},              // none
		{`"roleIds":null,"roleId":[4]`, "4"},             // null is absent
		{`"avatar":"x"`, "4"},                            // an absent set stays
		{`"roleIds":[4],"roleId":[4],"avatar":"y"`, "4"}, // an echo changes nothing
	} {
		w.Super().POST(update, `{"id":3,%s}`, tt.body).OK()
		require.Equal(t, tt.want, roles(w, 3), tt.body)
	}
	w.Super().POST(update, `{"id":3,"roleIds":[2],"roleId":[3]}`).Fails(errno.Invalid)
	w.Shop.Exec("INSERT INTO admin_role (admin_id, role_id, add_time) VALUES (3, 77, NOW())")
	var row struct{ RoleIDs []int64 }
	w.Super().GET(read + "?id=3").Data(&row)
	require.Equal(t, []int64{4}, row.RoleIDs, "a role that does not exist is not shown")
}

func TestASuperRoleIsHandedOutBySuperOperatorsAlone(t *testing.T) {
	t.Parallel()
	w := office(t)
	w.Super().POST(create, `{"username":"second_super","password":"secret-1","roleIds":[1]}`).OK()
	chief(w).POST(update, `{"id":5,"roleIds":[]}`).Fails(errno.AdminAlterNotAllowed)
	chief(w).POST(remove, `{"id":5}`).Fails(errno.AdminDeleteNotAllowed)
	w.Super().POST(update, `{"id":1,"roleIds":[2]}`).OK()
	w.Super().POST(update, `{"id":5,"avatar":"x"}`).Fails(errno.AdminAlterNotAllowed)
}

// The log contains stored values.
func TestDelete(t *testing.T) {
	t.Parallel()
	w := office(t)
	c := chief(w)
	clerk := w.Operator("clerk")
	clerk.GET(info).OK()
	require.NoError(t, w.Shop.Access.Notify(t.Context(), "title", "content"))
	c.POST(remove, `{"id":3,"username":"somebody else","roleIds":[1]}`).OK().Golden("delete")
	clerk.GET(info).Fails(errno.LoginRequired)
	require.Equal(t, []string{"1", "2", "4"},
		w.Shop.Texts("SELECT admin_id FROM notice_admin WHERE deleted = 0 ORDER BY admin_id"))
	w.Anonymous().POST("/admin/auth/login", `{"username":"clerk","password":"%s"}`, apitest.Password).
		Fails(errno.AdminInvalidAccount)
	c.POST(remove, `{"id":3}`).OK().Golden("delete_again")
	c.POST(remove, `{"id":99}`).OK()
	c.POST(remove, `{}`).Fails(errno.Missing)
	c.POST(remove, `{"id":"x"}`).Fails(errno.Invalid)
	c.POST(remove, `{"id":2}`).Fails(errno.AdminDeleteNotAllowed).Says("不能删除自己")
	c.POST(remove, `{"id":1}`).Fails(errno.AdminDeleteNotAllowed)
	w.Super().POST(remove, `{"id":1}`).Fails(errno.AdminDeleteNotAllowed)
	w.Super().POST(create, `{"username":"clerk_two","password":"secret-1"}`).OK()
	w.Shop.Exec("UPDATE admin SET username = 'clerk_x', username_key = 'clerk_x' WHERE id = 5")
	w.Super().POST(create, `{"username":"clerk_two","password":"secret-1"}`).OK()
	w.Conflict("UPDATE admin SET deleted")
	c.POST(remove, `{"id":4}`).Fails(errno.Stale)
}

func TestADeletedNameMayBeTakenAgain(t *testing.T) {
	t.Parallel()
	w := office(t)
	body := `{"username":"clerk_two","password":"secret-1"}`
	for range 2 {
		chief(w).POST(create, "%s", body).OK()
		chief(w).POST(create, "%s", body).Fails(errno.AdminNameExists)
		chief(w).POST(remove, `{"id":%d}`, w.Shop.Int("SELECT MAX(id) FROM admin")).OK()
	}
}
