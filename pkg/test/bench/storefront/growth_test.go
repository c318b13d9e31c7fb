package storefront

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/test/bench/ratio"
)

// cycle is longer than an answer stays in memory: what one round asks for, the next one asks anew.
const cycle = 1200 * time.Millisecond

// BenchmarkGrowth compares lists of a million goods with those of ten thousand and of 240: one client at a time asks
// for what nobody has asked for within a second. In each round it asks every shop.
func BenchmarkGrowth(b *testing.B) {
	sizes := []int{small, medium, large}
	shops := make([]*shop, len(sizes))
	for i, n := range sizes {
		shops[i] = open(b, n)
	}
	big := shops[len(shops)-1]
	ratio.Figure(b, "1,000,000 goods answered from memory after the start", big.ready.Seconds(), 5, "s")
	ratio.Figure(b, "most memory while 1,000,000 goods load, above what stays",
		ratio.Memory(b, big.process, "VmHWM")-ratio.Memory(b, big.process, "VmRSS"), 100, "MiB")
	for b.Loop() {
		for _, list := range []struct {
			name  string
			paths func(s *shop) []string
		}{
			{"list, page 20", func(*shop) []string { return variants("/wx/goods/list?page=%d&limit=%d", 15, 20, 10, 12) }},
			{"goods of a brand", func(s *shop) []string {
				return variants(fmt.Sprintf("/wx/goods/list?brandId=%d", s.aBrand(b))+"&page=%d&limit=%d", 1, 3, 8, 13)
			}},
			{"new goods", func(*shop) []string { return variants("/wx/goods/list?isNew=true&page=%d&limit=%d", 1, 2, 5, 12) }},
			{"frequent word", func(s *shop) []string {
				word, _ := s.words(b)
				return variants("/wx/search/result?keyword="+escaped(word)+"&page=%d&limit=%d", 1, 2, 5, 12)
			}},
			{"two words", func(s *shop) []string {
				_, text := s.words(b)
				return variants("/wx/search/result?keyword="+escaped(text)+"&page=%d&limit=%d", 1, 1, 5, 20)
			}},
			{"by price", func(*shop) []string {
				return variants("/wx/goods/list?sort=retail_price&order=asc&page=%d&limit=%d", 1, 3, 8, 13)
			}},
			{"price range", func(*shop) []string {
				return variants("/wx/goods/list?minPrice=100&maxPrice=300&page=%d&limit=%d", 1, 3, 8, 13)
			}},
			{"price range by price", func(*shop) []string {
				return variants("/wx/goods/list?minPrice=100&maxPrice=300&sort=retail_price&order=asc&page=%d&limit=%d", 1, 3, 8, 13)
			}},
			{"price range of a frequent word", func(s *shop) []string {
				word, _ := s.words(b)
				return variants("/wx/search/result?sort=retail_price&order=desc&minPrice=50&maxPrice=200&keyword="+escaped(word)+
					"&page=%d&limit=%d", 1, 2, 5, 12)
			}},
			{"count", func(*shop) []string { return []string{"/wx/goods/count"} }},
		} {
			took := make([]ratio.Latencies, len(shops))
			ask(b, shops, list.paths, took)
			for i, s := range shops {
				name := fmt.Sprintf("%s, %d goods", list.name, s.goods)
				if s.goods != large {
					ratio.Note(b, name+", median", took[i].Median(), "ms")
					continue
				}
				ratio.Figure(b, name+", median", took[i].Median(), 3, "ms")
				ratio.Against(b, name+", p99, against 10,000", took[i-1].Percentile(99), took[i].Percentile(99), 1.5, "ms")
			}
		}
	}
	for _, memory := range []struct{ name, figure string }{{"most memory", "VmHWM"}, {"memory", "VmRSS"}} {
		above := ratio.Memory(b, big.process, memory.figure) - ratio.Memory(b, shops[0].process, memory.figure)
		ratio.Figure(b, memory.name+" for 1,000,000 goods, above that for 240", above, 300, "MiB")
	}
}

// variants are a path with all pages and limits of two ranges.
func variants(format string, page, lastPage, limit, lastLimit int) (all []string) {
	for p := page; p <= lastPage; p++ {
		for l := limit; l <= lastLimit; l++ {
			all = append(all, fmt.Sprintf(format, p, l))
		}
	}
	return all
}

// escaped is a text as a part of the query of an address and of a format.
func escaped(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "%", "%%") }

// ask measures each path of each shop once in each round.
func ask(b *testing.B, shops []*shop, paths func(*shop) []string, took []ratio.Latencies) {
	b.Helper()
	requests, connections := make([][]string, len(shops)), make([]*ratio.Conn, len(shops))
	for i, s := range shops {
		requests[i] = paths(s)
		c, err := ratio.Dial(b.Context(), s.address)
		require.NoError(b, err)
		defer c.Close()
		connections[i] = c
	}
	const most = 20
	for round := range most + 1 {
		began := time.Now()
		for i := range shops {
			which := (i + round) % len(shops)
			for _, path := range requests[which] {
				start := time.Now()
				body, err := connections[which].Do(get(path, ""))
				if round > 0 { // the first warms up
					took[which].Add(time.Since(start))
				}
				require.NoError(b, done(body, err), path)
			}
		}
		time.Sleep(time.Until(began.Add(cycle)))
	}
}

// aBrand is the brand of the newest goods that have one.
func (s *shop) aBrand(b *testing.B) int64 {
	b.Helper()
	return s.number(b, "SELECT brand_id FROM goods WHERE is_on_sale = 1 AND deleted = 0 AND brand_id > 0 ORDER BY id DESC LIMIT 1")
}
