package order

import (
	"context"

	auditing "shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/menu"
)

// otherWrites are the changes that are no steps of fulfilment.
func otherWrites(h handlers) []op.Op {
	return []op.Op{
		op.Write[Pay, op.None]{
			Path: "/admin/order/pay", Title: "Record that an order was paid without a platform",
			Access:           op.Permit("admin:order:pay", menu.Orders(), menu.Button("Collect payment", "订单收款")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.order-pay", Audit: audit("收款"), Budget: 13, Do: h.pay,
		},
		op.Write[Delete, op.None]{
			Path: "/admin/order/delete", Title: "Delete an order that is over",
			Access:           op.Permit("admin:order:delete", menu.Orders(), menu.Button("Delete", "订单删除")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.order-delete", Audit: audit("删除"), Budget: 7, Do: h.delete,
		},
		op.Write[Reply, op.None]{
			Path: "/admin/order/reply", Title: "Reply to a comment, once",
			Access:           op.Permit("admin:order:reply", menu.Orders(), menu.Button("Reply to comment", "订单商品回复")),
			Fails:            []*errno.Code{errno.OrderReplyExists, errno.Stale},
			IdempotencyScope: "admin.order-reply",
			Audit:            op.Audit{Target: "comment", Kind: int(auditing.General), Action: "回复评论"}, Budget: 5, Do: h.reply,
		},
	}
}

// Pay is the body of /admin/order/pay.
type Pay struct {
	OrderID  int64        `json:"orderId" check:"required" show:"of=order"`
	NewMoney money.Amount `json:"newMoney" check:"required,range=paid" doc:"The amount handed over: what the order costs."`
}

func (h handlers) pay(ctx context.Context, r Pay) (op.None, error) {
	return op.None{}, h.Orders.PayOffline(ctx, auth.Actor(ctx), r.OrderID, r.NewMoney)
}

// Delete is the body of /admin/order/delete.
type Delete struct {
	OrderID int64 `json:"orderId" check:"required" show:"of=order"`
}

func (h handlers) delete(ctx context.Context, r Delete) (op.None, error) {
	return op.None{}, h.Orders.Delete(ctx, auth.Actor(ctx), r.OrderID)
}

// Reply is the body of /admin/order/reply.
type Reply struct {
	CommentID int64  `json:"commentId" check:"required"`
	Content   string `json:"content" check:"required,maxLength=511"`
}

func (h handlers) reply(ctx context.Context, r Reply) (op.None, error) {
	if r.CommentID == 0 {
		return op.None{}, errno.Missing.About(text.FieldComment)
	}
	return op.None{}, h.Comments.Reply(ctx, r.CommentID, r.Content)
}
