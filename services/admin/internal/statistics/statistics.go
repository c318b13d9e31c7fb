// Package statistics serves operators the totals and the daily statistics of the shop.
package statistics

import (
	"context"

	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/domain/statistics"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
)

// Deps are what the operations need.
type Deps struct {
	Rollup   *statistics.Rollup
	Settings *settings.Service
	Audit    *audit.Service
	Zone     wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operation of the console's first page, and those of the daily statistics.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return append([]op.Op{
		op.Read[op.None, Totals]{
			Path: "/admin/dashboard", Title: "Count what the shop has", Access: op.SignedIn, Budget: 2, Do: h.dashboard,
		},
		op.Read[op.None, Table[UserDay]]{
			Path: "/admin/stat/user", Title: "Registrations by day",
			Access: op.Permit("admin:stat:user", menu.UserStat(), menu.Query()), Budget: 26, Do: h.users,
		},
		op.Read[op.None, Table[OrderDay]]{
			Path: "/admin/stat/order", Title: "Received orders by the day of the order",
			Access: op.Permit("admin:stat:order", menu.OrderStat(), menu.Query()), Budget: 20, Do: h.orders,
		},
		op.Read[op.None, Table[GoodsDay]]{
			Path: "/admin/stat/goods", Title: "Ordered goods by day",
			Access: op.Permit("admin:stat:goods", menu.GoodsStat(), menu.Query()), Budget: 20, Do: h.goods,
		},
	}, h.bestOps()...)
}

// Totals are the numbers of rows that are not deleted.
type Totals struct {
	UserTotal    int64 `json:"userTotal"`
	GoodsTotal   int64 `json:"goodsTotal"`
	ProductTotal int64 `json:"productTotal"`
	OrderTotal   int64 `json:"orderTotal"`
}

func (h handlers) dashboard(ctx context.Context, _ op.None) (Totals, error) {
	t, err := h.Rollup.Totals(ctx)
	return Totals{UserTotal: t.Users, GoodsTotal: t.Goods, ProductTotal: t.Products, OrderTotal: t.Orders}, err
}

// Table is a chart: the columns in order, the axis first, and a row for each day with data.
type Table[Row any] struct {
	Columns []string `json:"columns"`
	Rows    []Row    `json:"rows"`
}

// UserDay are the registrations of a day.
type UserDay struct {
	Day   string `json:"day"`
	Users int64  `json:"users"`
}

func (h handlers) users(ctx context.Context, _ op.None) (Table[UserDay], error) {
	return table(ctx, h.Rollup, []string{"day", "users"}, func(d statistics.Day) (UserDay, bool) {
		return UserDay{Day: d.Name(), Users: d.Users}, d.Users > 0
	})
}

// OrderDay are the orders of a day that were received.
type OrderDay struct {
	Day       string     `json:"day"`
	Orders    int64      `json:"orders"`
	Customers int64      `json:"customers"`
	Amount    wire.Money `json:"amount"`
	PCR       wire.Money `json:"pcr" doc:"Amount for each customer."`
}

func (h handlers) orders(ctx context.Context, _ op.None) (Table[OrderDay], error) {
	columns := []string{"day", "orders", "customers", "amount", "pcr"}
	return table(ctx, h.Rollup, columns, func(d statistics.Day) (OrderDay, bool) {
		return OrderDay{
			Day: d.Name(), Orders: d.Orders, Customers: d.Customers, Amount: wire.Money(d.Amount),
			PCR: wire.Money(d.PerCustomer()),
		}, d.Orders > 0
	})
}

// GoodsDay are the goods ordered on a day.
type GoodsDay struct {
	Day      string     `json:"day"`
	Orders   int64      `json:"orders"`
	Products int64      `json:"products"`
	Amount   wire.Money `json:"amount"`
}

func (h handlers) goods(ctx context.Context, _ op.None) (Table[GoodsDay], error) {
	columns := []string{"day", "orders", "products", "amount"}
	return table(ctx, h.Rollup, columns, func(d statistics.Day) (GoodsDay, bool) {
		return GoodsDay{Day: d.Name(), Orders: d.Ordered, Products: d.Products, Amount: wire.Money(d.OrderedAmount)},
			d.Ordered > 0
	})
}

// table makes a row of each day with data.
func table[Row any](
	ctx context.Context, r *statistics.Rollup, columns []string, row func(statistics.Day) (Row, bool),
) (Table[Row], error) {
	days, err := r.Days(ctx)
	if err != nil {
		return Table[Row]{}, err
	}
	t := Table[Row]{Columns: columns, Rows: []Row{}}
	for _, d := range days {
		if row, some := row(d); some {
			t.Rows = append(t.Rows, row)
		}
	}
	return t, nil
}
