package catalog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/catalog/search"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/runtime/idempotency"
)

func service(t *testing.T) *Service {
	t.Helper()
	d := dbtest.Open(t)
	var reads atomic.Int64 // a slow machine would let the index become too old
	now := func() time.Time {
		return time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC).Add(time.Duration(reads.Add(1)) * time.Microsecond)
	}
	return New(d, idempotency.New(d, []byte("key"), now), now)
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
			Brief: text(8), Name: strings.TrimSpace(text(8)) + fmt.Sprint(r.IntN(1000)), SN: "1", Keywords: text(6), CategoryID: r.Int64N(5),
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
	f.Keyword = []string{"", "", "", "茶", "茶杯", "a", "Aa", "茶杯壶", "%", "_", "é", "a b", "茶 壶", "c1", "brand", "%杯", "\\", "1", "É", strings.Repeat("茶", 300)}[r.IntN(20)]
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

// requireAgreement compares what the index answers with what the database answers a service without one.
func requireAgreement(t *testing.T, s *Service, r *rand.Rand, questions int) {
	t.Helper()
	ctx := t.Context()
	plain := New(s.db, s.once, s.now)
	require.NotNil(t, s.index.Current())
	answered := 0
	for range questions {
		f, q := question(r)
		if _, _, ok := s.indexQuery(f, q); ok {
			answered++
		}
		asked := fmt.Sprintf("%+v %+v", f, q)
		list, categories, err := s.Find(ctx, f, q)
		require.NoError(t, err)
		wantList, wantCategories, err := plain.Find(ctx, f, q)
		require.NoError(t, err)
		require.Equal(t, wantList.Total, list.Total, asked)
		require.Len(t, list.Items, len(wantList.Items), asked)
		for i := range list.Items {
			require.Equal(t, wantList.Items[i], list.Items[i], asked)
		}
		require.Len(t, categories, len(wantCategories), asked)
		for i := range categories {
			require.Equal(t, wantCategories[i].ID, categories[i].ID, asked)
		}
		requireSameSearch(t, s, plain, f, q)
		n, err := s.Count(ctx)
		require.NoError(t, err)
		wantN, err := plain.Count(ctx)
		require.NoError(t, err)
		require.Equal(t, wantN, n)
		newest, err := s.Newest(ctx, f, q.Limit)
		require.NoError(t, err)
		wantNewest, err := plain.Newest(ctx, f, q.Limit)
		require.NoError(t, err)
		require.Equal(t, idsOf(wantNewest), idsOf(newest), asked)
	}
	require.Greater(t, answered, questions/2, "questions that the index answers")
	for range questions / 3 {
		requireSameForOperators(t, s, r)
	}
}

// requireSameSearch compares the exact part of a search by relevance.
func requireSameSearch(t *testing.T, s, plain *Service, f Filter, q page.Query) {
	t.Helper()
	asked := fmt.Sprintf("%+v %+v", f, q)
	want, err := plain.Search(t.Context(), f, q)
	require.NoError(t, err)
	require.False(t, want.Approximate)
	got, err := s.Search(t.Context(), f, q)
	require.NoError(t, err)
	if got.Approximate {
		require.Zero(t, want.Total, asked)
		require.NotEmpty(t, got.Corrected)
		return
	}
	require.Equal(t, want.Total, got.Total, asked)
	require.Equal(t, idsOf(want.Items), idsOf(got.Items), asked)
	require.Len(t, got.Categories, len(want.Categories), asked)
	for i := range got.Categories {
		require.Equal(t, want.Categories[i].ID, got.Categories[i].ID, asked)
	}
}

func idsOf(goods []Summary) (ids []int64) {
	for _, g := range goods {
		ids = append(ids, g.ID)
	}
	return ids
}

// requireSameForOperators compares a search by the name, among goods on sale or not.
func requireSameForOperators(t *testing.T, s *Service, r *rand.Rand) {
	t.Helper()
	ctx := t.Context()
	f, q := question(r)
	asked := ListFilter{Name: f.Keyword}
	got, err := s.All(ctx, asked, q)
	require.NoError(t, err)
	want, err := New(s.db, s.once, s.now).All(ctx, asked, q)
	require.NoError(t, err)
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
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	top, err := s.CreateCategory(ctx, Category{Name: "top", Level: FirstLevel})
	require.NoError(t, err)
	for i := range 4 {
		_, err := s.CreateCategory(ctx, Category{Name: fmt.Sprint("c", i), Level: SecondLevel, Pid: top.ID, SortOrder: 4 - i})
		require.NoError(t, err)
	}
	for i := range 3 {
		_, err := s.CreateBrand(ctx, Brand{Name: []string{"brand 茶", "Brand", "壶"}[i]})
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
	require.NoError(t, s.index.Load(ctx))
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
		require.NotNil(t, s.index.UpToDate(ctx))
		requireAgreement(t, s, r, 50)
	}
}

// What was read from the feed and could not be applied is applied later.
func TestAFailureLosesNoChange(t *testing.T) {
	t.Parallel()
	s := service(t)
	ctx := t.Context()
	require.NoError(t, s.index.Load(ctx))
	_, err := s.Create(ctx, NewGoods{Goods: Goods{Name: "茶", OnSale: true}, Products: []Product{{Price: 1, Number: 1}}})
	require.NoError(t, err)
	failing, _ := db.WithFault(ctx, func(_ int, statement string) error {
		if strings.Contains(statement, "WEIGHT_STRING") {
			return errDisagreement
		}
		return nil
	})
	require.Nil(t, s.index.UpToDate(failing))
	require.Zero(t, s.index.Current().Len())
	found, err := s.All(failing, ListFilter{Name: "茶"}, page.Query{Page: 1, Limit: 5})
	require.NoError(t, err)
	require.Len(t, found.Items, 1, "from the database")
	require.Equal(t, 1, s.index.UpToDate(ctx).Len())
	require.NoError(t, s.db.InTx(ctx, func(tx *db.Tx) error { return search.AppendAll(ctx, tx, s.now()) }))
	for range 2 { // whoever asks first
		require.Nil(t, s.index.UpToDate(ctx))
	}
}

// Follow serves from the database until the goods are loaded, keeps up with other processes, and ends with its context.
func TestFollow(t *testing.T) {
	t.Parallel()
	s := service(t)
	other := New(s.db, s.once, s.now)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.index.Follow(ctx, 0, slog.New(slog.DiscardHandler))
	}()
	require.Eventually(t, func() bool { return s.index.Current() != nil }, 10*time.Second, time.Millisecond)
	id, err := other.Create(ctx, NewGoods{Goods: Goods{Name: "茶", OnSale: true}, Products: []Product{{Price: 1, Number: 1}}})
	require.NoError(t, err)
	count := func() int64 {
		n, err := s.Count(ctx)
		require.NoError(t, err)
		return n
	}
	require.Eventually(t, func() bool { return count() == 1 }, 10*time.Second, time.Millisecond)
	name := func() string {
		found, err := s.Newest(ctx, Filter{}, 1)
		require.NoError(t, err)
		return found[0].Name
	}
	require.Equal(t, "茶", name())
	require.NoError(t, dbtest.Exec(ctx, s.db, "UPDATE goods SET name = '壶'"))
	require.Equal(t, "茶", name(), "from memory")
	require.NoError(t, s.db.InTx(ctx, func(tx *db.Tx) error { return other.touch(ctx, tx, id) }))
	require.Eventually(t, func() bool { return name() == "壶" }, 10*time.Second, time.Millisecond)
	require.NoError(t, other.Remove(ctx, id))
	require.Eventually(t, func() bool { return count() == 0 }, 10*time.Second, time.Millisecond)
	before := s.index.Current()
	require.NoError(t, s.db.InTx(ctx, func(tx *db.Tx) error { return search.AppendAll(ctx, tx, s.now()) }))
	require.Eventually(t, func() bool {
		x := s.index.Current()
		return x != nil && x != before
	}, 10*time.Second, time.Millisecond)
	stop()
	<-done
	require.Nil(t, s.index.Current())
}

func TestSample(t *testing.T) {
	t.Parallel()
	s := service(t)
	ctx := t.Context()
	r := rand.New(rand.NewPCG(1, 1))
	for range 30 {
		_, _ = s.Create(ctx, made(r)) // a name may repeat
	}
	require.NoError(t, s.index.Load(ctx))
	for range 50 {
		require.NoError(t, s.index.Sample(ctx))
	}
	state := s.index.State()
	require.Positive(t, state.Samples)
	require.Zero(t, state.Disagreements)
	require.Positive(t, state.Goods)
	require.NoError(t, dbtest.Exec(ctx, s.db, "UPDATE goods SET is_on_sale = 1 - is_on_sale")) // past the feed
	var err error
	for range 50 {
		err = errors.Join(err, s.index.Sample(ctx))
	}
	require.ErrorIs(t, err, errDisagreement)
	require.Positive(t, s.index.State().Disagreements)
}
