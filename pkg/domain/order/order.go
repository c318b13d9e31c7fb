// Package order owns orders: what they cost, how they come to be, and their life until they end. Every change of
// state is one conditional update whose row count decides, in one transaction with all that must happen along with
// it.
package order

import (
	"context"
	"time"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/job"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/outbox"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/domain/share"
)

// Order is what a shopper has bought, and where it stands.
type Order struct {
	ID, UserID int64
	SN         string
	Status     Status
	// Aftersale is the state of the order's after-sale case, 0 for none.
	Aftersale                  int
	Consignee, Mobile, Address string
	Message                    string
	Price                      Price
	// CouponUserID is the shopper's coupon that was spent, 0 for none.
	CouponUserID              int64
	PayChannel, PayID         string
	PayTime                   time.Time
	ShipSN, ShipChannel       string
	ShipTime                  time.Time
	RefundAmount              money.Amount
	RefundType, RefundContent string
	RefundTime, ConfirmTime   time.Time
	// Comments is how many lines still wait for a comment.
	Comments            int
	EndTime             time.Time
	AddTime, UpdateTime time.Time
	// Deleted is the operator's delete, HiddenFromShopper the shopper's own.
	Deleted, HiddenFromShopper bool
	// version is raised by every change: a move that was decided on an older one finds no row.
	version int
}

// Price is what an order costs and why. Groupon is what each piece is cheaper, which Goods counts in; Total is goods
// plus freight less the coupon, Actual what is to be paid.
type Price struct {
	Goods, Freight, Coupon, Integral, Groupon, Total, Actual money.Amount
}

// Line is one product of an order, as it was when it was bought.
type Line struct {
	ID, OrderID, GoodsID, ProductID int64
	GoodsName, GoodsSN              string
	Number                          int
	Price                           money.Amount
	// Reduction is the part of the order's reductions that falls on this line.
	Reduction      money.Amount
	Specifications []string
	PicURL         string
	// CommentID is 0 while the line waits for its comment, -1 when it is too late, else the comment.
	CommentID           int64
	AddTime, UpdateTime time.Time
	Deleted             bool
}

// Detail is an order with its lines.
type Detail struct {
	Order
	Lines []Line
}

// Actor is who moves an order; the numbers are those of the status log.
type Actor struct {
	Type ActorType
	ID   int64
}

// ActorType tells actors apart.
type ActorType int

// The actors.
const (
	ByJob ActorType = iota
	ByShopper
	ByOperator
	ByPlatform
)

// Shopper and Operator name the two kinds of people.
func Shopper(id int64) Actor { return Actor{Type: ByShopper, ID: id} }

// Operator is a member of the staff.
func Operator(id int64) Actor { return Actor{Type: ByOperator, ID: id} }

// mover is the actor as the stock ledger knows it.
func (a Actor) mover() catalog.StockActor {
	switch a.Type {
	case ByShopper, ByOperator:
		return catalog.StockActor{Type: int(a.Type), ID: a.ID}
	case ByJob, ByPlatform:
	}
	return catalog.StockActor{}
}

// Deps are the areas that orders stand on.
type Deps struct {
	DB         *db.DB
	Once       *idempotency.Store
	Settings   *settings.Service
	Accounts   *account.Service
	Addresses  *address.Service
	Cart       *cart.Service
	Stock      *catalog.Stock
	Promotions *promotion.Service
	Payments   *payment.Service
	Outbox     *outbox.Service
	Failures   *job.Failures
	Share      *share.Service
	// Unpaid bounds what a shopper holds back without paying.
	Unpaid UnpaidLimits
	Now    func() time.Time
	// Zone is the shop's own: order numbers begin with its date.
	Zone *time.Location
	// Language is that of what operators and payers read, "zh" or "en".
	Language string
}

// Service makes orders and moves them.
type Service struct {
	Deps
	dropCases Dropping
}

// New returns the orders of a shop and takes over the refunds that are found unfinished and the payments that are
// found made.
func New(p Deps) *Service {
	s := &Service{Deps: p, dropCases: func(context.Context, *db.Tx, int64) error { return nil }}
	p.Payments.OnRefund(s.finishRefund)
	p.Payments.OnPaid(s.found, unpaidOrder)
	return s
}
