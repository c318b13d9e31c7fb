// Package cart serves shoppers the cart.
package cart

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
)

// Deps are what the operations need.
type Deps struct {
	Cart *cart.Service
	Zone wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operations on the cart. The preview of a purchase belongs to the orders.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	busy := []*errno.Code{errno.Stale}
	cannotBuy := append([]*errno.Code{errno.GoodsUnshelved, errno.GoodsNoStock, errno.GoodsInvalid}, busy...)
	return []op.Op{
		op.Read[op.None, Cart]{Path: "/wx/cart/index", Title: "Show the cart", Access: op.SignedIn, Budget: 3, Do: h.index},
		op.Read[op.None, int]{
			Path: "/wx/cart/goodscount", Title: "Count the pieces in the cart", Access: op.Optional,
			Budget: 3, Do: h.count,
		},
		op.Write[AddRequest, int]{
			Path: "/wx/cart/add", Title: "Put pieces into the cart", Access: op.SignedIn, Fails: cannotBuy,
			IdempotencyScope: "cart.add", Budget: 6, Do: h.add,
		},
		op.Write[AddRequest, int64]{
			Path: "/wx/cart/fastadd", Title: "Set the pieces of a product, to buy it at once", Access: op.SignedIn,
			Fails: cannotBuy, IdempotencyScope: "cart.fastadd", Budget: 6, Do: h.fastAdd,
		},
		op.Write[Change, op.None]{
			Path: "/wx/cart/update", Title: "Change the pieces of a row", Access: op.SignedIn, Fails: cannotBuy,
			Budget: 6, Do: h.update,
		},
		op.Write[Check, Cart]{
			Path: "/wx/cart/checked", Title: "Tick or untick products", Access: op.SignedIn, Fails: busy,
			Budget: 6, Do: h.check,
		},
		op.Write[Remove, Cart]{
			Path: "/wx/cart/delete", Title: "Take products out of the cart", Access: op.SignedIn, Fails: busy,
			Budget: 5, Do: h.remove,
		},
	}
}

func (h handlers) index(ctx context.Context, _ op.None) (Cart, error) {
	return h.view(h.Cart.Lines(ctx, auth.ID(ctx)))
}

func (h handlers) count(ctx context.Context, _ op.None) (int, error) {
	if auth.ID(ctx) == 0 {
		return 0, nil
	}
	lines, err := h.Cart.Lines(ctx, auth.ID(ctx))
	return cart.TotalsOf(lines).Count, err
}

// AddRequest is the body of /wx/cart/add and /wx/cart/fastadd.
type AddRequest struct {
	GoodsID   int64 `json:"goodsId" check:"required"`
	ProductID int64 `json:"productId" check:"required"`
	Number    int   `json:"number" check:"required,min=1" doc:"Pieces."`
}

func (w AddRequest) request() cart.AddRequest {
	return cart.AddRequest{GoodsID: w.GoodsID, ProductID: w.ProductID, Number: w.Number}
}

func (h handlers) add(ctx context.Context, r AddRequest) (int, error) {
	return h.Cart.Add(ctx, auth.ID(ctx), r.request())
}

func (h handlers) fastAdd(ctx context.Context, r AddRequest) (int64, error) {
	return h.Cart.Set(ctx, auth.ID(ctx), r.request())
}

// Change is the body of /wx/cart/update.
type Change struct {
	ID        int64 `json:"id" check:"required" doc:"The row of the cart."`
	GoodsID   int64 `json:"goodsId" check:"required"`
	ProductID int64 `json:"productId" check:"required"`
	Number    int   `json:"number" check:"required,min=1" doc:"Pieces."`
}

func (h handlers) update(ctx context.Context, r Change) (op.None, error) {
	w := cart.AddRequest{GoodsID: r.GoodsID, ProductID: r.ProductID, Number: r.Number}
	return op.None{}, h.Cart.Change(ctx, auth.ID(ctx), r.ID, w)
}

// Check is the body of /wx/cart/checked.
type Check struct {
	ProductIDs []int64 `json:"productIds" check:"required,maxItems=1000"`
	IsChecked  int     `json:"isChecked" check:"required,boolAsInteger" doc:"1 ticks, anything else unticks."`
}

func (h handlers) check(ctx context.Context, r Check) (Cart, error) {
	return h.view(h.Cart.Check(ctx, auth.ID(ctx), r.ProductIDs, r.IsChecked == 1))
}

// Remove is the body of /wx/cart/delete.
type Remove struct {
	ProductIDs []int64 `json:"productIds" check:"required,notEmpty,maxItems=1000"`
}

func (h handlers) remove(ctx context.Context, r Remove) (Cart, error) {
	return h.view(h.Cart.Remove(ctx, auth.ID(ctx), r.ProductIDs))
}

// Cart is the cart with its totals.
type Cart struct {
	CartList  []Row  `json:"cartList"`
	CartTotal Totals `json:"cartTotal"`
}

// Totals are totals of all items and of the checked ones.
type Totals struct {
	GoodsCount         int        `json:"goodsCount" doc:"Pieces of all rows."`
	GoodsAmount        wire.Money `json:"goodsAmount" doc:"What they cost."`
	CheckedGoodsCount  int        `json:"checkedGoodsCount" doc:"Pieces of the ticked rows."`
	CheckedGoodsAmount wire.Money `json:"checkedGoodsAmount" doc:"What the ticked rows cost."`
}

// Row is a cart item.
type Row struct {
	ID             int64      `json:"id"`
	UserID         int64      `json:"userId"`
	GoodsID        int64      `json:"goodsId"`
	GoodsSN        string     `json:"goodsSn"`
	GoodsName      string     `json:"goodsName"`
	ProductID      int64      `json:"productId"`
	Price          wire.Money `json:"price"`
	Number         int        `json:"number" doc:"Pieces."`
	Stock          int        `json:"stock" doc:"Pieces that are left of the product."`
	Specifications []string   `json:"specifications" doc:"What was chosen, such as its colour."`
	Checked        bool       `json:"checked" doc:"It is ticked, and would be bought."`
	PicURL         wire.Link  `json:"picUrl"`
	FreightID      int64      `json:"freightId" doc:"The template by which delivery is charged; 0 for the settings."`
	wire.Stamps
}

// RowView renders a line, also for the preview of a purchase.
func RowView(zone wire.Zone) func(cart.Line) Row {
	return func(l cart.Line) Row {
		return Row{
			ID: l.ID, UserID: l.UserID, GoodsID: l.GoodsID, GoodsSN: l.GoodsSN, GoodsName: l.GoodsName, ProductID: l.ProductID,
			Price: wire.Money(l.Price), Number: l.Number, Stock: l.Stock, Specifications: wire.OrEmpty(l.Specifications),
			Checked: l.Checked, PicURL: wire.Link(l.PicURL), FreightID: l.FreightID,
			Stamps: zone.Stamps(l.AddTime, l.UpdateTime),
		}
	}
}

func (h handlers) view(lines []cart.Line, err error) (Cart, error) {
	t := cart.TotalsOf(lines)
	return Cart{
		CartList: wire.Each(lines, RowView(h.Zone)),
		CartTotal: Totals{
			GoodsCount: t.Count, GoodsAmount: wire.Money(t.Amount), CheckedGoodsCount: t.CheckedCount,
			CheckedGoodsAmount: wire.Money(t.CheckedAmount),
		},
	}, err
}
