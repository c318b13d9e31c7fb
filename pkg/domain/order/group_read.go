package order

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/promotion"
)

// Membership is a shopper's part in a group with their order.
type Membership struct {
	Part promotion.Member
	Rule promotion.GroupRule
	Detail
	// Members are those who have paid and not left: the opener first, then the joiners, the oldest first.
	Members []account.Person
}

// Opener is who has opened the group.
func (m Membership) Opener() account.Person { return m.Members[0] }

// Groups returns the groups that the shopper has opened, or joined, the newest first. Those whose order was
// never paid, or is hidden, are left out.
func (s *Service) Groups(ctx context.Context, shopper int64, joined bool) ([]Membership, error) {
	parts, err := s.Promotions.Parts(ctx, shopper, joined)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(parts))
	for i, p := range parts {
		ids[i] = p.OrderID
	}
	found, err := ordersByID(ctx, s.DB, ids)
	if err != nil {
		return nil, fmt.Errorf("read the orders of %d groups: %w", len(ids), err)
	}
	details, err := s.withLines(ctx, found)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]Detail, len(details))
	for _, d := range details {
		byID[d.ID] = d
	}
	var all []Membership
	for _, p := range parts {
		d, ok := byID[p.OrderID]
		if ok && !d.PayTime.IsZero() && !d.gone(Shopper(shopper)) {
			all = append(all, Membership{Part: p, Detail: d})
		}
	}
	return s.introduce(ctx, all)
}

// Group returns the shopper's part in the group that a part belongs to, their own or another's. It fails with
// errno.Invalid for who is not a member.
func (s *Service) Group(ctx context.Context, shopper, id int64) (Membership, error) {
	p, err := s.Promotions.OwnPart(ctx, shopper, id)
	if err != nil {
		return Membership{}, err
	}
	d, err := s.Find(ctx, shopper, p.OrderID)
	if errors.Is(err, errno.OrderUnknown) {
		err = errno.NoSuch("grouponId")
	}
	if err != nil {
		return Membership{}, err
	}
	known, err := s.introduce(ctx, []Membership{{Part: p, Detail: d}})
	if err != nil {
		return Membership{}, err
	}
	return known[0], nil
}

// introduce fills in the offers and the people of groups, in one statement each.
func (s *Service) introduce(ctx context.Context, all []Membership) ([]Membership, error) {
	parts, rules := make([]promotion.Member, len(all)), make([]int64, len(all))
	for i, m := range all {
		parts[i], rules[i] = m.Part, m.Part.RuleID
	}
	offers, err := s.Promotions.Rules(ctx, rules)
	if err != nil {
		return nil, err
	}
	members, err := s.Promotions.Members(ctx, parts)
	if err != nil {
		return nil, err
	}
	var shoppers []int64
	for _, ids := range members {
		shoppers = append(shoppers, ids...)
	}
	people, err := s.Accounts.People(ctx, s.DB, shoppers)
	if err != nil {
		return nil, err
	}
	known := make([]Membership, 0, len(all))
	for _, m := range all {
		m.Rule = offers[m.Part.RuleID]
		for _, id := range members[m.Part.Group()] {
			m.Members = append(m.Members, people[id])
		}
		known = append(known, m)
	}
	return known, nil
}

// Invitation returns what somebody sees who was invited into a group, by its opener's part or a joiner's. It fails with
// errno.Invalid for a group that is unknown or was never paid for.
func (s *Service) Invitation(ctx context.Context, id int64) (promotion.Member, promotion.GroupRule, error) {
	p, err := s.Promotions.Opening(ctx, id)
	if err != nil {
		return p, promotion.GroupRule{}, err
	}
	o, ok, err := byID(ctx, s.DB, p.OrderID)
	if err != nil {
		return p, promotion.GroupRule{}, fmt.Errorf("read order %d of group %d: %w", p.OrderID, id, err)
	}
	r, known, err := s.Promotions.Rule(ctx, p.RuleID)
	if err == nil && (!ok || !known || p.Status == promotion.PartUnpaid || o.PayTime.IsZero()) {
		err = errno.NoSuch("grouponId")
	}
	return p, r, err
}
