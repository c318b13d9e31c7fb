package catalog

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/catalog/search/index"
)

// errDisagreement says that the index does not answer what the database answers.
var errDisagreement = errors.New("the index disagrees with the database")

// differs compares the answers of an index and the database to a random query. A database that does not answer is no
// difference.
func (s *Service) differs(ctx context.Context, x *index.Index) error {
	filter, q := sampleQuery(x)
	if _, ok := filter.query(q); !ok {
		return nil
	}
	difference, err := s.difference(ctx, x, filter, q)
	if err != nil {
		return nil // the next sample may have more luck
	}
	return difference
}

// sampleQuery returns a query about the category of some goods, which the database answers fast.
func sampleQuery(x *index.Index) (Filter, page.Query) {
	g := x.Some()
	f := Filter{CategoryID: max(g.CategoryID, 1)}
	if name := []rune(g.Name); len(name) > 1 && rand.IntN(2) == 0 { //nolint:gosec // any query will do
		at := rand.IntN(len(name) - 1) //nolint:gosec // as above
		f.Keyword = string(name[at : at+2])
	}
	return f, page.Query{
		Page: 1, Limit: 20, Sort: []string{"add_time", "id", "retail_price", "name"}[rand.IntN(4)], //nolint:gosec // as above
		Desc: rand.IntN(2) == 0, Beyond: page.Empty, //nolint:gosec // as above
	}
}

// difference returns how the answers of the index and the database differ, nil if they agree.
func (s *Service) difference(ctx context.Context, x *index.Index, f Filter, q page.Query) (difference, err error) {
	found, err := s.lookUp(ctx, f)
	if err != nil {
		return nil, err
	}
	want, err := s.list(ctx, f, found, q)
	if err != nil {
		return nil, err
	}
	sought, _ := f.query(q)
	ids, total := x.Find(sought)
	wanted := make([]int64, len(want.Items))
	for i, g := range want.Items {
		wanted[i] = g.ID
	}
	if int64(total) == want.Total && slices.Equal(ids, wanted) {
		return nil, nil // no difference
	}
	return fmt.Errorf("%w: category %d, keyword %q, by %s: %d goods %v, not %d %v", errDisagreement, f.CategoryID,
		f.Keyword, q.Sort, total, ids, want.Total, wanted), nil
}
