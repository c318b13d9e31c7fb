package alipay

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/payment"
)

// refundNumbers identify a refund: our number of it, within the trade. The platform has no number of its own.
type refundNumbers struct {
	numbers
	OutRequestNo string `json:"out_request_no"`
}

// ofRefund identifies the trade by the platform's number if that is known, since our number may have been changed after
// the platform collected twice.
func ofRefund(a payment.RefundRequest) refundNumbers {
	if a.TransactionID != "" {
		return refundNumbers{numbers{TradeNo: a.TransactionID}, a.OutRefundNo}
	}
	return refundNumbers{numbers{OutTradeNo: theirs(a.OutTradeNo)}, a.OutRefundNo}
}

// names reports whether an answer is about the trade that was asked for.
func (n numbers) names(asked numbers) bool {
	if asked.TradeNo != "" {
		return n.TradeNo == asked.TradeNo
	}
	return n.OutTradeNo == asked.OutTradeNo
}

// Refund implements payment.Gateway. The platform moves money at once and says so; a repetition moves nothing, like a
// refund that it has yet to make, and only a query distinguishes them.
func (g *Gateway) Refund(ctx context.Context, a payment.RefundRequest) (string, error) {
	asked := ofRefund(a)
	var answer struct {
		numbers
		FundChange string `json:"fund_change"`
	}
	err := g.call(ctx, "alipay.trade.refund", struct {
		refundNumbers
		Amount string `json:"refund_amount"`
		Reason string `json:"refund_reason,omitempty"`
	}{asked, a.Amount.String(), form.Truncate(a.Reason, 256)}, &answer)
	switch {
	case err != nil:
		return "", err
	case !answer.names(asked.numbers):
		return "", errOther
	case answer.FundChange == "Y":
		return a.OutRefundNo, nil
	}
	id, err := g.RefundStatus(ctx, a)
	if errors.Is(err, payment.ErrRefused) {
		return "", errors.New("the platform has yet to make the refund")
	}
	return id, err
}

// RefundStatus implements payment.Gateway. An answer without a state says that the platform has made no such refund.
func (g *Gateway) RefundStatus(ctx context.Context, a payment.RefundRequest) (string, error) {
	asked := ofRefund(a)
	var answer struct {
		refundNumbers
		Status string `json:"refund_status"`
		Amount string `json:"refund_amount"`
	}
	if err := g.call(ctx, "alipay.trade.fastpay.refund.query", asked, &answer); err != nil {
		return "", err
	}
	if answer.Status == "" {
		return "", fmt.Errorf("%w: it has made no such refund", payment.ErrRefused)
	}
	amount, err := money.Parse(answer.Amount)
	switch {
	case !answer.names(asked.numbers) || answer.OutRequestNo != a.OutRefundNo || err != nil || amount != a.Amount:
		return "", errOther
	case answer.Status != "REFUND_SUCCESS":
		return "", fmt.Errorf("the refund has the state %.40q", answer.Status)
	}
	return a.OutRefundNo, nil
}
