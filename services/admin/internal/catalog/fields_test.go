package catalog_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	domaincatalog "shop.internal/pkg/domain/catalog"
	"shop.internal/services/admin/internal/catalog"
)

// derived are the members of goods that nobody enters.
var derived = []string{"id", "shareUrl", "retailPrice", "addTime", "updateTime", "deleted"}

// Every member of goods that is shown and not derived can be written when goods are created and when they are changed,
// and is in the CSV file.
func TestEveryMemberIsWritten(t *testing.T) {
	t.Parallel()
	created, changed := writtenGoods(t)
	w, c := withPot(t)
	w.Operator("freight", "admin:freight:create").POST("/admin/freight/create", "%s", newFreight).OK()
	shown := func(id string) map[string]any {
		var got struct{ Goods map[string]any }
		c.In(t).GET(detail + "?id=" + id).Data(&got)
		for _, name := range derived {
			require.Contains(t, got.Goods, name)
			delete(got.Goods, name)
		}
		return got.Goods
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(created)), slices.Collect(maps.Keys(shown("1"))),
		"the members that are shown")
	body := func(goods map[string]any) string {
		b, err := json.Marshal(goods)
		require.NoError(t, err)
		return string(b)
	}
	c.POST(create, `{"goods":`+body(created)+`,"specifications":[{"specification":"a","value":"b"}],
		"products":[{"specifications":["b"],"price":1,"number":1}]}`).OK()
	require.Equal(t, created, shown("2"))
	file := c.GET(exported + "?goodsId=2").Body
	changed["id"] = 2
	c.POST(update, `{"goods":`+body(changed)+`}`).OK()
	delete(changed, "id")
	require.Equal(t, changed, shown("2"))
	c.Upload(importGoods, "file", "goods.csv", file).OK()
	require.Equal(t, created, shown(w.Shop.Text("SELECT MAX(id) FROM goods")), "by way of a file")
}

// writtenGoods is a value of every member that operators write, other than that of a member that is left out, and
// another one.
func writtenGoods(t *testing.T) (created, changed map[string]any) {
	t.Helper()
	// Goods belong to records that exist, and are on sale unless somebody says otherwise.
	created = map[string]any{"categoryId": 2.0, "brandId": 1.0, "freightId": 1.0, "isOnSale": false}
	changed = map[string]any{"categoryId": 0.0, "brandId": 0.0, "freightId": 0.0, "isOnSale": true}
	for f := range reflect.TypeFor[catalog.GoodsFields]().Fields() {
		name := f.Tag.Get("json")
		if _, known := created[name]; known {
			continue
		}
		link := strings.HasSuffix(f.Tag.Get("check"), "link")
		switch f.Type {
		case reflect.TypeFor[*int]():
			created[name], changed[name] = 7.0, 8.0
		case reflect.TypeFor[*bool]():
			created[name], changed[name] = true, false
		case reflect.TypeFor[*money.Amount]():
			created[name], changed[name] = 12.5, 13.5
		case reflect.TypeFor[*[]string]():
			created[name], changed[name] = []any{"http://x/" + name + "-1.png"}, []any{"http://x/" + name + "-2.png"}
		case reflect.TypeFor[*string]():
			created[name], changed[name] = name+"-1", name+"-2"
			if link {
				created[name], changed[name] = "http://x/"+name+"-1.png", "http://x/"+name+"-2.png"
			}
		default:
			t.Fatalf("no value for %s, a %s", name, f.Type)
		}
	}
	return created, changed
}

// Every whole number of goods has bounds, which hold for CSV files too.
func TestEveryNumberIsBounded(t *testing.T) {
	t.Parallel()
	for f := range reflect.TypeFor[domaincatalog.Goods]().Fields() {
		if f.Type.Kind() != reflect.Int || f.Name == "Version" {
			continue
		}
		n := domaincatalog.NewGoods{Goods: domaincatalog.Goods{SN: "1", Name: "x"}}
		before := len(n.Problems())
		reflect.ValueOf(&n.Goods).Elem().FieldByIndex(f.Index).SetInt(1<<31 - 1)
		wrong := n.Problems()
		require.Len(t, wrong, before+1, f.Name)
		require.Equal(t, errno.Invalid, errno.Of(wrong[len(wrong)-1].Err), f.Name)
	}
}
