package order

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm/clause"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/runtime/job"
)

// groupAttempts bounds the retries because of a member who joined concurrently.
const groupAttempts = 5

// retryIfGroupChanged retries what fails with promotion.ErrGroupChanged: the group got another member after its members
// were read, whose orders must be locked before the group.
func retryIfGroupChanged(ctx context.Context, run func() error) error {
	var err error
	for range groupAttempts {
		if err = run(); !errors.Is(err, promotion.ErrGroupChanged) || ctx.Err() != nil {
			return err
		}
	}
	return fmt.Errorf("%w: %w", errno.Stale, err)
}

// settle applies the payment of an order to its group. If the group is closed, the money is refunded.
func (s *Service) settle(ctx context.Context, tx *db.Tx, o *Order) error {
	member, in, err := s.Promotions.Paid(ctx, tx, o.ID)
	if err != nil || !member {
		return err
	}
	if in {
		return s.Share.OrderPaid(ctx, tx, o.ID)
	}
	return s.apply(ctx, tx, o, AskRefund, actor.System, nil)
}

// requestGroupRefund requests the refund of an order that is part of a group: a joiner leaves the group, an opener ends
// it.
func (s *Service) requestGroupRefund(ctx context.Context, shopper int64, member promotion.Member) error {
	if member.IsOpener() {
		return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
			return s.dissolve(ctx, tx, member.ID, &opening{member.OrderID, shopper})
		})
	}
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.Load(ctx, tx, member.OrderID, actor.Shopper(shopper), Unlocked)
		if err != nil {
			return err
		}
		if err := s.apply(ctx, tx, &o, AskRefund, actor.Shopper(shopper), nil); err != nil {
			return err
		}
		return s.Promotions.Leave(ctx, tx, member)
	})
}

// opening is the order of an opener who requests a refund.
type opening struct{ order, shopper int64 }

// dissolve fails an open group: unpaid orders expire, paid ones are refunded. The orders are locked by id before the
// group, and stock is returned last, so that groups that end concurrently cannot deadlock. If mine is set, the opener
// has requested it, and must be allowed to.
func (s *Service) dissolve(ctx context.Context, tx *db.Tx, group int64, mine *opening) error {
	open, err := s.Promotions.OpenMembers(ctx, tx, group)
	if err != nil {
		return err
	}
	ids := make([]int64, 0, len(open)+1)
	for _, p := range open {
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
	failed, err := s.Promotions.Dissolve(ctx, tx, group, open)
	if err != nil {
		return err
	}
	return s.closeMemberOrders(ctx, tx, members, failed)
}

// requestRefundOf requests the refund of the opener's own order, if its state allows it.
func (s *Service) requestRefundOf(ctx context.Context, tx *db.Tx, members []Order, mine opening) error {
	i := slices.IndexFunc(members, func(o Order) bool { return o.ID == mine.order })
	if i < 0 || members[i].gone(actor.Shopper(mine.shopper)) {
		return fmt.Errorf("order %d for shopper %d: %w", mine.order, mine.shopper, errno.OrderUnknown)
	}
	return s.apply(ctx, tx, &members[i], AskRefund, actor.Shopper(mine.shopper), nil)
}

// closeMemberOrders ends the orders of failed members, then returns their stock in one step, by product. Orders in
// other states, such as the opener's own, are skipped.
func (s *Service) closeMemberOrders(ctx context.Context, tx *db.Tx, members []Order, failed []promotion.Member) error {
	var back []catalog.StockLine
	for i := range members {
		o := &members[i]
		if !slices.ContainsFunc(failed, func(p promotion.Member) bool { return p.OrderID == o.ID }) || o.Deleted {
			continue
		}
		if _, refundable := o.next(AskRefund); refundable {
			if err := s.apply(ctx, tx, o, AskRefund, actor.System, nil); err != nil {
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
	return s.Stock.GiveBack(ctx, tx, actor.System, returned[Expire], back)
}

// expireMember expires the unpaid order of a failed group and returns the stock lines to give back.
func (s *Service) expireMember(ctx context.Context, tx *db.Tx, o *Order) ([]catalog.StockLine, error) {
	if err := s.move(ctx, tx, o, Expire, actor.System, nil); err != nil {
		return nil, err
	}
	return s.releaseAllButStock(ctx, tx, *o, Expire)
}

// EndGroupRules closes expired group-buy rules and fails the open groups of every closed rule, each in its own
// transaction. It returns how many rules and groups it ended.
func (s *Service) EndGroupRules(ctx context.Context) (int, error) {
	closed, failed := s.Promotions.ExpireGroupRules(ctx) // a rule that cannot be closed does not stop the groups
	ended, err := s.endGroups(ctx, 0, moveBatch)
	return closed + ended, errors.Join(failed, err)
}

// endGroups fails at most so many open groups of a closed rule, or of all closed rules. A group that cannot be ended
// does not stop the others; the last error is returned.
func (s *Service) endGroups(ctx context.Context, rule int64, most int) (int, error) {
	return s.Failures.Each(ctx, job.Batch{
		Job: "checkGrouponExpired.group", Key: "g.id",
		Find: func(ctx context.Context, _ db.Querier, ready clause.Expr) ([]int64, error) {
			return s.Promotions.GroupsWithoutRule(ctx, rule, ready, most)
		},
		Handle: func(ctx context.Context, group int64) error {
			return retryIfGroupChanged(ctx, func() error {
				return s.DB.InTx(ctx, func(tx *db.Tx) error { return s.dissolve(ctx, tx, group, nil) })
			})
		},
	})
}

// CloseGroupRule closes a group-buy rule with promotion.GroupRuleExpired or promotion.GroupRuleTakenDown, and then
// fails its groups. It fails with errno.UpdateFailed for an unknown rule. The job ends the groups that could not be
// ended here.
func (s *Service) CloseGroupRule(ctx context.Context, id int64, status int) error {
	err := s.DB.InTx(ctx, func(tx *db.Tx) error {
		_, err := s.Promotions.CloseGroupRule(ctx, tx, id, status)
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

// byOperator is how long an operator's request may end the groups of a rule, and endedByOperator how many. The job ends
// the rest.
const (
	byOperator      = 2 * time.Second
	endedByOperator = 100
)

// EndGroups ends the first open groups of a rule that an operator has closed in a transaction of its own. The rule is
// closed and recorded, so a group that cannot be ended now is no error; the job ends it.
func (s *Service) EndGroups(ctx context.Context, rule int64) {
	ctx, cancel := context.WithTimeout(ctx, byOperator)
	defer cancel()
	_, _ = s.endGroups(ctx, rule, endedByOperator)
}

// DropGroupRule closes and deletes a group-buy rule and ends its groups. Groups that cannot be ended now are no error;
// the job ends them.
func (s *Service) DropGroupRule(ctx context.Context, id int64) error {
	if err := s.Promotions.DropGroupRule(ctx, id); err != nil {
		return err
	}
	s.EndGroups(ctx, id)
	return nil
}

// Membership is a shopper's membership in a group with their order.
type Membership struct {
	Member promotion.Member
	Rule   promotion.GroupRule
	Detail
	// Members are those who have paid and not left: the opener, then the joiners, oldest first.
	Members []account.Person
}

// Opener returns the member who opened the group.
func (m Membership) Opener() account.Person { return m.Members[0] }

// Groups returns the groups that the shopper has opened, or joined, newest first, without those whose order was never
// paid or is hidden.
func (s *Service) Groups(ctx context.Context, shopper int64, joined bool) ([]Membership, error) {
	memberships, err := s.Promotions.Memberships(ctx, shopper, joined)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(memberships))
	for i, p := range memberships {
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
	for _, p := range memberships {
		d, ok := known[p.OrderID]
		if ok && !d.PayTime.IsZero() && !d.gone(actor.Shopper(shopper)) {
			all = append(all, Membership{Member: p, Detail: d})
		}
	}
	return s.withMembers(ctx, all)
}

// Group returns the shopper's membership in the group that a member's id belongs to. It fails with errno.Invalid for a
// shopper who is not a member.
func (s *Service) Group(ctx context.Context, shopper, id int64) (Membership, error) {
	p, err := s.Promotions.OwnMember(ctx, shopper, id)
	if err != nil {
		return Membership{}, err
	}
	d, err := s.Find(ctx, shopper, p.OrderID)
	if errors.Is(err, errno.OrderUnknown) {
		err = errno.NoSuch(text.FieldGroup)
	}
	if err != nil {
		return Membership{}, err
	}
	known, err := s.withMembers(ctx, []Membership{{Member: p, Detail: d}})
	if err != nil {
		return Membership{}, err
	}
	return known[0], nil
}

// withMembers loads the group-buy rules and the people of groups, in one statement each.
func (s *Service) withMembers(ctx context.Context, all []Membership) ([]Membership, error) {
	memberships, rules := make([]promotion.Member, len(all)), make([]int64, len(all))
	for i, m := range all {
		memberships[i], rules[i] = m.Member, m.Member.RuleID
	}
	ruleByID, err := s.Promotions.GroupRules(ctx, rules)
	if err != nil {
		return nil, err
	}
	members, err := s.Promotions.ShoppersOf(ctx, memberships)
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
		m.Rule = ruleByID[m.Member.RuleID]
		for _, id := range members[m.Member.Group()] {
			m.Members = append(m.Members, people[id])
		}
		known = append(known, m)
	}
	return known, nil
}

// Invitation is a group as shown to people outside it: its opener and its rule.
type Invitation struct {
	Member promotion.Member
	Rule   promotion.GroupRule
	Opener account.Person
}

// Missing is the number of members that the group still has room for; who has not paid yet holds a place.
func (i Invitation) Missing() int {
	if i.Member.Status != promotion.MemberRunning {
		return 0
	}
	return max(i.Rule.Members-1-i.Member.Joiners, 0)
}

// Invitation returns what an invited person sees, by the id of the opener's or a joiner's membership. It fails with
// errno.Invalid for a group that is unknown or was never paid for.
func (s *Service) Invitation(ctx context.Context, id int64) (Invitation, error) {
	p, err := s.Promotions.Opening(ctx, id)
	if err != nil {
		return Invitation{}, err
	}
	o, ok, err := byID(ctx, s.DB, p.OrderID, Unlocked)
	if err != nil {
		return Invitation{}, fmt.Errorf("read order %d of group %d: %w", p.OrderID, id, err)
	}
	r, known, err := s.Promotions.GroupRule(ctx, p.RuleID)
	if err == nil && (!ok || !known || p.Status == promotion.MemberUnpaid || o.PayTime.IsZero()) {
		err = errno.NoSuch(text.FieldGroup)
	}
	if err != nil {
		return Invitation{}, err
	}
	invitations, err := s.invitations(ctx, r, []promotion.Member{p})
	if err != nil {
		return Invitation{}, err
	}
	return invitations[0], nil
}

// OpenGroups returns the groups for some goods that anybody may join, at most twenty for each group-buy rule in effect.
func (s *Service) OpenGroups(ctx context.Context, goods int64) ([]Invitation, error) {
	rules, err := s.Promotions.LiveGroupRulesOf(ctx, goods)
	if err != nil {
		return nil, err
	}
	var all []Invitation
	for _, r := range rules { // at most one, by its unique key
		open, err := s.Promotions.OpenGroups(ctx, r)
		if err != nil {
			return nil, err
		}
		invitations, err := s.invitations(ctx, r, open)
		if err != nil {
			return nil, err
		}
		all = append(all, invitations...)
	}
	return all, nil
}

// invitations loads the openers of groups.
func (s *Service) invitations(
	ctx context.Context, rule promotion.GroupRule, openers []promotion.Member,
) ([]Invitation, error) {
	ids := make([]int64, len(openers))
	for i, o := range openers {
		ids[i] = o.OpenerID
	}
	people, err := s.Accounts.People(ctx, s.DB, ids)
	if err != nil {
		return nil, err
	}
	all := make([]Invitation, len(openers))
	for i, o := range openers {
		all[i] = Invitation{Member: o, Rule: rule, Opener: people[o.OpenerID]}
	}
	return all, nil
}
