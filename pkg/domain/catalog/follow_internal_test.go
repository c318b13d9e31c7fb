package catalog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/catalog/index"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/dbtest"
	"shop.internal/pkg/domain/platform/form"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/page"
)

func service(t *testing.T) *Service {
	t.Helper()
	d := dbtest.Open(t)
	return New(d, idempotency.New(d, []byte("key"), time.Now), time.Now)
}

// made are goods with texts of few characters, so that searches find some: of two scripts, in both cases, with blanks
// and the characters that LIKE knows.
func made(r *rand.Rand) NewGoods {
	text := func(most int) string {
		letters := []rune("茶杯壶aAbé%_ \\")
		b := make([]rune, r.IntN(most))
		for i := range b {
			b[i] = letters[r.IntN(len(letters))]
		}
		return string(b)
	}
	return NewGoods{
		Goods: Goods{
			Name: strings.TrimSpace(text(8)) + fmt.Sprint(r.IntN(1000)), SN: "1", Keywords: text(6), CategoryID: r.Int64N(5),
			BrandID: r.Int64N(4), OnSale: r.IntN(4) > 0, New: r.IntN(2) == 0, Hot: r.IntN(2) == 0,
		},
		Products: []Product{{Price: money.Amount(r.Int64N(40) * 50), Number: 1}},
	}
}

// question is a random filter and page, refused by neither side.
func question(r *rand.Rand) (Filter, page.Query) {
	f := Filter{CategoryID: r.Int64N(6), BrandID: r.Int64N(6)}
	if r.IntN(2) == 0 {
		f.CategoryID = 0
	}
	if r.IntN(3) > 0 {
		f.BrandID = 0
	}
	f.Keyword = []string{"", "", "", "茶", "茶杯", "a", "Aa", "茶杯壶", "%", "_", "é", "a b", "\\", "1", "É", strings.Repeat("茶", 300)}[r.IntN(16)]
	flag := func() *bool {
		if r.IntN(3) > 0 {
			return nil
		}
		on := r.IntN(2) == 0
		return &on
	}
	f.New, f.Hot = flag(), flag()
	if r.IntN(3) == 0 {
		low := money.Amount(r.Int64N(1000))
		high := low + money.Amount(r.Int64N(1000))
		f.MinPrice, f.MaxPrice = &low, &high
	}
	return f, page.Query{
		Page: 1 + r.IntN(4), Limit: 1 + r.IntN(8), Sort: []string{"add_time", "id", "retail_price", "name"}[r.IntN(4)],
		Desc: r.IntN(2) == 0, Beyond: page.Empty,
	}
}

// requireAgreement compares what the index answers with what the database answers.
func requireAgreement(t *testing.T, s *Service, r *rand.Rand, questions int) {
	t.Helper()
	ctx := t.Context()
	x := s.live.index.Load()
	require.NotNil(t, x)
	answered := 0
	for range questions {
		f, q := question(r)
		s.live.read.Store(time.Now().UnixNano()) // on a slow machine it would be too long ago to ask the index
		if _, _, ok := s.asked(f, q); ok {
			answered++
		}
		list, categories, err := s.Find(ctx, f, q)
		require.NoError(t, err)
		n, err := s.Count(ctx)
		require.NoError(t, err)
		newest, err := s.Newest(ctx, f, q.Limit)
		require.NoError(t, err)
		s.live.index.Store(nil)
		wantList, wantCategories, err := s.Find(ctx, f, q)
		require.NoError(t, err)
		wantN, err := s.Count(ctx)
		require.NoError(t, err)
		wantNewest, err := s.Newest(ctx, f, q.Limit)
		require.NoError(t, err)
		s.live.index.Store(x)
		asked := fmt.Sprintf("%+v %+v", f, q)
		require.Equal(t, wantList.Total, list.Total, asked)
		require.Len(t, list.Items, len(wantList.Items), asked)
		for i := range list.Items {
			require.Equal(t, wantList.Items[i], list.Items[i], asked)
		}
		require.Len(t, categories, len(wantCategories), asked)
		for i := range categories {
			require.Equal(t, wantCategories[i].ID, categories[i].ID, asked)
		}
		require.Equal(t, wantN, n)
		require.Len(t, newest, len(wantNewest), asked)
		for i := range newest {
			require.Equal(t, wantNewest[i].ID, newest[i].ID, asked)
		}
	}
	require.Greater(t, answered, questions/2, "questions that the index answers")
	for range questions / 3 {
		requireSameForOperators(t, s, r)
	}
}

// requireSameForOperators compares a search by the name, among goods on sale or not.
func requireSameForOperators(t *testing.T, s *Service, r *rand.Rand) {
	t.Helper()
	ctx := t.Context()
	f, q := question(r)
	asked, x := ListFilter{Name: f.Keyword}, s.live.index.Load()
	got, err := s.All(ctx, asked, q)
	require.NoError(t, err)
	s.live.index.Store(nil)
	want, err := s.All(ctx, asked, q)
	require.NoError(t, err)
	s.live.index.Store(x)
	require.Equal(t, want.Total, got.Total, "%q %+v", asked.Name, q)
	require.Len(t, got.Items, len(want.Items), "%q %+v", asked.Name, q)
	for i := range got.Items {
		require.Equal(t, want.Items[i], got.Items[i], "%q %+v", asked.Name, q)
	}
}

// The index answers what the database answers, whatever operators do.
func TestTheIndexAgreesWithTheDatabase(t *testing.T) {
	t.Parallel()
	s := service(t)
	ctx := t.Context()
	r := rand.New(rand.NewPCG(dbtest.Seed(t), 1))
	top, err := s.CreateCategory(ctx, Category{Name: "top", Level: FirstLevel})
	require.NoError(t, err)
	for i := range 4 {
		_, err := s.CreateCategory(ctx, Category{Name: fmt.Sprint("c", i), Level: SecondLevel, Pid: top.ID, SortOrder: 4 - i})
		require.NoError(t, err)
	}
	add := func() int64 {
		for {
			if id, err := s.Create(ctx, made(r)); err == nil {
				return id
			}
		}
	}
	for range 60 {
		add()
	}
	f, err := openFeed(ctx, s.db, time.Now())
	require.NoError(t, err)
	x, err := s.load(ctx)
	require.NoError(t, err)
	s.live.serve(x, f, time.Now())
	requireAgreement(t, s, r, 150)
	for range 4 {
		for range 5 {
			add()
			id := 1 + r.Int64N(60)
			if r.IntN(3) == 0 {
				require.NoError(t, s.Remove(ctx, id))
			}
		}
		requireSameForOperators(t, s, r) // without waiting for the feed
		require.NoError(t, s.catchUp(ctx, f, x))
		requireAgreement(t, s, r, 50)
	}
}

// A transaction that commits after others with later numbers is not missed, nor one that began before the start.
func TestTheFeedMissesNothing(t *testing.T) {
	t.Parallel()
	s := service(t)
	ctx := t.Context()
	now := time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)
	entry := func(goods int64) func(context.Context, *db.Tx) error {
		return func(ctx context.Context, tx *db.Tx) error { return appendChanges(ctx, tx, []int64{goods}, now) }
	}
	write := func(goods int64) {
		require.NoError(t, s.db.InTx(ctx, func(tx *db.Tx) error { return entry(goods)(ctx, tx) }))
	}
	open := make(chan struct{})
	late := func(goods int64) <-chan error {
		written, done := make(chan struct{}), make(chan error, 1)
		go func() {
			done <- s.db.InTx(ctx, func(tx *db.Tx) error {
				err := entry(goods)(ctx, tx)
				close(written)
				<-open
				return err
			})
		}()
		<-written
		return done
	}
	write(1)
	before := late(2)
	write(3)
	f, err := openFeed(ctx, s.db, now)
	require.NoError(t, err)
	write(4)
	during := late(5)
	write(6)
	write(6)
	got, err := f.next(ctx, s.db, now)
	require.NoError(t, err)
	require.Equal(t, []int64{4, 6}, got)
	got, err = f.next(ctx, s.db, now)
	require.NoError(t, err)
	require.Empty(t, got)
	require.Len(t, f.gaps, 2)
	close(open)
	require.NoError(t, <-before)
	require.NoError(t, <-during)
	got, err = f.next(ctx, s.db, now)
	require.NoError(t, err)
	require.Equal(t, []int64{2, 5}, got)
	require.Empty(t, f.gaps)

	require.Error(t, s.db.InTx(ctx, func(tx *db.Tx) error {
		_ = entry(7)(ctx, tx)
		return context.Canceled
	}))
	write(8)
	got, err = f.next(ctx, s.db, now)
	require.NoError(t, err)
	require.Equal(t, []int64{8}, got)
	require.Len(t, f.gaps, 1)
	_, err = f.next(ctx, s.db, now.Add(gapTime+1))
	require.NoError(t, err)
	require.Empty(t, f.gaps, "rolled back")
}

// What was read from the feed and could not be applied is applied later.
func TestAFailureLosesNoChange(t *testing.T) {
	t.Parallel()
	s := service(t)
	ctx := t.Context()
	f, err := openFeed(ctx, s.db, s.now())
	require.NoError(t, err)
	x, err := s.load(ctx)
	require.NoError(t, err)
	s.live.serve(x, f, s.now())
	_, err = s.Create(ctx, NewGoods{Goods: Goods{Name: "茶", OnSale: true}, Products: []Product{{Price: 1, Number: 1}}})
	require.NoError(t, err)
	failing, _ := db.WithFault(ctx, func(_ int, statement string) error {
		if strings.Contains(statement, "WEIGHT_STRING") {
			return errDisagreement
		}
		return nil
	})
	require.ErrorIs(t, s.catchUp(failing, f, x), errDisagreement)
	require.Zero(t, x.Len())
	found, err := s.All(failing, ListFilter{Name: "茶"}, page.Query{Page: 1, Limit: 5})
	require.NoError(t, err)
	require.Len(t, found.Items, 1, "from the database")
	require.NoError(t, s.catchUp(ctx, f, x))
	require.Equal(t, 1, x.Len())
	require.NoError(t, s.db.InTx(ctx, func(tx *db.Tx) error { return appendChanges(ctx, tx, []int64{everything}, s.now()) }))
	for range 2 { // whoever asks first
		require.ErrorIs(t, s.catchUp(ctx, f, x), errAnew)
	}
}

// Few goods have no index.
func TestFewGoodsAreNotFollowed(t *testing.T) {
	t.Parallel()
	s := service(t)
	require.True(t, s.hasAbout(t.Context(), 0))
	require.False(t, s.hasAbout(t.Context(), 1))
	_, err := s.Create(t.Context(), NewGoods{Goods: Goods{Name: "茶"}, Products: []Product{{Price: 1, Number: 1}}})
	require.NoError(t, err)
	require.True(t, s.hasAbout(t.Context(), 1))
	require.False(t, s.hasAbout(t.Context(), 2))
}

// Follow serves from the database until the goods are loaded, keeps up with other processes, and ends with its context.
func TestFollow(t *testing.T) {
	t.Parallel()
	d, at := dbtest.Open(t), time.Now()
	now := func() time.Time { return at } // stands still, so that no machine is too slow to ask the index
	s := New(d, idempotency.New(d, []byte("key"), now), now)
	other := New(s.db, s.once, s.now)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Follow(ctx, 0, slog.New(slog.DiscardHandler))
	}()
	require.Eventually(t, func() bool { return s.live.index.Load() != nil }, time.Minute, time.Millisecond)
	id, err := other.Create(ctx, NewGoods{Goods: Goods{Name: "茶", OnSale: true}, Products: []Product{{Price: 1, Number: 1}}})
	require.NoError(t, err)
	count := func() int64 {
		n, err := s.Count(ctx)
		require.NoError(t, err)
		return n
	}
	require.Eventually(t, func() bool { return count() == 1 }, time.Minute, time.Millisecond)
	name := func() string {
		found, err := s.Newest(ctx, Filter{}, 1)
		require.NoError(t, err)
		return found[0].Name
	}
	require.Equal(t, "茶", name())
	require.NoError(t, s.db.G(ctx).Exec("UPDATE goods SET name = '壶'").Error)
	require.Equal(t, "茶", name(), "from memory")
	require.NoError(t, s.db.InTx(ctx, func(tx *db.Tx) error { return other.touch(ctx, tx, id) }))
	require.Eventually(t, func() bool { return name() == "壶" }, time.Minute, time.Millisecond)
	require.NoError(t, other.Remove(ctx, id))
	require.Eventually(t, func() bool { return count() == 0 }, time.Minute, time.Millisecond)
	before := s.live.index.Load()
	require.NoError(t, s.db.InTx(ctx, func(tx *db.Tx) error { return appendChanges(ctx, tx, []int64{everything}, s.now()) }))
	require.Eventually(t, func() bool {
		x := s.live.index.Load()
		return x != nil && x != before
	}, time.Minute, time.Millisecond)
	stop()
	<-done
	require.Nil(t, s.live.index.Load())
	require.Nil(t, s.live.source.Load(), "it would keep the old index beside the next one")
}

// Who finds goods by what has changed of them is shown what they are now.
func TestNoRowIsOlderThanTheIndex(t *testing.T) {
	t.Parallel()
	s := service(t)
	ctx := t.Context()
	require.NoError(t, s.db.G(ctx).Exec("ALTER TABLE goods AUTO_INCREMENT = 900").Error)
	id, err := s.Create(ctx, NewGoods{Goods: Goods{Name: "old", OnSale: true}, Products: []Product{{Price: 1, Number: 1}}})
	require.NoError(t, err)
	f, err := openFeed(ctx, s.db, s.now())
	require.NoError(t, err)
	x, err := s.load(ctx)
	require.NoError(t, err)
	s.live.serve(x, f, s.now())
	changed := make([]int64, id) // goods that are gone, and these at the end
	for i := range changed {
		changed[i] = int64(i) + 1
	}
	for i := range 30 {
		_, err := s.summariesInOrder(ctx, []int64{id})
		require.NoError(t, err)
		before, cached := s.live.rows.Cached(id)
		require.True(t, cached)
		now := fmt.Sprint("name", i)
		require.NoError(t, s.db.InTx(ctx, func(tx *db.Tx) error {
			return errors.Join(tx.G(ctx).Exec("UPDATE goods SET name = ?", now).Error, s.touch(ctx, tx, changed...))
		}))
		done := make(chan error, 1)
		go func() { done <- s.catchUp(ctx, f, x) }()
		for total := 0; total == 0 && len(done) == 0; {
			_, total = x.Find(index.Query{Words: form.Words(now)})
		}
		row, cached := s.live.rows.Cached(id)
		require.False(t, cached && row.Name == before.Name, "%s is shown as %s", now, row.Name)
		require.NoError(t, <-done)
		_, total := x.Find(index.Query{Words: form.Words(now)})
		require.Equal(t, 1, total)
	}
}
