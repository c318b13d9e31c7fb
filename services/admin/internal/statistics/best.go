package statistics

import (
	"context"
	"net/http"
	"time"

	"shop.internal/pkg/base/calendar"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/statistics"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/export"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

// bestOps rank the goods that sold most.
func (h handlers) bestOps() []op.Op {
	return []op.Op{
		op.Read[Best, wire.List[Seller]]{
			Path: "/admin/bestseller/list", Title: "List the 100 goods that sold most on some days",
			Access: op.Permit("admin:bestseller:list", menu.GoodsStat(), menu.Button("best-sellers")),
			Budget: 2, AllowStale: true,
			Columns: op.Columns{
				Names: []string{"picUrl", "goodsName", "pieces", "orders", "amount"}, Opens: "goodsName",
			},
			Do: h.best,
		},
		op.Stream[Span]{
			Path: "/admin/bestseller/export", Title: "Export the 100 goods that sold most on some days as CSV",
			Access: op.Permit("admin:bestseller:export", menu.GoodsStat(), menu.Export()),
			Audit:  op.Audit{Target: "stat_goods_day", Action: text.ForAction("bestseller-export")}, Limit: export.Limit,
			AllowStale: true, Do: h.exportBest,
		},
	}
}

// Span is a range of days in the shop's zone; an empty bound is none.
type Span struct {
	Start string `json:"start" show:"time" doc:"The first day, as a time on it."`
	End   string `json:"end" show:"time" doc:"Only days before that of this time."`
}

// days are the first and the last date, the zero time for no bound.
func (s Span) days(zone wire.Zone) (first, last time.Time, err error) {
	from, err := zone.Moment(text.FieldStartTime, s.Start)
	if err != nil {
		return first, last, err
	}
	until, err := zone.Moment(text.FieldEndTime, s.End)
	if !from.IsZero() {
		first = calendar.Date(from, zone.Location())
	}
	if !until.IsZero() {
		last = calendar.Date(until, zone.Location()).AddDate(0, 0, -1)
	}
	return first, last, err
}

// Best is the query of /admin/bestseller/list.
type Best struct {
	paging.Slice
	Span
}

// Seller is what was sold of goods: of each day, the 500 goods are counted that sold most in its orders that are paid
// and not refunded by now.
type Seller struct {
	ID        int64      `json:"id" doc:"The goods."`
	GoodsName string     `json:"goodsName"`
	PicURL    wire.Link  `json:"picUrl" show:"picture"`
	Pieces    int64      `json:"pieces"`
	Orders    int64      `json:"orders"`
	Amount    wire.Money `json:"amount" label:"amountPaid" doc:"What was paid for them, less reductions."`
}

func (h handlers) sellers(ctx context.Context, s Span) ([]statistics.Seller, error) {
	first, last, err := s.days(h.Zone)
	if err != nil {
		return nil, err
	}
	return h.Rollup.BestSellers(ctx, first, last)
}

func (h handlers) best(ctx context.Context, r Best) (wire.List[Seller], error) {
	found, err := h.sellers(ctx, r.Span)
	if err != nil {
		return wire.List[Seller]{}, err
	}
	return paging.OfSlice(r.Slice, found, func(s statistics.Seller) Seller {
		return Seller{
			ID: s.GoodsID, GoodsName: s.GoodsName, PicURL: wire.Link(s.PicURL), Pieces: s.Pieces, Orders: s.Orders,
			Amount: wire.Money(s.Amount),
		}
	})
}

func (h handlers) exportBest(ctx context.Context, s Span, w http.ResponseWriter) error {
	found, err := h.sellers(ctx, s) // before the file, so that a malformed time is refused
	if err != nil {
		return err
	}
	v, err := h.Settings.Now(ctx)
	if err != nil {
		return err
	}
	file, err := export.Open(ctx, w, export.List{
		Audit: h.Audit, Filter: s, Name: "bestsellers", Currency: v.Currency,
		Header: []string{"goodsId", "goodsName", "pieces", "orders", "amount"},
	})
	if err != nil {
		return err
	}
	for _, g := range found {
		cells := []string{
			export.Int(g.GoodsID), g.GoodsName, export.Int(g.Pieces), export.Int(g.Orders), file.Money(g.Amount),
		}
		if err := file.Row(cells...); err != nil {
			return file.End(ctx, err)
		}
	}
	return file.End(ctx, nil)
}
