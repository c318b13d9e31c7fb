package catalog_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	domaincatalog "shop.internal/pkg/domain/catalog"
	"shop.internal/services/admin/internal/apitest"
)

const (
	exported    = "/admin/goods/export"
	check       = "/admin/goods/import/check"
	importGoods = "/admin/goods/import"
)

// bowl is a line of a sheet: goods of a name with one product.
func bowl(name string) string {
	return apitest.SheetRow("goodsSn: N-1", "name: "+name, "category: 厨房", "subcategory: 锅具", "brand: Maker",
		"specifications: 规格=标准", "price: 9.9", "number: 3")
}

// An export imported into another shop, with other ids, gives the same export there.
func TestCSVRoundTrip(t *testing.T) {
	t.Parallel()
	w, c := withPot(t)
	c.POST(create, `{"goods":{"goodsSn":"=1+1","name":"'@碗\"x\"","brief":"a,b\nc","keywords":"-5"},
		"specifications":[{"specification":"a=b","value":"c\\d"},{"specification":"e f","value":"g","picUrl":"http://x/?a=b"}],
		"products":[{"specifications":["c\\d","g"],"price":0.01,"number":1}],"attributes":[{"attribute":"x=y","value":"z"}]}`).OK()
	a := c.GET(exported)
	require.Equal(t, http.StatusOK, a.Status)
	require.Equal(t, "text/csv; charset=utf-8", a.Header.Get("Content-Type"))
	require.Equal(t, `attachment; filename="goods.csv"`, a.Header.Get("Content-Disposition"))
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.True(t, strings.HasPrefix(string(a.Body), "\ufeffgoodsSn,name,"), "%.60q", a.Body)
	require.Contains(t, string(a.Body), "'=1+1,\"''@碗\"\"x\"\"\"")
	require.LessOrEqual(t, a.Statements, 15)
	chosen := string(c.GET(exported + "?goodsSn=%3D1%2B1").Body)
	require.Equal(t, 1, strings.Count(chosen, "'=1+1,"))
	require.NotContains(t, chosen, "P-1")
	c.GET(exported + "?goodsId=x").Fails(errno.Invalid)
	w.Operator("stranger").GET(exported).Fails(errno.NoPermission)

	other := fixture(t)
	other.Shop.Exec("UPDATE category SET id = id + 100, pid = IF(pid = 0, 0, pid + 100)")
	e := editor(other)
	e.Upload(check, "file", "goods.csv", a.Body).OK().Golden("check_good")
	e.Upload(importGoods, "file", "goods.csv", a.Body).OK().Golden("import")
	require.Equal(t, 2, int(other.Shop.Int("SELECT COUNT(*) FROM goods")))
	lines := func(body []byte) []string { return strings.Split(string(body), "\n") }
	require.ElementsMatch(t, lines(a.Body), lines(e.GET(exported).Body))
	other.Shop.Agree()
	e.Upload(importGoods, "file", "goods.csv", a.Body).Fails(errno.GoodsNameExists)
}

// A check reports every faulty line and writes nothing; the import of such a file writes nothing either.
func TestBadCSV(t *testing.T) {
	t.Parallel()
	w, c := withPot(t)
	row := apitest.SheetRow
	one := func(cells ...string) string { return row(append(cells, "price: 1", "number: 1")...) }
	bad := apitest.Sheet(
		one("goodsSn: N-1", "name: 好碗", "specifications: 规格=标准"),
		one("goodsSn: N-2", "name: 铸铁锅", "specifications: 规格=标准"),
		row("goodsSn: N-3", "name: 坏碗", "category: 没有", "brand: 谁", "counterPrice: x", "isOnSale: maybe", "sortOrder: 1.5",
			"attributes: 名", "specifications: 规格", "price: -1"),
		row(),
		one("goodsSn: N-4", "name: 两碗", "specifications: 大小=大"),
		one("goodsSn: N-4", "name: 两碗", "keywords: 甲", "specifications: 大小=大"),
		strings.TrimSuffix(one("goodsSn: N-5", "name: 好碗", "specifications: 规格=标准"), ",\n")+"\n", // a short line
		one("specifications: 规格=标准"))
	c.Upload(check, "file", "bad.csv", []byte(bad)).OK().Golden("check")
	c.Upload(importGoods, "file", "bad.csv", []byte(bad)).Fails(errno.Invalid).Says("第 4 行「isOnSale」：内容不正确")
	c.Upload(check, "file", "bad.csv", []byte("goodsSn,name\nx,y\n")).OK().Golden("check_header")
	for name, file := range map[string]string{
		"a picture": "\x89PNG\x00", "an open quote": apitest.Sheet("\"x\n"), "nothing but the header": apitest.Sheet(), "nothing": " ",
		"too many lines": apitest.Sheet(strings.Repeat(bowl("x"), 5001)),
	} {
		t.Run(name, func(t *testing.T) { c.In(t).Upload(importGoods, "file", "x", []byte(file)).Fails(errno.Invalid) })
	}
	c.Upload(importGoods, "other", "x", []byte("x")).Fails(errno.Missing)
	w.Operator("stranger").Upload(importGoods, "file", "x", []byte("x")).Fails(errno.NoPermission)
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM goods"))
	w.Shop.Agree()
}

// A file of a Chinese spreadsheet is read. A number that it has shortened is refused, rows are named as it counts them,
// and numbers keep all their digits on the way through it.
func TestCSVOfASpreadsheet(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	c := editor(w)
	row := func(name, sn string) string {
		return apitest.SheetRow("goodsSn: "+sn, "name: "+name, "gallery: \"/a.png\n/b.png\"", "specifications: 规格=标准",
			"price: 9.9", "number: 3")
	}
	spoiled := apitest.Sheet(row("碗", "0012"), "\n", row("杯", "6.90123E+12"))
	c.Upload(check, "file", "x", []byte(spoiled)).OK().Is(`{"goods":2,"products":2,"faults":[{"line":4,` +
		`"goodsSn":"6.90123E+12","column":"goodsSn","reason":"rounded",` +
		`"message":"编号被表格软件缩短为科学计数，请把该列设为文本后重新填写"}]}`)
	chinese := strings.NewReplacer("碗", "\xcd\xeb", "锅", "\xb9\xf8", "规格", "\xb9\xe6\xb8\xf1", "标准", "\xb1\xea\xd7\xbc")
	file := chinese.Replace(apitest.Sheet(row("碗", "0012"), row("锅", "690123456789012345")))
	c.Upload(importGoods, "file", "x", []byte(file)).OK()
	require.Equal(t, []string{"碗 0012", "锅 690123456789012345"},
		w.Shop.Texts("SELECT CONCAT(name, ' ', goods_sn) FROM goods ORDER BY id"))
	body := string(c.GET(exported).Body)
	require.Contains(t, body, "\n'0012,碗,")
	require.Contains(t, body, "\n'690123456789012345,锅,")
	require.Contains(t, body, ",9.90,3,")
}

// A clerk whose connection broke sends the file again.
func TestImportTwiceWithOneKey(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	c := editor(w).With("Idempotency-Key", "k")
	first := c.Upload(importGoods, "file", "x", []byte(apitest.Sheet(bowl("碗")))).OK()
	require.Equal(t, string(first.Body), string(c.Upload(importGoods, "file", "x", []byte(apitest.Sheet(bowl("碗")))).OK().Body))
	c.Upload(importGoods, "file", "x", []byte(apitest.Sheet(bowl("铸铁锅")))).Fails(errno.Invalid)
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM goods"))
}

// Many goods need few statements.
func TestImportOfMany(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	c := editor(w)
	var file strings.Builder
	file.WriteString(apitest.Sheet())
	for i := range 600 {
		file.WriteString(bowl(fmt.Sprint("碗", i)))
	}
	c.Upload(importGoods, "file", "x", []byte(file.String())).OK()
	require.EqualValues(t, 600, w.Shop.Int("SELECT COUNT(*) FROM stock_log WHERE reason = 8"))
	w.Shop.Agree()
}

// TestAnImportIsCleaned is CVE-2026-90570 by another way: scripts are removed, and a name in a file is only text.
func TestAnImportIsCleaned(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	fields := strings.Split(strings.TrimSuffix(bowl("<b>碗</b>"), "\n"), ",")
	at := slices.Index(domaincatalog.CSVHeader(), "detail")
	require.Positive(t, at)
	fields[at] = `<p onclick=x()>陶</p><script>y()</script><img src=javascript:z()>`
	editor(w).Upload(importGoods, "file", "x", []byte(apitest.Sheet(strings.Join(fields, ",")+"\n"))).OK()
	require.Equal(t, "<p>陶</p>", w.Shop.Text("SELECT detail FROM goods_content"))
	require.Equal(t, "<b>碗</b>", w.Shop.Text("SELECT name FROM goods"))
}

// The texts of a file are those of a request.
func TestTextsOfAnImport(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	c := editor(w)
	row := func(name, specification string) []byte {
		return []byte(apitest.Sheet(apitest.SheetRow("goodsSn: N-1", "name: "+name, "brief: \u200b", "category: 厨房\u3000",
			"subcategory: 锅具", "brand: Maker ", "specifications: "+specification, "price: 9.9", "number: 3")))
	}
	c.Upload(importGoods, "file", "x", row(" Cafe\u0301 🍺", "规格 = 标准")).OK()
	require.Equal(t, "Café 🍺|", w.Shop.Text("SELECT CONCAT(name, '|', brief) FROM goods"))
	require.Equal(t, "规格=标准", w.Shop.Text("SELECT CONCAT(specification, '=', value) FROM goods_specification"))
	c.Upload(importGoods, "file", "x", row("te\u200ba", "规格=标准")).Fails(errno.Invalid)
}

// An import and a create with one name: one of them succeeds, and the import adds all or nothing.
func TestImportAndCreate(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	c := editor(w)
	var codes [2]int
	var wg sync.WaitGroup
	wg.Go(func() {
		codes[0] = c.Upload(importGoods, "file", "x", []byte(apitest.Sheet(bowl("碗"), bowl("铸铁锅")))).Code().Num
	})
	wg.Go(func() { codes[1] = c.POST(create, "%s", pot).Code().Num })
	wg.Wait()
	require.ElementsMatch(t, []int{0, errno.GoodsNameExists.Num}, codes[:])
	want := 1
	if codes[0] == 0 {
		want = 2
	}
	require.EqualValues(t, want, w.Shop.Int("SELECT COUNT(*) FROM goods"))
	w.Shop.Agree()
}
