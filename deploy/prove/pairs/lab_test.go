package pairs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/tidwall/gjson"

	"shop.internal/deploy/prove/shop"
	"shop.internal/deploy/prove/stack"
)

// ctx of all calls; each has a timeout.
var ctx = context.Background()

// lab is a running shop with what the subjects share.
type lab struct {
	*shop.Shop

	stack      *stack.Stack
	cache      *redis.Client
	trap       *trap
	operations map[string]shop.Operation
	super      shop.Caller
	accounts   chan *account // demo shoppers whose sessions and passwords may end
	region     shop.Fields
	category   int64
	brand      int64
	sheet      []byte // an exported file of goods with one row
	settings   map[string]shop.Fields
	names      atomic.Int64
	run        string // makes names of this run unique
}

// dismiss removes the operators that trials have made. Each notice has a row for each operator, and thousands of notices
// follow.
func (l *lab) dismiss() error {
	for {
		list, err := l.super.Get(ctx, "/admin/admin/list", "username", l.operators(), "limit", 100)
		if err != nil {
			return err
		}
		made := list.Get("list").Array()
		for _, row := range made {
			if _, err := l.super.Post(ctx, "/admin/admin/delete", shop.Fields{"id": row.Get("id").Int()}); err != nil {
				return err
			}
		}
		if len(made) == 0 {
			return nil
		}
	}
}

// wrongCode is the errno of a redemption code that no coupon has. After ten of them in a quarter of an hour a shopper is
// refused right ones too.
const wrongCode = 742

// forgive lets all shoppers try codes again: trials that remove a coupon while its code is tried would leave later ones
// without theirs.
func (l *lab) forgive() error {
	keys := l.cache.Scan(ctx, 0, "rate:{attempt:coupon:*}", 1000).Iterator()
	for keys.Next(ctx) {
		if err := l.cache.Del(ctx, keys.Val()).Err(); err != nil {
			return err
		}
	}
	return keys.Err()
}

// operators is how the names of the operators begin that trials make.
func (l *lab) operators() string { return "pair_" + l.run }

// unprepared ends a trial that cannot be prepared.
type unprepared struct{ err error }

func must(err error) {
	if err != nil {
		panic(unprepared{err})
	}
}

func value(data gjson.Result, err error) gjson.Result {
	must(err)
	return data
}

// name is a name that nothing else has.
func (l *lab) name(what string) string { return fmt.Sprintf("%s-%s-%d", what, l.run, l.names.Add(1)) }

// mobile is a number that nobody has.
func (l *lab) mobile() string {
	return fmt.Sprintf("13%09d", time.Now().UnixNano()/1000%1e6*1000+l.names.Add(1)%1000)
}

// open starts a shop with so many replicas of each service.
func open(t *testing.T, replicas int) *lab {
	t.Helper()
	l := &lab{trap: newTrap(t), run: fmt.Sprintf("%x", time.Now().Unix()%1e6), settings: map[string]shop.Fields{}}
	var err error
	l.stack, err = stack.Start(ctx, stack.Options{
		Name: "pairs", Storefronts: replicas, Admins: replicas, Quick: true, Direct: true,
		Release: release(t),
		Storefront: []string{
			"PAYMENT_NOTIFY_URL=" + l.trap.url, "ORDER_MAX_UNPAID=0", "ORDER_MAX_UNPAID_PIECES=0", "CODES_PER_MOBILE=1000",
			"STORAGE_UPLOAD_REQUIRES_LOGIN=false",
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.stack.Close(); err != nil {
			t.Error(err)
		}
	})
	l.cache = redis.NewClient(&redis.Options{Addr: l.stack.Redis.Addr()})
	t.Cleanup(func() { _ = l.cache.Close() })
	var storefronts, admins []string
	for i := range replicas {
		storefronts = append(storefronts, l.stack.Storefronts[i].URL)
		admins = append(admins, l.stack.Admins[i].URL)
		payAtOnce(t, l.stack.Storefronts[i].Ops)
	}
	l.Shop = shop.New(storefronts, admins)
	l.Patient()
	if err := l.prepare(); err != nil {
		t.Fatal(err)
	}
	return l
}

// release is what the shop runs. Some trials hash 64 passwords at once, which takes as long as all the others together, in
// the long form many times over; so the programs hash at the lowest cost.
func release(t *testing.T) stack.Release {
	t.Helper()
	root, err := stack.ProjectRoot()
	if err != nil {
		t.Fatal(err)
	}
	r := stack.Release{Root: root, Programs: filepath.Join(root, ".local/prove/quick")}
	if err := r.Build(ctx, "-tags", "nomsgpack,quickhash", "-ldflags", "-s -w"); err != nil {
		t.Fatal(err)
	}
	return r
}

// prepare reads the documents and makes what all subjects share.
func (l *lab) prepare() (err error) {
	defer func() {
		if u, ok := recover().(unprepared); ok {
			err = u.err
		}
	}()
	list, err := l.Operations(ctx)
	must(err)
	l.operations = map[string]shop.Operation{}
	for _, o := range list {
		l.operations[o.Path] = o
	}
	l.super, err = l.Operator(ctx, "super", shop.Password)
	must(err)
	create := func(area string, body shop.Fields) int64 {
		return value(l.super.Post(ctx, "/admin/"+area+"/create", body)).Get("id").Int()
	}
	top := create("category", shop.Fields{"name": l.name("top"), "level": "L1"})
	l.category = create("category", shop.Fields{"name": l.name("sub"), "level": "L2", "pid": top})
	l.brand = create("brand", shop.Fields{"name": l.name("brand"), "desc": "x", "floorPrice": shop.Amount(100)})
	for _, group := range []string{"mall", "express", "order", "wx"} {
		l.settings[group] = shop.Fields{}
		value(l.super.Get(ctx, "/admin/config/"+group)).ForEach(func(key, value gjson.Result) bool {
			l.settings[group][key.String()] = value.Value()
			return true
		})
	}
	l.region = l.firstRegion()
	g := (&subject{l: l}).newGoods(5)
	a, err := l.super.Repeat(ctx, shop.Request{Method: "GET", Path: fmt.Sprintf("/admin/goods/export?goodsId=%d", g.ID)})
	must(err)
	if l.sheet = a.Body; strings.Count(string(a.Body), "\n") < 2 {
		return errors.New("the exported file has no row")
	}
	l.accounts = make(chan *account, 24)
	for i := range cap(l.accounts) {
		l.accounts <- &account{name: fmt.Sprintf("demo%d", 200-i)}
	}
	return nil
}

// firstRegion is the part of an address that names the first region of each level.
func (l *lab) firstRegion() shop.Fields {
	var names [3]string
	var region gjson.Result
	for i := range names {
		region = value(l.Storefront.Guest().Get(ctx, "/wx/region/list", "pid", region.Get("id").Int())).Get("0")
		names[i] = region.Get("name").String()
	}
	return shop.Fields{
		"province": names[0], "city": names[1], "county": names[2], "areaCode": region.Get("code").String(),
	}
}

// shopper signs a demo shopper in.
func (l *lab) shopper(n int) (*shop.Shopper, error) {
	me, err := l.Shopper(ctx, fmt.Sprintf("demo%d", n), shop.Password)
	if err != nil {
		return nil, err
	}
	full, err := me.Get(ctx, "/wx/cart/index")
	if products := full.Get("cartList.#.productId"); err == nil && len(products.Array()) > 0 {
		_, err = me.Post(ctx, "/wx/cart/delete", shop.Fields{"productIds": products.Value()})
	}
	return me, err
}

// books returns the lines of shopctl verify.
func (l *lab) books() (map[string]bool, error) {
	err := l.stack.Verify(ctx)
	lines := map[string]bool{}
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			lines[strings.TrimSpace(line)] = true
		}
	}
	return lines, err
}

// code is the newest code that was sent to a mobile, or a wrong one.
func (l *lab) code(mobile string) string {
	for range 20 {
		sent, err := os.ReadFile(l.stack.Messages)
		must(err)
		if at := strings.LastIndex(string(sent), mobile); at >= 0 {
			line, _, _ := strings.Cut(string(sent[at+len(mobile):]), "\n")
			if code := sixDigits.FindString(line); code != "" {
				return code
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	return "000000"
}
