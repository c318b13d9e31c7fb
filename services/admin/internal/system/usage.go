package system

import (
	"context"
	"time"

	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/menu"
)

// lookedBack is how far back usage looks.
const lookedBack = 30 * 24 * time.Hour

func (h settingHandlers) usageOp() op.Op {
	return op.Read[op.None, Usage]{
		Path: "/admin/usage/read", Title: "Show how the settings have worked on the orders of the last 30 days",
		Access: op.Permit("admin:usage:read", menu.MallConfig(), menu.Button("use")), Budget: 5, AllowStale: true,
		Do: h.usage,
	}
}

// Usage is how the settings have worked. It is counted from at most 5000 orders, or so many of a state.
type Usage struct {
	Orders       int64 `json:"orders" doc:"Orders placed in the last 30 days."`
	Whole        bool  `json:"whole" doc:"False if there are more orders than are counted."`
	BelowFree    int64 `json:"belowFree" doc:"Those whose goods are below the amount of free freight."`
	Charged      int64 `json:"charged" doc:"Those that paid freight."`
	Unpaid       int64 `json:"unpaid" doc:"Those that wait for their payment."`
	Expired      int64 `json:"expired" doc:"Those that were cancelled because they were not paid in time."`
	Shipped      int64 `json:"shipped" doc:"Those under way."`
	AutoReceived int64 `json:"autoReceived" doc:"Those that counted as received by time."`
	NewGoods     int64 `json:"newGoods" doc:"Goods on sale that are new, of which the home page shows some; at most 1000."`
	HotGoods     int64 `json:"hotGoods" doc:"Goods on sale that are popular."`
	Brands       int64 `json:"brands"`
	Categories   int64 `json:"categories" doc:"Categories of the first level."`
}

func (h settingHandlers) usage(ctx context.Context, _ op.None) (Usage, error) {
	now, err := h.Settings.Now(ctx)
	if err != nil {
		return Usage{}, err
	}
	u, err := h.Orders.Usage(ctx, now.FreightMin, h.Now().Add(-lookedBack))
	if err != nil {
		return Usage{}, err
	}
	shown, err := h.Goods.Shown(ctx)
	return Usage{
		Orders: u.Orders, Whole: u.Whole, BelowFree: u.Below, Charged: u.Charged, Unpaid: u.Unpaid, Expired: u.Expired,
		Shipped: u.Shipped, AutoReceived: u.AutoReceived, NewGoods: shown.New, HotGoods: shown.Hot, Brands: shown.Brands,
		Categories: shown.Categories,
	}, err
}
