package order

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/job"
	"shop.internal/pkg/domain/promotion"
)

// system moves the orders of a group that has failed.
var system = Actor{Type: ByJob}

// groupAttempts is how often something is begun anew because a group got a member meanwhile.
const groupAttempts = 5

// retryIfGroupChanged runs what fails with promotion.ErrGrown where the group has changed between the look at its
// members, whose orders must be locked first, and the lock of the group.
func retryIfGroupChanged(ctx context.Context, run func() error) error {
	var err error
	for range groupAttempts {
		if err = run(); !errors.Is(err, promotion.ErrGrown) || ctx.Err() != nil {
			return err
		}
	}
	return fmt.Errorf("%w: %w", errno.Stale, err)
}

// settle is what the payment of an order means for its group. Where the group is over, the money goes back.
func (s *Service) settle(ctx context.Context, tx *db.Tx, o *Order) error {
	in, err := s.Promotions.Paid(ctx, tx, o.ID)
	if err != nil {
		return err
	}
	if in {
		return s.Share.OrderPaid(ctx, tx, o.ID)
	}
	return s.apply(ctx, tx, o, AskRefund, system, nil)
}

// requestGroupRefund asks for the money of an order that is part of a group: a joiner leaves, an opener takes the group
// along.
func (s *Service) requestGroupRefund(ctx context.Context, shopper int64, part promotion.Member) error {
	if part.IsOpener() {
		return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
			return s.dissolve(ctx, tx, part.ID, &opening{part.OrderID, shopper})
		})
	}
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.Load(ctx, tx, part.OrderID, Shopper(shopper), Unlocked)
		if err != nil {
			return err
		}
		if err := s.apply(ctx, tx, &o, AskRefund, Shopper(shopper), nil); err != nil {
			return err
		}
		return s.Promotions.Leave(ctx, tx, part)
	})
}

// opening is the order of an opener who asks for their money.
type opening struct{ order, shopper int64 }

// dissolve ends a group that has not come about: unpaid orders end, paid ones get their money back. The orders are
// locked by id before the group, and the stock goes back last, so groups that end at once cannot wait for one another
// in a circle. With mine, that order's shopper has asked for it, and must be allowed to.
func (s *Service) dissolve(ctx context.Context, tx *db.Tx, group int64, mine *opening) error {
	parts, err := s.Promotions.OpenParts(ctx, tx, group)
	if err != nil {
		return err
	}
	ids := make([]int64, 0, len(parts)+1)
	for _, p := range parts {
		ids = append(ids, p.OrderID)
	}
	if mine != nil && !slices.Contains(ids, mine.order) {
		ids = append(ids, mine.order)
	}
	rows, err := orders.LockAll(ctx, tx, ids)
	if err != nil {
		return fmt.Errorf("lock the orders of group %d: %w", group, err)
	}
	members := ordersOf(rows)
	if mine != nil {
		if err := s.requestRefundOf(ctx, tx, members, *mine); err != nil {
			return err
		}
	}
	failed, err := s.Promotions.Dissolve(ctx, tx, group, parts)
	if err != nil {
		return err
	}
	return s.closeMemberOrders(ctx, tx, members, failed)
}

// requestRefundOf asks for the money of the opener's own order, as they are allowed to.
func (s *Service) requestRefundOf(ctx context.Context, tx *db.Tx, members []Order, mine opening) error {
	i := slices.IndexFunc(members, func(o Order) bool { return o.ID == mine.order })
	if i < 0 || members[i].gone(Shopper(mine.shopper)) {
		return fmt.Errorf("order %d for shopper %d: %w", mine.order, mine.shopper, errno.OrderUnknown)
	}
	return s.apply(ctx, tx, &members[i], AskRefund, Shopper(mine.shopper), nil)
}

// closeMemberOrders ends the orders of failed parts: all of them, then their stock at once, by product. Orders that are
// past both states, such as the opener's own, are left alone.
func (s *Service) closeMemberOrders(ctx context.Context, tx *db.Tx, members []Order, failed []promotion.Member) error {
	var back []catalog.StockLine
	for i := range members {
		o := &members[i]
		if !slices.ContainsFunc(failed, func(p promotion.Member) bool { return p.OrderID == o.ID }) || o.Deleted {
			continue
		}
		if _, refundable := o.Status.Next(AskRefund); refundable {
			if err := s.apply(ctx, tx, o, AskRefund, system, nil); err != nil {
				return err
			}
		}
		if _, unpaid := o.Status.Next(Expire); unpaid {
			pieces, err := s.expireMember(ctx, tx, o)
			if err != nil {
				return err
			}
			back = append(back, pieces...)
		}
	}
	if len(back) == 0 {
		return nil
	}
	return s.Stock.GiveBack(ctx, tx, system.stockActor(), returned[Expire], back)
}

// expireMember ends the unpaid order of a failed group and returns the pieces that are to go back.
func (s *Service) expireMember(ctx context.Context, tx *db.Tx, o *Order) ([]catalog.StockLine, error) {
	if err := s.move(ctx, tx, o, Expire, system, nil); err != nil {
		return nil, err
	}
	return s.releaseAllButStock(ctx, tx, *o, Expire)
}

// EndOffers closes the groupon offers whose time is over, and ends the open groups of every offer that is closed, each
// in its own transaction. It reports how many offers and groups it ended.
func (s *Service) EndOffers(ctx context.Context) (int, error) {
	closed, failed := s.Promotions.ExpireRules(ctx) // an offer that cannot be closed holds up no group
	ended, err := s.endGroups(ctx, 0, moveBatch)
	return closed + ended, errors.Join(failed, err)
}

// endGroups ends at most so many open groups of a closed offer, or of all closed offers. One that cannot be ended
// hinders no other; the last failure is reported.
func (s *Service) endGroups(ctx context.Context, rule int64, most int) (int, error) {
	return s.Failures.Each(ctx, job.Batch{
		Job: "checkGrouponExpired.group", Key: "g.id",
		Find: func(ctx context.Context, _ db.Querier, ready clause.Expr) ([]int64, error) {
			return s.Promotions.LostGroups(ctx, rule, ready, most)
		},
		Handle: func(ctx context.Context, group int64) error {
			return retryIfGroupChanged(ctx, func() error {
				return s.DB.InTx(ctx, func(tx *db.Tx) error { return s.dissolve(ctx, tx, group, nil) })
			})
		},
	})
}

// CloseRule ends a groupon offer, as promotion.RuleExpired or promotion.RuleTakenDown, and then its groups. It fails
// with errno.UpdateFailed for an unknown offer. Groups that cannot be ended now are ended by the job.
func (s *Service) CloseRule(ctx context.Context, id int64, status int) error {
	err := s.DB.InTx(ctx, func(tx *db.Tx) error {
		_, err := s.Promotions.CloseRule(ctx, tx, id, status)
		return err
	})
	if err != nil {
		return err
	}
	for {
		ended, err := s.endGroups(ctx, id, moveBatch)
		if err != nil || ended == 0 {
			return err
		}
	}
}

// byOperator is how long an operator waits for the groups of an offer to be ended, and endedByOperator for how many.
// The job ends those that are left.
const (
	byOperator      = 2 * time.Second
	endedByOperator = 100
)

// EndGroups ends the first open groups of an offer that an operator has closed in a transaction of its own. The closing
// is done and on record: what cannot be ended now is no failure, and is ended by the job.
func (s *Service) EndGroups(ctx context.Context, rule int64) {
	ctx, cancel := context.WithTimeout(ctx, byOperator)
	defer cancel()
	_, _ = s.endGroups(ctx, rule, endedByOperator)
}

// DropOffer takes a groupon offer down, deletes it and ends its groups. What cannot be ended now is ended by the job:
// the offer is gone all the same, so that is no failure of the call.
func (s *Service) DropOffer(ctx context.Context, id int64) error {
	if err := s.Promotions.DropRule(ctx, id); err != nil {
		return err
	}
	s.EndGroups(ctx, id)
	return nil
}

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
	found, err := orders.All(ctx, s.DB, ids)
	if err != nil {
		return nil, fmt.Errorf("read the orders of %d groups: %w", len(ids), err)
	}
	details, err := s.withLines(ctx, ordersOf(found))
	if err != nil {
		return nil, err
	}
	known := make(map[int64]Detail, len(details))
	for _, d := range details {
		known[d.ID] = d
	}
	var all []Membership
	for _, p := range parts {
		d, ok := known[p.OrderID]
		if ok && !d.PayTime.IsZero() && !d.gone(Shopper(shopper)) {
			all = append(all, Membership{Part: p, Detail: d})
		}
	}
	return s.withMembers(ctx, all)
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
	known, err := s.withMembers(ctx, []Membership{{Part: p, Detail: d}})
	if err != nil {
		return Membership{}, err
	}
	return known[0], nil
}

// withMembers fills in the offers and the people of groups, in one statement each.
func (s *Service) withMembers(ctx context.Context, all []Membership) ([]Membership, error) {
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
	o, ok, err := byID(ctx, s.DB, p.OrderID, Unlocked)
	if err != nil {
		return p, promotion.GroupRule{}, fmt.Errorf("read order %d of group %d: %w", p.OrderID, id, err)
	}
	r, known, err := s.Promotions.Rule(ctx, p.RuleID)
	if err == nil && (!ok || !known || p.Status == promotion.PartUnpaid || o.PayTime.IsZero()) {
		err = errno.NoSuch("grouponId")
	}
	return p, r, err
}
