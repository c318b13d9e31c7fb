package catalog

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"shop.internal/pkg/domain/catalog/index"
	"shop.internal/pkg/domain/platform/page"
)

const (
	// sampleEvery is the period in which a question is answered both by the index and by the database.
	sampleEvery = time.Minute
	// sampleTries are the times that they must differ, since goods may change between the two answers.
	sampleTries = 3
)

// IndexState is what a process tells of its index of the goods.
type IndexState struct {
	// Goods is the number of goods in it, 0 until it is loaded.
	Goods int
	// Lag is the time since the feed was read; 0 without an index.
	Lag time.Duration
	// Samples are the questions that were also answered by the database, Disagreements those with another answer, after
	// which the index is loaded anew.
	Samples, Disagreements int64
}

// IndexState returns the state of this process's index.
func (s *Service) IndexState() IndexState {
	state := IndexState{Samples: s.live.samples.Load(), Disagreements: s.live.disagreements.Load()}
	if x := s.live.index.Load(); x != nil {
		state.Goods, state.Lag = x.Len(), s.now().Sub(time.Unix(0, s.live.read.Load()))
	}
	return state
}

// errDisagreement says that the index does not answer what the database answers.
var errDisagreement = errors.New("the index disagrees with the database")

// sample compares the answers to a random question. A database that does not answer is no disagreement.
func (s *Service) sample(ctx context.Context, f *feed, x *index.Index) error {
	ctx, cancel := context.WithTimeout(ctx, followTimeout)
	defer cancel()
	filter, q := someQuestion(x)
	if _, ok := filter.query(q); !ok {
		return nil
	}
	var difference error
	for range sampleTries {
		var err error
		if difference, err = s.difference(ctx, x, filter, q); err != nil {
			return nil // the next sample may have more luck
		}
		if difference == nil {
			break
		}
		if err := s.catchUp(ctx, f, x); err != nil {
			return err
		}
	}
	s.live.samples.Add(1)
	if difference != nil {
		s.live.disagreements.Add(1)
	}
	return difference
}

// someQuestion returns a question about the category of some goods, which the database answers fast.
func someQuestion(x *index.Index) (Filter, page.Query) {
	g := x.Some()
	f := Filter{CategoryID: max(g.CategoryID, 1)}
	if name := []rune(g.Name); len(name) > 1 && rand.IntN(2) == 0 { //nolint:gosec // any question will do
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
	found, err := s.search(ctx, f)
	if err != nil {
		return nil, err
	}
	want, err := s.list(ctx, f, found, q)
	if err != nil {
		return nil, err
	}
	asked, _ := f.query(q)
	ids, total := x.Find(asked)
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
