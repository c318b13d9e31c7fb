package app_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/services/admin/internal/app"
)

// TestEveryChangeShowsItsRecord fails if a change that requires a permission has no golden file of its audit record.
//
// No change is unrecorded. The clients of apitest check in every call of every test that it leaves its record exactly
// once, and a refused one none.
func TestEveryChangeShowsItsRecord(t *testing.T) {
	t.Parallel()
	var files []string
	for _, form := range []string{"../*/testdata/*.audit.json", "../*/testdata/*/*.audit.json"} {
		found, err := filepath.Glob(form)
		require.NoError(t, err)
		files = append(files, found...)
	}
	shown := map[string]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		var golden struct {
			Records []struct{ Operation, Target, Admin string }
		}
		require.NoError(t, json.Unmarshal(text, &golden), name)
		for _, r := range golden.Records {
			require.NotEmpty(t, r.Target, name)
			require.NotEmpty(t, r.Admin, name)
			shown[r.Operation] = true
		}
	}
	specs, err := app.Specs()
	require.NoError(t, err)
	changes := 0
	for _, s := range specs {
		if s.Method != http.MethodPost || s.Access.Permission.Value == "" || s.Audit.Target == "" {
			continue // a POST that changes nothing
		}
		changes++
		if !shown[s.Key()] {
			t.Errorf("%s: no golden file shows its record", s.Key())
		}
	}
	require.Greater(t, changes, 50)
}

// TestChangesAreAtomic lets every statement of a change fail in turn, in each area.
//
// Afterwards there is neither the change nor its audit record, nor an entry in the log.
func TestChangesAreAtomic(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]struct{ path, body string }{
		"ad":             {"/admin/ad/create", `{"name":"a","content":"b","url":"https://shop.test/a.png","enabled":true}`},
		"brand":          {"/admin/brand/update", `{"id":1,"name":"changed","desc":"x","picUrl":"https://shop.test/a.png"}`},
		"freight":        {"/admin/freight/update", `{"id":1,"rules":[{"firstPrice":9},{"regions":[330000]}]}`},
		"goods":          {"/admin/goods/create", teapot},
		"goods, many":    {"/admin/goods/batch", `{"ids":[1],"isOnSale":false,"priceAmount":1}`},
		"goods deleted":  {"/admin/goods/delete", `{"id":1}`},
		"topics":         {"/admin/topic/batch-delete", `{"ids":[1]}`},
		"coupon":         {"/admin/coupon/create", `{"name":"c","days":1}`},
		"operator":       {"/admin/admin/create", `{"username":"newcomer","password":"secret-9","roleIds":[2]}`},
		"permissions":    {"/admin/role/permissions", `{"roleId":2,"permissions":["admin:ad:list","admin:ad:read"]}`},
		"settings":       {"/admin/config/mall", `{"litemall_mall_name":"x","litemall_mall_phone":"y"}`},
		"notice":         {"/admin/notice/create", `{"title":"t","content":"c"}`},
		"notice deleted": {"/admin/notice/delete", `{"id":1}`},
		"user":           {"/admin/user/update", `{"id":1,"nickname":"x"}`},
		"shipped":        {"/admin/order/ship", `{"orderId":1,"shipChannel":"ZTO","shipSn":"1"}`},
	} {
		t.Run(name, func(t *testing.T) {
			w := seeded(t)
			super, all := w.Super(), digest(w)
			w.Shop.Exec("DELETE FROM groupon") // an order in an open group is not shipped
			super.POST("/admin/notice/create", `{"title":"first","content":""}`).OK()
			before := w.Shop.Text(all)
			for n := range domaintest.Statements(t) {
				w.FailAt(n)
				a := super.In(t).POST(change.path, "%s", change.body)
				w.FailAt(0)
				if a.Code().Num == 0 {
					require.Greater(t, n, 4)
					break
				}
				require.Equal(t, before, w.Shop.Text(all), "%d of %s: %s", n, change.path, a.Body)
			}
			require.NotEqual(t, before, w.Shop.Text(all))
			// A failure after the commit does not undo the change: it is there once, with its record.
			require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM audit_log WHERE method_path = ? AND request_id = "+
				"(SELECT MAX(request_id) FROM audit_log l WHERE l.id = (SELECT MAX(id) FROM audit_log))", "POST "+change.path))
		})
	}
}

// teapot is a body of /admin/goods/create.
const teapot = `{"goods":{"goodsSn":"T-1","name":"茶壶","isOnSale":true,"detail":"<p>x</p>","gallery":[]},` +
	`"specifications":[{"specification":"规格","value":"标准"}],` +
	`"products":[{"specifications":["标准"],"price":9.9,"number":3,"url":""}],"attributes":[]}`
