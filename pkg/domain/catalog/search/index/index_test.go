package index_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/domain/catalog/search/index"
)

// shop is the goods by id, which the index must answer from.
type shop map[int64]index.Goods

func contains(g index.Goods, q index.Query) bool {
	return !slices.ContainsFunc(q.Words, func(spellings []string) bool {
		return !slices.ContainsFunc(spellings, func(s string) bool {
			return strings.Contains(g.Name, s) || !q.InName && strings.Contains(g.Keywords, s)
		})
	})
}

func (s shop) list(q index.Query) (all []index.Goods) {
	for _, g := range s {
		matches := (g.OnSale || q.All) &&
			(len(q.Categories) == 0 || slices.Contains(q.Categories, g.CategoryID)) && (q.BrandID == 0 || g.BrandID == q.BrandID) &&
			(q.Except == 0 || g.ID != q.Except) &&
			contains(g, q) &&
			(q.New == nil || g.New == *q.New) && (q.Hot == nil || g.Hot == *q.Hot) &&
			(q.MinPrice == nil || g.Price >= *q.MinPrice) && (q.MaxPrice == nil || g.Price <= *q.MaxPrice)
		if matches {
			all = append(all, g)
		}
	}
	slices.SortFunc(all, func(a, b index.Goods) int {
		if q.Desc {
			a, b = b, a
		}
		by := map[index.Sort]int{
			index.Added: cmp.Compare(a.Added, b.Added), index.Price: cmp.Compare(a.Price, b.Price),
			index.Name: strings.Compare(a.NameKey, b.NameKey),
		}
		return cmp.Or(by[q.Sort], cmp.Compare(a.ID, b.ID))
	})
	return all
}

func (s shop) find(q index.Query) (ids []int64, total int) {
	all := s.list(q)
	from := min(q.Offset, len(all))
	for _, g := range all[from:min(from+q.Limit, len(all))] {
		ids = append(ids, g.ID)
	}
	return ids, len(all)
}

func (s shop) categories(q index.Query) (ids []int64) {
	for _, g := range s.list(q) {
		if g.CategoryID != 0 {
			ids = append(ids, g.CategoryID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

var (
	text  = rapid.StringOfN(rapid.SampledFrom([]rune("茶杯壶 ab")), 0, 7, -1)
	id    = rapid.Int64Range(1, 60)
	goods = rapid.Custom(func(t *rapid.T) index.Goods {
		name := text.Draw(t, "name")
		return index.Goods{
			ID: id.Draw(t, "id"), CategoryID: rapid.Int64Range(0, 4).Draw(t, "category"),
			BrandID: rapid.Int64Range(0, 3).Draw(t, "brand"), Name: name, Keywords: text.Draw(t, "keywords"),
			NameKey: strings.ReplaceAll(name, "壶", "茶"), // a collation in which two characters are one
			Price:   rapid.Int64Range(0, 200).Draw(t, "price"), Added: rapid.Int64Range(0, 20).Draw(t, "added"),
			OnSale: rapid.IntRange(0, 4).Draw(t, "on sale") > 0, New: rapid.Bool().Draw(t, "new"), Hot: rapid.Bool().Draw(t, "hot"),
		}
	})
	// Some phrases are asked for again and again, so that they are remembered while goods change.
	phrase = rapid.OneOf(text, rapid.SampledFrom([]string{"茶杯壶", "ab ", "aab"})).
		Filter(func(s string) bool { return s != "" })
	price = rapid.Ptr(rapid.Int64Range(-10, 220), true)
	query = rapid.Custom(func(t *rapid.T) index.Query {
		one := func(ids *rapid.Generator[int64], name string) int64 {
			if rapid.IntRange(0, 2).Draw(t, "by "+name) > 0 {
				return 0
			}
			return ids.Draw(t, name)
		}
		q := index.Query{
			BrandID: one(rapid.Int64Range(1, 4), "brand"),
			Except:  one(id, "except"), New: rapid.Ptr(rapid.Bool(), true).Draw(t, "new"),
			Hot: rapid.Ptr(rapid.Bool(), true).Draw(t, "hot"), MinPrice: price.Draw(t, "min"), MaxPrice: price.Draw(t, "max"),
			Sort: rapid.SampledFrom([]index.Sort{index.ID, index.Added, index.Price, index.Name}).Draw(t, "sort"),
			Desc: rapid.Bool().Draw(t, "desc"), Offset: rapid.IntRange(0, 70).Draw(t, "offset"),
			Limit: rapid.IntRange(1, 20).Draw(t, "limit"), All: rapid.Bool().Draw(t, "all"),
		}
		if rapid.IntRange(0, 2).Draw(t, "by category") == 0 {
			q.Categories = rapid.SliceOfN(rapid.Int64Range(1, 5), 1, 3).Draw(t, "categories")
		}
		if rapid.Bool().Draw(t, "search") {
			q.Words = rapid.SliceOfN(rapid.SliceOfN(phrase, 1, 3), 1, 3).Draw(t, "words")
			q.InName = rapid.Bool().Draw(t, "in name")
		}
		return q
	})
)

// Whatever changes, the index answers what looking at all goods answers.
func TestTheIndexAgreesWithTheGoods(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := shop{}
		first := rapid.SliceOfNDistinct(goods, 0, 60, func(g index.Goods) int64 { return g.ID }).Draw(t, "goods")
		for _, g := range first {
			want[g.ID] = g
		}
		x := index.New(first)
		for range rapid.IntRange(0, 4).Draw(t, "batches") {
			batch := rapid.SliceOfN(goods, 0, 20).Draw(t, "batch")
			var gone []int64
			for _, one := range rapid.SliceOfN(id, 0, 5).Draw(t, "gone") {
				if !slices.ContainsFunc(batch, func(g index.Goods) bool { return g.ID == one }) {
					gone = append(gone, one)
					delete(want, one)
				}
			}
			for _, g := range batch {
				want[g.ID] = g
			}
			x.Apply(batch, gone)
			agree(t, want, x)
		}
		agree(t, want, x)
	})
}

func agree(t *rapid.T, want shop, x *index.Index) {
	require.Equal(t, len(want), x.Len())
	for _, q := range rapid.SliceOfN(query, 1, 5).Draw(t, "queries") {
		ids, total, categories := x.FindIn(q)
		wantIDs, wantTotal := want.find(q)
		require.Equal(t, wantTotal, total, "%+v", q)
		require.Equal(t, wantIDs, ids, "%+v", q)
		q.Categories = nil
		slices.Sort(categories)
		require.Equal(t, want.categories(q), categories, "%+v", q)
	}
}

// The property above rarely draws goods enough for ranges of many marks.
func TestPriceRanges(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	want := shop{}
	var all []index.Goods
	for i := range int64(1000) {
		g := index.Goods{ID: i + 1, OnSale: true, Price: random.Int64N(500)}
		want[g.ID] = g
		all = append(all, g)
	}
	x := index.New(slices.Clone(all))
	for range 5 {
		for range 100 {
			low := random.Int64N(500) - 10
			high := low + random.Int64N(510)
			q := index.Query{MinPrice: &low, MaxPrice: &high, Limit: 10}
			ids, total := x.Find(q)
			wantIDs, wantTotal := want.find(q)
			require.Equal(t, wantTotal, total, "%d to %d", low, high)
			require.Equal(t, wantIDs, ids, "%d to %d", low, high)
		}
		batch := slices.Clone(all[:200])
		for i := range batch {
			batch[i].Price = random.Int64N(500)
			want[batch[i].ID] = batch[i]
		}
		x.Apply(batch, nil)
	}
}

// Pages lie anywhere in an order: of goods whose category, price and time depend on each other, so that those of one
// filter stand together, and after changes that move most of them.
func TestPagesAnywhere(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	made := func(id, price int64) index.Goods {
		return index.Goods{
			ID: id, OnSale: true, Price: price, Added: price / 10, CategoryID: 1 + price/500, Name: "茶",
			NameKey: fmt.Sprintf("%012d", 5000-price), New: id%2 == 0,
		}
	}
	x, want := index.New(nil), shop{}
	write := func(from, to int64, price func(id int64) int64) {
		var batch []index.Goods
		for i := from; i < to; i++ {
			g := made(i, price(i))
			want[g.ID] = g
			batch = append(batch, g)
		}
		x.Apply(batch, nil)
	}
	yes := true
	compare := func() {
		for range 200 {
			low := random.Int64N(4000)
			high := low + random.Int64N(1500)
			q := index.Query{
				Sort: index.Sort(random.IntN(4)), Desc: random.IntN(2) == 0, Limit: 1 + random.IntN(10),
				Categories: [][]int64{nil, {1 + random.Int64N(8)}, {1, 7}}[random.IntN(3)],
			}
			if random.IntN(2) == 0 {
				q.MinPrice, q.MaxPrice = &low, &high
			}
			if random.IntN(2) == 0 {
				q.New = &yes
			}
			q.Offset = random.IntN(1 + len(want.list(q)))
			ids, total := x.Find(q)
			wantIDs, wantTotal := want.find(q)
			require.Equal(t, wantTotal, total, "%+v", q)
			require.Equal(t, wantIDs, ids, "%+v", q)
		}
	}
	write(1, 2000, func(id int64) int64 { return id * 2 })
	compare()
	write(2000, 2300, func(id int64) int64 { return 100 })
	compare()
	write(1, 1500, func(id int64) int64 { return id / 40 * 40 }) // many of one price
	compare()
	x.Apply(nil, slices.Collect(func(yield func(int64) bool) {
		for i := int64(1); i < 1000 && yield(i); i++ {
			delete(want, i)
		}
	}))
	compare()
	write(5000, 5500, func(int64) int64 { return 1 + random.Int64N(4000) })
	compare()
}

// Building takes little more memory than the index. Otherwise a container that holds it would not survive its start.
func TestBuildingTakesLittleBeside(t *testing.T) {
	const n, beside = 200_000, 70 // goods, and bytes for each of them
	most, stays := building(many(n))
	t.Logf("%d bytes for each of the goods while they are built, %d afterwards", most/n, stays/n)
	require.Less(t, most, stays+n*beside)
}

// building returns the most memory that is in use while an index is built, and what stays in use. What is garbage does
// not count, for it depends on when it is collected, and a limit of memory has it collected in time.
func building(all []index.Goods) (most, stays int) {
	collected := func() int {
		runtime.GC()
		now := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(now)
		return int(now[0].Value.Uint64())
	}
	built := make(chan *index.Index)
	go func() { built <- index.New(slices.Clone(all)) }()
	var x *index.Index
	for x == nil {
		select {
		case x = <-built:
		default:
			most = max(most, collected())
		}
	}
	stays = collected()
	runtime.KeepAlive(x)
	runtime.KeepAlive(all)
	return most, stays
}

func TestNoPage(t *testing.T) {
	x := index.New([]index.Goods{{ID: 1, OnSale: true, Name: "茶"}})
	for _, q := range []index.Query{{}, {Limit: -1}, {Offset: -1, Limit: 5}, {Offset: 1, Limit: 5}} {
		ids, total := x.Find(q)
		require.Empty(t, ids)
		require.Equal(t, 1, total)
	}
	_, total := x.Find(index.Query{Words: [][]string{{"\x00"}}})
	require.Zero(t, total)
	x.Apply(nil, []int64{99})
	require.Equal(t, 1, x.Len())
}

// Run with the race detector.
func TestReadersAndAWriter(t *testing.T) {
	all := many(5000)
	x := index.New(slices.Clone(all))
	var wait sync.WaitGroup
	done := make(chan struct{})
	for i := range 4 {
		wait.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				q := index.Query{Words: [][]string{{"茶"}, {"茶杯", "杯"}, {"茶杯的"}}[:(n+i)%4], Sort: index.Sort(n % 4), Limit: 10}
				if ids, total, _ := x.FindIn(q); len(ids) > total {
					t.Error(ids, total)
				}
			}
		})
	}
	for n := range 100 {
		batch := slices.Clone(all[n*10 : n*10+10])
		for i := range batch {
			batch[i].Price += int64(n)
			batch[i].Name += "新"
		}
		x.Apply(batch, []int64{all[n*10+20].ID})
	}
	close(done)
	wait.Wait()
}

// many makes goods with names as those of a shop: two words of a vocabulary in which some are frequent.
func many(n int) []index.Goods {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"茶杯", "茶杯的", "书包", "台灯", "衬衫", "雨伞", "花瓶", "铅笔", "围巾", "帐篷"}
	for range 5000 {
		words = append(words, string([]rune{rune(0x4e00 + r.IntN(3000)), rune(0x4e00 + r.IntN(3000)), rune(0x4e00 + r.IntN(3000))}))
	}
	word := func() string { return words[int(float64(len(words))*r.Float64()*r.Float64()*r.Float64()*r.Float64())] }
	all := make([]index.Goods, n)
	for i := range all {
		name := word() + word() + fmt.Sprint(i)
		all[i] = index.Goods{
			ID: int64(i + 1), CategoryID: 1 + r.Int64N(300), BrandID: 1 + r.Int64N(500), Name: name, NameKey: name,
			Keywords: word(), Price: r.Int64N(100_000), Added: int64(i), OnSale: i%10 > 0, New: i%20 == 1, Hot: i%15 == 1,
		}
	}
	return all
}

func TestRanges(t *testing.T) {
	require.Empty(t, index.New(nil).Ranges(10))
	goods := []index.Goods{}
	for _, id := range []int64{1000, 1, 10, 11, 95, 999, 1001} {
		goods = append(goods, index.Goods{ID: id})
	}
	require.Equal(t, []int64{1, 2, 10, 100, 101}, index.New(goods).Ranges(10))
}
