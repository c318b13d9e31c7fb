package seed

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/catalog/search"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/terms"
)

// Progress reports the progress of a long operation.
type Progress func(done, of int64)

// madeGoods is one of many goods, derived from its number.
type madeGoods struct {
	id, category, brand int64
	sn, name, keywords  string
	price               money.Amount
	isNew, isHot        bool
}

// MoreGoods adds goods until there are n, in the existing categories and brands, with two products each. It may be
// interrupted and run again at any time, but must be the only one that adds goods.
func (s *Service) MoreGoods(ctx context.Context, n int64, progress Progress) (err error) {
	categories, err := secondLevel(ctx, s.db)
	if err != nil {
		return fmt.Errorf("read the categories: %w", err)
	}
	makers, err := ids(ctx, s.db, Brands)
	if err != nil {
		return fmt.Errorf("read the makers: %w", err)
	}
	have, last, err := goodsCount(ctx, s.db)
	if err != nil {
		return fmt.Errorf("count the goods: %w", err)
	}
	progress(min(have, n), n)
	if have >= n {
		return nil
	}
	// Replicas learn of the goods at the end, even of those of an interrupted load.
	defer func() {
		ctx := context.WithoutCancel(ctx)
		err = errors.Join(err, s.db.InTx(ctx, func(tx *db.Tx) error {
			return search.AppendAll(ctx, tx, s.now())
		}))
	}()
	var lock sync.Mutex
	// next returns the goods of the next batch; no two calls return the same.
	next := func() []madeGoods {
		lock.Lock()
		defer lock.Unlock()
		list := make([]madeGoods, max(0, min(goodsPerBatch, n-have)))
		for i := range list {
			list[i] = makeGoods(last+int64(i)+1, categories, makers)
		}
		have, last = have+int64(len(list)), last+int64(len(list))
		return list
	}
	done := have
	work, ctx := errgroup.WithContext(ctx)
	for range loaders {
		work.Go(func() error {
			for list := next(); len(list) > 0; list = next() {
				if err := s.db.InTx(ctx, func(tx *db.Tx) error { return insertGoods(ctx, tx, list, s.now()) }); err != nil {
					return fmt.Errorf("add goods: %w", err)
				}
				lock.Lock()
				done += int64(len(list))
				progress(done, n)
				lock.Unlock()
			}
			return nil
		})
	}
	return work.Wait()
}

const (
	// goodsPerBatch is the number of goods of a transaction; loaders are the transactions at a time, so that the database
	// works while the next rows are made.
	goodsPerBatch = 2000
	loaders       = 2
)

func makeGoods(number int64, categories, makers []int64) madeGoods {
	colours := []string{"象牙白", "石墨灰", "苔藓绿", "海盐蓝", "落日橙", "葡萄紫", "奶油黄", "砖墙红", "云雾青", "松木棕"}
	stuffs := []string{"棉麻", "陶瓷", "实木", "亚麻", "不锈钢", "羊毛", "玻璃", "帆布", "竹编", "硅胶", "灯芯绒", "铸铁"}
	things := []string{
		"水杯", "餐盘", "台灯", "抱枕", "围巾", "背包", "笔记本", "花瓶", "砧板", "收纳盒", "雨伞", "浴巾", "衬衫", "凉鞋", "茶壶", "闹钟",
	}
	r := rand.New(rand.NewPCG(1, uint64(number))) //nolint:gosec // the same number gives the same goods
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	colour, stuff, thing := pick(colours), pick(stuffs), pick(things)
	g := madeGoods{
		id: number, sn: fmt.Sprintf("M%09d", number), name: fmt.Sprintf("%s%s%s %d", colour, stuff, thing, number),
		keywords: thing + "," + stuff, price: money.Amount(r.Int64N(50_000) + 500), isNew: r.IntN(20) == 0,
		isHot: r.IntN(20) == 0,
	}
	if len(categories) > 0 {
		g.category = categories[r.IntN(len(categories))]
	}
	if len(makers) > 0 && r.IntN(3) > 0 {
		g.brand = makers[r.IntN(len(makers))]
	}
	return g
}

type term struct {
	text  string
	goods int64
}

// termsOf returns the terms of the goods in the order of the table's key, in which they are written fastest.
func termsOf(list []madeGoods) []term {
	var all []term
	for _, g := range list {
		for _, text := range terms.Of(g.name, g.keywords) {
			all = append(all, term{text, g.id})
		}
	}
	slices.SortStableFunc(all, func(a, b term) int { return strings.Compare(a.text, b.text) })
	return all
}
