package orders

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/logkind"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/opencases"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/paging"
)

// Where open cases are settled.
const (
	settlePath   = "/admin/order/case/settle"
	repayPath    = "/admin/order/case/repay"
	retryPath    = "/admin/order/case/retry"
	dismissPath  = "/admin/order/case/dismiss"
	refundPath   = "/admin/order/refund"
	rejectPath   = "/admin/order/reject"
	aftersaleOne = "/admin/aftersale/refund"
)

// caseOps are the operations on open cases. Who may refund orders looks after them.
func caseOps(h orderHandlers) []op.Op {
	access := op.SharedPermit("admin:order:refund")
	about := func(target, action string) op.Audit {
		return op.Audit{Target: target, Kind: logkind.Ordering, Action: text.ForAction(action)}
	}
	return []op.Op{
		op.Read[ListCases, wire.List[Case]]{
			Path: "/admin/order/cases", Title: "List the open cases of money and side effects, the oldest first",
			Access: access, Budget: 2, Do: h.listCases,
		},
		op.Write[SettleCase, op.None]{
			Path: settlePath, Title: "Record that a notification of the payment platform was dealt with", Access: access,
			Fails: []*errno.Code{errno.Stale}, IdempotencyScope: "admin.case-settle",
			Audit: about("payment_notify", "notification-resolve"), Budget: 6, Do: h.settleCase,
		},
		op.Write[SettleCase, op.None]{
			Path: repayPath, Title: "Record that a refund which the platform refuses was paid by hand", Access: access,
			Fails: []*errno.Code{errno.Stale}, IdempotencyScope: "admin.case-repay",
			Audit: audit("order-repay"), Budget: 22, Do: h.repayCase,
		},
		op.Write[RetryCase, op.None]{
			Path: retryPath, Title: "Retry a side effect that was given up", Access: access,
			Fails: []*errno.Code{errno.Stale}, IdempotencyScope: "admin.case-retry",
			Audit: about("outbox_event", "event-retry"), Budget: 6, Do: h.retryCase,
		},
		op.Write[SettleCase, op.None]{
			Path: dismissPath, Title: "Dismiss a side effect that was given up", Access: access,
			Fails: []*errno.Code{errno.Stale}, IdempotencyScope: "admin.case-dismiss",
			Audit: about("outbox_event", "event-dismiss"), Budget: 6, Do: h.dismissCase,
		},
	}
}

// ListCases is the query of /admin/order/cases.
type ListCases struct {
	wire.Paging
	Kind string `json:"kind" check:"enum=refused-notice|returned-refund|late-money|unanswered-refund|refused-refund|dead-letter|failed-group" doc:"Only cases of this kind."` //nolint:lll // one tag
}

// Case is an open case.
type Case struct {
	Kind string `json:"kind"`
	// ID is what the operation that settles the case takes.
	ID          int64      `json:"id" doc:"The notification, refund or side effect; the id to settle the case by."`
	OrderID     int64      `json:"orderId" doc:"0 for none, like the other ids." show:"of=order"`
	OrderSN     string     `json:"orderSn"`
	PaymentID   int64      `json:"paymentId"`
	RefundID    int64      `json:"refundId"`
	AftersaleID int64      `json:"aftersaleId"`
	Number      string     `json:"number" doc:"The shop's number of the payment or refund, or the key of the side effect."`
	Amount      wire.Money `json:"amount"`
	Since       wire.Time  `json:"since"`
	Age         int64      `json:"age" doc:"Seconds since then."`
	What        string     `json:"what" doc:"What happened, in the shop's language."`
	Detail      string     `json:"detail" doc:"What the platform or the shop said about it."`
	Next        string     `json:"next" doc:"What to do next, in the shop's language."`
	Operations  []string   `json:"operations" doc:"The paths of the operations that may settle it."`
	Automatic   bool       `json:"automatic" doc:"Whether the shop keeps trying, so that it may settle itself."`
}

func (h orderHandlers) listCases(ctx context.Context, r ListCases) (wire.List[Case], error) {
	oldestFirst := r.Order != "desc"
	return paging.Page(r.Paging, func(q page.Query) (page.List[opencases.Case], error) {
		q.Desc = !oldestFirst
		return h.Cases.List(ctx, opencases.Kind(r.Kind), q)
	}, func(c opencases.Case) Case { return h.openCase(c, op.LanguageOf(ctx, h.Language)) })
}

func (h orderHandlers) openCase(c opencases.Case, language string) Case {
	return Case{
		Kind: string(c.Kind), ID: c.ID, OrderID: c.OrderID, OrderSN: c.OrderSN, PaymentID: c.PaymentID,
		RefundID: c.RefundID, AftersaleID: c.AftersaleID, Number: c.Number, Amount: wire.Money(c.Amount),
		Since: h.Zone.At(c.Since), Age: int64(h.Cases.Age(c).Seconds()), What: c.What(language), Detail: c.Detail,
		Next: c.Next(language), Operations: operations(c), Automatic: c.Automatic(),
	}
}

// operations are the paths that may settle a case, the usual one first.
func operations(c opencases.Case) []string {
	switch {
	case c.Kind == opencases.RejectedNotification, c.Kind == opencases.ReturnedRefund:
		return []string{settlePath}
	case c.Kind == opencases.DeadLetter:
		return []string{retryPath, dismissPath}
	case c.AftersaleID != 0:
		return []string{aftersaleOne}
	case c.Kind == opencases.LatePayment && c.RefundStatus == payment.RefundFailed:
		return []string{repayPath}
	case c.Kind == opencases.LatePayment:
		return []string{}
	case c.Kind == opencases.RefusedRefund:
		return []string{refundPath, rejectPath, repayPath}
	}
	return []string{refundPath}
}

// SettleCase is the body of the operations that end a case.
type SettleCase struct {
	ID   int64  `json:"id" check:"required"`
	Note string `json:"note" check:"required,maxLength=127,visible" doc:"What was done, for the audit log."`
}

func (h orderHandlers) settleCase(ctx context.Context, r SettleCase) (op.None, error) {
	return op.None{}, h.Orders.ResolveNotification(ctx, r.ID, r.Note)
}

func (h orderHandlers) repayCase(ctx context.Context, r SettleCase) (op.None, error) {
	return op.None{}, h.Orders.RefundByHand(ctx, auth.Actor(ctx), r.ID, r.Note)
}

func (h orderHandlers) dismissCase(ctx context.Context, r SettleCase) (op.None, error) {
	return op.None{}, h.Orders.DismissEvent(ctx, r.ID, r.Note)
}

// RetryCase is the body of /admin/order/case/retry.
type RetryCase struct {
	ID int64 `json:"id" check:"required"`
}

func (h orderHandlers) retryCase(ctx context.Context, r RetryCase) (op.None, error) {
	return op.None{}, h.Orders.RetryEvent(ctx, r.ID)
}
