// Package aftersale owns after-sale cases: the requests of shoppers who have received their goods, the decisions of
// operators, and the refunds. Every transition locks the order before the case, and shows the state on the order in the
// same transaction.
package aftersale

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/counter"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/domain/platform/text"
)

// Type is the type of a request, with the numbers of the contract.
type Type int

// The types: the goods did not arrive, a refund without a return, and a return with a refund.
const (
	NotReceived Type = iota
	RefundOnly
	Returned
)

// Case is an after-sale request and its state.
type Case struct {
	ID, OrderID, UserID int64
	SN                  string `gorm:"column:aftersale_sn" table:"null"`
	Type                Type
	Reason, Comment     string
	Amount              money.Amount
	Pictures            []string `gorm:"serializer:list"`
	Status              Status
	// HandleTime is when an operator last acted.
	HandleTime          time.Time `table:"null"`
	AddTime, UpdateTime time.Time
	// version is incremented by every change.
	version int
}

// row is a case as stored.
type row struct {
	Case
	// HandlerID is the operator who last acted.
	HandlerID int64
	// OpenMark is 0 for the open case of an order, of which there is at most one, and the own id for others.
	OpenMark int64
	Version  int
}

var cases = table.Of[row]("aftersale",
	table.Refers("order_id", "orders"),
	table.Refers("user_id", "user"),
	table.MayRefer("handler_id", "admin"),
)

func (r row) asCase() Case {
	r.version = r.Version
	return r.Case
}

func byID(ctx context.Context, q db.Querier, id int64) (Case, bool, error) {
	r, found, err := cases.Live(ctx, q, id)
	return r.asCase(), found, err
}

// liveOf finds the live case of an order; imported data may have several, of which the newest counts.
func liveOf(ctx context.Context, q db.Querier, order int64) (Case, bool, error) {
	r, found, err := cases.One(ctx, q, "r.order_id = ? AND r.deleted = 0 ORDER BY r.id DESC LIMIT 1", order)
	return r.asCase(), found, err
}

// move writes a state, and the operator who acted, if the case is unchanged since it was read.
func move(ctx context.Context, tx *db.Tx, c Case, to Status, operator int64, now time.Time) (bool, error) {
	set := table.Set{"status": to, "open_mark": c.ID, "update_time": now}
	if to.Open() {
		set["open_mark"] = 0
	}
	if operator != 0 || to == Refunded {
		set["handle_time"] = now
	}
	if operator != 0 {
		set["handler_id"] = operator
	}
	return cases.Moved(ctx, tx, set, "id = ? AND status = ? AND version = ? AND deleted = 0", c.ID, c.Status, c.version)
}

// retired returns the columns that change with a deleted case: it is no longer the open one of its order.
func retired(now time.Time) table.Set {
	return table.Set{"open_mark": gorm.Expr("id"), "update_time": now}
}

// retire deletes a case that is replaced by a new one.
func retire(ctx context.Context, tx *db.Tx, c Case, now time.Time) (bool, error) {
	n, err := cases.Remove(ctx, tx, retired(now), "id = ? AND status = ? AND version = ?", c.ID, c.Status, c.version)
	return n > 0, err
}

// Submission is the request of a shopper.
type Submission struct {
	OrderID         int64
	Type            Type
	Reason, Comment string
	Amount          money.Amount
	Pictures        []string
}

// Deps are the dependencies of the service.
type Deps struct {
	DB       *db.DB
	Once     *idempotency.Store
	Orders   *order.Service
	Payments *payment.Service
	Now      func() time.Time
}

// Service manages after-sale cases.
type Service struct {
	Deps
	lists *lists.Engine
}

// New returns the service and registers it for unfinished refunds of cases and for the deletion of orders, whose cases
// are deleted too.
func New(p Deps) *Service {
	s := &Service{p, lists.New(p.DB)}
	p.Payments.OnCompensation(s.finish)
	p.Orders.OnDelete(s.drop)
	return s
}

// drop deletes the cases of an order that is being deleted, in the same transaction.
func (s *Service) drop(ctx context.Context, tx *db.Tx, order int64) error {
	_, err := cases.Remove(ctx, tx, retired(s.Now()), "order_id = ?", order)
	return err
}

// Listed is a case with the lines of its order.
type Listed struct {
	Case
	Lines []order.Line
}

// List returns a page of the shopper's cases, in one state or, for nil, in any. The lines of all their orders are read
// in one statement.
func (s *Service) List(ctx context.Context, shopper int64, in *Status, q page.Query) (page.List[Listed], error) {
	found, err := s.fetch(ctx, ofShopper(shopper, in), q)
	if err != nil {
		return page.List[Listed]{}, fmt.Errorf("list the cases of shopper %d: %w", shopper, err)
	}
	orders := make([]int64, len(found.Items))
	for i, c := range found.Items {
		orders[i] = c.OrderID
	}
	lines, err := s.Orders.LinesOf(ctx, orders)
	if err != nil {
		return page.List[Listed]{}, err
	}
	listed := make([]Listed, len(found.Items))
	for i, c := range found.Items {
		listed[i] = Listed{Case: c, Lines: lines[c.OrderID]}
	}
	return page.List[Listed]{Items: listed, Total: found.Total, Query: found.Query}, nil
}

// Find returns the shopper's order with its lines and its case, with the state None if there is none. It fails with
// errno.OrderUnknown.
func (s *Service) Find(ctx context.Context, shopper, id int64) (order.Detail, Case, error) {
	d, err := s.Orders.Find(ctx, shopper, id)
	if err != nil {
		return d, Case{}, err
	}
	c, _, err := liveOf(ctx, s.DB, id)
	if err != nil {
		return d, c, fmt.Errorf("read the case of order %d: %w", id, err)
	}
	return d, c, nil
}

// Options is what a shopper may do about an order after the sale.
type Options struct {
	// Submit is to ask for money back, or again after a rejection, or otherwise as long as nobody has accepted; Cancel is
	// to withdraw the case.
	Submit, Cancel bool
	// Most is the maximum refund.
	Most money.Amount
}

// OptionsOf returns what the shopper may do about an order and its case; the zero Case stands for none.
func OptionsOf(o order.Order, c Case) Options {
	_, replaceable := c.Status.Next(Request)
	_, cancellable := c.Status.Next(Cancel)
	return Options{Submit: o.Status.Done() && replaceable, Cancel: cancellable, Most: most(o)}
}

// Filter narrows an operator's list; zero fields are ignored.
type Filter struct {
	OrderID int64
	SN      string
	Status  *Status
}

// AdminList returns a page of all cases. The total of a list that is filtered by a state alone may be half a minute
// old.
func (s *Service) AdminList(ctx context.Context, f Filter, q page.Query) (page.List[Case], error) {
	found, err := s.fetch(ctx, ofAll(f), q)
	if err != nil {
		return found, fmt.Errorf("list cases: %w", err)
	}
	return found, nil
}

// AdminFind returns a case. It fails with errno.Invalid for one that is unknown or was replaced.
func (s *Service) AdminFind(ctx context.Context, id int64) (Case, error) {
	c, found, err := byID(ctx, s.DB, id)
	if err == nil && !found {
		err = errno.NoSuch(text.FieldCase)
	}
	if err != nil {
		return Case{}, fmt.Errorf("read case %d: %w", id, err)
	}
	return c, nil
}

// CountByState returns for every state, None included, how many cases are in it, up to order.MostCounted.
func (s *Service) CountByState(ctx context.Context) (map[Status]int64, error) {
	return counter.Each(ctx, s.DB, order.MostCounted,
		"aftersale FORCE INDEX (ix_as_status) WHERE status = ? AND deleted = 0", moves.States())
}

// most is the maximum refund of an order after the sale.
func most(o order.Order) money.Amount { return max(0, o.Price.Actual-o.Price.Freight) }

// refusal is the error for a transition that is not allowed, with the code for this actor.
func refusal(by actor.Actor, e Event, c Case) error {
	code := errno.AftersaleInvalidStatus
	if by.Kind == actor.KindOperator {
		code = errno.OrderConfirmNotAllowed
	}
	return fmt.Errorf("%s case %d in %d: %w", e, c.ID, c.Status, code.Because(text.CaseState, labels[c.Status]))
}

// ofAll is the query of all cases of a filter.
func ofAll(f Filter) *lists.Query {
	l := lists.Of(cases).TimeIndex("ix_as_list")
	if f.OrderID != 0 {
		l.Equals("order_id", f.OrderID)
	}
	if f.SN != "" {
		l.Equals("aftersale_sn", f.SN)
	}
	if f.Status != nil {
		l.In("status", "ix_as_status", int(*f.Status))
	}
	return l
}

// ofShopper is the query of the shopper's cases, in one state or, for nil, in any.
func ofShopper(shopper int64, in *Status) *lists.Query {
	l := lists.Of(cases).Equals("user_id", shopper)
	if in != nil {
		l.Equals("status", int(*in))
	}
	return l
}

// fetch loads a page of cases.
func (s *Service) fetch(ctx context.Context, l *lists.Query, w page.Query) (page.List[Case], error) {
	found, err := lists.Fetch[row](ctx, s.lists, l, w)
	if err != nil {
		return page.List[Case]{}, err
	}
	return page.Map(found, row.asCase), nil
}

// PictureLists returns the stored picture lists of the cases that shoppers have opened since a time.
func PictureLists(ctx context.Context, q db.Querier, shoppers []int64, since time.Time) (lists []string, err error) {
	err = q.G(ctx).Raw("SELECT pictures FROM aftersale WHERE user_id IN ? AND add_time >= ? AND pictures IS NOT NULL",
		shoppers, since).Scan(&lists).Error
	if err != nil {
		return nil, fmt.Errorf("read pictures of cases: %w", err)
	}
	return lists, nil
}
