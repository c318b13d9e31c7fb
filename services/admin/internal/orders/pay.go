package orders

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/logkind"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/menu"
)

// otherOrderWrites are the changes that are no steps of fulfilment.
func otherOrderWrites(h orderHandlers) []op.Op {
	return []op.Op{
		op.Write[Pay, op.None]{
			Path: "/admin/order/pay", Title: "Record that an order was paid without a platform",
			Access:           op.Permit("admin:order:pay", menu.Orders(), menu.Button("collect-payment")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.order-pay", Audit: audit("order-pay"), Budget: 15, Do: h.pay,
		},
		op.Write[CallOff, op.None]{
			Path: "/admin/order/call-off", Title: "Call off an order that is to be paid on delivery, such as a refused parcel",
			Access:           op.Permit("admin:order:call-off", menu.Orders(), menu.Button("call-off")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.order-call-off", Audit: audit("order-call-off"), Budget: 15, Do: h.callOff,
		},
		op.Write[Delete, op.None]{
			Path: "/admin/order/delete", Title: "Delete an order that is over",
			Access:           op.Permit("admin:order:delete", menu.Orders(), menu.Button("order-delete")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.order-delete", Audit: audit("order-delete"), Budget: 7, Do: h.delete,
		},
		op.Write[Reply, op.None]{
			Path: "/admin/order/reply", Title: "Reply to a comment, once",
			Access:           op.Permit("admin:order:reply", menu.Orders(), menu.Button("reply-to-comment")),
			Fails:            []*errno.Code{errno.OrderReplyExists, errno.Stale},
			IdempotencyScope: "admin.order-reply",
			Audit:            op.Audit{Target: "comment", Kind: logkind.General, Action: text.ForAction("comment-reply")},
			Budget:           5, Do: h.reply,
		},
	}
}

// Pay is the body of /admin/order/pay.
type Pay struct {
	OrderID  int64        `json:"orderId" check:"required" show:"of=order"`
	NewMoney money.Amount `json:"newMoney" check:"required,range=paid" doc:"The amount handed over: what the order costs."`

	Reference string `json:"reference" check:"maxLength=64,visible" doc:"What the bank or the till calls the payment."`
	Note      string `json:"note" check:"maxLength=127" doc:"A remark for colleagues, shown with the order." show:"long"`
}

func (h orderHandlers) pay(ctx context.Context, r Pay) (op.None, error) {
	return op.None{}, h.Orders.PayOffline(ctx, auth.Actor(ctx), r.OrderID, order.Receipt{
		Amount: r.NewMoney, Reference: r.Reference, Note: r.Note,
	})
}

// CallOff is the body of /admin/order/call-off.
type CallOff struct {
	OrderID int64  `json:"orderId" check:"required" show:"of=order"`
	Note    string `json:"note" check:"maxLength=127" doc:"A remark for colleagues, shown with the order." show:"long"`
}

func (h orderHandlers) callOff(ctx context.Context, r CallOff) (op.None, error) {
	return op.None{}, h.Orders.CallOff(ctx, auth.Actor(ctx), r.OrderID, r.Note)
}

// Delete is the body of /admin/order/delete.
type Delete struct {
	OrderID int64 `json:"orderId" check:"required" show:"of=order"`
}

func (h orderHandlers) delete(ctx context.Context, r Delete) (op.None, error) {
	return op.None{}, h.Orders.Delete(ctx, auth.Actor(ctx), r.OrderID)
}

// Reply is the body of /admin/order/reply.
type Reply struct {
	CommentID int64  `json:"commentId" check:"required"`
	Content   string `json:"content" check:"required,maxLength=511"`
}

func (h orderHandlers) reply(ctx context.Context, r Reply) (op.None, error) {
	if r.CommentID == 0 {
		return op.None{}, errno.Missing.About(text.FieldComment)
	}
	return op.None{}, h.Comments.Reply(ctx, r.CommentID, r.Content)
}
