package workload

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"shop.internal/pkg/test/reliability/client"
)

const (
	buyers = 200
	pieces = 50
)

// Rush lets more buyers order a new product than there are pieces of it, and disturbs them when a third is sold. It
// returns what has happened. The checks find out whether too many were sold.
func (w *World) Rush(disturb func()) string {
	w.t.Helper()
	g := w.sale()
	crowd := w.crowd()
	var told atomic.Int64
	begun, disturbed := make(chan struct{}), make(chan int64, 1)
	go func() {
		<-begun
		for told.Load() < pieces/3 {
			time.Sleep(time.Millisecond) // lasts: the pause between two looks; the rush ends by itself
		}
		at := told.Load()
		disturb()
		disturbed <- at
	}()
	close(begun)
	w.each(buyers, buyers, func(i int) {
		w.gate.RLock()
		defer w.gate.RUnlock()
		s, r := crowd[i], rand.New(rand.NewPCG(w.seed, uint64(1000+i)))
		o := s.order(w.t.Context(), w, g, client.Fields{"addressId": s.address, "couponId": -1}, r)
		if o == nil {
			return
		}
		told.Add(1)
		s.pay(w.t.Context(), w, o, r)
		o.mu.Unlock()
	})
	at := <-disturbed
	w.mu.Lock()
	defer w.mu.Unlock()
	if sold := int(told.Load()) + w.uncertain.orders; sold < pieces {
		w.t.Error(errors.New("not everything was sold"), sold)
	}
	return fmt.Sprintf("%d buyers were told %d times that they have one of %d pieces, some of which came back; "+
		"%d times before the kill, %d orders unknown", buyers, told.Load(), pieces, at, w.uncertain.orders)
}

// crowd is everybody who wants to buy.
func (w *World) crowd() []*Shopper {
	w.t.Helper()
	calm := client.New(w.Stack.Addresses()) // so many logins at once are refused now and then
	calm.Patient()
	all := make([]*Shopper, buyers)
	errs := make([]error, buyers)
	w.each(4, buyers-copy(all, w.Shoppers), func(i int) {
		i += len(w.Shoppers)
		all[i], errs[i] = demoShopper(w.t.Context(), calm, i+1)
	})
	must(w.t, errors.Join(errs...))
	return all
}

// each calls do for the numbers below n, some at a time.
func (w *World) each(workers, n int, do func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}

// sale puts a new product on sale.
func (w *World) sale() client.Goods {
	w.t.Helper()
	ctx, super := w.t.Context(), w.Staff[1].Now()
	like, err := super.Get(ctx, "/admin/goods/detail", "id", w.Goods[1].ID)
	must(w.t, err)
	made, err := super.Post(ctx, "/admin/goods/create", client.Fields{
		"goods": client.Fields{
			"name": "Rush", "goodsSn": fmt.Sprintf("RUSH%d", w.seed), "isOnSale": true, "counterPrice": client.Amount(99_00),
			"categoryId": like.Get("goods.categoryId").Int(), "brandId": like.Get("goods.brandId").Int(),
		},
		"specifications": []client.Fields{{"specification": "size", "value": "one"}},
		"products": []client.Fields{
			{"specifications": []string{"one"}, "price": client.Amount(49_00), "number": pieces},
		},
		"attributes": []client.Fields{},
	})
	must(w.t, err)
	g := client.Goods{ID: made.Get("id").Int()}
	row, err := super.Get(ctx, "/admin/goods/detail", "id", g.ID)
	must(w.t, err)
	g.Product = row.Get("products.0.id").Int()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stock[g.Product] = pieces
	return g
}
