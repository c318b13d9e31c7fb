package orders

import (
	"context"

	"shop.internal/services/admin/internal/auth"
)

// Collect is the body of /admin/order/collect.
type Collect struct {
	Code    string `json:"code" label:"collectCode" check:"required,maxLength=8,clean=code" doc:"What the shopper shows."`
	OrderID int64  `json:"orderId" doc:"The order it should be of; 0 for whichever it is." show:"of=order"`
}

// Collected is an order that was handed over.
type Collected struct {
	OrderID int64  `json:"orderId" show:"of=order"`
	OrderSN string `json:"orderSn"`
}

func (h orderHandlers) collect(ctx context.Context, r Collect) (Collected, error) {
	done, err := h.Orders.CheckOff(ctx, auth.Actor(ctx), r.OrderID, r.Code)
	return Collected{OrderID: done.ID, OrderSN: done.SN}, err
}
