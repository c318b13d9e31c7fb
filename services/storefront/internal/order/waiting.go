package order

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/storefront/internal/auth"
)

// waiting are the operations on a paid order that is not shipped yet.
func (h handlers) waiting(notMine []*errno.Code) []op.Op {
	return []op.Op{
		op.Write[Ref, op.None]{
			Path: "/wx/order/remind", Title: "Ask for a paid order to be shipped", Access: op.SignedIn, Fails: notMine,
			IdempotencyScope: "order.remind", Budget: 5, Do: h.remind,
		},
		op.Write[Readdress, op.None]{
			Path: "/wx/order/readdress", Title: "Send a paid order to another address of mine", Access: op.SignedIn,
			Fails:            append([]*errno.Code{errno.OrderCheckoutFailed}, notMine...),
			IdempotencyScope: "order.readdress", Budget: 14, Do: h.readdress,
		},
	}
}

func (h handlers) remind(ctx context.Context, r Ref) (op.None, error) {
	return op.None{}, h.Orders.Remind(ctx, auth.ID(ctx), r.OrderID)
}

// Readdress is the request of /wx/order/readdress.
type Readdress struct {
	OrderID   int64 `json:"orderId" check:"required"`
	AddressID int64 `json:"addressId" check:"required"`
}

func (h handlers) readdress(ctx context.Context, r Readdress) (op.None, error) {
	return op.None{}, h.Orders.Readdress(ctx, auth.ID(ctx), r.OrderID, r.AddressID)
}
