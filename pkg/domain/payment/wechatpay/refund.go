package wechatpay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/internal/apiv3"
)

// refundRequest identifies the payment by one of two numbers, never by both.
type refundRequest struct {
	TransactionID string `json:"transaction_id,omitempty"`
	OutTradeNo    string `json:"out_trade_no,omitempty"`
	OutRefundNo   string `json:"out_refund_no"`
	Reason        string `json:"reason,omitempty"`
	NotifyURL     string `json:"notify_url,omitempty"`
	Amount        amount `json:"amount"`
}

type refundAnswer struct {
	RefundID    string `json:"refund_id"`
	OutRefundNo string `json:"out_refund_no"`
	Status      string `json:"status"`
}

// taken decodes an answer. The platform accepts a refund first and pays it a little later; an accepted refund needs
// nothing more from the shop.
func (r refundAnswer) taken(outRefundNo string) (string, error) {
	switch {
	case r.OutRefundNo != outRefundNo || r.RefundID == "" || len(r.RefundID) > 64:
		return "", errors.New("the answer is about another refund")
	case r.Status == apiv3.RefundSuccess || r.Status == apiv3.RefundProcessing:
		return r.RefundID, nil
	case r.Status == apiv3.RefundClosed || r.Status == apiv3.RefundAbnormal:
		return "", fmt.Errorf("%w: the refund is %s", payment.ErrRefused, r.Status)
	}
	return "", fmt.Errorf("the refund has the unknown state %.40q", r.Status)
}

// Refund requests a refund. The platform's own number of the payment is preferred, since the platform may have
// collected twice under one of our numbers.
func (w *Gateway) Refund(ctx context.Context, a payment.RefundRequest) (string, error) {
	var answer refundAnswer
	if a.TransactionID != "" {
		a.OutTradeNo = ""
	}
	err := w.call(ctx, http.MethodPost, "/v3/refund/domestic/refunds", refundRequest{
		TransactionID: a.TransactionID, OutTradeNo: a.OutTradeNo, OutRefundNo: a.OutRefundNo, Reason: form.Truncate(a.Reason,
			80), NotifyURL: w.o.NotifyURL,
		Amount: amount{Total: int64(a.Total), Refund: int64(a.Amount), Currency: apiv3.Currency},
	}, &answer)
	if err != nil {
		return "", err
	}
	return answer.taken(a.OutRefundNo)
}

// RefundStatus queries a refund.
func (w *Gateway) RefundStatus(ctx context.Context, a payment.RefundRequest) (string, error) {
	var answer refundAnswer
	path := "/v3/refund/domestic/refunds/" + url.PathEscape(a.OutRefundNo)
	if err := w.call(ctx, http.MethodGet, path, nil, &answer); err != nil {
		return "", err
	}
	return answer.taken(a.OutRefundNo)
}
