package promotion

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
)

// ErrGrown says that a group has changed between the look at it and its lock: the transaction must be rolled back and
// begun anew.
var ErrGrown = errors.New("the group has changed meanwhile")

// Entry is an order that is to open a group, or to join one.
type Entry struct {
	Rule GroupRule
	// Group is the opener's part of the group to join, its zero value to open one.
	Group          Member
	Shopper, Order int64
}

// Joinable finds the group that a link leads to, by the opener's part or a joiner's, and checks that the shopper could
// take a place in it now; a link of 0 or less stands for a group to be opened. It fails as Enter does.
func (s *Service) Joinable(
	ctx context.Context, q db.Querier, rule GroupRule, link, shopper int64,
) (Member, error) {
	if link <= 0 {
		return Member{}, nil
	}
	opener, ok, err := members.Live(ctx, q, link)
	if err == nil && ok && !opener.IsOpener() {
		opener, ok, err = members.Live(ctx, q, opener.Joined)
	}
	if err != nil {
		return opener, fmt.Errorf("read group %d: %w", link, err)
	}
	if !ok {
		return opener, fmt.Errorf("group %d: %w", link, errno.NoSuch(text.FieldGroupToJoin))
	}
	if err := admits(opener, rule); err != nil {
		return opener, err
	}
	in := opener.OpenerID == shopper
	if !in {
		in, err = members.Exists(ctx, q, "r.groupon_id = ? AND r.user_id = ? AND r.status IN ? AND r.deleted = 0",
			opener.ID, shopper, inGroup)
		if err != nil {
			return opener, fmt.Errorf("look for shopper %d in group %d: %w", shopper, opener.ID, err)
		}
	}
	if in {
		return opener, fmt.Errorf("shopper %d is in group %d: %w", shopper, opener.ID, errno.GrouponJoined)
	}
	return opener, hasPlace(opener, rule)
}

// admits says why nobody can join a group.
func admits(opener Member, rule GroupRule) error {
	switch {
	case opener.RuleID != rule.ID || opener.Status == PartUnpaid:
		return fmt.Errorf("group %d under group rule %d: %w", opener.ID, rule.ID, errno.NoSuch(text.FieldGroupToJoin))
	case opener.Status == PartSucceeded:
		return fmt.Errorf("group %d has come about: %w", opener.ID, errno.GrouponFull)
	case opener.Status == PartFailed:
		return fmt.Errorf("group %d has failed: %w", opener.ID, errno.GrouponExpired)
	}
	return nil
}

func hasPlace(opener Member, rule GroupRule) error {
	if opener.Places >= rule.Members-1 {
		return fmt.Errorf("group %d has no place left: %w", opener.ID, errno.GrouponFull)
	}
	return nil
}

// Enter gives an order its part and returns its group. A place is held from now until the order ends. It fails with
// errno.Invalid for a group that is unknown, not paid for or under another rule, with GrouponExpired, GrouponOffline,
// GrouponFull, GrouponJoined for a shopper who is in the group already, and with Stale where the rule is no longer the
// one that the price was made of. The rule is read a second time, under its lock: the price is made of it before the
// coupon is locked, and rules are locked after coupons.
func (s *Service) Enter(ctx context.Context, tx *db.Tx, e Entry) (int64, error) {
	now := s.now()
	rule, ok, err := rules.Lock(ctx, tx, e.Rule.ID) // which keeps it from being closed
	if err != nil || !ok {
		return 0, errors.Join(fmt.Errorf("lock group rule %d", e.Rule.ID), err)
	}
	if err := rule.refusal(now); err != nil {
		return 0, err
	}
	if rule.GoodsID != e.Rule.GoodsID || rule.Discount != e.Rule.Discount {
		return 0, fmt.Errorf("group rule %d has changed: %w", rule.ID, errno.Stale)
	}
	p := Member{
		OrderID: e.Order, RuleID: rule.ID, UserID: e.Shopper, OpenerID: e.Shopper, OpenedAt: now, Status: PartUnpaid,
		AddTime: now, UpdateTime: now,
	}
	if e.Group.ID != 0 {
		if err := s.takePlace(ctx, tx, e.Group.ID, rule); err != nil {
			return 0, err
		}
		p.Joined, p.OpenerID, p.OpenedAt = e.Group.ID, e.Group.OpenerID, time.Time{}
	}
	if p.ID, err = members.Insert(ctx, tx, p); db.Duplicate(err, "uk_groupon_member") {
		return 0, fmt.Errorf("shopper %d is in group %d: %w", e.Shopper, p.Joined, errno.GrouponJoined)
	}
	return p.Group(), wrap(err, "write the part of order %d", e.Order)
}

// takePlace counts one joiner more in a group, where the group still admits one: Joinable has read it without a lock.
// Whether the shopper is in the group is not looked at again: one shopper's orders wait for each other.
func (s *Service) takePlace(ctx context.Context, tx *db.Tx, group int64, rule GroupRule) error {
	set := table.Set{"member_count": gorm.Expr("member_count + 1"), "update_time": s.now()}
	taken, err := members.Moved(ctx, tx, set,
		"id = ? AND rules_id = ? AND status = ? AND member_count < ? AND deleted = 0",
		group, rule.ID, PartRunning, rule.Members-1)
	if err == nil && !taken {
		err = refusePlace(ctx, tx, group, rule)
	}
	return wrap(err, "take a place in group %d", group)
}

// refusePlace says why a group admits nobody.
func refusePlace(ctx context.Context, tx *db.Tx, group int64, rule GroupRule) error {
	opener, ok, err := members.LockLive(ctx, tx, group)
	if err != nil {
		return err
	}
	if !ok {
		return errno.NoSuch(text.FieldGroupToJoin)
	}
	if err := admits(opener, rule); err != nil {
		return err
	}
	return errno.GrouponFull
}

// Paid is what the payment of an order means for its part. It reports false where the group is over, so that the
// money must go back. The payment that brings the last member makes the group come about.
func (s *Service) Paid(ctx context.Context, tx *db.Tx, order int64) (bool, error) {
	seen, ok, err := memberOf(ctx, tx, order)
	if err != nil || !ok {
		return true, wrap(err, "read the part of order %d", order)
	}
	rule, ok, err := rules.Lock(ctx, tx, seen.RuleID)
	if err != nil || !ok {
		return false, errors.Join(fmt.Errorf("lock group rule %d", seen.RuleID), err)
	}
	opener, p, err := s.lockGroup(ctx, tx, seen)
	if err != nil {
		return false, err
	}
	e := PartPay
	if !rule.Live(s.now()) || !p.IsOpener() && opener.Status != PartRunning {
		e = PartPayLate
	}
	if _, ok := p.Status.Next(e); !ok {
		return false, nil
	}
	if err := s.movePart(ctx, tx, p, e); err != nil || e == PartPayLate {
		return false, err
	}
	if p.IsOpener() {
		return true, nil
	}
	return true, s.complete(ctx, tx, opener.ID, rule.Members)
}

// complete makes a group come about once the opener and enough joiners have paid.
func (s *Service) complete(ctx context.Context, tx *db.Tx, group int64, members int) error {
	parts, err := undecidedOf(ctx, tx, group)
	if err != nil {
		return fmt.Errorf("read the members of group %d: %w", group, err)
	}
	parts = slices.DeleteFunc(parts, func(p Member) bool { return p.Status != PartRunning })
	if len(parts) < members {
		return nil
	}
	return s.moveParts(ctx, tx, parts, PartComplete)
}

// lockGroup locks the group of a part and reads the part again.
func (s *Service) lockGroup(ctx context.Context, tx *db.Tx, p Member) (opener, now Member, err error) {
	opener, ok, err := members.LockLive(ctx, tx, p.Group())
	if err != nil || !ok {
		return opener, p, errors.Join(fmt.Errorf("lock group %d", p.Group()), err)
	}
	if p.IsOpener() {
		return opener, opener, nil
	}
	now, ok, err = members.Live(ctx, tx, p.ID)
	if err != nil || !ok {
		return opener, now, errors.Join(fmt.Errorf("read part %d again", p.ID), err)
	}
	return opener, now, nil
}

// movePart moves one part.
func (s *Service) movePart(ctx context.Context, tx *db.Tx, p Member, e PartEvent) error {
	return s.moveParts(ctx, tx, []Member{p}, e)
}

// moveParts moves parts of one group, with the same statements however many they are. The group is locked, so nobody
// else writes them; the places of joiners go back with a failure.
func (s *Service) moveParts(ctx context.Context, tx *db.Tx, parts []Member, e PartEvent) error {
	ids := map[PartStatus][]int64{}
	var failed []Member
	for _, p := range parts {
		to, ok := p.Status.Next(e)
		if !ok {
			return fmt.Errorf("%s part %d in %d: %w", e, p.ID, p.Status, ErrGrown)
		}
		ids[p.Status] = append(ids[p.Status], p.ID)
		if to == PartFailed {
			failed = append(failed, p)
		}
	}
	for _, from := range slices.Sorted(maps.Keys(ids)) {
		to, _ := from.Next(e)
		set := table.Set{"status": to, "update_time": s.now()}
		if to == PartFailed { // and holds no place
			set["active_mark"] = gorm.Expr("id")
		}
		moved, err := members.Update(ctx, tx, set, "id IN ? AND status = ?", ids[from], from)
		if err != nil || moved != int64(len(ids[from])) {
			return errors.Join(fmt.Errorf("%s parts %v in %d", e, ids[from], from), err)
		}
	}
	return s.freePlaces(ctx, tx, failed)
}

// freePlaces gives the places of joiners back to their group.
func (s *Service) freePlaces(ctx context.Context, tx *db.Tx, parts []Member) error {
	parts = slices.DeleteFunc(slices.Clone(parts), func(p Member) bool { return p.IsOpener() || p.ActiveMark != 0 })
	if len(parts) == 0 {
		return nil
	}
	n := len(parts)
	set := table.Set{"member_count": gorm.Expr("member_count - ?", n), "update_time": s.now()}
	freed, err := members.Moved(ctx, tx, set, "id = ? AND member_count >= ?", parts[0].Joined, n)
	if err != nil || !freed {
		return errors.Join(fmt.Errorf("free %d places in group %d", n, parts[0].Joined), err)
	}
	return nil
}

// PartOf finds the part of an order. It reports false for an ordinary purchase.
func (s *Service) PartOf(ctx context.Context, q db.Querier, order int64) (Member, bool, error) {
	p, ok, err := memberOf(ctx, q, order)
	return p, ok, wrap(err, "read the part of order %d", order)
}

// Leave takes a joiner who asks for their money out of a group that is still gathering. What has come about or failed
// stays. An opener does not leave their group but dissolves it: ErrGrown says that this is what had to be done.
func (s *Service) Leave(ctx context.Context, tx *db.Tx, seen Member) error {
	_, p, err := s.lockGroup(ctx, tx, seen)
	switch {
	case err != nil:
		return err
	case p.Status != PartRunning:
		return nil
	case p.IsOpener():
		return fmt.Errorf("group %d is running: %w", p.ID, ErrGrown)
	}
	return s.movePart(ctx, tx, p, PartLeave)
}

// GivePlaceBack ends the part of an order that ends without a sale. A part that succeeded stays so, but holds no place
// any longer.
func (s *Service) GivePlaceBack(ctx context.Context, tx *db.Tx, order int64) error {
	seen, ok, err := memberOf(ctx, tx, order)
	if err != nil || !ok {
		return wrap(err, "read the part of order %d", order)
	}
	_, p, err := s.lockGroup(ctx, tx, seen)
	if err != nil {
		return err
	}
	switch p.Status {
	case PartUnpaid:
		return s.movePart(ctx, tx, p, PartCancel)
	case PartRunning: // its order asked for the money in another shop, where members stayed in the group
		return s.movePart(ctx, tx, p, PartLeave)
	case PartSucceeded, PartFailed:
	}
	if p.ActiveMark != 0 {
		return nil
	}
	set := table.Set{"active_mark": gorm.Expr("id"), "update_time": s.now()}
	if _, err := members.Update(ctx, tx, set, "id = ? AND active_mark = 0", p.ID); err != nil {
		return fmt.Errorf("give the place of part %d back: %w", p.ID, err)
	}
	return s.freePlaces(ctx, tx, []Member{p})
}

// OpenParts returns the parts of a group of which it is not decided what becomes of them, by id. Nothing is locked.
func (s *Service) OpenParts(ctx context.Context, q db.Querier, group int64) ([]Member, error) {
	parts, err := undecidedOf(ctx, q, group)
	return parts, wrap(err, "read the members of group %d", group)
}

// Dissolve fails what is undecided of a group and returns these parts. seen are the parts whose orders the caller has
// locked; it fails with ErrGrown where the group has one more. A group that is decided is left alone.
func (s *Service) Dissolve(ctx context.Context, tx *db.Tx, group int64, seen []Member) ([]Member, error) {
	opener, ok, err := members.LockLive(ctx, tx, group)
	if err != nil || !ok || !opener.Status.Open() {
		return nil, wrap(err, "lock group %d", group)
	}
	parts, err := undecidedOf(ctx, tx, group)
	if err != nil {
		return nil, fmt.Errorf("read the members of group %d: %w", group, err)
	}
	for _, p := range parts {
		if !slices.ContainsFunc(seen, func(old Member) bool { return old.ID == p.ID }) {
			return nil, fmt.Errorf("part %d of group %d: %w", p.ID, group, ErrGrown)
		}
	}
	return parts, s.moveParts(ctx, tx, parts, PartDissolve)
}

// LostGroups returns groups that are still open although their rule has ended, the oldest and at most so many; rule is
// 0 for those of any rule, and ready leaves out those that a job has set aside.
func (s *Service) LostGroups(ctx context.Context, rule int64, ready clause.Expr, most int) ([]int64, error) {
	var ids []int64
	err := s.db.G(ctx).Raw(`SELECT g.id FROM groupon g
		JOIN groupon_rules r ON r.id = g.rules_id
		WHERE g.groupon_id IS NULL AND g.status IN @undecided AND g.deleted = 0
			AND (r.status <> @on OR r.deleted = 1)
			AND (@rule = 0 OR g.rules_id = @rule)
			AND @ready
		ORDER BY g.id LIMIT @most`, map[string]any{
		"undecided": undecided, "on": RuleOn, "rule": rule, "ready": ready, "most": most,
	}).Scan(&ids).Error
	return ids, wrap(err, "look for groups without a rule")
}
