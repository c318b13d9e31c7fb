package storefront

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/test/bench/ratio"
)

// page is a row: an answer that many ask for, or one after the other that nobody has asked for before.
type page struct {
	name string
	path func() string
	// user is a shopper's name; empty for a guest.
	user string
	// likeGuest compares with what a guest is answered instead of with a bare handler: at against, empty for path.
	likeGuest bool
	against   string
	bar       float64
}

func same(path string) func() string { return func() string { return path } }

// BenchmarkPages compares pages with a handler that only writes the same bytes under as many headers, and those of
// shoppers with those of guests. Bars below a half are twice what the fastest of the other shops reached, or twice what
// this one did before lists came from memory, as a part of the bare handler in one run.
func BenchmarkPages(b *testing.B) {
	s := open(b, medium)
	goods := s.number(b, "SELECT MIN(id) FROM goods WHERE is_on_sale = 1 AND deleted = 0")
	detail := fmt.Sprintf("/wx/goods/detail?id=%d", goods)
	word, _ := s.words(b)
	s.fillCart(b, "demo1", 5)
	for b.Loop() {
		for _, p := range []page{
			{name: "home, guest", path: same("/wx/home/index"), bar: 0.75},
			{name: "goods detail, guest", path: same(detail), bar: 0.75},
			{name: "goods detail, never asked before", path: everyGoods(goods)},
			{name: "list, guest", path: same("/wx/goods/list?page=1&limit=10"), bar: 0.8},
			{name: "list, never asked before", path: anyList(), bar: 0.21},
			{name: "search, guest", path: same("/wx/search/result?keyword=" + url.QueryEscape(word)), bar: 0.8},
			{name: "search, never asked before", path: anySearch(word), bar: 0.14},
			{name: "categories, guest", path: same("/wx/catalog/index"), bar: 0.8},
			{name: "topics, guest", path: same("/wx/topic/list?page=1&limit=10"), bar: 0.8},
			{name: "brands, guest", path: same("/wx/brand/list?page=1&limit=10"), bar: 0.8},
			{name: "related goods, guest", path: same(fmt.Sprintf("/wx/goods/related?id=%d", goods)), bar: 0.8},
			{name: "home, signed in, against a guest's", path: same("/wx/home/index"), user: "demo1", likeGuest: true, bar: 0.5},
			{name: "goods detail, signed in, against a guest's", path: same(detail), user: "demo1", likeGuest: true, bar: 0.5},
			{
				name: "page of goods, against their detail", path: same(fmt.Sprintf("/goods/%d", goods)),
				likeGuest: true, against: detail, bar: 0.8,
			},
			{name: "cart of five", path: same("/wx/cart/index"), user: "demo1", bar: 0.19},
			{name: "orders", path: same("/wx/order/list?page=1&limit=10"), user: "demo1", bar: 0.08},
		} {
			ratio.Report(b, s.compare(b, p))
		}
	}
}

// compare measures a row.
func (s *shop) compare(b *testing.B, p page) ratio.Result {
	b.Helper()
	token := ""
	if p.user != "" {
		token = s.login(b, p.user)
	}
	load := func(address, token string, path func() string) ratio.Way {
		return ratio.Load{
			Address: address, Connections: shoppers, Now: time.Now,
			Next: func(int) ([]byte, error) { return get(path(), token), nil },
		}.Turn
	}
	baseline := load(s.address, "", p.path)
	switch {
	case p.against != "":
		baseline = load(s.address, "", same(p.against))
	case !p.likeGuest:
		baseline = load(s.bare(b, p.path(), token), token, p.path)
	}
	result, err := ratio.Comparison{
		Name: p.name, Baseline: baseline, Ours: load(s.address, token, p.path), Bar: p.bar,
	}.Measure(b.Context(), rounds, turn)
	require.NoError(b, err)
	return result
}

// everyGoods returns the pages of the goods of the shop one after the other, so that none is asked for again within its
// second in memory.
func everyGoods(first int64) func() string {
	var asked atomic.Int64
	return func() string { return fmt.Sprintf("/wx/goods/detail?id=%d", first+asked.Add(1)%medium) }
}

// anyList returns lists of ten goods in so many variants that one is hardly asked for twice within its second in memory.
func anyList() func() string {
	sorts := []string{"add_time", "retail_price", "name"}
	return func() string {
		return fmt.Sprintf("/wx/goods/list?page=%d&limit=10&sort=%s&order=%s&minPrice=%d.%02d",
			1+rand.N(medium/40), sorts[rand.N(len(sorts))], [...]string{"asc", "desc"}[rand.N(2)], rand.N(5), rand.N(100))
	}
}

func anySearch(word string) func() string {
	return func() string {
		return fmt.Sprintf("/wx/search/result?keyword=%s&page=%d&limit=10&minPrice=%d.%02d",
			url.QueryEscape(word), 1+rand.N(5), rand.N(50), rand.N(100))
	}
}

// words returns a word that many goods of the shop have, and a longer text that fewer have.
func (s *shop) words(b *testing.B) (frequent, rarer string) {
	b.Helper()
	const latest = " FROM (SELECT name FROM goods WHERE is_on_sale = 1 AND deleted = 0 ORDER BY id DESC LIMIT 200) g "
	for length, text := range map[int]*string{2: &frequent, 4: &rarer} {
		part := fmt.Sprintf("LEFT(name, %d)", length)
		require.NoError(b, s.db.QueryRowContext(b.Context(),
			"SELECT "+part+latest+"GROUP BY 1 ORDER BY COUNT(*) DESC, 1 LIMIT 1").Scan(text))
	}
	return frequent, rarer
}

// number returns the only number that a statement finds.
func (s *shop) number(b *testing.B, statement string, args ...any) (n int64) {
	b.Helper()
	require.NoError(b, s.db.QueryRowContext(b.Context(), statement, args...).Scan(&n))
	return n
}
