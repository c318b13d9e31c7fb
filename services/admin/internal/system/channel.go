package system

import (
	"context"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
)

func (h settingHandlers) channelOps() []op.Op {
	return []op.Op{
		op.Read[op.None, Channels]{
			Path: "/admin/channel/read", Title: "Show by which payment channels shoppers can pay",
			Access: op.Permit("admin:channel:read", menu.ChannelConfig(), menu.Detail()), Budget: 2, Do: h.channels,
		},
		op.Write[ChannelChoice, op.None]{
			Path: "/admin/channel/update", Title: "Choose the payment channels that shoppers see, and their order",
			Access: op.Permit("admin:channel:update", menu.ChannelConfig(), menu.Edit()),
			Audit:  op.Audit{Target: "system_config", Action: text.ForAction("config-update")}, Budget: 10,
			Do: h.showChannels,
		},
	}
}

// Channels are the payment channels that the configuration of the services offers.
type Channels struct {
	Channels []Channel `json:"channels" doc:"First those that shoppers see, in their order."`
}

// Channel is a payment channel.
type Channel struct {
	Code     string         `json:"code"`
	Name     string         `json:"name"`
	On       bool           `json:"on" doc:"Shoppers see it."`
	Kinds    []payment.Kind `json:"kinds" doc:"How shoppers pay: app, page, redirect, qr, offline or delivery."`
	Collects bool           `json:"collects" doc:"It takes the shop's currency; otherwise shoppers do not see it."`
	Least    wire.Money     `json:"least" doc:"The least amount of an order."`
	Greatest wire.Money     `json:"greatest" doc:"The greatest amount of an order; 0 for no bound."`
}

func (h settingHandlers) channels(ctx context.Context, _ op.None) (Channels, error) {
	found, err := h.Payments.Standings(ctx)
	if err != nil {
		return Channels{}, err
	}
	all := Channels{Channels: make([]Channel, len(found))}
	for i, c := range found {
		all.Channels[i] = Channel{
			Code: c.Code, Name: c.Name.In(op.LanguageOf(ctx, h.Language)), On: c.On, Kinds: nil, Collects: c.Collects,
			Least: wire.Money(c.Least), Greatest: wire.Money(c.Greatest),
		}
		for _, m := range c.Methods {
			all.Channels[i].Kinds = append(all.Channels[i].Kinds, m.Kind)
		}
	}
	return all, nil
}

// ChannelChoice is the body of /admin/channel/update.
type ChannelChoice struct {
	Channels []string `json:"channels" check:"required,notEmpty,maxItems=32,itemMax=32" doc:"Their codes, in order."`
}

func (h settingHandlers) showChannels(ctx context.Context, r ChannelChoice) (op.None, error) {
	return op.None{}, h.Payments.Show(ctx, r.Channels)
}
