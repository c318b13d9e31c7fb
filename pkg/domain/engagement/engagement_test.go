package engagement_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/dbtest"
)

var noon = time.Date(2026, 11, 2, 4, 0, 0, 0, time.UTC)

func read[T any](t *testing.T, d *db.DB, query string) T {
	t.Helper()
	var v T
	require.NoError(t, d.G(t.Context()).Raw(query).Scan(&v).Error)
	return v
}

func TestSeeGoods(t *testing.T) {
	d := dbtest.Open(t)
	now := noon
	s := engagement.New(d, func() time.Time { return now })
	require.NoError(t, s.SeeGoods(t.Context(), 7, 1))
	require.NoError(t, d.G(t.Context()).Exec("UPDATE footprint SET deleted = 1").Error)
	now = noon.Add(time.Hour)
	require.NoError(t, s.SeeGoods(t.Context(), 7, 1))
	require.NoError(t, s.SeeGoods(t.Context(), 7, 2))
	require.Equal(t, []string{"1 2 05:00:00 0", "2 1 05:00:00 0"}, read[[]string](t, d,
		"SELECT CONCAT(goods_id, ' ', view_count, ' ', DATE_FORMAT(view_time, '%H:%i:%s'), ' ', deleted) FROM footprint ORDER BY id"))
	now = noon // a clock that lags does not take the view back
	require.NoError(t, s.SeeGoods(t.Context(), 7, 1))
	require.Equal(t, noon.Add(time.Hour), read[time.Time](t, d, "SELECT view_time FROM footprint WHERE goods_id = 1"))
}

func TestManyViewsAtOnceLeaveOneRow(t *testing.T) {
	d := dbtest.Open(t)
	s := engagement.New(d, func() time.Time { return noon })
	var wg sync.WaitGroup
	for range 20 {
		// A view that loses a deadlock is lost: the caller ignores it too.
		wg.Go(func() { _ = s.SeeGoods(t.Context(), 7, 1) })
	}
	wg.Wait()
	require.Equal(t, 1, read[int](t, d, "SELECT COUNT(*) FROM footprint"))
}

func TestRemember(t *testing.T) {
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
			s := engagement.New(d, func() time.Time { return noon })
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
	d := dbtest.Open(t)
	s := engagement.New(d, func() time.Time { return noon })
	require.NoError(t, d.G(t.Context()).Exec("INSERT INTO collect (user_id, value_id, type, add_time, update_time, deleted) "+
		"VALUES (7, 1, 0, ?, ?, 0), (7, 2, 0, ?, ?, 1), (8, 3, 0, ?, ?, 0), (7, 4, 1, ?, ?, 0)",
		noon, noon, noon, noon, noon, noon, noon, noon).Error)
	for id, want := range map[int64]bool{1: true, 2: false, 3: false, 4: false} {
		got, err := s.HasCollected(t.Context(), 7, engagement.Goods, id)
		require.NoError(t, err)
		require.Equal(t, want, got, id)
	}
	topic, err := s.HasCollected(t.Context(), 7, engagement.Topic, 4)
	require.NoError(t, err)
	require.True(t, topic)
}
