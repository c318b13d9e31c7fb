package promotion

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
)

// Member is a shopper's part in a group purchase. The opener's part is the group: its row is the lock of all of them.
type Member struct {
	ID, OrderID int64
	// Joined is the opener's part, 0 on the opener's own.
	Joined          int64
	RuleID, UserID  int64
	OpenerID        int64
	OpenedAt        time.Time
	ShareURL        string
	Status          PartStatus
	AddTime, Update time.Time
	// seats is how many joiners hold a place, on the opener's part; held says that this part holds its own.
	seats int
	held  bool
}

// Group is the opener's part of the group.
func (p Member) Group() int64 {
	if p.Joined != 0 {
		return p.Joined
	}
	return p.ID
}

// IsOpener reports whether the part is the group itself.
func (p Member) IsOpener() bool { return p.Joined == 0 }

// ErrGrown says that a group has changed between the look at it and its lock: the transaction must be rolled back and
// begun anew.
var ErrGrown = errors.New("the group has changed meanwhile")

// Entry is an order that is to open a group, or to join the one that Link leads to.
type Entry struct {
	Rule GroupRule
	// Link is the opener's part or a joiner's, 0 or less to open a group.
	Link           int64
	Shopper, Order int64
}

// Joinable reports whether the shopper could take a place in a group now. It fails as Enter does.
func (s *Service) Joinable(ctx context.Context, q db.Querier, e Entry) error {
	if e.Link <= 0 {
		return nil
	}
	p, ok, err := partByID(ctx, q, e.Link)
	if err == nil && ok && !p.IsOpener() {
		p, ok, err = partByID(ctx, q, p.Joined)
	}
	if err != nil {
		return fmt.Errorf("read group %d: %w", e.Link, err)
	}
	return s.admit(ctx, q, e, p, ok)
}

// admit says why a shopper cannot join a group.
func (s *Service) admit(ctx context.Context, q db.Querier, e Entry, opener Member, known bool) error {
	if !known || opener.RuleID != e.Rule.ID || opener.Status == PartUnpaid {
		return fmt.Errorf("group %d under offer %d: %w", e.Link, e.Rule.ID, errno.NoSuch("grouponLinkId"))
	}
	switch opener.Status {
	case PartSucceeded:
		return fmt.Errorf("group %d has come about: %w", opener.ID, errno.GrouponFull)
	case PartFailed:
		return fmt.Errorf("group %d has failed: %w", opener.ID, errno.GrouponExpired)
	case PartUnpaid, PartRunning:
	}
	in := opener.OpenerID == e.Shopper
	if !in {
		var err error
		if in, err = isMember(ctx, q, opener.ID, e.Shopper); err != nil {
			return fmt.Errorf("look for shopper %d in group %d: %w", e.Shopper, opener.ID, err)
		}
	}
	if in {
		return fmt.Errorf("shopper %d is in group %d: %w", e.Shopper, opener.ID, errno.GrouponJoined)
	}
	if opener.seats >= e.Rule.Members-1 {
		return fmt.Errorf("group %d has no place left: %w", opener.ID, errno.GrouponFull)
	}
	return nil
}

// Enter gives an order its part and returns its group. A place is held from now until the order ends. It fails with
// errno.Invalid for a group that is unknown, not paid for or under another offer, with GrouponExpired, GrouponOffline,
// GrouponFull, GrouponJoined for a shopper who is in the group already, and with Stale where the offer is no longer the
// one that the price was made of.
func (s *Service) Enter(ctx context.Context, tx *db.Tx, e Entry) (int64, error) {
	rule, ok, err := holdRule(ctx, tx, e.Rule.ID)
	if err != nil || !ok {
		return 0, errors.Join(fmt.Errorf("hold groupon offer %d", e.Rule.ID), err)
	}
	if err := rule.refusal(s.now()); err != nil {
		return 0, err
	}
	if rule.GoodsID != e.Rule.GoodsID || rule.Discount != e.Rule.Discount {
		return 0, fmt.Errorf("groupon offer %d has changed: %w", rule.ID, errno.Stale)
	}
	e.Rule = rule
	p := Member{OrderID: e.Order, RuleID: rule.ID, UserID: e.Shopper, OpenerID: e.Shopper, OpenedAt: s.now()}
	if e.Link > 0 {
		opener, err := s.reserveSeat(ctx, tx, e)
		if err != nil {
			return 0, err
		}
		p.Joined, p.OpenerID, p.OpenedAt = opener.ID, opener.OpenerID, time.Time{}
	}
	if p.ID, err = insertPart(ctx, tx, p, s.now()); db.Duplicate(err, "uk_groupon_member") {
		return 0, fmt.Errorf("shopper %d is in group %d: %w", e.Shopper, p.Joined, errno.GrouponJoined)
	}
	return p.Group(), wrap(err, "write the part of order %d", e.Order)
}

// reserveSeat counts one joiner more in the group, if it has a place.
func (s *Service) reserveSeat(ctx context.Context, tx *db.Tx, e Entry) (Member, error) {
	p, ok, err := partByID(ctx, tx, e.Link)
	if err != nil {
		return p, fmt.Errorf("read group %d: %w", e.Link, err)
	}
	if ok {
		if p, ok, err = lockPart(ctx, tx, p.Group()); err != nil {
			return p, fmt.Errorf("lock group %d: %w", p.Group(), err)
		}
	}
	if err := s.admit(ctx, tx, e, p, ok); err != nil {
		return p, err
	}
	taken, err := takeSeat(ctx, tx, p.ID, e.Rule.Members-1, s.now())
	if err == nil && !taken {
		err = errno.GrouponFull
	}
	return p, wrap(err, "take a place in group %d", p.ID)
}

// Paid is what the payment of an order means for its part. It reports false where the group is over, so that the
// money must go back. The payment that brings the last member makes the group come about.
func (s *Service) Paid(ctx context.Context, tx *db.Tx, order int64) (bool, error) {
	seen, ok, err := partOf(ctx, tx, order)
	if err != nil || !ok {
		return true, wrap(err, "read the part of order %d", order)
	}
	rule, ok, err := holdRule(ctx, tx, seen.RuleID)
	if err != nil || !ok {
		return false, errors.Join(fmt.Errorf("hold groupon offer %d", seen.RuleID), err)
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
	parts, err := openParts(ctx, tx, group)
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
	opener, ok, err := lockPart(ctx, tx, p.Group())
	if err != nil || !ok {
		return opener, p, errors.Join(fmt.Errorf("lock group %d", p.Group()), err)
	}
	if p.IsOpener() {
		return opener, opener, nil
	}
	now, ok, err = partByID(ctx, tx, p.ID)
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
		moved, err := moveParts(ctx, tx, ids[from], from, to, s.now())
		if err != nil || !moved {
			return errors.Join(fmt.Errorf("%s parts %v in %d", e, ids[from], from), err)
		}
	}
	return s.freeSeats(ctx, tx, failed)
}

// freeSeats gives the places of joiners back to their group.
func (s *Service) freeSeats(ctx context.Context, tx *db.Tx, parts []Member) error {
	parts = slices.DeleteFunc(slices.Clone(parts), func(p Member) bool { return p.IsOpener() || !p.held })
	if len(parts) == 0 {
		return nil
	}
	freed, err := freeSeats(ctx, tx, parts[0].Joined, len(parts), s.now())
	if err != nil || !freed {
		return errors.Join(fmt.Errorf("free %d places in group %d", len(parts), parts[0].Joined), err)
	}
	return nil
}

// PartOf finds the part of an order. It reports false for an ordinary purchase.
func (s *Service) PartOf(ctx context.Context, q db.Querier, order int64) (Member, bool, error) {
	p, ok, err := partOf(ctx, q, order)
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
	seen, ok, err := partOf(ctx, tx, order)
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
	if !p.held {
		return nil
	}
	if err := dropPlace(ctx, tx, p.ID, s.now()); err != nil {
		return fmt.Errorf("give the place of part %d back: %w", p.ID, err)
	}
	return s.freeSeats(ctx, tx, []Member{p})
}

// OpenParts returns the parts of a group of which it is not decided what becomes of them, by id. Nothing is locked.
func (s *Service) OpenParts(ctx context.Context, q db.Querier, group int64) ([]Member, error) {
	parts, err := openParts(ctx, q, group)
	return parts, wrap(err, "read the members of group %d", group)
}

// Dissolve fails what is undecided of a group and returns these parts. seen are the parts whose orders the caller has
// locked; it fails with ErrGrown where the group has one more. A group that is decided is left alone.
func (s *Service) Dissolve(ctx context.Context, tx *db.Tx, group int64, seen []Member) ([]Member, error) {
	opener, ok, err := lockPart(ctx, tx, group)
	if err != nil || !ok || !opener.Status.Open() {
		return nil, wrap(err, "lock group %d", group)
	}
	parts, err := openParts(ctx, tx, group)
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

// LostGroups returns groups that are still open although their offer has ended, the oldest and at most so many; rule is
// 0 for those of any offer, and ready leaves out those that a job has set aside.
func (s *Service) LostGroups(ctx context.Context, rule int64, ready clause.Expr, most int) ([]int64, error) {
	ids, err := lostGroups(ctx, s.db, rule, ready, most)
	return ids, wrap(err, "look for groups without an offer")
}
