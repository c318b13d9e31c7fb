// Package order serves shoppers the orders, and receives the payment notifications.
package order

import (
	"context"
	"slices"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/express"
	"shop.internal/services/storefront/internal/paging"
	"shop.internal/services/storefront/internal/redirect"
)

// Deps are the dependencies of the operations. A zero Deps can only be used to list operations.
type Deps struct {
	Orders   *order.Service
	Comments *review.Lines
	Settings *settings.Service
	Channels order.Channels
	// Express provides tracking.
	Express  express.View
	Zone     wire.Zone
	Language string
	// Back are where browsers return after a payment.
	Back redirect.Targets
	// Now is the shop's clock, since the allowed operations depend on the time.
	Now func() time.Time
}

type handlers struct{ Deps }

// Ops declares the operations on orders.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	notMine := []*errno.Code{errno.OrderUnknown, errno.OrderInvalidOperation, errno.Stale}
	cannotBuy := []*errno.Code{errno.GoodsUnshelved, errno.GoodsInvalid, errno.GrouponExpired, errno.GrouponOffline}
	return slices.Concat(h.purchase(cannotBuy), h.groupons(), h.waiting(notMine), h.payNotify(), []op.Op{
		op.Read[List, wire.List[Listed]]{
			Path: "/wx/order/list", Title: "List my orders", Access: op.SignedIn, Budget: 6, Do: h.list,
		},
		op.Read[Ref, Detail]{
			Path: "/wx/order/detail", Title: "Show an order of mine", Access: op.SignedIn,
			Fails:  []*errno.Code{errno.OrderUnknown},
			Budget: 4,
			Do:     h.detail,
		},
		op.Write[Ref, op.None]{
			Path: "/wx/order/cancel", Title: "Cancel an unpaid order", Access: op.SignedIn, Fails: notMine,
			IdempotencyScope: "order.cancel",
			Budget:           13,
			Do:               h.cancel,
		},
		op.Write[Payment, Ticket]{
			Path: "/wx/order/prepay", Title: "Begin to pay an order", Access: op.SignedIn,
			Fails:  append([]*errno.Code{errno.OrderPayFailed, errno.AuthOpenIDUnaccess}, notMine...),
			Budget: 10, Do: h.prepay,
		},
		op.Write[BrowserPayment, Redirect]{
			Path: "/wx/order/h5pay", Title: "Begin to pay an order in a browser", Access: op.SignedIn,
			Fails: append([]*errno.Code{errno.OrderPayFailed}, notMine...), Budget: 9, Do: h.h5pay,
		},
		op.Write[Ref, op.None]{
			Path: "/wx/order/confirm", Title: "Confirm that the goods have arrived", Access: op.SignedIn, Fails: notMine,
			IdempotencyScope: "order.confirm", Budget: 5, Do: h.confirm,
		},
		op.Write[Ref, op.None]{
			Path: "/wx/order/delete", Title: "Remove an order from my lists", Access: op.SignedIn, Fails: notMine,
			IdempotencyScope: "order.delete", Budget: 3, Do: h.remove,
		},
		op.Write[Ref, op.None]{
			Path: "/wx/order/refund", Title: "Ask for the money of a paid order", Access: op.SignedIn, Fails: notMine,
			IdempotencyScope: "order.refund", Budget: 10, Do: h.refund,
		},
		op.Read[LineRef, Line]{
			Path: "/wx/order/goods", Title: "Show a line that waits for a comment", Access: op.SignedIn,
			Fails: []*errno.Code{errno.Missing}, Budget: 3, Do: h.line,
		},
		op.Write[Comment, op.None]{
			Path: "/wx/order/comment", Title: "Comment on a line of a received order", Access: op.SignedIn,
			Fails: []*errno.Code{
				errno.OrderInvalidOperation, errno.OrderCommented, errno.OrderCommentExpired, errno.Stale,
			},
			IdempotencyScope: "order.comment", Budget: 8, Do: h.comment,
		},
		op.Read[Ref, []Channel]{
			Path: "/wx/order/channels", Title: "List how an order can be paid", Access: op.SignedIn,
			Fails:  []*errno.Code{errno.OrderUnknown, errno.OrderInvalidOperation},
			Budget: 7, Do: h.payChannels,
		},
	})
}

// List is the request of /wx/order/list.
type List struct {
	wire.Paging
	ShowType int `json:"showType" check:"min=0,max=4" doc:"0 all, 1 to pay, 2 to ship, 3 to receive, 4 to comment."`
}

func (h handlers) list(ctx context.Context, r List) (wire.List[Listed], error) {
	q, err := paging.Of(r.Paging)
	if err != nil {
		return wire.List[Listed]{}, err
	}
	found, err := h.Orders.List(ctx, auth.ID(ctx), order.Tab(r.ShowType), q)
	if err != nil {
		return wire.List[Listed]{}, err
	}
	v, err := h.Settings.Now(ctx)
	return wire.ListOf(found, func(l order.Listed) Listed { return h.listed(l, v.CommentFor) }), err
}

// Ref names one order.
type Ref struct {
	OrderID int64 `json:"orderId" check:"required"`
}

func (h handlers) detail(ctx context.Context, r Ref) (Detail, error) {
	d, err := h.Orders.Find(ctx, auth.ID(ctx), r.OrderID)
	if err != nil {
		return Detail{}, err
	}
	v, err := h.Settings.Now(ctx)
	return h.detailView(ctx, d, v), err
}

func (h handlers) cancel(ctx context.Context, r Ref) (op.None, error) {
	return op.None{}, h.Orders.Cancel(ctx, auth.ID(ctx), r.OrderID)
}

func (h handlers) confirm(ctx context.Context, r Ref) (op.None, error) {
	return op.None{}, h.Orders.Confirm(ctx, auth.ID(ctx), r.OrderID)
}

func (h handlers) remove(ctx context.Context, r Ref) (op.None, error) {
	return op.None{}, h.Orders.Hide(ctx, auth.ID(ctx), r.OrderID)
}

func (h handlers) refund(ctx context.Context, r Ref) (op.None, error) {
	return op.None{}, h.Orders.AskRefund(ctx, auth.ID(ctx), r.OrderID)
}

// LineRef is the request of /wx/order/goods: a line, or an order and goods of it.
type LineRef struct {
	Line    int64 `json:"ogid" doc:"The order line; wins where it is given."`
	OrderID int64 `json:"orderId"`
	GoodsID int64 `json:"goodsId"`
}

func (h handlers) line(ctx context.Context, r LineRef) (Line, error) {
	if r.Line == 0 && (r.OrderID == 0 || r.GoodsID == 0) {
		return Line{}, errno.Missing.About(text.FieldOrder)
	}
	l, err := h.Orders.LineToComment(ctx, auth.ID(ctx), r.Line, r.OrderID, r.GoodsID)
	return h.lineView(l), err
}

// Comment is the body of /wx/order/comment.
type Comment struct {
	OrderGoodsID int64    `json:"orderGoodsId" check:"required" doc:"The order line."`
	Content      string   `json:"content" check:"required,maxLength=1023"`
	Star         int      `json:"star" check:"required,min=1,max=5"`
	HasPicture   bool     `json:"hasPicture"`
	PicURLs      []string `json:"picUrls" check:"maxItems=9,url"`
}

func (h handlers) comment(ctx context.Context, r Comment) (op.None, error) {
	c := review.Comment{Content: r.Content, Star: r.Star}
	if r.HasPicture {
		c.Pictures = r.PicURLs
	}
	return op.None{}, h.Comments.Comment(ctx, auth.ID(ctx), r.OrderGoodsID, c)
}
