package promotion

import (
	"context"
	"fmt"
	"io"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/life"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
)

// PartStatus is the state of a shopper's part in a group purchase; the numbers are the contract's.
type PartStatus int

// A part waits for its order to be paid, runs while the group gathers, and ends with the group come about or not.
const (
	PartUnpaid PartStatus = iota
	PartRunning
	PartSucceeded
	PartFailed
)

// PartEvent is what can happen to a part.
type PartEvent string

// The events, named after what brings them about.
const (
	// PartPay is the order being paid while the group is open, PartPayLate while it is not.
	PartPay     PartEvent = "pay"
	PartPayLate PartEvent = "pay late"
	// PartCancel is the unpaid order ending.
	PartCancel PartEvent = "cancel"
	// PartComplete is the group having all its members.
	PartComplete PartEvent = "complete"
	// PartLeave is a joiner asking for their money.
	PartLeave PartEvent = "leave"
	// PartDissolve is the group ending: its opener asks for their money, or the rule is over.
	PartDissolve PartEvent = "dissolve"
)

// partTransitions is the whole life of a part. What is not in it cannot happen: a failed part never runs again, and one
// that succeeded stays so whatever becomes of its order.
var partTransitions = life.New(map[PartStatus]map[PartEvent]PartStatus{
	PartUnpaid:    {PartPay: PartRunning, PartPayLate: PartFailed, PartCancel: PartFailed, PartDissolve: PartFailed},
	PartRunning:   {PartComplete: PartSucceeded, PartLeave: PartFailed, PartDissolve: PartFailed},
	PartSucceeded: {},
	PartFailed:    {},
})

// Next returns the state that an event leads to, and whether it may happen.
func (s PartStatus) Next(e PartEvent) (PartStatus, bool) {
	return partTransitions.Next(s, e)
}

// Open reports whether it is not decided yet what becomes of the part.
func (s PartStatus) Open() bool { return s == PartUnpaid || s == PartRunning }

// WritePartLife draws the life of a part in a group purchase as a section of the documentation.
func WritePartLife(w io.Writer) error {
	names := map[PartStatus]string{
		PartUnpaid: "Unpaid", PartRunning: "Gathering", PartSucceeded: "Succeeded", PartFailed: "Failed",
	}
	return life.Chart[PartStatus, PartEvent]{
		Title: "## The life of a part in a group purchase",
		Intro: "Each order that opens or joins a group is one member. A payment for a group that is no longer open is late " +
			"and is\nrefunded. A group dissolves when its opener requests a refund, or when the rule ends.",
		Starts:  []life.Start[PartStatus]{{To: PartUnpaid, What: "submit"}},
		Machine: partTransitions, Languages: []string{"English"},
		Names: func(s PartStatus) []string { return []string{names[s]} },
	}.Write(w)
}

// Member is a shopper's part in a group purchase. The opener's part is the group: its row is the lock of all of them.
type Member struct {
	ID, OrderID int64
	// Joined is the opener's part, 0 on the opener's own.
	Joined   int64 `gorm:"column:groupon_id" table:"null"`
	RuleID   int64 `gorm:"column:rules_id"`
	UserID   int64
	OpenerID int64     `gorm:"column:creator_user_id"`
	OpenedAt time.Time `gorm:"column:creator_user_time" table:"null"`
	ShareURL string    `table:"null"`
	Status   PartStatus
	// Places is how many joiners hold a place, on the opener's part.
	Places int `gorm:"column:member_count"`
	// ActiveMark is 0 while the part holds its place, and its id from then on.
	ActiveMark          int64
	AddTime, UpdateTime time.Time
}

var members = table.Of[Member]("groupon", table.Versioned)

// What statements say of members: those of whom it is not decided what becomes of them, who is in a group or may be,
// and who has paid for one, whether or not it came about.
var (
	undecided = partTransitions.From(PartDissolve)
	inGroup   = []PartStatus{PartUnpaid, PartRunning, PartSucceeded}
	paidNow   = []PartStatus{PartRunning, PartSucceeded}
	everPaid  = []PartStatus{PartRunning, PartSucceeded, PartFailed}
)

// Group is the opener's part of the group.
func (p Member) Group() int64 {
	if p.Joined != 0 {
		return p.Joined
	}
	return p.ID
}

// IsOpener reports whether the part is the group itself.
func (p Member) IsOpener() bool { return p.Joined == 0 }

// wholeGroup reads members of a group by the two indexes that find them: the opener's row, and those of the joiners.
func wholeGroup(
	ctx context.Context, q db.Querier, group int64, where, tail string, args ...any,
) ([]Member, error) {
	args = append(append([]any{group}, args...), append([]any{group}, args...)...)
	return members.Find(ctx, q, `r.id = ? AND `+where+`
		UNION ALL SELECT `+members.Columns("r")+` FROM groupon r WHERE r.groupon_id = ? AND `+where+tail, args...)
}

// undecidedOf returns the opener's part first, since ids rise.
func undecidedOf(ctx context.Context, q db.Querier, group int64) ([]Member, error) {
	return wholeGroup(ctx, q, group, "r.status IN ? AND r.deleted = 0", " ORDER BY id", undecided)
}

// ownPart finds a shopper's part in a group, the one that holds a place before one that was given up.
func ownPart(ctx context.Context, q db.Querier, shopper, group int64) (Member, bool, error) {
	found, err := wholeGroup(ctx, q, group, "r.user_id = ? AND r.deleted = 0",
		" ORDER BY active_mark = 0 DESC, id DESC LIMIT 1", shopper)
	if err != nil || len(found) == 0 {
		return Member{}, false, err
	}
	return found[0], true, nil
}

// joinersOf returns who has joined groups and is in one of some states.
func joinersOf(
	ctx context.Context, q db.Querier, groups []int64, in []PartStatus, order string,
) ([]Member, error) {
	if len(groups) == 0 {
		return nil, nil
	}
	return members.Find(ctx, q, "r.groupon_id IN ? AND r.status IN ? AND r.deleted = 0 ORDER BY "+order, groups, in)
}

func memberOf(ctx context.Context, q db.Querier, order int64) (Member, bool, error) {
	return members.One(ctx, q, "r.order_id = ? AND r.deleted = 0", order)
}

// mostParts bounds how many of a shopper's groups are shown at once.
const mostParts = 1000

// OwnPart finds the shopper's own part in the group that a part belongs to, the one that holds a place before one that
// was given up. It fails with errno.Invalid for a shopper who has none, as for an unknown part.
func (s *Service) OwnPart(ctx context.Context, shopper, id int64) (Member, error) {
	p, ok, err := members.Live(ctx, s.db, id)
	if err == nil && ok && p.UserID != shopper {
		p, ok, err = ownPart(ctx, s.db, shopper, p.Group())
	}
	if err == nil && !ok {
		err = errno.NoSuch(text.FieldGroup)
	}
	return p, wrap(err, "find the part of shopper %d in group %d", shopper, id)
}

// Opening finds the opener's part of the group that a part belongs to. It fails with errno.Invalid.
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

// Parts returns the shopper's parts that are past waiting for money: in groups that they opened or joined. The
// newest comes first.
func (s *Service) Parts(ctx context.Context, shopper int64, joined bool) ([]Member, error) {
	which := "r.groupon_id IS NULL"
	if joined {
		which = "r.groupon_id IS NOT NULL"
	}
	found, err := members.Find(ctx, s.db, `r.user_id = ? AND `+which+` AND r.status <> ? AND r.deleted = 0
		ORDER BY r.add_time DESC, r.id DESC LIMIT ?`, shopper, PartUnpaid, mostParts)
	return found, wrap(err, "list the groups of shopper %d", shopper)
}

// Members returns the shoppers of groups: the opener first, then the joiners who have paid and not left, in the order
// in which they joined.
func (s *Service) Members(ctx context.Context, openers []Member) (map[int64][]int64, error) {
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

// SetShareURL replaces the address of the share picture of a group, unless it is no longer from or the group is gone;
// it reports whether it did. It is no move: update time and version stay.
func (s *Service) SetShareURL(ctx context.Context, tx *db.Tx, group int64, from, to string) (bool, error) {
	res := tx.G(ctx).Exec(`UPDATE groupon SET share_url = ?
		WHERE id = ? AND COALESCE(share_url, '') = ? AND deleted = 0`, to, group, from)
	return res.RowsAffected == 1, wrap(res.Error, "set the share picture of group %d", group)
}

// InOpenGroup reports whether an order belongs to a group purchase that has not come about yet.
func (s *Service) InOpenGroup(ctx context.Context, q db.Querier, order int64) (bool, error) {
	open, err := members.Exists(ctx, q, "r.order_id = ? AND r.status IN ? AND r.deleted = 0", order, undecided)
	return open, wrap(err, "look for the group of order %d", order)
}

// InGroups tells which of some orders belong to a group purchase, however it went.
func (s *Service) InGroups(ctx context.Context, orders []int64) (map[int64]bool, error) {
	in := make(map[int64]bool, len(orders))
	if len(orders) == 0 {
		return in, nil
	}
	var found []int64
	err := s.db.G(ctx).Raw("SELECT order_id FROM groupon WHERE order_id IN ? AND deleted = 0", orders).Scan(&found).Error
	for _, id := range found {
		in[id] = true
	}
	return in, wrap(err, "look for group purchases")
}
