// Package aftersale owns after-sale cases: the requests of shoppers who have received their goods, the decisions of
// operators, and the refunds. Every transition locks the order before the case, and shows the state on the order in the
// same transaction.
package aftersale

import (
	"context"
	"fmt"
	"maps"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/counter"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Type is the type of a request, with the numbers of the contract.
type Type int

// The types: the goods did not arrive, a refund without a return, a return with a refund, and a return for another
// product of the same goods.
const (
	NotReceived Type = iota
	RefundOnly
	Returned
	Replacement
)

// SentBack reports whether the goods come back.
func (t Type) SentBack() bool { return t == Returned || t == Replacement }

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
	HandleTime time.Time `table:"null"`
	// Answer is what staff have written to the shopper about their decision, empty for nothing.
	Answer string
	// Back is the parcel with the goods that the shopper has announced at BackTime; ArriveTime is when it arrived.
	Back       Parcel    `gorm:"embedded;embeddedPrefix:back_"`
	BackTime   time.Time `table:"null"`
	ArriveTime time.Time `table:"null"`
	// Sent is the parcel with what was sent in exchange.
	Sent                Parcel `gorm:"embedded;embeddedPrefix:sent_"`
	AddTime, UpdateTime time.Time
	// version is incremented by every change.
	version int
}

// Parcel is a carrier, by its code or name, and its number of the parcel.
type Parcel struct {
	Channel string `table:"null"`
	SN      string `gorm:"column:sn" table:"null"`
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

// move writes a state with other columns, and the operator who acted, if the case is unchanged since it was read.
func move(
	ctx context.Context, tx *db.Tx, c Case, to Status, operator int64, now time.Time, more table.Set,
) (bool, error) {
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
	maps.Copy(set, more)
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

// Filter narrows an operator's list; zero fields are ignored.
type Filter struct {
	// Shopper is whose cases are listed; nil for any.
	Shopper *int64
	OrderID int64
	SN      string
	Status  *Status
}

// CountByState returns for every state, None included, how many cases are in it, up to order.MostCounted.
func (s *Service) CountByState(ctx context.Context) (map[Status]int64, error) {
	return counter.Each(ctx, s.DB, order.MostCounted,
		"aftersale FORCE INDEX (ix_as_status) WHERE status = ? AND deleted = 0", moves.States())
}

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
	l := lists.Of(cases).TimeIndex("ix_as_list").ID("user_id", f.Shopper)
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
	err = table.Scan(ctx, q, &lists,
		"SELECT pictures FROM aftersale WHERE user_id IN ? AND add_time >= ? AND pictures IS NOT NULL",
		shoppers, since)
	if err != nil {
		return nil, fmt.Errorf("read pictures of cases: %w", err)
	}
	return lists, nil
}
