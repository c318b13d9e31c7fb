package app_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

// Every filter by a text finds what has all its words, in any order and case, and takes no character for another.
func TestFiltersByTexts(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	seedLists(w, 4)
	me := w.Super()
	w.Shop.Exec("UPDATE orders SET user_id = id")
	w.Shop.Exec("DELETE FROM notice_admin")
	w.Shop.Exec("INSERT INTO notice_admin (notice_id, admin_id, notice_title, add_time, update_time) " +
		"SELECT n.id, (SELECT MAX(id) FROM admin), 'x', n.add_time, n.update_time FROM notice n")
	for _, f := range []struct{ path, param, table, column string }{
		{"/admin/brand/list", "name", "brand", "name"},
		{"/admin/ad/list", "name", "ad", "name"},
		{"/admin/ad/list", "content", "ad", "content"},
		{"/admin/keyword/list", "keyword", "keyword", "keyword"},
		{"/admin/keyword/list", "url", "keyword", "url"},
		{"/admin/issue/list", "question", "issue", "question"},
		{"/admin/topic/list", "title", "topic", "title"},
		{"/admin/topic/list", "subtitle", "topic", "subtitle"},
		{"/admin/coupon/list", "name", "coupon", "name"},
		{"/admin/address/list", "name", "address", "name"},
		{"/admin/feedback/list", "username", "feedback", "username"},
		{"/admin/history/list", "keyword", "search_history", "keyword"},
		{"/admin/storage/list", "name", "storage", "name"},
		{"/admin/log/list", "name", "log", "admin"},
		{"/admin/notice/list", "title", "notice", "title"},
		{"/admin/notice/list", "content", "notice", "content"},
		{"/admin/profile/lsnotice", "title", "notice_admin", "notice_title"},
		{"/admin/role/list", "name", "role", "name"},
		{"/admin/admin/list", "username", "admin", "username"},
		{"/admin/user/list", "username", "user", "username"},
		{"/admin/order/list", "nickname", "user", "nickname"},
		{"/admin/order/list", "consignee", "orders", "consignee"},
	} {
		first := w.Shop.Int("SELECT MIN(id) FROM `" + f.table + "`")
		second := w.Shop.Int("SELECT MIN(id) FROM `"+f.table+"` WHERE id > ?", first)
		set := fmt.Sprintf("UPDATE `%s` SET `%s` = CASE id WHEN ? THEN ? WHEN ? THEN ? ELSE CONCAT('other', id) END", f.table, f.column)
		w.Shop.Exec(set, first, "🍺 Green 𠮷 １", second, "🍣 café 𡈽")
		for text, want := range map[string]int{
			"🍺": 1, "🍣": 1, "🍵": 0, "𠮷": 1, "𡈽": 1, "吉": 0, "𠮷 GREEN": 1, "green 🍺": 1, "green 🍣": 0, "ｇreen": 1,
			"1": 1, "CAFE\u0301": 1, "cafe": 0, " 🍺\u200b": 1, "other": -1, "%": 0, "_": 0,
		} {
			var found optest.Listed
			me.GET("%s", f.path+"?limit=0&"+f.param+"="+url.QueryEscape(text)).Data(&found)
			if want >= 0 {
				require.Equal(t, want, found.Total, "%s %s %q", f.path, f.param, text)
			} else {
				require.Positive(t, found.Total, "%s %s %q", f.path, f.param, text)
			}
		}
	}
}

// A list that can be asked for one record answers that one and no other, also with the other filters of its page.
func TestFiltersByID(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	seedLists(w, 4)
	me, tested := w.Super(), 0
	for _, s := range w.Handler.Specs {
		if !strings.HasSuffix(s.Path, "/list") || !slices.ContainsFunc(s.Fields(), func(f op.Field) bool { return f.Name == "id" }) {
			continue
		}
		tested++
		ids := func(query string) (ids []int64) {
			var found struct{ List []struct{ ID int64 } }
			me.GET("%s", s.Path+query).Data(&found)
			for _, row := range found.List {
				ids = append(ids, row.ID)
			}
			return ids
		}
		all := ids("")
		require.Greater(t, len(all), 2, s.Path)
		for _, id := range all[:2] {
			require.Equal(t, []int64{id}, ids(fmt.Sprintf("?id=%d", id)), s.Path)
			require.Equal(t, []int64{id}, ids(fmt.Sprintf("?id=%d&page=1&limit=20&sort=id&order=asc", id)), s.Path)
		}
		require.Empty(t, ids("?id=0"), s.Path)
		require.Empty(t, ids("?id=123456789"), s.Path)
	}
	require.Equal(t, 9, tested)
}
