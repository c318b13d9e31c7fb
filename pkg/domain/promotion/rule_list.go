package promotion

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/page"
)

// AllRules returns a page of the groupon offers, running or not; goods, unless nil, are the only goods.
func (s *Service) AllRules(ctx context.Context, goods *int64, q page.Query) (page.List[GroupRule], error) {
	rows, err := listRules(ctx, s.db, goods, q)
	return page.Map(rows, ruleRow.rule), err
}

// Group is an opener's part with what belongs to it.
type Group struct {
	Member
	// Joiners are those whose orders were paid or failed, the newest first.
	Joiners []Member
	// Rule is the offer, also one that was deleted; nil where there is none.
	Rule *GroupRule
}

// Groups returns a page of the groups that are past waiting for the opener's money; rule, unless nil, is the only
// offer.
func (s *Service) Groups(ctx context.Context, rule *int64, q page.Query) (page.List[Group], error) {
	rows, err := listGroups(ctx, s.db, rule, q)
	if err != nil {
		return page.List[Group]{}, err
	}
	list := page.Map(rows, partRow.part)
	var ids, offers []int64
	for _, p := range list.Items {
		ids, offers = append(ids, p.ID), append(offers, p.RuleID)
	}
	joiners, err := joinersEver(ctx, s.db, ids)
	if err != nil {
		return page.List[Group]{}, fmt.Errorf("read the members of %d groups: %w", len(ids), err)
	}
	joined := map[int64][]Member{}
	for _, j := range joiners {
		joined[j.Joined] = append(joined[j.Joined], j)
	}
	rules, err := s.Rules(ctx, offers)
	if err != nil {
		return page.List[Group]{}, err
	}
	return page.Map(list, func(p Member) Group {
		g := Group{Member: p, Joiners: joined[p.ID]}
		if r, ok := rules[p.RuleID]; ok {
			g.Rule = &r
		}
		return g
	}), nil
}
