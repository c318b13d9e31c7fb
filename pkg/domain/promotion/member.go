package promotion

import (
	"context"
	"fmt"
	"io"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/statemachine"
	"shop.internal/pkg/domain/internal/store/table"
)

// MemberStatus is the state of a group member; the numbers are those of the contract.
type MemberStatus int

// A member waits for the payment of the order, then for the group to complete, and succeeds or fails with the group.
const (
	MemberUnpaid MemberStatus = iota
	MemberRunning
	MemberSucceeded
	MemberFailed
)

// MemberEvent is an event in the life of a group member.
type MemberEvent string

// The events, named after their cause.
const (
	// MemberPay is the payment of the order while the group is open, MemberPayLate a later one.
	MemberPay     MemberEvent = "pay"
	MemberPayLate MemberEvent = "pay late"
	// MemberCancel is the end of the unpaid order.
	MemberCancel MemberEvent = "cancel"
	// MemberComplete is the completion of the group.
	MemberComplete MemberEvent = "complete"
	// MemberLeave is a joiner requesting a refund.
	MemberLeave MemberEvent = "leave"
	// MemberDissolve is the end of the group: its opener requests a refund, or the rule ends.
	MemberDissolve MemberEvent = "dissolve"
)

// memberTransitions are all transitions of a group member. A failed member never becomes active again, and one that
// succeeded keeps that state whatever happens to the order.
var memberTransitions = statemachine.New(map[MemberStatus]map[MemberEvent]MemberStatus{
	MemberUnpaid: {
		MemberPay: MemberRunning, MemberPayLate: MemberFailed, MemberCancel: MemberFailed, MemberDissolve: MemberFailed,
	},
	MemberRunning:   {MemberComplete: MemberSucceeded, MemberLeave: MemberFailed, MemberDissolve: MemberFailed},
	MemberSucceeded: {},
	MemberFailed:    {},
})

// MemberLife returns the state machine of group members, for verifying the books.
func MemberLife() statemachine.Machine[MemberStatus, MemberEvent] { return memberTransitions }

// Next returns the state after an event, and whether the event is allowed.
func (s MemberStatus) Next(e MemberEvent) (MemberStatus, bool) {
	return memberTransitions.Next(s, e)
}

// Open reports whether the member has neither succeeded nor failed.
func (s MemberStatus) Open() bool { return s == MemberUnpaid || s == MemberRunning }

// WriteMemberLife writes the life of a group member as a section of the documentation.
func WriteMemberLife(w io.Writer) error {
	names := map[MemberStatus]string{
		MemberUnpaid: "Unpaid", MemberRunning: "Gathering", MemberSucceeded: "Succeeded", MemberFailed: "Failed",
	}
	return statemachine.Chart[MemberStatus, MemberEvent]{
		Title: "## The life of a group member",
		Intro: "Each order that opens or joins a group is one member. A payment for a group that is no longer open is late " +
			"and is\nrefunded. A group dissolves when its opener requests a refund, or when the rule ends.",
		Starts:  []statemachine.Start[MemberStatus]{{To: MemberUnpaid, What: "submit"}},
		Machine: memberTransitions, Languages: []string{"English"},
		Names: func(s MemberStatus) []string { return []string{names[s]} },
	}.Write(w)
}

// Member is an order that opens or joins a group. The row of the opener stands for the group and is the lock of all its
// members.
type Member struct {
	ID, OrderID int64
	// Joined is the group that a joiner belongs to, 0 for the opener.
	Joined   int64 `gorm:"column:groupon_id" table:"null"`
	RuleID   int64 `gorm:"column:rules_id"`
	UserID   int64
	OpenerID int64     `gorm:"column:creator_user_id"`
	OpenedAt time.Time `gorm:"column:creator_user_time" table:"null"`
	ShareURL string    `table:"null"`
	Status   MemberStatus
	// Joiners is the number of joiners in the group, paid or not; it is stored in the opener's row.
	Joiners int `gorm:"column:member_count"`
	// ActiveMark is 0 while the member is in the group, and its id afterwards.
	ActiveMark          int64
	AddTime, UpdateTime time.Time
}

var members = table.Of[Member]("groupon", table.Versioned,
	table.Refers("order_id", "orders"),
	table.MayRefer("groupon_id", "groupon"),
	table.Refers("rules_id", "groupon_rules"),
	table.Refers("user_id", "user"),
	table.Refers("creator_user_id", "user"),
)

// The states in the conditions of statements: members who have neither succeeded nor failed, those in a group, those in
// a group who have paid, and those who have ever paid.
var (
	undecided = memberTransitions.From(MemberDissolve)
	inGroup   = []MemberStatus{MemberUnpaid, MemberRunning, MemberSucceeded}
	paidNow   = []MemberStatus{MemberRunning, MemberSucceeded}
	everPaid  = []MemberStatus{MemberRunning, MemberSucceeded, MemberFailed}
)

// Group is the id of the member's group.
func (p Member) Group() int64 {
	if p.Joined != 0 {
		return p.Joined
	}
	return p.ID
}

// IsOpener reports whether the member has opened the group.
func (p Member) IsOpener() bool { return p.Joined == 0 }

// wholeGroup reads the members of a group, the opener and the joiners, each on the index that finds them.
func wholeGroup(
	ctx context.Context, q db.Querier, group int64, where, tail string, args ...any,
) ([]Member, error) {
	args = append(append([]any{group}, args...), append([]any{group}, args...)...)
	return members.Find(ctx, q, `r.id = ? AND `+where+`
		UNION ALL SELECT `+members.Columns("r")+` FROM groupon r WHERE r.groupon_id = ? AND `+where+tail, args...)
}

// undecidedOf returns the members of a group who have neither succeeded nor failed; the opener has the lowest id and
// comes first.
func undecidedOf(ctx context.Context, q db.Querier, group int64) ([]Member, error) {
	return wholeGroup(ctx, q, group, "r.status IN ? AND r.deleted = 0", " ORDER BY id", undecided)
}

// ownMember finds a shopper among the members of a group; a current membership precedes one that was left.
func ownMember(ctx context.Context, q db.Querier, shopper, group int64) (Member, bool, error) {
	found, err := wholeGroup(ctx, q, group, "r.user_id = ? AND r.deleted = 0",
		" ORDER BY active_mark = 0 DESC, id DESC LIMIT 1", shopper)
	if err != nil || len(found) == 0 {
		return Member{}, false, err
	}
	return found[0], true, nil
}

// joinersOf returns the joiners of groups in one of some states.
func joinersOf(
	ctx context.Context, q db.Querier, groups []int64, in []MemberStatus, order string,
) ([]Member, error) {
	if len(groups) == 0 {
		return nil, nil
	}
	return members.Find(ctx, q, "r.groupon_id IN ? AND r.status IN ? AND r.deleted = 0 ORDER BY "+order, groups, in)
}

func memberOf(ctx context.Context, q db.Querier, order int64) (Member, bool, error) {
	return members.One(ctx, q, "r.order_id = ? AND r.deleted = 0", order)
}

// maxMemberships is the maximum number of a shopper's groups in a list.
const maxMemberships = 1000

// OwnMember finds the shopper among the members of the group that a member belongs to. It fails with errno.Invalid for
// an unknown member and for a shopper who is not in the group.
func (s *Service) OwnMember(ctx context.Context, shopper, id int64) (Member, error) {
	p, ok, err := members.Live(ctx, s.db, id)
	if err == nil && ok && p.UserID != shopper {
		p, ok, err = ownMember(ctx, s.db, shopper, p.Group())
	}
	if err == nil && !ok {
		err = errno.NoSuch(text.FieldGroup)
	}
	return p, wrap(err, "find shopper %d in group %d", shopper, id)
}

// Opening returns the opener of the group that a member belongs to. It fails with errno.Invalid.
func (s *Service) Opening(ctx context.Context, id int64) (Member, error) {
	p, ok, err := members.Live(ctx, s.db, id)
	if err == nil && ok && !p.IsOpener() {
		p, ok, err = members.Live(ctx, s.db, p.Joined)
	}
	if err == nil && !ok {
		err = errno.NoSuch(text.FieldGroup)
	}
	return p, wrap(err, "find group %d", id)
}

// Memberships returns the groups that the shopper opened, or joined, with the shopper's state paid or failed, newest
// first.
func (s *Service) Memberships(ctx context.Context, shopper int64, joined bool) ([]Member, error) {
	which := "r.groupon_id IS NULL"
	if joined {
		which = "r.groupon_id IS NOT NULL"
	}
	found, err := members.Find(ctx, s.db, `r.user_id = ? AND `+which+` AND r.status <> ? AND r.deleted = 0
		ORDER BY r.add_time DESC, r.id DESC LIMIT ?`, shopper, MemberUnpaid, maxMemberships)
	return found, wrap(err, "list the groups of shopper %d", shopper)
}

// ShoppersOf returns the shoppers of groups by group: the opener first, then the joiners who have paid and not left, in
// the order of joining.
func (s *Service) ShoppersOf(ctx context.Context, openers []Member) (map[int64][]int64, error) {
	ids := make([]int64, len(openers))
	shoppers := make(map[int64][]int64, len(openers))
	for i, o := range openers {
		ids[i], shoppers[o.Group()] = o.Group(), []int64{o.OpenerID}
	}
	joiners, err := joinersOf(ctx, s.db, ids, paidNow, "r.add_time, r.id")
	if err != nil {
		return nil, fmt.Errorf("read the members of %d groups: %w", len(ids), err)
	}
	for _, j := range joiners {
		shoppers[j.Joined] = append(shoppers[j.Joined], j.UserID)
	}
	return shoppers, nil
}

// maxOpenGroups is the maximum number of groups that are offered to join.
const maxOpenGroups = 20

// OpenGroups returns the groups under a rule that gather members and have room, those that lack the fewest first, then
// the oldest.
func (s *Service) OpenGroups(ctx context.Context, rule GroupRule) ([]Member, error) {
	found, err := members.Find(ctx, s.db, `r.rules_id = ? AND r.groupon_id IS NULL AND r.status = ?
		AND r.member_count < ? AND r.deleted = 0
		ORDER BY r.member_count DESC, r.id LIMIT ?`, rule.ID, MemberRunning, rule.Members-1, maxOpenGroups)
	return found, wrap(err, "list the open groups under rule %d", rule.ID)
}

// SetShareURL replaces the address of the share image of a group, unless it is no longer from or the group has ended;
// it reports whether it did. Update time and version stay, since the member's state does not change.
func (s *Service) SetShareURL(ctx context.Context, tx *db.Tx, group int64, from, to string) (bool, error) {
	files := tx.Files()
	res, err := db.Exec(ctx, tx, `UPDATE groupon SET share_url = ?
		WHERE id = ? AND COALESCE(share_url, '') IN ? AND deleted = 0`, files.Stored(to), group, files.Forms(from))
	return res.Affected == 1, wrap(err, "set the share picture of group %d", group)
}

// InOpenGroup reports whether an order belongs to a group that is still gathering.
func (s *Service) InOpenGroup(ctx context.Context, q db.Querier, order int64) (bool, error) {
	open, err := members.Exists(ctx, q, "r.order_id = ? AND r.status IN ? AND r.deleted = 0", order, undecided)
	return open, wrap(err, "look for the group of order %d", order)
}

// InGroupsLater finds out which of some orders belong to a group, in whatever state, with what else is queued; the
// function returns them.
func (*Service) InGroupsLater(ctx context.Context, q db.Queue, orders []int64) (func() map[int64]bool, error) {
	found, err := table.SelectLater[struct{ OrderID int64 }](ctx, q,
		"SELECT order_id FROM groupon WHERE order_id IN ? AND deleted = 0", orders)
	return func() map[int64]bool {
		in := make(map[int64]bool, len(found()))
		for _, f := range found() {
			in[f.OrderID] = true
		}
		return in
	}, err
}
