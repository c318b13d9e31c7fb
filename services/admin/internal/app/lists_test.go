package app_test

import (
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

// lists are the operations that answer pages, of all areas.
func lists(w *apitest.Env) []op.Spec {
	return slices.DeleteFunc(slices.Clone(w.Handler.Specs), func(s op.Spec) bool {
		return s.Method != http.MethodGet ||
			!slices.ContainsFunc(s.Fields(), func(f op.Field) bool { return f.Name == "limit" })
	})
}

// sorted reports whether a list supports sort and order; an assembled one does not.
func sorted(s op.Spec) bool {
	return slices.ContainsFunc(s.Fields(), func(f op.Field) bool { return f.Name == "sort" })
}

// seedLists inserts n rows into each table of a list, some of them with the same time; the database fills in the
// defaults.
func seedLists(w *apitest.Env, n int) {
	for _, table := range []string{
		"user", "address", "collect", "footprint", "search_history", "feedback", "brand", "category", "goods", "orders",
		"aftersale", "issue", "keyword", "comment", "ad", "topic", "coupon", "coupon_user", "groupon_rules", "groupon",
		"notice", "log", "role", "storage", "region", "refund",
	} {
		var columns, values []string
		for _, c := range w.Shop.Texts("SELECT CONCAT(column_name, ' ', data_type) FROM information_schema.columns "+
			"WHERE table_schema = DATABASE() AND table_name = ? AND extra NOT LIKE '%auto_increment%' "+
			"AND extra NOT LIKE '%GENERATED%' AND column_name NOT IN ('deleted', 'del_mark') "+
			"AND (is_nullable = 'NO' AND column_default IS NULL OR column_name IN ('user_id', 'code') AND is_nullable = 'NO')", table) {
			name, kind, _ := strings.Cut(c, " ")
			columns = append(columns, "`"+name+"`")
			values = append(values, value(name, kind))
		}
		for i := range n {
			at := w.Shop.Clock.Now().Add(time.Duration(i/2) * time.Second).Format(time.DateTime)
			row := strings.NewReplacer("#N", strconv.Itoa(i+1), "#T", "'"+at+"'").Replace(strings.Join(values, ", "))
			w.Shop.Exec("INSERT INTO `" + table + "` (" + strings.Join(columns, ", ") + ") VALUES (" + row + ")")
		}
	}
	for i := range n {
		w.Operator("operator" + strconv.Itoa(i))
	}
	w.Shop.Exec("UPDATE coupon_user SET coupon_id = 1")
	w.Shop.Exec("UPDATE refund SET status = 3")  // so that they are open cases
	w.Shop.Exec("UPDATE groupon SET status = 1") // groups are listed once their opener has paid
	w.Shop.Exec("INSERT INTO notice_admin (notice_id, admin_id, notice_title, add_time, update_time) " +
		"SELECT n.id, a.id, 'x', n.add_time, n.update_time FROM notice n JOIN admin a")
}

func value(name, kind string) string {
	switch {
	case kind == "datetime":
		return "#T"
	case slices.Contains([]string{"varchar", "text", "mediumtext", "longtext", "char"}, kind):
		if slices.Contains([]string{"gallery", "pic_urls", "specifications", "goods", "goods_value", "pictures"}, name) {
			return "'[]'"
		}
		return "'x#N'"
	}
	return "#N"
}

// base is what a list wants beside the window.
func base(s op.Spec) string {
	if s.Path == "/admin/region/clist" {
		return s.Path + "?id=0&"
	}
	return s.Path + "?couponId=1&"
}

// The rows of all pages add up to the total, each comes once and in the order of the whole list; a page past the end
// answers the last one.
func TestTotalsAgreeWithPages(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	me, long := w.Super(), map[string]bool{}
	seedLists(w, 7)
	for _, spec := range lists(w) {
		orders := []string{""}
		if sorted(spec) {
			orders = append(orders, "sort=add_time&order=asc&", "sort=id&order=desc&", "sort=id&order=asc&")
		}
		for _, order := range orders {
			at := base(spec) + order
			var whole, last optest.Listed
			a := me.GET("%s", at+"limit=0")
			a.Data(&whole)
			require.Equal(t, []int{len(whole.List), 1, len(whole.List), min(1, len(whole.List))},
				[]int{whole.Total, whole.Page, whole.Limit, whole.Pages}, a.Request)
			var rows []string
			pages := (whole.Total + 2) / 3
			for page := 1; page <= max(pages, 1); page++ {
				a := me.GET("%s", at+"limit=3&page="+strconv.Itoa(page))
				a.Data(&last)
				require.Equal(t, []int{whole.Total, page, 3, pages}, []int{last.Total, last.Page, last.Limit, last.Pages}, a.Request)
				rows = append(rows, last.Rows()...)
			}
			require.Equal(t, whole.Rows(), append([]string{}, rows...), at)
			require.Len(t, distinct(rows), len(rows), at)
			var beyond optest.Listed
			me.GET("%s", at+"limit=3&page=99").Data(&beyond)
			require.Equal(t, last, beyond, at)
			long[spec.Path] = len(rows) > 3
		}
	}
	for path, enough := range long {
		assert.True(t, enough, "%s has no rows to walk", path)
	}
}

func distinct(rows []string) []string { return slices.Compact(slices.Sorted(slices.Values(rows))) }

// Whatever a list is asked for, it refuses the value or answers some of its rows.
func TestHostilePaging(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	me := w.Super()
	seedLists(w, 3)
	refused, answered := 0, 0
	for i, spec := range lists(w) {
		var whole optest.Listed
		me.GET("%s", base(spec)+"limit=0").Data(&whole)
		no, yes := me.HostileWindows(base(spec), whole, i)
		refused, answered = refused+no, answered+yes
	}
	require.Greater(t, refused, 30*len(lists(w)))
	require.Greater(t, answered, 10*len(lists(w)))
}

// Each answer of a list is the list envelope.
func TestEveryListIsOne(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	for _, spec := range lists(w) {
		require.Equal(t, reflect.Struct, spec.Resp.Kind(), spec.Path)
		for _, member := range []string{"List", "Total", "Page", "Limit", "Pages"} {
			_, ok := spec.Resp.FieldByName(member)
			require.True(t, ok, "%s has no %s", spec.Path, member)
		}
	}
}
