package address_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/dbtest"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/domain/platform/text"
)

const (
	lin = int64(1)
	mei = int64(2)
)

// clock is a clock that a test moves.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

type shop struct {
	*address.Service
	d *db.DB
	*clock
}

// open returns the area with two shoppers, lin and mei, without addresses.
func open(t *testing.T) *shop {
	t.Helper()
	d, c := dbtest.Open(t), &clock{t: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	accounts := account.New(d, nil, nil, nil, nil, nil, account.Config{BcryptCost: bcrypt.MinCost}, c.now)
	s := &shop{address.New(d, idempotency.New(d, dbtest.Secret, c.now), accounts, c.now), d, c}
	s.exec(t, "INSERT INTO user (id, username, username_key, add_time, update_time) VALUES "+
		"(1, 'lin', 'lin', NOW(), NOW()), (2, 'mei', 'mei', NOW(), NOW())")
	return s
}

func (s *shop) exec(t *testing.T, statement string) {
	t.Helper()
	require.NoError(t, s.d.G(t.Context()).Exec(statement).Error)
}

func (s *shop) int(t *testing.T, query string, args ...any) int {
	t.Helper()
	var n int
	require.NoError(t, s.d.G(t.Context()).Raw(query, args...).Scan(&n).Error)
	return n
}

func (s *shop) save(t *testing.T, a address.Address) int64 {
	t.Helper()
	id, err := s.put(t.Context(), a)
	require.NoError(t, err)
	return id
}

// put saves an address with all that it has.
func (s *shop) put(ctx context.Context, a address.Address) (int64, error) {
	return s.Save(ctx, a.Shopper, a.ID, func(stored *address.Address) { *stored = a })
}

// of returns an address of a shopper.
func of(shopper int64) address.Address {
	return address.Address{
		Shopper: shopper, Name: "Lin", Tel: "13900000001", Province: "浙江省", City: "杭州市", County: "西湖区",
		Detail: "文三路 1 号", AreaCode: "330106", PostalCode: "310012",
	}
}

func TestSaveAndFind(t *testing.T) {
	t.Parallel()
	s := open(t)
	a := of(lin)
	a.ID = s.save(t, a)
	a.Added, a.Changed = s.now(), s.now()
	got, err := s.Get(t.Context(), lin, a.ID)
	require.NoError(t, err)
	require.Equal(t, a, got)
	require.Equal(t, "浙江省杭州市西湖区 文三路 1 号", got.Full(text.Chinese))

	s.forward(time.Hour)
	a.Name, a.Detail, a.PostalCode, a.Default, a.Changed = "Mei", "<script>", "", true, s.now()
	require.Equal(t, a.ID, s.save(t, a))
	got, err = s.Get(t.Context(), lin, a.ID)
	require.NoError(t, err)
	require.Equal(t, a, got)
	require.Equal(t, a.ID, s.save(t, a), "saving the same again changes nothing and is no error")
}

func TestSaveRefuses(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("林", 64)
	tests := map[string]func(*address.Address){
		"no name":               func(a *address.Address) { a.Name = "" },
		"long name":             func(a *address.Address) { a.Name = long },
		"long province":         func(a *address.Address) { a.Province = long },
		"long city":             func(a *address.Address) { a.City = long },
		"long county":           func(a *address.Address) { a.County = long },
		"long detail":           func(a *address.Address) { a.Detail = strings.Repeat("林", 128) },
		"short tel":             func(a *address.Address) { a.Tel = "1390000000" },
		"tel with a letter":     func(a *address.Address) { a.Tel = "1390000000a" },
		"tel of another form":   func(a *address.Address) { a.Tel = "23900000001" },
		"no area code":          func(a *address.Address) { a.AreaCode = "" },
		"area code with a sign": func(a *address.Address) { a.AreaCode = "-33010" },
		"long area code":        func(a *address.Address) { a.AreaCode = "3301066" },
		"long postal code":      func(a *address.Address) { a.PostalCode = "3100122" },
		"an unknown id":         func(a *address.Address) { a.ID = 99 },
		"another's id":          func(a *address.Address) { a.ID = 1 },
		"a deleted id":          func(a *address.Address) { a.ID = 2 },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			require.EqualValues(t, 1, s.save(t, of(mei)))
			require.EqualValues(t, 2, s.save(t, of(lin)))
			require.NoError(t, s.Delete(t.Context(), lin, 2))
			a := of(lin)
			a.Name, a.Default = "changed", true
			change(&a)
			_, err := s.put(t.Context(), a)
			require.ErrorIs(t, err, errno.Invalid)
			require.Equal(t, 2, s.int(t, "SELECT COUNT(*) FROM address WHERE name = 'Lin' AND is_default = 0"))
		})
	}
}

func TestAnothersAddressIsAsGoodAsNone(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.save(t, of(mei))
	for _, wrong := range []int64{id, 99, 0, -1} {
		_, err := s.Get(t.Context(), lin, wrong)
		require.ErrorIs(t, err, errno.Invalid)
		require.ErrorIs(t, s.Delete(t.Context(), lin, wrong), errno.Invalid)
	}
	_, err := s.Get(t.Context(), mei, id)
	require.NoError(t, err)
}

func TestAtMostAHundred(t *testing.T) {
	t.Parallel()
	s := open(t)
	for range 100 {
		s.save(t, of(lin))
	}
	_, err := s.put(t.Context(), of(lin))
	require.ErrorIs(t, err, errno.Invalid)
	s.save(t, of(mei))
	a := of(lin)
	a.ID = 1
	s.save(t, a)
	require.NoError(t, s.Delete(t.Context(), lin, 1))
	s.save(t, of(lin))
}

// Endless adding and deleting leaves a bounded number of rows.
func TestDeletedAddressesAreRemoved(t *testing.T) {
	t.Parallel()
	s := open(t)
	last := s.save(t, of(lin))
	for range 230 {
		require.NoError(t, s.Delete(t.Context(), lin, last))
		last = s.save(t, of(lin))
	}
	require.LessOrEqual(t, s.int(t, "SELECT COUNT(*) FROM address"), 101)
	require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM address WHERE deleted = 0"))
}

// deliverable returns the address that a purchase of a shopper goes to.
func (s *shop) deliverable(t *testing.T, shopper, id int64) (address.Address, bool) {
	t.Helper()
	q := s.d.Reads()
	get, err := s.DeliverableLater(t.Context(), q, shopper, id)
	require.NoError(t, err)
	require.NoError(t, q.Flush(t.Context()))
	return get()
}

func TestDeliverable(t *testing.T) {
	t.Parallel()
	s := open(t)
	a := of(lin)
	second := s.save(t, a)
	a.Default = true
	first := s.save(t, a)
	gone := s.save(t, of(lin))
	require.NoError(t, s.Delete(t.Context(), lin, gone))
	hers := s.save(t, of(mei))
	for id, want := range map[int64]int64{0: first, first: first, second: second, gone: first, hers: first, 999: first} {
		got, found := s.deliverable(t, lin, id)
		require.True(t, found)
		require.Equal(t, want, got.ID, "%d", id)
	}
	_, found := s.deliverable(t, mei, 0)
	require.False(t, found)
}

func TestDefaultMoves(t *testing.T) {
	t.Parallel()
	s := open(t)
	_, found := s.deliverable(t, lin, 0)
	require.False(t, found)

	a := of(lin)
	a.Default = true
	first := s.save(t, a)
	second := s.save(t, a)
	hers := of(mei)
	hers.Default = true
	s.save(t, hers)
	requireDefault := func(want int64) {
		t.Helper()
		got, found := s.deliverable(t, lin, 0)
		require.Equal(t, want != 0, found)
		require.Equal(t, want, got.ID)
		require.Equal(t, found, got.Default)
		require.LessOrEqual(t, s.int(t, "SELECT COUNT(*) FROM address WHERE user_id = 1 AND is_default = 1"), 1)
	}
	requireDefault(second)
	a.ID = first
	s.save(t, a)
	requireDefault(first)
	a.Default = false
	s.save(t, a)
	requireDefault(0)
	a.ID, a.Default = second, true
	s.save(t, a)
	require.NoError(t, s.Delete(t.Context(), lin, second))
	requireDefault(0)
	_, found = s.deliverable(t, mei, 0)
	require.True(t, found)
}

// Twenty concurrent saves of new and existing addresses as the default: all succeed, and there is one default at any
// time.
func TestRaceForTheDefault(t *testing.T) {
	t.Parallel()
	s := open(t)
	ids := make([]int64, 10)
	for i := range ids {
		ids[i] = s.save(t, of(lin))
	}
	errs := make([]error, 20)
	var wg sync.WaitGroup
	for i := range errs {
		a := of(lin)
		a.Default = true
		if i < len(ids) {
			a.ID = ids[i]
		}
		wg.Go(func() { _, errs[i] = s.put(context.Background(), a) })
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Equal(t, 20, s.int(t, "SELECT COUNT(*) FROM address"))
	require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM address WHERE is_default = 1"))
	require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM address WHERE default_slot = 1"))
}

func TestRaceForTheLastPlace(t *testing.T) {
	t.Parallel()
	s := open(t)
	for range 99 {
		s.save(t, of(lin))
	}
	errs := make([]error, 20)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { _, errs[i] = s.put(context.Background(), of(lin)) })
	}
	wg.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else {
			require.ErrorIs(t, err, errno.Invalid)
		}
	}
	require.Equal(t, 1, won)
	require.Equal(t, 100, s.int(t, "SELECT COUNT(*) FROM address"))
}

func TestDelete(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.save(t, of(lin))
	require.NoError(t, s.Delete(t.Context(), lin, id))
	require.ErrorIs(t, s.Delete(t.Context(), lin, id), errno.Invalid)
	_, err := s.Get(t.Context(), lin, id)
	require.ErrorIs(t, err, errno.Invalid)
}

func TestKeyedSaveAddsOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	ctx := idempotency.With(t.Context(), idempotency.Request{Scope: "address.save", Owner: lin, Key: "k", Hash: "h"})
	first, err := s.put(ctx, of(lin))
	require.NoError(t, err)
	second, err := s.put(ctx, of(lin))
	require.NoError(t, err)
	require.Equal(t, first, second)
	require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM address"))
}

func TestList(t *testing.T) {
	t.Parallel()
	s := open(t)
	for i := range 4 { // ids 1 to 4: 2 is the default, 3 and 4 have the same time
		a := of(lin)
		a.Default = i == 1
		s.save(t, a)
		if i < 2 {
			s.forward(time.Minute)
		}
	}
	s.save(t, of(mei))
	gone := s.save(t, of(lin))
	require.NoError(t, s.Delete(t.Context(), lin, gone))
	tests := map[string]struct {
		q    page.Query
		want []int64
	}{
		"default first": {
			page.Query{Page: 1, Limit: 1000, Sort: address.DefaultFirst, Desc: true}, []int64{2, 4, 3, 1},
		},
		"default first, ascending": {page.Query{Page: 1, Limit: 1000, Sort: address.DefaultFirst}, []int64{2, 1, 3, 4}},
		"by time":                  {page.Query{Page: 1, Limit: 1000, Sort: address.ByTime, Desc: true}, []int64{4, 3, 2, 1}},
		"by id, ascending":         {page.Query{Page: 1, Limit: 1000, Sort: address.ByID}, []int64{1, 2, 3, 4}},
		"second page":              {page.Query{Page: 2, Limit: 3, Sort: address.DefaultFirst, Desc: true}, []int64{1}},
		"past the end":             {page.Query{Page: 3, Limit: 3, Sort: address.DefaultFirst, Desc: true}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := s.List(t.Context(), lin, tt.q)
			require.NoError(t, err)
			require.EqualValues(t, 4, got.Total)
			var ids []int64
			for _, a := range got.Items {
				ids = append(ids, a.ID)
			}
			require.Equal(t, tt.want, ids)
		})
	}
	_, err := s.List(t.Context(), lin, page.Query{Page: 1, Limit: 10, Sort: "password"})
	require.Error(t, err)
}

func TestListCostsTwoStatements(t *testing.T) {
	t.Parallel()
	for _, rows := range []int{1, 50} {
		s := open(t)
		for range rows {
			s.save(t, of(lin))
		}
		ctx, statements := db.WithCounter(t.Context())
		_, err := s.List(ctx, lin, page.Query{Page: 1, Limit: 1000, Sort: address.DefaultFirst})
		require.NoError(t, err)
		require.Equal(t, 2, statements.Count())
	}
}
