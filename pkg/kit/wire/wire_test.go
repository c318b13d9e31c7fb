package wire_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/wire"
)

func encoded(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

func TestMoney(t *testing.T) {
	for cents, want := range map[int64]string{0: "0.00", 5: "0.05", 3600: "36.00", -1: "-0.01", 9_999_999_999: "99999999.99"} {
		require.Equal(t, want, encoded(t, wire.Money(cents)))
		require.Equal(t, `"`+want+`"`, encoded(t, wire.MoneyText(cents)))
	}
}

func TestTime(t *testing.T) {
	shanghai, err := wire.ZoneOf("Asia/Shanghai")
	require.NoError(t, err)
	at := time.Date(2026, 2, 28, 16, 0, 59, 999e6, time.UTC)
	require.Equal(t, `"2026-03-01 00:00:59"`, encoded(t, shanghai.At(at)))
	require.Equal(t, `"2026-02-28 16:00:59"`, encoded(t, wire.Zone{}.At(at)))
	require.Equal(t, "null", encoded(t, shanghai.At(time.Time{})))
	type view struct {
		Shipped wire.Time `json:"shipped,omitzero"`
		Added   wire.Time `json:"added"`
	}
	require.Equal(t, `{"added":null}`, encoded(t, view{}))
	_, err = wire.ZoneOf("Mars/Olympus")
	require.Error(t, err)
}

// The clocks of Santiago skip this midnight.
func TestAMidnightThatDoesNotExistStaysOnItsDay(t *testing.T) {
	santiago, err := wire.ZoneOf("America/Santiago")
	require.NoError(t, err)
	at, err := santiago.Moment(text.FieldStartTime, "2024-09-08 00:00:00")
	require.NoError(t, err)
	require.Equal(t, `"2024-09-08 01:00:00"`, encoded(t, santiago.At(at)))
}

func TestArraysAreNeverNull(t *testing.T) {
	require.Equal(t, "[]", encoded(t, wire.OrEmpty[int](nil)))
	require.Equal(t, "[1]", encoded(t, wire.OrEmpty([]int{1})))
	empty := wire.ListOf(page.List[int]{Query: page.Query{Page: 3, Limit: 10}}, func(i int) int { return i })
	require.JSONEq(t, `{"list":[],"total":0,"page":3,"limit":10,"pages":0}`, encoded(t, empty))
	some := wire.ListOf(page.List[int]{Items: []int{1, 2}, Total: 21, Query: page.Query{Page: 1, Limit: 10}},
		func(i int) wire.Money { return wire.Money(i) })
	require.JSONEq(t, `{"list":[0.01,0.02],"total":21,"page":1,"limit":10,"pages":3}`, encoded(t, some))
}

func TestAddresses(t *testing.T) {
	for _, address := range []string{"https://shop.test/图.png?a=b&c=<d>", "/a.png", "19", ""} {
		require.Equal(t, encoded(t, address), encoded(t, wire.Link(address)))
		require.Equal(t, encoded(t, []string{address}), encoded(t, wire.Links{address}))
	}
	for _, address := range []string{"javascript:alert(1)", " data:text/html,x", "//evil.test", "java\tscript:x", "x\xff"} {
		require.Equal(t, `""`, encoded(t, wire.Link(address)))
		require.Equal(t, `["/a.png"]`, encoded(t, wire.Links{address, "/a.png", address}))
	}
	require.Equal(t, "[]", encoded(t, wire.Links(nil)))
}

// Checking an address must cost less than encoding the rest of a goods row.
func BenchmarkLink(b *testing.B) {
	view := wire.Link("https://shop.example.com/wx/storage/fetch/abcdefghij0123456789.png")
	for b.Loop() {
		if _, err := json.Marshal(view); err != nil {
			b.Fatal(err)
		}
	}
}

func TestPaging(t *testing.T) {
	n := func(i int) *int { return &i }
	clamped := wire.Rules{Default: 10, Max: 1000, Clamp: true, FoldSort: true}
	strict := wire.Rules{Default: 10, Max: 10_000, Beyond: page.Last}
	tests := map[string]struct {
		paging wire.Paging
		rules  wire.Rules
		want   page.Query
		wrong  string
	}{
		"nothing":             {wire.Paging{}, clamped, page.Query{Page: 1, Limit: 10, Sort: "add_time", Desc: true}, ""},
		"all given":           {wire.Paging{Page: n(2), Limit: n(5), Sort: "id", Order: "asc"}, clamped, page.Query{Page: 2, Limit: 5, Sort: "id"}, ""},
		"page 0":              {wire.Paging{Page: n(0)}, clamped, page.Query{}, "page"},
		"page -1":             {wire.Paging{Page: n(-1)}, strict, page.Query{}, "page"},
		"limit -1":            {wire.Paging{Limit: n(-1)}, clamped, page.Query{}, "page size"},
		"limit 0":             {wire.Paging{Limit: n(0)}, clamped, page.Query{Page: 1, Limit: 1000, Sort: "add_time", Desc: true, All: true}, ""},
		"limit 1001, clamped": {wire.Paging{Limit: n(1001)}, clamped, page.Query{Page: 1, Limit: 1000, Sort: "add_time", Desc: true}, ""},
		"limit, refused":      {wire.Paging{Limit: n(10_001)}, strict, page.Query{}, "page size"},
		"sort in capitals":    {wire.Paging{Sort: "ADD_Time"}, clamped, page.Query{Page: 1, Limit: 10, Sort: "add_time", Desc: true}, ""},
		"sort, exact":         {wire.Paging{Sort: "ADD_TIME"}, strict, page.Query{}, "sort"},
		"sort of a column":    {wire.Paging{Sort: "password"}, clamped, page.Query{}, "sort"},
		"sort of SQL":         {wire.Paging{Sort: "id;drop"}, clamped, page.Query{}, "sort"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := tt.paging.Query(tt.rules, wire.Listing{})
			if tt.wrong != "" {
				require.ErrorIs(t, err, errno.Invalid)
				require.ErrorContains(t, err, tt.wrong)
				return
			}
			require.NoError(t, err)
			tt.want.Beyond = tt.rules.Beyond
			require.Equal(t, tt.want, got)
		})
	}
}
