package app_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/form"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

// injections are texts that no row contains. Executed as SQL they would find rows, or sleep until the statement is cut off, which
// fails its call.
func injections() []string {
	return []string{
		"x' or '1'='1", "x%' or sleep(600) -- ", "1*", `\`, `%`, `_`, `") or ("1"="1`, "' union select 1,2,3 -- ", "${1}",
		"\x00",
	}
}

// TestInjection is CVE-2024-24323 and CVE-2024-46382: search texts are literal, and other values than numbers and the
// words of a list are refused.
func TestInjection(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	c := w.Operator("reader", "admin:order:list", "admin:goods:list")
	for list, members := range map[string][]string{
		"/admin/order/list": {"nickname", "consignee", "orderSn"}, "/admin/goods/list": {"goodsSn", "name"},
	} {
		var whole struct{ Total int }
		c.GET(list).Data(&whole)
		require.Positive(t, whole.Total)
		for _, member := range members {
			for _, text := range injections() {
				var found struct{ Total int }
				a := c.GET("%s", list+"?"+url.Values{member: {text}}.Encode()).Clean()
				if a.Code() == errno.Invalid {
					continue // not text at all
				}
				a.Data(&found)
				if form.Clean(text) == "" {
					found.Total -= whole.Total // as without a filter
				}
				require.Zero(t, found.Total, a.Request)
			}
		}
	}
	for _, query := range []url.Values{
		{"orderStatusArray": {"101) or (1=1"}},
		{"orderStatusArray": {"101,sleep(600)"}},
		{"orderStatusArray[]": {"101", "x"}},
		{"sort": {"add_time desc,(select sleep(600))"}},
		{"sort": {"password"}},
		{"order": {"desc limit 1,1"}},
		{"start": {"1 or 1=1"}},
		{"end": {"2030-01-01 00:00:00' or '1'='1"}},
	} {
		c.GET("%s", "/admin/order/list?"+query.Encode()).Fails(errno.Invalid).Clean()
	}
	for _, query := range []url.Values{
		{"goodsId": {"1 or 1=1"}},
		{"sort": {"add_time desc,(select sleep(600))"}},
		{"sort": {"password"}},
		{"order": {"desc limit 1,1"}},
	} {
		c.GET("%s", "/admin/goods/list?"+query.Encode()).Fails(errno.Invalid).Clean()
	}
}

// TestNoOtherFileIsReached is CVE-2025-8753 and CVE-2018-18434: a key is a text that must be in the table; it is never
// a path.
func TestNoOtherFileIsReached(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Operator("clerk", "admin:storage:delete", "admin:storage:create", "admin:storage:read")
	own := filepath.Join(t.TempDir(), "application.yml")
	require.NoError(t, os.WriteFile(own, []byte("kept"), 0o600))
	for _, key := range []string{
		"../../application.yml", "/etc/hosts", `..\\x`, own, "..%2f..%2fetc%2fpasswd", "nothing.png", ".", "", "%",
		"a\\u0000.png",
	} {
		a := c.POST("/admin/storage/delete", "%s", `{"key":"`+key+`"}`).Clean()
		if key != "" {
			require.Equal(t, errno.OK, a.Code(), key)
		}
	}
	require.FileExists(t, own)
	require.FileExists(t, "/etc/hosts")
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM outbox_event"))
	require.EqualValues(t, 9, w.Shop.Int("SELECT COUNT(*) FROM audit_log WHERE admin_name = 'clerk'"))
	var kept struct{ Key string }
	c.Upload("/admin/storage/create", "file", "../../../evil.png", pixels(t)).Data(&kept)
	require.Regexp(t, `^[A-Za-z0-9]+\.png$`, kept.Key)
	for range 2 {
		c.POST("/admin/storage/delete", `{"key":"%s"}`, kept.Key).OK()
	}
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM storage WHERE deleted = 1"))
}

// pixels is a small picture.
func pixels(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))))
	return b.Bytes()
}

// TestUploads is CVE-2025-8764: the bytes decide the type of a file, and nothing that a browser would execute is
// stored.
func TestUploads(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	const path = "/admin/storage/create"
	c := w.Operator("clerk", "admin:storage:create")
	w.Anonymous().Upload(path, "file", "x.png", pixels(t)).Fails(errno.LoginRequired)
	w.Shopper().Upload(path, "file", "x.png", pixels(t)).Fails(errno.LoginRequired)
	const page = "<html><script>alert(1)</script></html>"
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`
	for name, data := range map[string]string{
		"x.html": page, "x.png": page, "x.svg": svg, "x.jpg": svg, "x": page, "x.xml": `<?xml version="1.0"?><a/>`,
		"x.exe": "MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00", "y.png": "GIF89a<script>alert(1)</script>",
		"z.png": "\x89PNG\r\n\x1a\n<script>alert(1)</script>", "x.xhtml": "\xef\xbb\xbf <!DOCTYPE html><p>",
	} {
		c.Upload(path, "file", name, []byte(data)).Fails(errno.Invalid).Clean()
	}
	polyglot := append(pixels(t), page...)
	var kept struct{ Key, Type, Name string }
	c.Upload(path, "file", "x.html", polyglot).Data(&kept)
	require.Equal(t, "image/png", kept.Type)
	require.True(t, strings.HasSuffix(kept.Key, ".png"), kept.Key)
	require.Less(t, w.Shop.Int("SELECT size FROM storage"), int64(len(polyglot)), "what was behind the picture is gone")
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM storage"))
}

// TestFreight is CVE-2025-8991: no setting makes an order cheaper than its goods, and a refused one changes nothing.
func TestFreight(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	const path = "/admin/config/express"
	super, all := w.Super(), digest(w)
	before := w.Shop.Text(all)
	for _, body := range []string{
		`{"litemall_express_freight_min":"-88","litemall_express_freight_value":"-8"}`,
		`{"litemall_express_freight_value":-0.01}`, `{"litemall_express_freight_value":"NaN"}`,
		`{"litemall_express_freight_value":"1e9"}`, `{"litemall_express_freight_value":"8.001"}`,
		`{"litemall_express_freight_value":""}`, `{"litemall_express_freight_value":"Infinity"}`,
		`{"litemall_express_freight_value":"9","litemall_unknown":"1"}`, `{"litemall_mall_name":"x"}`,
		`{"litemall_express_freight_value":"9","litemall_express_freight_min":"-1"}`,
	} {
		super.POST(path, "%s", body).Fails(errno.Invalid).Clean()
	}
	require.Equal(t, before, w.Shop.Text(all))
}

// scripts are markup that a browser would execute, with the parts that must not be stored.
const scripts = `<p onclick=\"x()\">慢</p><script>alert(1)</script><img src=x onerror=alert(1)>` +
	`<a href=\"javascript:x()\">a</a>` +
	`<svg onload=alert(1)></svg><iframe srcdoc=\"<script>x()</script>\"></iframe><p style=\"width:expression(x())\">b</p>`

// harmless fails the test if stored markup would be executed.
func harmless(t *testing.T, where, html string) {
	t.Helper()
	require.Contains(t, html, "慢", where)
	for _, word := range []string{
		"<script", "onclick", "onerror", "onload", "javascript:", "<svg", "<iframe", "srcdoc", "expression",
	} {
		require.NotContains(t, html, word, where)
	}
}

// TestScript is CVE-2026-90569 and CVE-2026-90570: rich text is stored without scripts, and titles and names are plain
// text.
func TestScript(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Super()
	const title = `<b onclick=x()>t</b>`
	goods := strings.Replace(teapot, `<p>x</p>`, scripts, 1)
	for _, tt := range []struct{ table, create, update string }{
		{
			"topic", `{"title":"` + title + `","content":"` + scripts + `","price":1}`,
			`{"id":1,"content":"` + scripts + `"}`,
		},
		{"notice", `{"title":"` + title + `","content":"` + scripts + `"}`, `{"id":1,"content":"` + scripts + `"}`},
		{
			"goods", strings.Replace(goods, "茶壶", title, 1),
			`{"goods":{"id":1,"detail":"` + scripts + `"}}`,
		},
	} {
		stored, aged := "SELECT content FROM "+tt.table, "UPDATE "+tt.table+" SET content = 'old'"
		if tt.table == "goods" {
			stored, aged = "SELECT detail FROM goods_content", "UPDATE goods_content SET detail = 'old'"
		}
		c.POST("/admin/"+tt.table+"/create", "%s", tt.create).OK()
		harmless(t, tt.table+" created", w.Shop.Text(stored))
		w.Shop.Exec(aged)
		c.POST("/admin/"+tt.table+"/update", "%s", tt.update).OK()
		harmless(t, tt.table+" updated", w.Shop.Text(stored))
		name := "title"
		if tt.table == "goods" {
			name = "name"
		}
		require.Equal(t, title, w.Shop.Text("SELECT "+name+" FROM "+tt.table+" WHERE id = 1"), "kept as text")
	}
}

// Shoppers' texts are answered as JSON that no browser displays as a page.
func TestMarkupIsAnsweredAsText(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	const markup = `<script>alert(1)</script>`
	w.Shop.Exec("UPDATE orders SET consignee = ?, message = ?", markup, markup)
	w.Shop.Exec("UPDATE user SET nickname = ?", markup)
	w.Shop.Exec("UPDATE feedback SET content = ?", markup)
	for _, list := range []string{"order", "user", "feedback"} {
		a := w.Super().GET("/admin/" + list + "/list").OK()
		require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
		require.Contains(t, a.Header.Get("Content-Type"), "application/json")
		require.Contains(t, string(a.Body), "alert(1)")
	}
}

// Each captcha is new, none is stored or creates a session, and login requires none.
func TestCaptchas(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	all, seen := digest(w), map[string]bool{}
	before := w.Shop.Text(all)
	for range 300 {
		var uri string
		a := w.Anonymous().GET("/admin/auth/kaptcha")
		a.Data(&uri)
		require.Empty(t, a.Header.Values("Set-Cookie"))
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(uri, "data:image/png;base64,"))
		require.NoError(t, err)
		seen[string(raw)] = true
	}
	require.Len(t, seen, 300)
	require.Equal(t, before, w.Shop.Text(all))
	first, second := w.Token("clerk"), ""
	var got struct{ Token string }
	w.Anonymous().With("X-Shop-Admin-Token", first).With("Cookie", "JSESSIONID=fixed").
		POST("/admin/auth/login", `{"username":"clerk","password":"%s","code":"wrong","token":"fixed"}`, apitest.Password).
		Data(&got)
	second = got.Token
	require.NotContains(t, []string{first, "fixed", ""}, second, "a login makes a token of its own")
}

// Login is limited per name and per address, with one text for every cause.
func TestLoginIsRateLimited(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Operator("clerk")
	texts := map[string]bool{}
	try := func(c *optest.Client, name, password string) *optest.Answer {
		a := c.POST("/admin/auth/login", `{"username":"%s","password":"%s"}`, name, password)
		texts[string(a.Body)] = true
		return a.Fails(errno.AdminInvalidAccount)
	}
	for range 20 {
		try(w.Anonymous(), "clerk", "wrong")
	}
	try(w.Anonymous(), "clerk", apitest.Password)
	require.Len(t, texts, 1)
	w.Operator("other")
	w.Super()
	for i := range 200 {
		try(w.Anonymous(), fmt.Sprint("unknown", i), "wrong")
	}
	try(w.Anonymous(), "other", apitest.Password)
	require.Len(t, texts, 1, "the same text for each")
	w.Super().GET("/admin/auth/info").OK() // existing sessions continue
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM log WHERE CONCAT_WS('|', result, comment) LIKE '%wrong%'"))
}

// Nobody can grant, revoke or keep permissions that they do not have.
func TestRightsUpwards(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Super()
	c := w.Operator("climber", "admin:role:permission-update", "admin:admin:update", "admin:admin:create",
		"admin:role:update")
	w.Operator("clerk", "admin:order:refund")
	all := digest(w, recordTables()...)
	before := w.Shop.Text(all)
	for _, tt := range []struct {
		path, body string
		want       *errno.Code
	}{
		{"/admin/role/permissions", `{"roleId":3,"permissions":["admin:order:refund","admin:ad:list"]}`, errno.NoPermission},
		{"/admin/role/permissions", `{"roleId":3,"permissions":["*"]}`, errno.RoleSuperProtected},
		{"/admin/role/permissions", `{"roleId":2,"permissions":["admin:order:refund"]}`, errno.NoPermission},
		{"/admin/role/permissions", `{"roleId":2,"permissions":["*"]}`, errno.RoleSuperProtected},
		{"/admin/role/permissions", `{"roleId":1,"permissions":["admin:admin:update"]}`, errno.RoleSuperProtected},
		{"/admin/role/update", `{"id":1,"enabled":false}`, errno.RoleSuperProtected},
		{"/admin/admin/update", `{"id":2,"roleIds":[1,2]}`, errno.AdminAlterNotAllowed},
		{"/admin/admin/update", `{"id":2,"roleIds":[2,3]}`, errno.AdminAlterNotAllowed},
		{"/admin/admin/update", `{"id":1,"password":"secret-9"}`, errno.AdminAlterNotAllowed},
		{"/admin/admin/create", `{"username":"newcomer","password":"secret-9","roleIds":[1]}`, errno.AdminAlterNotAllowed},
	} {
		a := c.POST(tt.path, "%s", tt.body)
		require.Equal(t, tt.want, a.Code(), "%s %s: %s", tt.path, tt.body, a.Body)
	}
	super := w.Super()
	super.POST("/admin/admin/update", `{"id":1,"roleIds":[3]}`).Fails(errno.AdminAlterNotAllowed)
	super.POST("/admin/admin/delete", `{"id":1}`).Fails(errno.AdminDeleteNotAllowed)
	require.Equal(t, before, w.Shop.Text(all))
}
