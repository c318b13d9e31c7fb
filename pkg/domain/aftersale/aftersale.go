// Package aftersale owns after-sale cases: what shoppers ask for once their goods have arrived, what operators decide,
// and the money that goes back. The order of a case is locked before the case in all that moves it, and shows its state
// in the same transaction.
package aftersale

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/page"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/text"
)

// Type is what a shopper wants; the numbers are the contract's.
type Type int

// The types: the goods have not arrived, the shopper keeps them, or sends them back.
const (
	NotReceived Type = iota
	Kept
	Returned
)

// Case is what a shopper asks for after the sale, and where it stands.
type Case struct {
	ID, OrderID, UserID int64
	SN                  string
	Type                Type
	Reason, Comment     string
	Amount              money.Amount
	Pictures            []string
	Status              Status
	// HandleTime is when an operator last acted.
	HandleTime          time.Time
	AddTime, UpdateTime time.Time
	// version is raised by every change.
	version int
}

// Submission is what a shopper says when they ask.
type Submission struct {
	OrderID         int64
	Type            Type
	Reason, Comment string
	Amount          money.Amount
	Pictures        []string
}

// Deps are the areas that cases stand on.
type Deps struct {
	DB       *db.DB
	Once     *idempotency.Store
	Orders   *order.Service
	Payments *payment.Service
	Now      func() time.Time
}

// Service takes cases and moves them.
type Service struct{ Deps }

// New returns the cases of a shop and takes over those of their refunds that the outbox finds unfinished. The cases of
// an order are deleted with it.
func New(p Deps) *Service {
	s := &Service{p}
	p.Payments.OnCompensation(s.finish)
	p.Orders.OnDelete(s.drop)
	return s
}

// Listed is a case with the lines of its order.
type Listed struct {
	Case
	Lines []order.Line
}

// List returns a page of the shopper's cases, in one state or, for nil, in all. The lines of all their orders are read
// at once.
func (s *Service) List(ctx context.Context, shopper int64, in *Status, q page.Query) (page.List[Listed], error) {
	found, err := fetch(ctx, s.DB, ofShopper(shopper, in), q)
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

// Find returns the shopper's order with its lines and its case, which is in the state None where there is none. It
// fails with errno.OrderUnknown.
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

// Filter narrows an operator's list; zero members do not.
type Filter struct {
	OrderID int64
	SN      string
	Status  *Status
}

// AdminList returns a page of all cases. The total of a list that nothing but a state narrows may be half a minute old.
func (s *Service) AdminList(ctx context.Context, f Filter, q page.Query) (page.List[Case], error) {
	found, err := fetch(ctx, s.DB, ofAll(f), q)
	if err != nil {
		return found, fmt.Errorf("list cases: %w", err)
	}
	return found, nil
}

// most is the most that an order can give back after the sale.
func most(o order.Order) money.Amount { return max(0, o.Price.Actual-o.Price.Freight) }

// refusal is a move that is not allowed, in the words of who asked for it.
func refusal(by order.Actor, e Event, c Case) error {
	code := errno.AftersaleInvalidStatus
	if by.Type == order.ByOperator {
		code = errno.OrderConfirmNotAllowed
	}
	return fmt.Errorf("%s case %d in %d: %w", e, c.ID, c.Status, code.Because(text.CaseState, c.Status.label()))
}
