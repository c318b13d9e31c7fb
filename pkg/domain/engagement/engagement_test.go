package engagement_test

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/idempotency"
)

var noon = time.Date(2026, 11, 2, 4, 0, 0, 0, time.UTC)

// keeper returns a service without accounts, which only feedback needs.
func keeper(d *db.DB, now func() time.Time) *engagement.Service {
	return engagement.New(d, idempotency.New(d, dbtest.Secret, now), nil, now)
}

func read[T any](t *testing.T, d *db.DB, query string) T {
	t.Helper()
	var v T
	require.NoError(t, table.Scan(t.Context(), d, &v, query))
	return v
}

func TestSeeGoods(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	clock := dbtest.At(noon)
	s := keeper(d, clock.Now)
	require.NoError(t, s.SeeGoods(t.Context(), 7, 1))
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE footprint SET deleted = 1"))
	clock.Set(noon.Add(time.Hour))
	require.NoError(t, s.SeeGoods(t.Context(), 7, 1))
	require.NoError(t, s.SeeGoods(t.Context(), 7, 2))
	require.Equal(t, []string{"1 2 05:00:00 0", "2 1 05:00:00 0"}, read[[]string](t, d,
		"SELECT CONCAT(goods_id, ' ', view_count, ' ', DATE_FORMAT(view_time, '%H:%i:%s'), ' ', deleted) FROM footprint ORDER BY id"))
	clock.Set(noon) // a lagging clock does not undo the view
	require.NoError(t, s.SeeGoods(t.Context(), 7, 1))
	require.Equal(t, noon.Add(time.Hour), read[time.Time](t, d, "SELECT view_time FROM footprint WHERE goods_id = 1"))
}

// Goods have one footprint.
func TestManyViewsAtOnceLeaveOneRow(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	s := keeper(d, func() time.Time { return noon })
	var wg sync.WaitGroup
	for range 20 {
		// A view that loses a deadlock is lost: the caller ignores the error.
		wg.Go(func() { _ = s.SeeGoods(t.Context(), 7, 1) })
	}
	wg.Wait()
	require.Equal(t, 1, read[int](t, d, "SELECT COUNT(*) FROM footprint"))
}

// Endless searches keep the latest hundred keywords of a shopper.
func TestSearchesAreTrimmed(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	s := keeper(d, dbtest.At(noon).Tick)
	require.NoError(t, s.Remember(t.Context(), 8, "another's"))
	for i := range 130 {
		require.NoError(t, s.Remember(t.Context(), 7, "word "+strconv.Itoa(i)))
	}
	require.Equal(t, 100, read[int](t, d, "SELECT COUNT(*) FROM search_history WHERE user_id = 7"))
	require.Equal(t, 30, read[int](t, d, "SELECT MIN(CAST(SUBSTRING(keyword, 6) AS SIGNED)) FROM search_history WHERE user_id = 7"))
	require.Equal(t, 1, read[int](t, d, "SELECT COUNT(*) FROM search_history WHERE user_id = 8"))
	require.NoError(t, s.Remember(t.Context(), 7, "word 30"))
	require.NoError(t, s.Remember(t.Context(), 7, "one more"))
	require.Equal(t, 1, read[int](t, d, "SELECT COUNT(*) FROM search_history WHERE keyword = 'word 30'"), "searched for again")
	require.Equal(t, 100, read[int](t, d, "SELECT COUNT(*) FROM search_history WHERE user_id = 7"))
}

func TestRemember(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ keyword, want string }{
		"plain":     {"茶", "茶"},
		"trimmed":   {" tea ", "tea"},
		"blank":     {"   ", ""},
		"too long":  {strings.Repeat("茶", 64), ""},
		"wildcards": {`%_\`, `%_\`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := dbtest.Open(t)
			s := keeper(d, func() time.Time { return noon })
			for range 2 {
				require.NoError(t, s.Remember(t.Context(), 7, tt.keyword))
			}
			if tt.want == "" {
				require.Zero(t, read[int](t, d, "SELECT COUNT(*) FROM search_history"))
				return
			}
			require.Equal(t, []string{tt.want + " 2"}, read[[]string](t, d, "SELECT CONCAT(keyword, ' ', times) FROM search_history"))
		})
	}
}

func TestHasCollected(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	s := keeper(d, func() time.Time { return noon })
	require.NoError(t, dbtest.Exec(t.Context(), d, "INSERT INTO collect (user_id, value_id, type, add_time, update_time, deleted) "+
		"VALUES (7, 1, 0, ?, ?, 0), (7, 2, 0, ?, ?, 1), (8, 3, 0, ?, ?, 0), (7, 4, 1, ?, ?, 0)",
		noon, noon, noon, noon, noon, noon, noon, noon))
	for id, want := range map[int64]bool{1: true, 2: false, 3: false, 4: false} {
		got, err := s.HasCollected(t.Context(), 7, engagement.Goods, id)
		require.NoError(t, err)
		require.Equal(t, want, got, id)
	}
	topic, err := s.HasCollected(t.Context(), 7, engagement.Topic, 4)
	require.NoError(t, err)
	require.True(t, topic)
}

// things inserts three goods, the second not on sale and the third deleted, and two topics, the second deleted.
func things(t *testing.T, d *db.DB) {
	t.Helper()
	for _, statement := range []string{
		"INSERT INTO goods (id, goods_sn, name, name_key, brief, retail_price, is_on_sale, deleted, add_time, update_time) VALUES " +
			"(1, '1', 'tea', '1', 'green', 45.50, 1, 0, '2030-01-01', '2030-01-01'), " +
			"(2, '2', 'pot', '2', 'grey', 10, 0, 0, '2030-01-01', '2030-01-01'), " +
			"(3, '3', 'cup', '3', 'gone', 10, 1, 1, '2030-01-01', '2030-01-01')",
		"INSERT INTO topic (id, title, subtitle, price, deleted, add_time, update_time) VALUES " +
			"(1, 'drinking tea', 'slowly', 9.90, 0, '2030-01-01', '2030-01-01'), (2, 'gone', NULL, 1, 1, '2030-01-01', '2030-01-01')",
	} {
		require.NoError(t, dbtest.Exec(t.Context(), d, statement))
	}
}

func TestToggle(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	things(t, d)
	clock := dbtest.At(noon)
	s := keeper(d, clock.Now)
	toggle := func(kind engagement.Kind, id int64) bool {
		t.Helper()
		clock.Tick()
		added, err := s.Toggle(t.Context(), 7, kind, id)
		require.NoError(t, err)
		return added
	}
	for _, want := range []bool{true, false, true} {
		require.Equal(t, want, toggle(engagement.Goods, 1))
	}
	require.True(t, toggle(engagement.Goods, 2), "goods that are not on sale are there")
	require.True(t, toggle(engagement.Topic, 1))
	require.Equal(t, []string{"0 1 04:00:03 04:00:03 0", "0 2 04:00:04 04:00:04 0", "1 1 04:00:05 04:00:05 0"},
		read[[]string](t, d, "SELECT CONCAT_WS(' ', type, value_id, TIME_FORMAT(add_time, '%T'), TIME_FORMAT(update_time, '%T'), deleted) "+
			"FROM collect ORDER BY type, value_id"))

	for _, thing := range []struct {
		kind engagement.Kind
		id   int64
	}{{engagement.Goods, 3}, {engagement.Goods, 99}, {engagement.Topic, 2}, {engagement.Topic, 99}, {engagement.Goods, 0}} {
		_, err := s.Toggle(t.Context(), 7, thing.kind, thing.id)
		require.ErrorIs(t, err, errno.Invalid)
	}
	require.Equal(t, 3, read[int](t, d, "SELECT COUNT(*) FROM collect"), "what is not there leaves no row")

	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE goods SET deleted = 1"))
	require.False(t, toggle(engagement.Goods, 1), "what is gone can be taken away")
	_, err := s.Toggle(t.Context(), 7, engagement.Goods, 1)
	require.ErrorIs(t, err, errno.Invalid, "and not be added again")
	require.Equal(t, 1, read[int](t, d, "SELECT deleted FROM collect WHERE type = 0 AND value_id = 1"))
}

// Each of twenty concurrent calls toggles the favourite once, whether or not there is a row already, and leaves one
// row.
func TestTwentyTogglesAtOnce(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	things(t, d)
	s := keeper(d, func() time.Time { return noon })
	for range 3 {
		var added, taken atomic.Int32
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				add, err := s.Toggle(t.Context(), 7, engagement.Goods, 1)
				switch {
				case err != nil:
					t.Error(err)
				case add:
					added.Add(1)
				default:
					taken.Add(1)
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 10, added.Load())
		require.EqualValues(t, 10, taken.Load())
		require.Equal(t, 1, read[int](t, d, "SELECT COUNT(*) FROM collect WHERE deleted = 1"))
	}
}

func TestListsLeaveOutWhatIsGone(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	things(t, d)
	s := keeper(d, func() time.Time { return noon })
	for i := range 3 {
		at := noon.Add(time.Duration(i) * time.Second)
		for _, shopper := range []int{7, 8} {
			require.NoError(t, dbtest.Exec(t.Context(), d, "INSERT INTO footprint (user_id, goods_id, view_time, add_time, update_time) "+
				"VALUES (?, ?, ?, ?, ?)", shopper, i+1, at, noon, noon))
			for kind := range 2 {
				require.NoError(t, dbtest.Exec(t.Context(), d, "INSERT INTO collect (user_id, type, value_id, add_time, update_time) "+
					"VALUES (?, ?, ?, ?, ?)", shopper, kind, i+1, at, at))
			}
		}
	}
	all := page.Query{Page: 1, Limit: 10, Sort: "add_time", Desc: true}
	goods, err := s.Favourites(t.Context(), 7, engagement.Goods, all)
	require.NoError(t, err)
	require.EqualValues(t, 2, goods.Total)
	require.Equal(t, []string{"pot", "tea"}, []string{goods.Items[0].Name, goods.Items[1].Name})
	topics, err := s.Favourites(t.Context(), 7, engagement.Topic, all)
	require.NoError(t, err)
	require.EqualValues(t, 1, topics.Total)
	require.Equal(t, []engagement.Favourite{{
		ID: topics.Items[0].ID, ValueID: 1, Kind: engagement.Topic, Name: "drinking tea", Brief: "slowly", Price: 990, AddTime: noon,
	}}, topics.Items)
	seen, err := s.Footprints(t.Context(), 7, page.Query{Page: 2, Limit: 1, Sort: "add_time", Desc: true})
	require.NoError(t, err)
	require.EqualValues(t, 2, seen.Total)
	require.Len(t, seen.Items, 1)
	require.Equal(t, "tea", seen.Items[0].Name)
	require.Equal(t, noon, seen.Items[0].ViewTime)

	require.ErrorIs(t, s.DeleteFootprint(t.Context(), 8, seen.Items[0].ID), errno.Invalid, "somebody else's")
	require.NoError(t, s.DeleteFootprint(t.Context(), 7, seen.Items[0].ID))
	require.ErrorIs(t, s.DeleteFootprint(t.Context(), 7, seen.Items[0].ID), errno.Invalid, "it is gone")
	require.Equal(t, 1, read[int](t, d, "SELECT COUNT(*) FROM footprint WHERE deleted = 1"))
}

func TestSearches(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	clock := dbtest.At(noon)
	s := keeper(d, clock.Now)
	for _, word := range []string{"tea", "pot", "cup", "tea"} {
		clock.Tick()
		require.NoError(t, s.Remember(t.Context(), 7, word))
		require.NoError(t, s.Remember(t.Context(), 8, word))
	}
	words := func(shopper int64, n int) (out []string) {
		found, err := s.Searches(t.Context(), shopper, n)
		require.NoError(t, err)
		for _, f := range found {
			out = append(out, f.Keyword)
		}
		return out
	}
	require.Equal(t, []string{"tea", "cup", "pot"}, words(7, 20))
	require.Equal(t, []string{"tea", "cup"}, words(7, 2))
	require.NoError(t, s.ForgetSearches(t.Context(), 7))
	require.NoError(t, s.ForgetSearches(t.Context(), 7))
	require.Empty(t, words(7, 20))
	require.Len(t, words(8, 20), 3)
	require.NoError(t, s.Remember(t.Context(), 7, "tea"))
	require.Equal(t, []string{"tea"}, words(7, 20))
}
