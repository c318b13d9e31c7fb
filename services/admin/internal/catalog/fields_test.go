package catalog_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	domaincatalog "shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/platform/errno"
)

// derived are the members of goods that nobody writes.
var derived = []string{"id", "shareUrl", "retailPrice", "addTime", "updateTime", "deleted"}

// Every member of goods that is shown and not derived can be written when goods are created and when they are changed,
// and is in the CSV file. A new member needs two values here.
func TestEveryMemberIsWritten(t *testing.T) {
	created := map[string]any{
		"goodsSn": "N-7", "name": "first", "categoryId": 2.0, "brandId": 1.0, "gallery": []any{"http://x/1.png"},
		"keywords": "a,b", "brief": "brief", "isOnSale": false, "sortOrder": 7.0, "picUrl": "http://x/2.png", "isNew": true,
		"isHot": true, "unit": "kg", "counterPrice": 12.5, "detail": "<p>one</p>",
	}
	changed := map[string]any{
		"goodsSn": "N-8", "name": "second", "categoryId": 0.0, "brandId": 0.0, "gallery": []any{"http://x/3.png"},
		"keywords": "c", "brief": "other", "isOnSale": true, "sortOrder": 8.0, "picUrl": "http://x/4.png", "isNew": false,
		"isHot": false, "unit": "m", "counterPrice": 13.5, "detail": "<p>two</p>",
	}
	w, c := cooked(t)
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

// Every whole number of goods has bounds, which hold for CSV files too.
func TestEveryNumberIsBounded(t *testing.T) {
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
