package order

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/page"
)

// Filter narrows an operator's list; zero members do not.
type Filter struct {
	// Nickname and Consignee are contained, SN is exact.
	Nickname, Consignee, SN string
	// Start and End bound the time of the order: Start <= time < End.
	Start, End time.Time
	Statuses   []int
}

// mostCandidates is how many shoppers or orders a text may stand for to be taken one by one. A text that stands for
// more is found soon by looking at one order after the other.
const mostCandidates = 5000

// AdminList returns a page of all orders that operators have not deleted. The total of a list that nothing but states
// narrows may be half a minute old.
func (s *Service) AdminList(ctx context.Context, f Filter, q page.Query) (page.List[Detail], error) {
	list := ofAll(f)
	if f.SN == "" && f.Consignee != "" {
		ids, err := consigned(ctx, s.DB, f.Consignee, mostCandidates+1)
		if err != nil {
			return page.List[Detail]{}, fmt.Errorf("look for orders by consignee: %w", err)
		}
		list.toConsignee(f.Consignee, ids)
	}
	if f.Nickname != "" {
		shoppers, err := s.Accounts.Nicknamed(ctx, f.Nickname, mostCandidates+1)
		if err != nil {
			return page.List[Detail]{}, err
		}
		list.byNickname(f.Nickname, shoppers)
	}
	found, err := list.fetch(ctx, s.DB, q)
	if err != nil {
		return page.List[Detail]{}, fmt.Errorf("list orders: %w", err)
	}
	details, err := s.withLines(ctx, found.Items)
	return page.List[Detail]{Items: details, Total: found.Total, Query: found.Query}, err
}
