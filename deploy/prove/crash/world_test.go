package crash_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/redis/go-redis/v9"

	"shop.internal/deploy/prove/shop"
	"shop.internal/deploy/prove/stack"
)

const (
	shoppers  = 8
	operators = 2
	products  = 5
)

// world is the shop under test with the people who use it, and what they know.
type world struct {
	t     *testing.T
	seed  uint64
	stack *stack.Stack
	shop  *shop.Shop
	db    *sql.DB
	redis *redis.Client

	goods  []shop.Goods
	stock  map[int64]int64 // pieces of each product before the first order
	coupon int64
	rule   int64

	shoppers []*shopper
	staff    []*person

	// Whoever makes a call holds gate for reading; the checks hold it for writing.
	gate        sync.RWMutex
	stop        context.CancelFunc
	people      sync.WaitGroup
	calls       atomic.Int64
	looks       atomic.Int64 // at the books under traffic
	disturbed   atomic.Int64 // kills and faults so far
	mayLogOut   atomic.Bool  // Redis has been emptied
	mu          sync.Mutex
	orders      []*order
	links       []int64 // groups to join
	kept        []kept
	received    int // coupons handed out
	uncertain   struct{ orders, coupons int }
	complained  int
	beforeFirst int64 // the highest id of an order before ours
}

// person is a caller who can log in again.
type person struct {
	mu     sync.Mutex
	name   string
	caller shop.Caller
	login  func(ctx context.Context) (shop.Caller, error)
}

func (p *person) now() shop.Caller {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.caller
}

func (p *person) again(ctx context.Context) error {
	c, err := p.login(ctx)
	if err == nil {
		p.mu.Lock()
		p.caller = c
		p.mu.Unlock()
	}
	return err
}

type shopper struct {
	person

	address int64
}

// kept is a call with a key and its first answer.
type kept struct {
	who        *person
	path, body string
	key, data  string
	errno      int64
}

// open starts the shop and creates what the shoppers buy.
func open(t *testing.T, seed uint64) *world {
	t.Helper()
	s, err := stack.Start(t.Context(), stack.Options{
		Name: "crash", Storefronts: 2, Admins: 2,
		Storefront: []string{"PAYMENT_SANDBOX_DELAY=150ms", "ORDER_MAX_UNPAID=0", "ORDER_MAX_UNPAID_PIECES=0"},
		Admin:      []string{"JOBS_LEASE=3s"},
	})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	w := &world{
		t: t, seed: seed, stack: s, stock: map[int64]int64{},
		shop:  shop.New([]string{s.Storefronts[0].URL, s.Storefronts[1].URL}, []string{s.Admins[0].URL, s.Admins[1].URL}),
		redis: redis.NewClient(&redis.Options{Addr: s.Redis.Addr()}),
	}
	_ = mysql.SetLogger(new(mysql.NopLogger)) // it reports every connection that a kill ends
	w.db, err = sql.Open("mysql", s.DSN())
	must(t, err)
	t.Cleanup(func() { must(t, w.db.Close()); must(t, w.redis.Close()) })
	w.furnish(t.Context())
	return w
}

// furnish logs everybody in and creates a coupon and an offer for a group.
func (w *world) furnish(ctx context.Context) {
	for i := range operators {
		name := []string{"clerk", "super"}[i%2]
		w.staff = append(w.staff, w.person(name, func(ctx context.Context) (shop.Caller, error) {
			return w.shop.Operator(ctx, name, shop.Password)
		}))
	}
	for i := range shoppers {
		name := fmt.Sprintf("demo%d", i+1)
		me, err := w.shop.Shopper(ctx, name, shop.Password)
		must(w.t, err)
		p := w.person(name, func(ctx context.Context) (shop.Caller, error) {
			again, err := w.shop.Shopper(ctx, name, shop.Password)
			if err != nil {
				return shop.Caller{}, err
			}
			return again.Caller, nil
		})
		w.shoppers = append(w.shoppers, &shopper{person: person{name: name, caller: p.caller, login: p.login}, address: me.Address})
	}
	goods, err := w.shop.GoodsOnSale(ctx, products)
	must(w.t, err)
	w.goods = goods
	for _, g := range goods {
		w.stock[g.Product] = w.number(ctx, "SELECT number FROM goods_product WHERE id = ?", g.Product)
	}
	super := w.staff[1].now()
	row, err := super.Post(ctx, "/admin/coupon/create", shop.Fields{
		"name": "crash", "type": 0, "total": 0, "limit": 0, "discount": shop.Amount(1_00), "min": shop.Amount(1_00),
		"goodsType": 0, "timeType": 0, "days": 3,
	})
	must(w.t, err)
	w.coupon = row.Get("id").Int()
	row, err = super.Post(ctx, "/admin/groupon/create", shop.Fields{
		"goodsId": goods[0].ID, "discount": 1, "discountMember": 2,
		"expireTime": time.Now().Add(48 * time.Hour).Format(time.DateTime),
	})
	must(w.t, err)
	w.rule = row.Get("id").Int()
	w.beforeFirst = w.number(ctx, "SELECT COALESCE(MAX(id), 0) FROM orders")
}

func (w *world) person(name string, login func(context.Context) (shop.Caller, error)) *person {
	p := &person{name: name, login: login}
	must(w.t, p.again(w.t.Context()))
	return p
}

// number reads one number from the database.
func (w *world) number(ctx context.Context, statement string, args ...any) int64 {
	var n int64
	must(w.t, w.db.QueryRowContext(ctx, statement, args...).Scan(&n))
	return n
}

// begin lets everybody in.
func (w *world) begin(ctx context.Context) {
	ctx, w.stop = context.WithCancel(ctx)
	for i, s := range w.shoppers {
		w.people.Go(func() { s.live(ctx, w, rand.New(rand.NewPCG(w.seed, uint64(i)))) })
	}
	for i, p := range w.staff {
		w.people.Go(func() { p.work(ctx, w, rand.New(rand.NewPCG(w.seed, uint64(100+i)))) })
	}
	w.people.Go(func() { w.watch(ctx) })
}

// complain reports what must not be, up to a bound: one cause has many consequences.
func (w *world) complain(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.complained++; w.complained <= 20 {
		w.t.Error(err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
