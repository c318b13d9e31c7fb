package e2e

import (
	"bytes"
	"encoding/csv"
	"slices"
	"testing"
)

// table reads a CSV file.
func table(s *scenario, file []byte) [][]string {
	s.t.Helper()
	text, marked := bytes.CutPrefix(file, []byte("\xef\xbb\xbf"))
	equal(s, "the file begins with a byte order mark", true, marked)
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(rows) == 0 {
		s.stop("reading the file: %v", err)
	}
	return rows
}

// file writes a CSV file.
func file(s *scenario, rows ...[]string) []byte {
	s.t.Helper()
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		s.stop("writing the file: %v", err)
	}
	return b.Bytes()
}

// Staff make a product hot; buying it is the same.
func TestHotProduct(t *testing.T) {
	s := begin(t, "goods: a product made hot by staff and bought")
	g := s.goods(45_00, 2)
	keeper := s.operator("admin:goods:hot", "admin:goods:read")
	keeper.post("/admin/goods/hot", fields{"productId": g.product, "hotMode": 1}).ok()
	equal(s, "mode", 1, keeper.get("/admin/goods/detail", "id", g.id).ok().Get("products.0.hotMode").Int())
	me := s.shopper()
	for range 2 { // the second one is gathered
		me.is(me.order(g, 1), unpaid)
	}
	s.stock(g, 0)
	keeper.post("/admin/goods/hot", fields{"productId": g.product, "hotMode": 0}).ok()
}

// Prices of several goods change together, as the check has said; a buyer pays the new price.
func TestManyPrices(t *testing.T) {
	s := begin(t, "goods: the prices of several raised after a look at the new ones, and bought")
	g, h := s.goods(40_00, 2), s.goods(20_00, 2)
	keeper := s.operator("admin:goodsbatch:update", "admin:goods:read")
	change := fields{"ids": []int64{g.id, h.id}, "pricePercent": 10}
	plan := keeper.post("/admin/goods/batch/check", change).ok()
	equal(s, "new price", 44, plan.Get("list.#(id=="+text(g.id)+").retailPrice").Int())
	change["seen"] = plan.Get("seen").String()
	equal(s, "changed", 2, keeper.post("/admin/goods/batch", change).ok().Get("changed").Int())
	record := s.super().get("/admin/audit/records", "target", "goods", "id", h.id).ok().Get("list.0.id").Int()
	equal(s, "to take back", 2, s.super().get("/admin/audit/takeback", "id", record).ok().Get("taken").Int())
	me := s.shopper()
	s.eventually("the new price in the shop", func() bool {
		return me.get("/wx/goods/detail", "id", h.id).ok().Get("info.retailPrice").Int() == 22
	})
	me.is(me.order(g, 1), unpaid)
	taken := s.super().post("/admin/audit/takeback", fields{"id": record}).ok().Get("taken").Int()
	equal(s, "taken back", 2, taken)
	s.eventually("the price before", func() bool {
		return me.get("/wx/goods/detail", "id", h.id).ok().Get("info.retailPrice").Int() == 20
	})
}

// Goods are exported and imported under another name, all of them or none.
func TestImport(t *testing.T) {
	s := begin(t, "goods: exported, a file with a fault refused whole, a good file imported")
	g := s.goods(45_00, 10)
	keeper := s.operator("admin:goods:list", "admin:goods:create", "admin:goods:export", "admin:goods:delete")
	rows := table(s, keeper.download("/admin/goods/export", "goodsId", g.id))
	equal(s, "rows of one product, with the header", 2, len(rows))
	column := func(name string) int { return slices.Index(rows[0], name) }
	good := slices.Clone(rows[1])
	name := unique("e2e imported")
	good[column("name")], good[column("goodsSn")] = name, unique("E2E")
	bad := slices.Clone(good)
	bad[column("name")], bad[column("price")] = unique("e2e wrong"), "dear"
	listed := func() []int64 {
		var ids []int64
		for _, row := range keeper.get("/admin/goods/list", "name", name).ok().Get("list").Array() {
			ids = append(ids, row.Get("id").Int())
		}
		return ids
	}

	checked := keeper.upload("/admin/goods/import/check", "goods.csv", file(s, rows[0], good, bad)).ok()
	equal(s, "line of the fault", 3, checked.Get("faults.0.line").Int())
	equal(s, "column of the fault", "price", checked.Get("faults.0.column").String())
	keeper.upload("/admin/goods/import", "goods.csv", file(s, rows[0], good, bad)).fails(402)
	equal(s, "goods of a refused file", 0, len(listed()))

	equal(s, "goods", 1, keeper.upload("/admin/goods/import", "goods.csv", file(s, rows[0], good)).ok().Get("goods").Int())
	ids := listed()
	if len(ids) != 1 {
		s.stop("goods of the imported file: expected 1, got %d", len(ids))
	}
	keeper.upload("/admin/goods/import", "goods.csv", file(s, rows[0], good)).fails(611)
	shown := s.guest().get("/wx/goods/detail", "id", ids[0]).ok()
	equal(s, "price at the storefront", 45_00, cents(shown.Get("productList.0.price")))
	keeper.post("/admin/goods/delete", fields{"id": ids[0]}).ok()
	equal(s, "goods after the deletion", 0, len(listed()))
}

// The price and the stock of goods are raised while one is sold: the sale is not lost.
func TestGoodsEditedWhileSold(t *testing.T) {
	s := begin(t, "goods: price and stock changed while a piece is sold")
	g := s.goods(50_00, 20)
	keeper := s.operator("admin:goods:list", "admin:goods:read", "admin:goods:update")
	me := s.shopper()
	before := keeper.get("/admin/goods/detail", "id", g.id).ok().Get("products.0.stockBase").Int()
	order := me.order(g, 1)
	edit := func(number, base int64) answer {
		return keeper.post("/admin/goods/update", fields{
			"goods": fields{"id": g.id},
			"products": []fields{{
				"id": g.product, "specifications": []string{"one"}, "price": amount(45_50), "number": number, "stockBase": base,
				"updateTime": "",
			}},
		})
	}
	edit(25, before).ok()
	edit(0, 25).fails(504) // 24 pieces are left, so fewer cannot be removed
	s.stock(g, 24)
	shown := s.guest().get("/wx/goods/detail", "id", g.id).ok()
	equal(s, "price at the storefront", 45_50, cents(shown.Get("info.retailPrice")))
	equal(s, "price of the order", 50_00, cents(me.is(order, unpaid).Get("orderInfo.goodsPrice")))
	me.does("cancel", order).ok()
	s.stock(g, 25)
}
