package workload

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/test/reliability/client"
	"shop.internal/pkg/test/reliability/stack"
)

const (
	shoppers  = 8
	operators = 2
	products  = 5
)

// World is the shop under test with the people who use it, and what they know.
type World struct {
	// Stack is the running shop, and Shop the way to it.
	Stack *stack.Stack
	Shop  *client.Shop
	// DB and Redis lead to the servers past the proxies.
	DB    *sql.DB
	Redis redis.UniversalClient
	// Goods are what the shoppers buy.
	Goods []client.Goods
	// Shoppers and Staff are the people with an account.
	Shoppers []*Shopper
	Staff    []*Person
	// RetryFor is how long a call is repeated under its key, longer than any disturbance lasts.
	RetryFor time.Duration
	// Guests is how many people without an account read pages.
	Guests int
	// Watch, if any, is told of every call. It is set before Begin.
	Watch func(Sample)
	// Calls counts the calls, Disturbed the kills and other faults so far.
	Calls, Disturbed atomic.Int64
	// MayLogOut is set while Redis may have lost the sessions.
	MayLogOut atomic.Bool

	t      testing.TB
	seed   uint64
	stock  map[int64]int64 // pieces of each product before the first order
	coupon int64
	rule   int64

	// Whoever makes a call holds gate for reading; the checks hold it for writing.
	gate        sync.RWMutex
	stop        context.CancelFunc
	people      sync.WaitGroup
	mu          sync.Mutex
	orders      []*order
	links       []int64 // groups to join
	kept        []kept
	received    int // coupons handed out
	uncertain   struct{ orders, coupons int }
	complained  int
	beforeFirst int64 // the highest id of an order before ours
}

// Person is a caller who can log in again.
type Person struct {
	// Name is that of the account.
	Name string

	loggedOut atomic.Bool // Redis was emptied after the last login

	mu     sync.Mutex
	caller client.Caller
	login  func(ctx context.Context) (client.Caller, error)
}

// Now returns the caller with the token of the last login.
func (p *Person) Now() client.Caller {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.caller
}

func (p *Person) again(ctx context.Context) error {
	c, err := p.login(ctx)
	if err == nil {
		p.loggedOut.Store(false)
		p.mu.Lock()
		p.caller = c
		p.mu.Unlock()
	}
	return err
}

// Shopper is a person who buys.
type Shopper struct {
	Person

	address int64
}

// kept is a call with a key and its first answer.
type kept struct {
	who        *Person
	path, body string
	key, data  string
	errno      int64
}

// Open starts a shop as the options say and creates what the shoppers buy.
func Open(t testing.TB, seed uint64, o stack.Options) *World {
	t.Helper()
	return OpenWith(t, seed, o, nil)
}

// OpenWith is Open with a client of the Redis that the options name.
func OpenWith(t testing.TB, seed uint64, o stack.Options, cache redis.UniversalClient) *World {
	t.Helper()
	o.Storefront = append([]string{
		"PAYMENT_SANDBOX_DELAY=150ms", "ORDER_MAX_UNPAID=0", "ORDER_MAX_UNPAID_PIECES=0",
	}, o.Storefront...)
	o.Admin = append([]string{"JOBS_LEASE=3s"}, o.Admin...)
	s, err := stack.Start(t.Context(), o)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	if cache == nil {
		cache = redis.NewClient(&redis.Options{Addr: s.Redis.Addr()})
	}
	w := &World{
		t: t, seed: seed, Stack: s, stock: map[int64]int64{}, Shop: client.New(s.Addresses()), Redis: cache,
		RetryFor: retryFor,
	}
	_ = mysql.SetLogger(new(mysql.NopLogger)) // it reports every connection that a kill ends
	if s.Platform != nil {
		shop, _ := s.Addresses()
		s.Platform.PayAfter(150*time.Millisecond, shop[0]+"/wx/order/pay-notify/stripe")
	}
	w.Reopen()
	t.Cleanup(func() { must(t, w.DB.Close()); must(t, w.Redis.Close()) })
	w.furnish(t.Context())
	return w
}

// Reopen connects with the database that the stack has now.
func (w *World) Reopen() {
	if w.DB != nil {
		must(w.t, w.DB.Close())
	}
	var err error
	w.DB, err = sql.Open("mysql", w.Stack.DSN())
	must(w.t, err)
}

// furnish logs everybody in and creates a coupon and an offer for a group.
func (w *World) furnish(ctx context.Context) {
	for i := range operators {
		name := []string{"clerk", "super"}[i%2]
		w.Staff = append(w.Staff, w.person(name, func(ctx context.Context) (client.Caller, error) {
			return w.Shop.Operator(ctx, name, client.Password)
		}))
	}
	for i := range shoppers {
		me, err := demoShopper(ctx, w.Shop, i+1)
		must(w.t, err)
		w.Shoppers = append(w.Shoppers, me)
	}
	goods, err := w.Shop.GoodsOnSale(ctx, products)
	must(w.t, err)
	w.Goods = goods
	super := w.Staff[1].Now()
	row, err := super.Post(ctx, "/admin/coupon/create", client.Fields{
		"name": "crowd", "type": 0, "total": 0, "limit": 0, "discount": client.Amount(1_00), "min": client.Amount(1_00),
		"goodsType": 0, "timeType": 0, "days": 3,
	})
	must(w.t, err)
	w.coupon = row.Get("id").Int()
	row, err = super.Post(ctx, "/admin/groupon/create", client.Fields{
		"goodsId": goods[0].ID, "discount": 1, "discountMember": 2,
		"expireTime": time.Now().Add(48 * time.Hour).Format(time.DateTime),
	})
	must(w.t, err)
	w.rule = row.Get("id").Int()
	// The purchases of one product are gathered, so that faults also meet a batch.
	_, err = super.Post(ctx, "/admin/goods/hot", client.Fields{"productId": goods[products-1].Product, "hotMode": 1})
	must(w.t, err)
	w.Note(ctx)
}

// Note notes what the shop has before the first order of the crowd: other orders belong to others.
func (w *World) Note(ctx context.Context) {
	for _, g := range w.Goods {
		w.stock[g.Product] = w.Number(ctx, "SELECT number FROM goods_product WHERE id = ?", g.Product)
	}
	w.beforeFirst = w.Number(ctx, "SELECT COALESCE(MAX(id), 0) FROM orders")
}

// demoShopper logs a demo shopper in.
func demoShopper(ctx context.Context, in *client.Shop, number int) (*Shopper, error) {
	name := fmt.Sprintf("demo%d", number)
	me, err := in.Shopper(ctx, name, client.Password)
	if err != nil {
		return nil, err
	}
	return &Shopper{address: me.Address, Person: Person{
		Name: name, caller: me.Caller, login: func(ctx context.Context) (client.Caller, error) {
			again, err := in.Shopper(ctx, name, client.Password)
			if err != nil {
				return client.Caller{}, err
			}
			return again.Caller, nil
		},
	}}, nil
}

func (w *World) person(name string, login func(context.Context) (client.Caller, error)) *Person {
	p := &Person{Name: name, login: login}
	must(w.t, p.again(w.t.Context()))
	return p
}

// Number reads one number from the database.
func (w *World) Number(ctx context.Context, statement string, args ...any) int64 {
	var n int64
	must(w.t, w.DB.QueryRowContext(ctx, statement, args...).Scan(&n))
	return n
}

// Begin lets everybody in.
func (w *World) Begin(ctx context.Context) {
	ctx, w.stop = context.WithCancel(ctx)
	for i, s := range w.Shoppers {
		w.people.Go(func() { s.live(ctx, w, rand.New(rand.NewPCG(w.seed, uint64(i)))) })
	}
	for i, p := range w.Staff {
		w.people.Go(func() { p.work(ctx, w, rand.New(rand.NewPCG(w.seed, uint64(100+i)))) })
	}
	for i := range w.Guests {
		w.people.Go(func() { w.read(ctx, rand.New(rand.NewPCG(w.seed, uint64(200+i)))) })
	}
}

// Leave sends everybody home and waits until they are gone.
func (w *World) Leave() {
	w.stop() // more than once is harmless
	w.people.Wait()
}

// First is the highest id of an order before ours.
func (w *World) First() int64 { return w.beforeFirst }

// Acknowledged is the number of orders and of coupons that the shop has promised.
func (w *World) Acknowledged() (orders, coupons int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.orders), w.received
}

// EmptyRedis removes everything from Redis. The sandbox keeps its payments there, which are the platform's and stay.
func (w *World) EmptyRedis() {
	ctx := w.t.Context()
	w.MayLogOut.Store(true)
	for _, s := range w.Shoppers {
		s.loggedOut.Store(true)
	}
	for _, p := range w.Staff {
		p.loggedOut.Store(true)
	}
	keys := slices.DeleteFunc(w.keys(ctx, "*"), func(key string) bool { return strings.HasPrefix(key, "sandbox:") })
	if len(keys) == 0 {
		w.Complain(fmt.Errorf("there was nothing in Redis"))
		return
	}
	must(w.t, w.Redis.Del(ctx, keys...).Err())
}

// Complain reports what must not be, up to a bound: one cause has many consequences.
func (w *World) Complain(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.complained++; w.complained <= 20 {
		w.t.Error(err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
