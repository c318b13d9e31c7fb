package orders

import (
	"context"

	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
)

// Channel is a carrier to choose for shipping.
type Channel struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

func (h orderHandlers) listChannels(context.Context, op.None) ([]Channel, error) {
	return wire.Each(h.Channels, func(c order.Channel) Channel { return Channel{Code: c.Code, Name: c.Name} }), nil
}
