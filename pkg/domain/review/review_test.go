package review_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/review"
)

var noon = time.Date(2026, 11, 2, 4, 0, 0, 0, time.UTC)

// people knows only shopper 7.
func people(_ context.Context, _ db.Querier, ids []int64) (map[int64]account.Person, error) {
	out := map[int64]account.Person{}
	for _, id := range ids {
		if id == 7 {
			out[id] = account.Person{Nickname: "lin", Avatar: "http://x/lin.png"}
		}
	}
	return out, nil
}

func seeded(t *testing.T, n int) (*review.Service, *db.DB) {
	t.Helper()
	d := dbtest.Open(t)
	now := noon
	s := review.New(d, people, func(int64) {}, func() time.Time { return now })
	for i := range n {
		now = noon.Add(time.Duration(i/2) * time.Second)
		c := review.Comment{ValueID: 1, UserID: 7, Star: 5, Content: fmt.Sprint("comment ", i+1)}
		if i%3 == 0 {
			c.Pictures = []string{"http://x/1.png", "http://x/2.png"}
		}
		_, err := s.Create(t.Context(), c)
		require.NoError(t, err)
	}
	return s, d
}

func TestStars(t *testing.T) {
	t.Parallel()
	s, d := seeded(t, 2)
	stars := func() float64 {
		n, err := s.Stars(t.Context(), review.Goods, 1)
		require.NoError(t, err)
		return n
	}
	require.InDelta(t, 5, stars(), 0)
	_, err := s.Create(t.Context(), review.Comment{ValueID: 1, UserID: 7, Star: 2, Content: "so"})
	require.NoError(t, err)
	require.InDelta(t, 4, stars(), 0)
	_, err = s.Create(t.Context(), review.Comment{ValueID: 1, UserID: 7, Star: 1, Kind: review.Topic, Content: "of the topic"})
	require.NoError(t, err)
	require.InDelta(t, 4, stars(), 0)
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE comment SET hidden = 1 WHERE id = 3"))
	require.InDelta(t, 5, stars(), 0, "what the shop does not show does not count")
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE comment SET deleted = 1"))
	require.Zero(t, stars())
}

func TestList(t *testing.T) {
	t.Parallel()
	s, d := seeded(t, 7)
	other := review.Comment{ValueID: 1, UserID: 7, Star: 1, Kind: review.Topic, Content: "of the topic"}
	_, err := s.Create(t.Context(), other)
	require.NoError(t, err)
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE comment SET deleted = 1 WHERE id = 7"))
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE comment SET user_id = 99 WHERE id = 6"))
	tests := map[string]struct {
		about review.Subject
		query page.Query
		total int64
		want  []int64
	}{
		"newest first":     {review.Subject{ID: 1}, page.Query{Page: 1, Limit: 4, Sort: "add_time", Desc: true}, 6, []int64{6, 5, 4, 3}},
		"second page":      {review.Subject{ID: 1}, page.Query{Page: 2, Limit: 4, Sort: "add_time", Desc: true}, 6, []int64{2, 1}},
		"by id, ascending": {review.Subject{ID: 1}, page.Query{Page: 1, Limit: 2, Sort: "id"}, 6, []int64{1, 2}},
		"with pictures":    {review.Subject{ID: 1, WithPictures: true}, page.Query{Page: 1, Limit: 9, Sort: "add_time", Desc: true}, 2, []int64{4, 1}},
		"a topic":          {review.Subject{ID: 1, Kind: review.Topic}, page.Query{Page: 1, Limit: 9, Sort: "id"}, 1, []int64{8}},
		"past the end":     {review.Subject{ID: 1}, page.Query{Page: 3, Limit: 4, Sort: "id"}, 6, nil},
		"nothing":          {review.Subject{ID: 2}, page.Query{Page: 1, Limit: 4, Sort: "id"}, 0, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l, err := s.List(t.Context(), tt.about, tt.query)
			require.NoError(t, err)
			require.Equal(t, tt.total, l.Total)
			var ids []int64
			for _, c := range l.Items {
				ids = append(ids, c.ID)
				if c.ID == 6 {
					require.Empty(t, c.Author, "the author has vanished")
				} else {
					require.Equal(t, "lin", c.Author.Nickname)
				}
			}
			require.Equal(t, tt.want, ids)
		})
	}
	n, err := s.Count(t.Context(), review.Goods, 1)
	require.NoError(t, err)
	require.Equal(t, review.Counts{All: 6, WithPictures: 2}, n)
}

func TestStatementsDoNotGrowWithRows(t *testing.T) {
	t.Parallel()
	for _, rows := range []int{10, 300} {
		s, _ := seeded(t, rows)
		ctx, counter := db.WithCounter(t.Context())
		l, err := s.List(ctx, review.Subject{ID: 1}, page.Query{Page: 1, Limit: 1000, Sort: "add_time", Desc: true})
		require.NoError(t, err)
		require.Len(t, l.Items, rows)
		require.Equal(t, 1, counter.Count(), "a page that is not full needs no total")
	}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	var told []int64
	s := review.New(d, people, func(id int64) { told = append(told, id) }, func() time.Time { return noon })
	_, err := s.Create(t.Context(), review.Comment{ValueID: 3, UserID: 7, Star: 5})
	require.NoError(t, err)
	_, err = s.Create(t.Context(), review.Comment{ValueID: 4, UserID: 7, Star: 5, Kind: review.Topic})
	require.NoError(t, err)
	require.Equal(t, []int64{3}, told, "pages show comments on goods")
	for _, star := range []int{0, 6} {
		_, err = s.Create(t.Context(), review.Comment{ValueID: 3, UserID: 7, Star: star})
		require.ErrorIs(t, err, errno.Invalid)
	}
}

func TestListFailsWithItsAuthors(t *testing.T) {
	t.Parallel()
	_, d := seeded(t, 1)
	broken := errors.New("no accounts")
	s := review.New(d, func(context.Context, db.Querier, []int64) (map[int64]account.Person, error) { return nil, broken },
		func(int64) {}, time.Now)
	_, err := s.List(t.Context(), review.Subject{ID: 1}, page.Query{Page: 1, Limit: 4, Sort: "id"})
	require.ErrorIs(t, err, broken)
}
