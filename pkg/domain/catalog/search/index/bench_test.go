package index_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"shop.internal/pkg/domain/catalog/search/index"
)

func BenchmarkNew(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			all := many(n)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			var x *index.Index
			for b.Loop() {
				x = index.New(all)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MiB/index")
			runtime.KeepAlive(x)
			runtime.KeepAlive(all)
		})
	}
}

func BenchmarkFind(b *testing.B) {
	yes, low, high, above, upTo := true, int64(10_000), int64(20_000), int64(51_300), int64(58_700)
	for _, n := range []int{240, 10_000, 1_000_000} {
		const early = 1000 // a brand of the goods that were added first
		all := many(n)
		for i := range all[:n/10] {
			all[i].BrandID = early
		}
		x := index.New(all)
		for name, q := range map[string]index.Query{
			"page 1":         {Sort: index.Added, Desc: true},
			"page 20":        {Sort: index.Added, Desc: true, Offset: 190},
			"last page":      {Sort: index.Price, Offset: n/2 - 10},
			"category":       {Sort: index.Added, Desc: true, Categories: []int64{7}},
			"brand and new":  {Sort: index.Price, BrandID: 7, New: &yes},
			"price":          {Sort: index.Name, MinPrice: &low, MaxPrice: &high},
			"price by price": {Sort: index.Price, MinPrice: &above, MaxPrice: &upTo},
			"early goods":    {Sort: index.Added, Desc: true, BrandID: early},
			"deep page":      {Sort: index.Price, Offset: n / 3},
			"least price":    {Sort: index.Name, MinPrice: &low},
			"frequent word":  {Sort: index.Added, Desc: true, Words: [][]string{{"茶杯"}}},
			"long word":      {Sort: index.Price, Words: [][]string{{"茶杯的"}}},
			"rare word":      {Sort: index.Added, Words: [][]string{{"9999", "９９９９"}}},
		} {
			q.Limit = 10
			b.Run(fmt.Sprint(name, " of ", n), func(b *testing.B) {
				for b.Loop() {
					x.Find(q)
				}
			})
			b.Run(fmt.Sprint(name, " and categories of ", n), func(b *testing.B) {
				for b.Loop() {
					x.FindIn(q)
				}
			})
		}
	}
}

func BenchmarkFindRanked(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		x := index.New(many(n))
		for name, word := range map[string]string{"frequent": "茶杯", "long": "茶杯的", "rare": "9999"} {
			q := index.Ranked{Query: index.Query{Limit: 20}, Whole: []string{word}, Words: []index.Word{
				{Spellings: []string{word}, Brands: []int64{7}, Categories: []int64{3, 9}},
			}}
			x.FindRanked(q) // what is remembered of a word is found once
			b.Run(fmt.Sprint(name, " of ", n), func(b *testing.B) {
				for b.Loop() {
					x.FindRanked(q)
				}
			})
		}
		b.Run(fmt.Sprint("like of ", n), func(b *testing.B) {
			for b.Loop() {
				x.Like("茶杯地")
			}
		})
	}
}

func BenchmarkApply(b *testing.B) {
	all := many(1_000_000)
	x := index.New(slices.Clone(all))
	for _, n := range []int{1, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			at := 0
			for b.Loop() {
				at = (at + n) % (len(all) - n)
				batch := slices.Clone(all[at : at+n])
				for i := range batch {
					batch[i].Price++
				}
				x.Apply(batch, nil)
			}
		})
	}
}
