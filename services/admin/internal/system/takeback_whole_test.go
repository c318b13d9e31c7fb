package system_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

// living are the rows of goods that are not deleted: their number of attributes, specifications, products and terms.
const living = `SELECT CONCAT_WS(' ', g.name,
	(SELECT COUNT(*) FROM goods_attribute a WHERE a.goods_id = g.id AND a.deleted = 0),
	(SELECT COUNT(*) FROM goods_specification s WHERE s.goods_id = g.id AND s.deleted = 0),
	(SELECT COUNT(*) FROM goods_product p WHERE p.goods_id = g.id AND p.deleted = 0),
	(SELECT COUNT(*) > 0 FROM goods_term t WHERE t.goods_id = g.id))
	FROM goods g WHERE g.deleted = 0 ORDER BY g.id`

// imported is a service in which an editor (2) has imported goods by name, and the record of the import.
func imported(t *testing.T, names ...string) (w *apitest.Env, editor *optest.Client, record int64) {
	t.Helper()
	w = apitest.Open(t)
	w.Super()
	editor = w.Operator("editor", "admin:goods:create", "admin:goods:update", "admin:goods:delete", "admin:audit:takeback")
	rows := make([]string, len(names))
	for i, name := range names {
		rows[i] = apitest.SheetRow(fmt.Sprint("goodsSn: S", i), "name: "+name, "attributes: 颜色=红",
			"specifications: 尺寸=大", "price: 3", "number: 4")
	}
	editor.Upload("/admin/goods/import", "file", "goods.csv", []byte(apitest.Sheet(strings.Join(rows, "")))).OK()
	return w, editor, w.Shop.Int("SELECT MAX(id) FROM audit_log")
}

// look asks what taking back a record would do.
func look(c *optest.Client, record int64) (p plan) {
	c.GET("%s?id=%d", takeback, record).Data(&p)
	return p
}

func reasons(p plan) (all []string) {
	for _, row := range p.Rows {
		all = append(all, strings.TrimSpace(row.Effect+" "+row.Reason))
	}
	return all
}

// What an import has added is deleted again, but for goods that were edited since or that somebody has.
func TestTakeBackOfAnImport(t *testing.T) {
	t.Parallel()
	w, editor, record := imported(t, "one", "two", "three", "four", "five", "six")
	s := w.Shop
	lin := s.Shopper("lin")
	piece := func(name string) cart.AddRequest {
		id := s.Int("SELECT g.id FROM goods g WHERE g.name = ?", name)
		return cart.AddRequest{GoodsID: id, ProductID: s.Int("SELECT id FROM goods_product WHERE goods_id = ?", id), Number: 1}
	}
	s.Order(lin, piece("two"))
	_, err := s.Cart.Add(t.Context(), lin, piece("three"))
	require.NoError(t, err)
	w.Super().POST("/admin/groupon/create", `{"goodsId":%d,"discount":"1","discountMember":"2",`+
		`"expireTime":"2031-01-01 00:00:00"}`, piece("four").GoodsID).OK()
	editor.POST("/admin/goods/update", `{"goods":{"id":%d,"brief":"edited"},"products":[]}`, piece("five").GoodsID).OK()
	editor.POST("/admin/goods/delete", `{"id":%d}`, piece("six").GoodsID).OK()

	var listed struct{ List []struct{ Takeable bool } }
	w.Super().GET("%s", records+"target=goods&limit=1").Data(&listed)
	require.True(t, listed.List[0].Takeable)
	p := look(editor.With(op.LanguageHeader, "en"), record)
	const used = "deleted an order, a cart or a group-buy rule has it"
	require.Equal(t, []string{
		"deleted", used, used, used, "deleted it was changed again since", "deleted it was deleted since",
	}, reasons(p))
	editor.POST(takeback, `{"id":%d,"seen":"%s"}`, record, p.Seen).OK().Golden("audit/takeback_import")
	require.Equal(t, []string{"two 1 1 1 1", "three 1 1 1 1", "four 1 1 1 1", "five 1 1 1 1"}, s.Texts(living))
	require.Empty(t, s.Disagreements())

	// They return when that is taken back, and can be deleted once more.
	again := s.Int("SELECT MAX(id) FROM audit_log")
	require.Equal(t, []string{"restored"}, reasons(look(editor, again)))
	editor.POST(takeback, `{"id":%d}`, again).OK()
	require.Equal(t, "one 1 1 1 1", s.Texts(living)[0])
	last := s.Int("SELECT MAX(id) FROM audit_log")
	require.Equal(t, []string{"deleted"}, reasons(look(editor, last)))
	require.Zero(t, look(editor, record).Taken, "it has been there and gone")
	require.Empty(t, s.Disagreements())
}

// Deleted goods return with the children that were deleted with them.
func TestTakeBackOfADeletion(t *testing.T) {
	t.Parallel()
	w, editor, _ := imported(t, "one", "two")
	s := w.Shop
	first := s.Int("SELECT MIN(id) FROM goods")
	remove := func(id int64) int64 {
		editor.POST("/admin/goods/delete", `{"id":%d}`, id).OK()
		return s.Int("SELECT MAX(id) FROM audit_log")
	}
	attribute := s.Int("SELECT MIN(id) FROM goods_attribute")
	editor.POST("/admin/goods/update", `{"goods":{"id":%d},"products":[],"attributes":[{"id":%d,"deleted":true,`+
		`"attribute":"颜色","value":"红"},{"attribute":"weight","value":"1"},{"attribute":"origin","value":"x"}]}`,
		first, attribute).OK()
	was := s.Texts(living)
	require.Equal(t, "one 2 1 1 1", was[0])
	record := remove(first)
	editor.GET("%s?id=%d", takeback, record).OK().Golden("audit/takeback_deletion_check")
	editor.POST(takeback, `{"id":%d,"seen":"%s"}`, record, look(editor, record).Seen).OK().Golden("audit/takeback_deletion")
	require.Equal(t, was, s.Texts(living))
	require.Empty(t, s.Disagreements())
	require.Equal(t, []string{"restored 之后又有人改过"}, reasons(look(editor, record)))

	// Its first deletion stays past when it is deleted again, and so does one whose name is taken.
	second := remove(first)
	require.Equal(t, []string{"restored 之后又有人改过"}, reasons(look(editor, record)))
	require.Equal(t, 1, look(editor, second).Taken)
	s.Product("one", money.Yuan(1), 1)
	require.Equal(t, []string{"restored 商品名称已经存在"}, reasons(look(editor, second)))
	editor.POST(takeback, `{"id":%d}`, second).OK()
	require.EqualValues(t, 1, s.Int("SELECT COUNT(*) FROM goods WHERE name = 'one' AND deleted = 0"))
}

// Deleted goods stay deleted while their category is.
func TestTakeBackOfADeletionInACategory(t *testing.T) {
	t.Parallel()
	w, editor, _ := imported(t, "one")
	s, super := w.Shop, w.Super()
	super.POST("/admin/category/create", `{"name":"first","level":"L1"}`).OK()
	super.POST("/admin/brand/create", `{"name":"b","desc":"b","floorPrice":1}`).OK()
	s.Exec("UPDATE goods SET category_id = (SELECT MAX(id) FROM category), brand_id = (SELECT MAX(id) FROM brand)")
	editor.POST("/admin/goods/delete", `{"id":1}`).OK()
	record := s.Int("SELECT MAX(id) FROM audit_log")
	super.POST("/admin/category/delete", `{"id":%d}`, s.Int("SELECT MAX(id) FROM category")).OK()
	require.Contains(t, reasons(look(editor, record))[0], "分类")
	s.Exec("UPDATE category SET deleted = 0")
	super.POST("/admin/brand/delete", `{"id":1}`).OK()
	require.Contains(t, reasons(look(editor, record))[0], "品牌")
	s.Exec("UPDATE brand SET deleted = 1")
	editor.POST(takeback, `{"id":%d}`, record).OK()
	require.Empty(t, s.Texts(living))
}

// The number of statements does not grow with the goods of a file.
func TestTakeBackOfALargeImport(t *testing.T) {
	t.Parallel()
	all := make([]string, 600)
	for i := range all {
		all[i] = fmt.Sprint("goods ", i)
	}
	w, editor, record := imported(t, all...)
	look(editor, record)
	require.Equal(t, 600, look(editor, record).Taken)
	editor.POST(takeback, `{"id":%d}`, record).OK()
	require.Empty(t, w.Shop.Texts(living))
	editor.POST(takeback, `{"id":%d}`, w.Shop.Int("SELECT MAX(id) FROM audit_log")).OK()
	require.Len(t, w.Shop.Texts(living), 600)
	require.Empty(t, w.Shop.Disagreements())
}
