package order

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/page"
	"shop.internal/pkg/domain/text"
)

// Tab is a tab of the shopper's order list.
type Tab int

// The tabs.
const (
	AllOrders Tab = iota
	ToPay
	ToShip
	ToReceive
	ToComment
)

// Listed is an order of a shopper's list.
type Listed struct {
	Detail
	// Group says that the order belongs to a group purchase, however it went.
	Group bool
}

// List returns a page of the shopper's orders. The lines of all orders of the page are read at once.
func (s *Service) List(ctx context.Context, shopper int64, tab Tab, q page.Query) (page.List[Listed], error) {
	commentsSince, err := s.commentsSince(ctx)
	if err != nil {
		return page.List[Listed]{}, err
	}
	cond, args := ofTab(shopper, tab, commentsSince)
	found, err := page.Fetch(q,
		func() (int64, error) { return countOrders(ctx, s.DB, cond, args) },
		func(q page.Query) ([]Order, error) { return pageOf(ctx, s.DB, cond, args, q) })
	if err != nil {
		return page.List[Listed]{}, fmt.Errorf("list the orders of shopper %d: %w", shopper, err)
	}
	details, err := s.withLines(ctx, found.Items)
	if err != nil {
		return page.List[Listed]{}, err
	}
	groups, err := s.Promotions.InGroups(ctx, ids(found.Items))
	if err != nil {
		return page.List[Listed]{}, err
	}
	listed := make([]Listed, len(details))
	for i, d := range details {
		listed[i] = Listed{Detail: d, Group: groups[d.ID]}
	}
	return page.List[Listed]{Items: listed, Total: found.Total, Query: found.Query}, nil
}

// commentsSince is the receipt before which comments are no longer taken.
func (s *Service) commentsSince(ctx context.Context) (time.Time, error) {
	v, err := s.Settings.Now(ctx)
	return s.Now().Add(-v.CommentFor), err
}

func ids(orders []Order) []int64 {
	all := make([]int64, len(orders))
	for i, o := range orders {
		all[i] = o.ID
	}
	return all
}

// withLines reads the lines of orders in one statement.
func (s *Service) withLines(ctx context.Context, orders []Order) ([]Detail, error) {
	lines, err := linesIn(ctx, s.DB, ids(orders))
	if err != nil {
		return nil, fmt.Errorf("read order lines: %w", err)
	}
	byOrder := map[int64][]Line{}
	for _, l := range lines {
		byOrder[l.OrderID] = append(byOrder[l.OrderID], l)
	}
	details := make([]Detail, len(orders))
	for i, o := range orders {
		details[i] = Detail{Order: o, Lines: byOrder[o.ID]}
	}
	return details, nil
}

// Find returns the shopper's order with its lines. It fails with errno.OrderUnknown.
func (s *Service) Find(ctx context.Context, shopper, id int64) (Detail, error) {
	o, err := s.mine(ctx, s.DB, shopper, id)
	if err != nil {
		return Detail{}, err
	}
	details, err := s.withLines(ctx, []Order{o})
	if err != nil {
		return Detail{}, err
	}
	return details[0], nil
}

// LineToComment returns a line of the shopper's order: the one named, or the line of the goods that still waits for a
// comment, else the first of the goods. It fails with errno.Invalid.
func (s *Service) LineToComment(ctx context.Context, shopper, line, order, goods int64) (Line, error) {
	if line != 0 {
		l, ok, err := lineByID(ctx, s.DB, line)
		if err != nil {
			return l, fmt.Errorf("read order line %d: %w", line, err)
		}
		if !ok {
			return l, errno.NoSuch("ogid")
		}
		_, err = s.ofShopper(ctx, s.DB, shopper, l.OrderID, "ogid")
		return l, err
	}
	o, err := s.ofShopper(ctx, s.DB, shopper, order, "orderId")
	if err != nil {
		return Line{}, err
	}
	lines, err := linesIn(ctx, s.DB, []int64{o.ID})
	if err != nil {
		return Line{}, fmt.Errorf("read the lines of order %d: %w", order, err)
	}
	var found *Line
	for i, l := range lines {
		if l.GoodsID == goods && (found == nil || found.CommentID != 0 && l.CommentID == 0) {
			found = &lines[i]
		}
	}
	if found == nil {
		return Line{}, errno.NoSuch("goodsId")
	}
	return *found, nil
}

// ofShopper is mine for operations whose subject is a line: there an order that is not the shopper's is a bad value.
func (s *Service) ofShopper(ctx context.Context, q db.Querier, shopper, id int64, name string) (Order, error) {
	o, err := s.mine(ctx, q, shopper, id)
	if errno.Of(err) == errno.OrderUnknown {
		return o, fmt.Errorf("order %d for shopper %d: %w", id, shopper, errno.NoSuch(name))
	}
	return o, err
}

// CommentOn gives a line of the shopper's received order its comment: create makes it, in the same transaction.
// within is how long after the receipt comments are taken; it is read before, since a transaction waits for no
// second connection. It fails with errno.Invalid for a line that is not the shopper's, OrderInvalidOperation before
// the receipt, OrderCommented and OrderCommentExpired.
func (s *Service) CommentOn(
	ctx context.Context, tx *db.Tx, shopper, line int64, within time.Duration, create func(Line) (comment int64,
		err error),
) error {
	l, ok, err := lineByID(ctx, tx, line)
	if err != nil {
		return fmt.Errorf("read order line %d: %w", line, err)
	}
	if !ok {
		return errno.NoSuch("orderGoodsId")
	}
	o, ok, err := lock(ctx, tx, l.OrderID)
	if err != nil {
		return fmt.Errorf("lock order %d: %w", l.OrderID, err)
	}
	if !ok || o.gone(Shopper(shopper)) {
		return errno.NoSuch("orderGoodsId")
	}
	if l, _, err = lineByID(ctx, tx, line); err != nil { // as it is now that the order is ours
		return fmt.Errorf("read order line %d: %w", line, err)
	}
	switch {
	case !o.Status.Done():
		return fmt.Errorf("comment on order %d: %w", o.ID, errno.OrderInvalidOperation.Because(text.OrderState,
			o.Status.label()))
	case l.CommentID > 0:
		return fmt.Errorf("line %d: %w", line, errno.OrderCommented)
	case l.CommentID < 0 || !o.Commentable(s.Now(), within):
		return fmt.Errorf("line %d: %w", line, errno.OrderCommentExpired)
	}
	comment, err := create(l)
	if err != nil {
		return err
	}
	set, err := setComment(ctx, tx, line, comment, s.Now())
	if err != nil {
		return fmt.Errorf("mark line %d: %w", line, err)
	}
	if !set {
		return fmt.Errorf("line %d: %w", line, errno.OrderCommented)
	}
	if err := lowerComments(ctx, tx, o.ID, s.Now()); err != nil {
		return fmt.Errorf("count the comments of order %d: %w", o.ID, err)
	}
	return nil
}

// AdminFind returns an order with its lines, a deleted one too. It fails with errno.Invalid.
func (s *Service) AdminFind(ctx context.Context, id int64) (Detail, error) {
	o, ok, err := byID(ctx, s.DB, id)
	if err != nil {
		return Detail{}, fmt.Errorf("read order %d: %w", id, err)
	}
	if !ok {
		return Detail{}, errno.NoSuch("orderId")
	}
	if o.Deleted {
		lines, err := linesEver(ctx, s.DB, id)
		if err != nil {
			return Detail{}, fmt.Errorf("read the lines of order %d: %w", id, err)
		}
		return Detail{Order: o, Lines: lines}, nil
	}
	details, err := s.withLines(ctx, []Order{o})
	if err != nil {
		return Detail{}, err
	}
	return details[0], nil
}
