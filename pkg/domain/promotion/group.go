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

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// ErrGroupChanged says that a group changed between being read and being locked: the transaction must be rolled back
// and retried.
var ErrGroupChanged = errors.New("the group has changed meanwhile")

// Entry is an order that opens a group or joins one.
type Entry struct {
	Rule GroupRule
	// Group is the opener of the group to join, the zero value to open one.
	Group          Member
	Shopper, Order int64
}

// Joinable finds the group of a link, which names the opener or a joiner, and checks that the shopper could join it
// now; a link of 0 or less means a new group. It fails like Enter.
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
	return opener, hasRoom(opener, rule)
}

// admits refuses a group that is not gathering, or has another rule.
func admits(opener Member, rule GroupRule) error {
	switch {
	case opener.RuleID != rule.ID || opener.Status == MemberUnpaid:
		return fmt.Errorf("group %d under group rule %d: %w", opener.ID, rule.ID, errno.NoSuch(text.FieldGroupToJoin))
	case opener.Status == MemberSucceeded:
		return fmt.Errorf("group %d is complete: %w", opener.ID, errno.GrouponFull)
	case opener.Status == MemberFailed:
		return fmt.Errorf("group %d has failed: %w", opener.ID, errno.GrouponExpired)
	}
	return nil
}

func hasRoom(opener Member, rule GroupRule) error {
	if opener.Joiners >= rule.Members-1 {
		return fmt.Errorf("group %d is full: %w", opener.ID, errno.GrouponFull)
	}
	return nil
}

// Enter makes an order a member of its group and returns the group. An unpaid joiner counts from now until the order
// ends. It fails with errno.Invalid for a group that is unknown, not paid for or under another rule, with
// GrouponExpired, GrouponOffline, GrouponFull, GrouponJoined for a shopper who is in the group already, and with Stale
// where the rule is no longer the one that the price was made of. The rule is read a second time, under its lock: the
// price decides which coupon is locked, and rules are locked after coupons.
func (s *Service) Enter(ctx context.Context, tx *db.Tx, e Entry) (int64, error) {
	now := s.now()
	rule, ok, err := rules.Lock(ctx, tx, e.Rule.ID) // so that the rule is not closed concurrently
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
		OrderID: e.Order, RuleID: rule.ID, UserID: e.Shopper, OpenerID: e.Shopper, OpenedAt: now, Status: MemberUnpaid,
		AddTime: now, UpdateTime: now,
	}
	if e.Group.ID != 0 {
		if err := s.addJoiner(ctx, tx, e.Group.ID, rule); err != nil {
			return 0, err
		}
		p.Joined, p.OpenerID, p.OpenedAt = e.Group.ID, e.Group.OpenerID, time.Time{}
	}
	if p.ID, err = members.Insert(ctx, tx, p); db.Duplicate(err, "uk_groupon_member") {
		return 0, fmt.Errorf("shopper %d is in group %d: %w", e.Shopper, p.Joined, errno.GrouponJoined)
	}
	return p.Group(), wrap(err, "write the group member of order %d", e.Order)
}

// addJoiner counts a joiner in a group that still admits one: Joinable has read it without a lock. Whether the shopper
// is already a member need not be checked again, since the submissions of one shopper are serialized.
func (s *Service) addJoiner(ctx context.Context, tx *db.Tx, group int64, rule GroupRule) error {
	set := table.Set{"member_count": gorm.Expr("member_count + 1"), "update_time": s.now()}
	taken, err := members.Moved(ctx, tx, set,
		"id = ? AND rules_id = ? AND status = ? AND member_count < ? AND deleted = 0",
		group, rule.ID, MemberRunning, rule.Members-1)
	if err == nil && !taken {
		err = refuseJoiner(ctx, tx, group, rule)
	}
	return wrap(err, "join group %d", group)
}

// refuseJoiner finds out why a group admits no joiner.
func refuseJoiner(ctx context.Context, tx *db.Tx, group int64, rule GroupRule) error {
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

// Paid applies the payment of an order to its group member, if it has one. in is false if the group has ended and the
// money must be refunded. The payment of the last member completes the group.
func (s *Service) Paid(ctx context.Context, tx *db.Tx, order int64) (member, in bool, err error) {
	seen, ok, err := memberOf(ctx, tx, order)
	if err != nil || !ok {
		return false, true, wrap(err, "read the group member of order %d", order)
	}
	in, err = s.memberPaid(ctx, tx, seen)
	return true, in, err
}

// memberPaid is Paid for a member as read without a lock.
func (s *Service) memberPaid(ctx context.Context, tx *db.Tx, seen Member) (in bool, err error) {
	rule, ok, err := rules.Lock(ctx, tx, seen.RuleID)
	if err != nil || !ok {
		return false, errors.Join(fmt.Errorf("lock group rule %d", seen.RuleID), err)
	}
	opener, p, err := s.lockGroup(ctx, tx, seen)
	if err != nil {
		return false, err
	}
	e := MemberPay
	if !rule.Live(s.now()) || !p.IsOpener() && opener.Status != MemberRunning {
		e = MemberPayLate
	}
	if _, ok := p.Status.Next(e); !ok {
		return false, nil
	}
	if err := s.moveMember(ctx, tx, p, e); err != nil || e == MemberPayLate {
		return false, err
	}
	if p.IsOpener() {
		return true, nil
	}
	return true, s.complete(ctx, tx, opener.ID, rule.Members)
}

// complete completes a group if the opener and enough joiners have paid.
func (s *Service) complete(ctx context.Context, tx *db.Tx, group int64, members int) error {
	list, err := undecidedOf(ctx, tx, group)
	if err != nil {
		return fmt.Errorf("read the members of group %d: %w", group, err)
	}
	list = slices.DeleteFunc(list, func(p Member) bool { return p.Status != MemberRunning })
	if len(list) < members {
		return nil
	}
	return s.moveMembers(ctx, tx, list, MemberComplete)
}

// lockGroup locks the group of a member and reads the member again.
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
		return opener, now, errors.Join(fmt.Errorf("read member %d again", p.ID), err)
	}
	return opener, now, nil
}

// moveMember applies an event to one member.
func (s *Service) moveMember(ctx context.Context, tx *db.Tx, p Member, e MemberEvent) error {
	return s.moveMembers(ctx, tx, []Member{p}, e)
}

// moveMembers applies an event to members of one group with a constant number of statements. The group is locked, so
// that nobody else writes its members; joiners who fail are no longer counted.
func (s *Service) moveMembers(ctx context.Context, tx *db.Tx, list []Member, e MemberEvent) error {
	ids := map[MemberStatus][]int64{}
	var failed []Member
	for _, p := range list {
		to, ok := p.Status.Next(e)
		if !ok {
			return fmt.Errorf("%s member %d in %d: %w", e, p.ID, p.Status, ErrGroupChanged)
		}
		ids[p.Status] = append(ids[p.Status], p.ID)
		if to == MemberFailed {
			failed = append(failed, p)
		}
	}
	for _, from := range slices.Sorted(maps.Keys(ids)) {
		to, _ := from.Next(e)
		set := table.Set{"status": to, "update_time": s.now()}
		if to == MemberFailed { // and no longer counts
			set["active_mark"] = gorm.Expr("id")
		}
		moved, err := members.Update(ctx, tx, set, "id IN ? AND status = ?", ids[from], from)
		if err != nil || moved != int64(len(ids[from])) {
			return errors.Join(fmt.Errorf("%s members %v in %d", e, ids[from], from), err)
		}
	}
	return s.removeJoiners(ctx, tx, failed)
}

// removeJoiners no longer counts joiners in their group.
func (s *Service) removeJoiners(ctx context.Context, tx *db.Tx, list []Member) error {
	list = slices.DeleteFunc(slices.Clone(list), func(p Member) bool { return p.IsOpener() || p.ActiveMark != 0 })
	if len(list) == 0 {
		return nil
	}
	n := len(list)
	set := table.Set{"member_count": gorm.Expr("member_count - ?", n), "update_time": s.now()}
	freed, err := members.Moved(ctx, tx, set, "id = ? AND member_count >= ?", list[0].Joined, n)
	if err != nil || !freed {
		return errors.Join(fmt.Errorf("remove %d joiners from group %d", n, list[0].Joined), err)
	}
	return nil
}

// MemberOf finds the group member of an order. It reports false for an ordinary purchase.
func (s *Service) MemberOf(ctx context.Context, q db.Querier, order int64) (Member, bool, error) {
	p, ok, err := memberOf(ctx, q, order)
	return p, ok, wrap(err, "read the group member of order %d", order)
}

// Leave removes a joiner who requests a refund from a group that is still gathering. Members who have succeeded or
// failed stay as they are. An opener dissolves the group instead; Leave fails with ErrGroupChanged for one.
func (s *Service) Leave(ctx context.Context, tx *db.Tx, seen Member) error {
	_, p, err := s.lockGroup(ctx, tx, seen)
	switch {
	case err != nil:
		return err
	case p.Status != MemberRunning:
		return nil
	case p.IsOpener():
		return fmt.Errorf("group %d is running: %w", p.ID, ErrGroupChanged)
	}
	return s.moveMember(ctx, tx, p, MemberLeave)
}

// ReleaseMember removes the member of an order that ends without a sale from its group. A member who succeeded keeps
// that state, but no longer counts.
func (s *Service) ReleaseMember(ctx context.Context, tx *db.Tx, order int64) error {
	seen, ok, err := memberOf(ctx, tx, order)
	if err != nil || !ok {
		return wrap(err, "read the group member of order %d", order)
	}
	_, p, err := s.lockGroup(ctx, tx, seen)
	if err != nil {
		return err
	}
	switch p.Status {
	case MemberUnpaid:
		return s.moveMember(ctx, tx, p, MemberCancel)
	case MemberRunning: // imported: in the previous shop members stayed in the group while their refund was pending
		return s.moveMember(ctx, tx, p, MemberLeave)
	case MemberSucceeded, MemberFailed:
	}
	if p.ActiveMark != 0 {
		return nil
	}
	set := table.Set{"active_mark": gorm.Expr("id"), "update_time": s.now()}
	if _, err := members.Update(ctx, tx, set, "id = ? AND active_mark = 0", p.ID); err != nil {
		return fmt.Errorf("take member %d out of the group: %w", p.ID, err)
	}
	return s.removeJoiners(ctx, tx, []Member{p})
}

// OpenMembers returns the members of a group who have neither succeeded nor failed, by id, without locks.
func (s *Service) OpenMembers(ctx context.Context, q db.Querier, group int64) ([]Member, error) {
	list, err := undecidedOf(ctx, q, group)
	return list, wrap(err, "read the members of group %d", group)
}

// Dissolve fails the members of a group who have neither succeeded nor failed, and returns them. The caller has locked
// the orders of seen; it fails with ErrGroupChanged if the group has another member. A group that has ended is ignored.
func (s *Service) Dissolve(ctx context.Context, tx *db.Tx, group int64, seen []Member) ([]Member, error) {
	opener, ok, err := members.LockLive(ctx, tx, group)
	if err != nil || !ok || !opener.Status.Open() {
		return nil, wrap(err, "lock group %d", group)
	}
	list, err := undecidedOf(ctx, tx, group)
	if err != nil {
		return nil, fmt.Errorf("read the members of group %d: %w", group, err)
	}
	for _, p := range list {
		if !slices.ContainsFunc(seen, func(old Member) bool { return old.ID == p.ID }) {
			return nil, fmt.Errorf("member %d of group %d: %w", p.ID, group, ErrGroupChanged)
		}
	}
	return list, s.moveMembers(ctx, tx, list, MemberDissolve)
}

// GroupsWithoutRule returns groups that are still open although their rule has ended, oldest first and at most limit;
// rule is 0 for those of any rule, and ready excludes those that a job will retry later.
func (s *Service) GroupsWithoutRule(ctx context.Context, rule int64, ready clause.Expr, most int) ([]int64, error) {
	var ids []int64
	err := table.Scan(ctx, s.db, &ids, `SELECT g.id FROM groupon g
		JOIN groupon_rules r ON r.id = g.rules_id
		WHERE g.groupon_id IS NULL AND g.status IN @undecided AND g.deleted = 0
			AND (r.status <> @on OR r.deleted = 1)
			AND (@rule = 0 OR g.rules_id = @rule)
			AND @ready
		ORDER BY g.id LIMIT @most`, map[string]any{
		"undecided": undecided, "on": GroupRuleOn, "rule": rule, "ready": ready, "most": most,
	})
	return ids, wrap(err, "look for groups without a rule")
}
