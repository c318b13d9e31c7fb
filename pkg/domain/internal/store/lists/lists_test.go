package lists_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/lists"
)

type row struct {
	ID       int64
	Question string
}

// asked is a table with ids 1 to 7: 4 is deleted, 2 and 3 have the same time, and 7 is the oldest.
func asked(t *testing.T) *db.DB {
	t.Helper()
	d := dbtest.Open(t)
	start := time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC)
	for i, minute := range []int{1, 2, 2, 3, 4, 5, 0} {
		at := start.Add(time.Duration(minute) * time.Minute)
		require.NoError(t, dbtest.Exec(t.Context(), d, "INSERT INTO issue (id, question, answer, add_time, update_time, deleted) "+
			"VALUES (?, ?, '', ?, ?, ?)", i+1, fmt.Sprintf("Is it 10%d%%_?", i+1), at, at, i == 3))
	}
	return d
}

func ids(t *testing.T, d *db.DB, l *lists.Query, w page.Query) (found []int64, answered page.List[row]) {
	t.Helper()
	answered, err := lists.Fetch[row](t.Context(), lists.New(d), l, w)
	require.NoError(t, err)
	for _, r := range answered.Items {
		found = append(found, r.ID)
	}
	return found, answered
}

func all() *lists.Query { return lists.Select("issue", "r.id, r.question") }

func TestOrders(t *testing.T) {
	t.Parallel()
	d := asked(t)
	for _, tt := range []struct {
		sort string
		want []int64
	}{
		{"add_time", []int64{7, 1, 2, 3, 5, 6}},
		{"id", []int64{1, 2, 3, 5, 6, 7}},
	} {
		got, l := ids(t, d, all(), page.Query{Page: 1, Limit: 10, Sort: tt.sort})
		require.Equal(t, tt.want, got)
		require.EqualValues(t, 6, l.Total)
		require.Equal(t, "Is it 10"+fmt.Sprint(got[0])+"%_?", l.Items[0].Question)
		slices.Reverse(tt.want)
		got, _ = ids(t, d, all(), page.Query{Page: 1, Limit: 10, Sort: tt.sort, Desc: true})
		require.Equal(t, tt.want, got)
	}
}

// Every page of every size, in both directions, is the right part of the list.
func TestPages(t *testing.T) {
	t.Parallel()
	d := asked(t)
	whole := []int64{7, 1, 2, 3, 5, 6}
	for limit := 1; limit <= 7; limit++ {
		for number := 1; (number-1)*limit < len(whole); number++ {
			want := whole[(number-1)*limit : min(number*limit, len(whole))]
			got, _ := ids(t, d, all(), page.Query{Page: number, Limit: limit, Sort: "add_time"})
			require.Equal(t, want, got, "page %d of %d", number, limit)
		}
	}
	got, l := ids(t, d, all(), page.Query{Page: 9, Limit: 4, Sort: "id", Beyond: page.Last})
	require.Equal(t, []int64{6, 7}, got)
	require.Equal(t, 2, l.Query.Page)
}

// The first page of one owner's rows is counted only if there may be more of them.
func TestFirstPageOfAnOwner(t *testing.T) {
	t.Parallel()
	d := asked(t)
	mine := func(deleted int) *lists.Query { return all().Equals("deleted", deleted) }
	for limit := 1; limit <= 8; limit++ {
		w := page.Query{Page: 1, Limit: limit, Sort: "id"}
		got, l := ids(t, d, mine(0), w)
		require.Equal(t, []int64{1, 2, 3, 5, 6, 7}[:min(limit, 6)], got)
		require.EqualValues(t, 6, l.Total)
		require.Equal(t, w, l.Query)
		ctx, counter := db.WithCounter(t.Context())
		_, err := lists.Fetch[row](ctx, lists.New(d), mine(0), w)
		require.NoError(t, err)
		require.Equal(t, map[bool]int{true: 1, false: 2}[limit > 6], counter.Count())
	}
	got, l := ids(t, d, mine(1), page.Query{Page: 1, Limit: 5, Sort: "id", Beyond: page.Last})
	require.Empty(t, got)
	require.Zero(t, l.Total)
	require.Equal(t, 1, l.Query.Page)
}

// A total of Found is cached from a number of rows on, each text and its blanks by itself.
func TestFoundManyAreKept(t *testing.T) {
	t.Parallel()
	d := asked(t)
	found := func(name string, large int64) *lists.Query {
		return all().Where("i.id <> ?", 7).
			Found(name, large, "SELECT id FROM issue WHERE deleted = 0 AND id <> ?", 7)
	}
	total := func(l *lists.Query, page1, limit int) int64 {
		_, list := ids(t, d, l, page.Query{Page: page1, Limit: limit, Sort: "id"})
		return list.Total
	}
	require.EqualValues(t, 5, total(found("few", 6), 1, 2))
	require.EqualValues(t, 5, total(found("a", 5), 1, 2))
	long := strings.Repeat("长", 81)
	require.EqualValues(t, 5, total(found(long, 5), 1, 2))
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE issue SET deleted = 1 WHERE id = 1"))
	require.EqualValues(t, 4, total(found("few", 6), 1, 2))
	require.EqualValues(t, 5, total(found("a", 5), 1, 2), "cached")
	require.EqualValues(t, 4, total(found("a", 5), 1, 9), "what a page proves is told")
	require.EqualValues(t, 4, total(found("a ", 5), 1, 2))
	require.EqualValues(t, 4, total(found(long, 5), 1, 2))
}

func TestConditions(t *testing.T) {
	t.Parallel()
	d := asked(t)
	three, none := int64(3), int64(0)
	w := page.Query{Page: 1, Limit: 10, Sort: "id"}
	for name, tt := range map[string]struct {
		list *lists.Query
		want []int64
	}{
		"an id":            {all().ID("id", &three), []int64{3}},
		"the id 0":         {all().ID("id", &none), nil},
		"no id":            {all().ID("id", nil), []int64{1, 2, 3, 5, 6, 7}},
		"a text":           {all().Contains("question", "103"), []int64{3}},
		"no text":          {all().Contains("question", ""), []int64{1, 2, 3, 5, 6, 7}},
		"a percent sign":   {all().Contains("question", "5%"), []int64{5}},
		"percent for any":  {all().Contains("question", "Is%5"), nil},
		"underscore":       {all().Contains("question", "1__"), nil},
		"both must hold":   {all().Contains("question", "10").ID("id", &three), []int64{3}},
		"another":          {all().Where("i.id < ? AND i.id <> ?", 5, 1), []int64{2, 3}},
		"what ends a text": {all().Contains("question", "' or '1'='1"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, l := ids(t, d, tt.list, w)
			require.Equal(t, tt.want, got)
			require.EqualValues(t, len(tt.want), l.Total)
		})
	}
}
