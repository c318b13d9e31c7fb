package app_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
)

// lists are the operations that answer pages.
func lists(m *filledShop) []op.Spec {
	return slices.DeleteFunc(slices.Clone(m.API.Specs), func(s op.Spec) bool { return !paged(s) })
}

// seeded is a shop in which every list has rows.
func seeded(t *testing.T, n int) *filledShop {
	t.Helper()
	m := newFilledShop(t, n)
	m.traced()
	now := m.Domain.Clock.Now()
	m.Domain.Exec("INSERT INTO aftersale (order_id, user_id, status, add_time, update_time) "+
		"SELECT id, user_id, 1, ?, ? FROM orders", now, now)
	return m
}

const listBase = "?type=0&valueId=1&showType=0&id=1&"

// The rows of all pages add up to the total, each comes once, and they are those of one large page.
func TestTotalsAgreeWithPages(t *testing.T) {
	t.Parallel()
	m := seeded(t, 8)
	me, walked := m.As(m.lin), 0
	for _, spec := range lists(m) {
		for _, order := range []string{"", "sort=add_time&order=asc&", "sort=add_time&order=desc&", "sort=id&order=asc&"} {
			var whole optest.Listed
			a := me.GET("%s", path(spec)+listBase+order+"limit=1000")
			if order != "" && a.Code() == errno.Invalid {
				continue // the list has other sort words
			}
			a.Data(&whole)
			require.Len(t, whole.List, whole.Total, a.Request)
			var rows []string
			for page := 1; ; page++ {
				var l optest.Listed
				a := me.GET("%s", path(spec)+listBase+order+"limit=3&page="+strconv.Itoa(page))
				a.Data(&l)
				require.Equal(t, whole.Total, l.Total, a.Request)
				require.Equal(t, []int{page, 3, (whole.Total + 2) / 3}, []int{l.Page, l.Limit, l.Pages}, a.Request)
				if len(l.List) == 0 {
					break
				}
				rows = append(rows, l.Rows()...)
			}
			require.Equal(t, whole.Rows(), append([]string{}, rows...), a.Request)
			if len(rows) > 3 {
				walked++
			}
		}
	}
	require.Greater(t, walked, 20)
}

// Whatever a list is asked for, it refuses the value or answers some of its rows in an order.
func TestHostilePaging(t *testing.T) {
	t.Parallel()
	m := seeded(t, 4)
	me := m.As(m.lin)
	refused, answered := 0, 0
	for i, spec := range lists(m) {
		var whole optest.Listed
		me.GET("%s", path(spec)+listBase+"limit=1000").Data(&whole)
		no, yes := me.HostileWindows(path(spec)+listBase, whole, i)
		refused, answered = refused+no, answered+yes
	}
	require.Greater(t, refused, 1000)
	require.Greater(t, answered, 100)
}
