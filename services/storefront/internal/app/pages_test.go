package app_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
)

// listed is the array envelope.
type listed struct {
	List  []json.RawMessage `json:"list"`
	Total int               `json:"total"`
	Page  int               `json:"page"`
	Limit int               `json:"limit"`
	Pages int               `json:"pages"`
}

// lists are the operations that answer pages.
func lists(m *market) []op.Spec {
	return slices.DeleteFunc(slices.Clone(m.API.Specs), func(s op.Spec) bool { return !paged(s) })
}

// furnished is a market in which every list has rows.
func furnished(t *testing.T, n int) *market {
	t.Helper()
	m := newMarket(t, n)
	m.traced()
	now := m.Domain.Clock.Now()
	m.Domain.Exec("INSERT INTO aftersale (order_id, user_id, status, add_time, update_time) "+
		"SELECT id, user_id, 1, ?, ? FROM orders", now, now)
	return m
}

// texts are the rows of a list, in their order.
func texts(l listed) []string {
	out := make([]string, len(l.List))
	for i, row := range l.List {
		out[i] = string(row)
	}
	return out
}

const listBase = "?type=0&valueId=1&showType=0&id=1&"

// The rows counted by walking all pages are the total, each comes once, and they are those of one large page.
func TestTotalsAgreeWithPages(t *testing.T) {
	m := furnished(t, 8)
	me, walked := m.As(m.lin), 0
	for _, spec := range lists(m) {
		for _, order := range []string{"", "sort=add_time&order=asc&", "sort=add_time&order=desc&", "sort=id&order=asc&"} {
			var whole listed
			a := me.GET("%s", path(spec)+listBase+order+"limit=1000")
			if order != "" && a.Code() == errno.Invalid {
				continue // the list has other sort words
			}
			a.Data(&whole)
			require.Len(t, whole.List, whole.Total, a.Request)
			var rows []string
			for page := 1; ; page++ {
				var l listed
				a := me.GET("%s", path(spec)+listBase+order+"limit=3&page="+strconv.Itoa(page))
				a.Data(&l)
				require.Equal(t, whole.Total, l.Total, a.Request)
				require.Equal(t, []int{page, 3, (whole.Total + 2) / 3}, []int{l.Page, l.Limit, l.Pages}, a.Request)
				if len(l.List) == 0 {
					break
				}
				rows = append(rows, texts(l)...)
			}
			require.Equal(t, texts(whole), append([]string{}, rows...), a.Request)
			if len(rows) > 3 {
				walked++
			}
		}
	}
	require.Greater(t, walked, 20)
}

// hostile are values that no list expects.
func hostile() []string {
	return []string{
		"", " ", "0", "-1", "1e3", "0x10", "1.0", "+1", "007", "９", "true", "null", "undefined", "NaN",
		"[]", "{}", "1,2", "1;2",
		"2147483647", "2147483648", "-2147483649", "99999999999999999999",
		"password", "id", "ID", "id desc", "id,add_time", "`id`", "o.id",
		"add_time/**/", "add_time;drop table orders", "(select sleep(5))", "1 or 1=1", "' or '1'='1", "\"",
		"\\", "%", "%s", "_", "\x00",
		"\xff", "é", "desc", "DESC", "asc", "desc limit 1,1", "desc--", "../../etc/passwd", "<script>",
		"${jndi:ldap://x}", "\r\nX: y",
	}
}

// Whatever a list is asked for, it refuses the value or answers some of its rows in an order.
func TestHostileWindows(t *testing.T) {
	m := furnished(t, 4)
	me := m.As(m.lin)
	refused, taken := 0, 0
	check := func(a *optest.Answer, all []string) {
		t.Helper()
		a.Clean()
		if a.Code() == errno.Invalid {
			refused++
			return
		}
		var l listed
		a.Data(&l)
		taken++
		require.Len(t, all, l.Total, a.Request)
		require.LessOrEqual(t, len(l.List), l.Limit, a.Request)
		require.Subset(t, all, texts(l), a.Request)
	}
	for _, spec := range lists(m) {
		var whole listed
		me.GET("%s", path(spec)+listBase+"limit=1000").Data(&whole)
		for _, name := range []string{"page", "limit", "sort", "order"} {
			for _, value := range hostile() {
				check(me.GET("%s", path(spec)+listBase+url.Values{name: {value}}.Encode()), texts(whole))
			}
		}
	}
	require.Greater(t, refused, 1000)
	require.Greater(t, taken, 100)
}
