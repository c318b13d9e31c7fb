package order

import (
	"context"
	"errors"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/settings"
)

// Submission is a request to place an order. Coupon may be NoCoupon or 0 for none.
type Submission struct {
	Choice
	// Link is a member of the group to join, 0 or less to open a group; it is ignored without a group-buy rule in effect.
	Link    int64
	Message string
}

// Placed is the result of a submission.
type Placed struct {
	OrderID int64
	// Paid reports that nothing had to be paid.
	Paid bool
	// Group is the group that the order opens or joins, 0 for none.
	Group int64
}

// purchase is a submission on its way to an order.
type purchase struct {
	Submission
	shopper int64
	// product is the hot product that is bought, 0 for a purchase in a transaction of its own.
	product int64
	address address.Address
	lines   []cart.Line
	order   Order
	entry   promotion.Entry
	spent   promotion.UserCoupon
	// currency is what it was priced in.
	currency money.Currency
	pieces   []catalog.StockLine
	placed   Placed
	// err is why this purchase cannot be made; it concerns no other in the same transaction.
	err error
}

func (p *purchase) item() cart.Choice { return cart.Choice{Shopper: p.shopper, ID: p.Cart} }

func (p *purchase) to() address.Choice { return address.Choice{Shopper: p.shopper, ID: p.Address} }

// deliver notes the way of delivery that was chosen. It fails with errno.OrderCheckoutFailed for one that the shop does
// not offer.
func (p *purchase) deliver(v settings.Values) error {
	way, offered := v.WayOf(p.Delivery)
	if !offered {
		return errno.OrderCheckoutFailed.Because(text.DeliveryOff, way.Name())
	}
	p.order.Delivery = way
	if way == settings.Collect {
		p.order.CollectAddress, p.order.CollectHours = v.CollectAddress, v.CollectHours
	}
	return nil
}

// anyRefused returns the error of a purchase that cannot be made.
func anyRefused(all []*purchase) error {
	for _, p := range all {
		if p.err != nil {
			return p.err
		}
	}
	return nil
}

func buyable(lines []cart.Line) error {
	for _, l := range lines {
		if err := l.Buyable(); err != nil {
			return err
		}
	}
	return nil
}

// queued is a purchase in the queue of a hot product. err is its result.
type queued struct {
	*purchase

	ctx context.Context // of the caller; the first one's values serve the whole transaction
	key *idempotency.Request
	err error
}

// errNotBatched says that a purchase is to be made in a transaction of its own.
var errNotBatched = errors.New("not batched")
