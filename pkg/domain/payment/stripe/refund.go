package stripe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	stripe "github.com/stripe/stripe-go/v85"

	"shop.internal/pkg/domain/payment"
)

// The states of a refund at the platform. One that is accepted is pending or done, or waits for the shopper.
const (
	refundDone     = "succeeded"
	refundFailed   = "failed"
	refundCanceled = "canceled"
)

// refund is a refund at the platform.
type refund struct {
	object
	Status        string `json:"status"`
	Amount        int64  `json:"amount"`
	Currency      string `json:"currency"`
	PaymentIntent string `json:"payment_intent"`
}

// failed reports whether the platform has given the refund up.
func (r refund) failed() bool { return r.Status == refundFailed || r.Status == refundCanceled }

// Refund implements payment.Gateway. The platform forgets an idempotency key after a day, so a refund of our number is
// looked for first. One that has failed is made again, under a key of its own.
func (g *gateway) Refund(ctx context.Context, a payment.RefundRequest) (string, error) {
	units, err := unitsOf(a.Amount, a.Currency)
	if err != nil {
		return "", err
	}
	made, failed, err := g.refunds(ctx, a)
	if err != nil || made != "" {
		return made, err
	}
	key := a.OutRefundNo
	if failed > 0 {
		key += "-" + strconv.Itoa(failed+1)
	}
	p := &stripe.RefundCreateParams{
		PaymentIntent: &a.TransactionID, Amount: &units, Metadata: map[string]string{ourNumber: a.OutRefundNo},
	}
	p.Context, p.IdempotencyKey = ctx, &key
	var r refund
	if err := g.call(http.MethodPost, "/v1/refunds", p, &r); err != nil {
		return "", err
	}
	switch {
	case r.ID == "" || len(r.ID) > 64 || r.Metadata[ourNumber] != a.OutRefundNo:
		return "", errors.New("the answer is about another refund")
	case r.failed():
		return "", fmt.Errorf("%w: the refund is %s", payment.ErrRefused, r.Status)
	}
	return r.ID, nil
}

// RefundStatus implements payment.Gateway.
func (g *gateway) RefundStatus(ctx context.Context, a payment.RefundRequest) (string, error) {
	made, failed, err := g.refunds(ctx, a)
	if err == nil && made == "" {
		err = fmt.Errorf("%w: %d refunds have failed, and no other is there", payment.ErrRefused, failed)
	}
	return made, err
}

// maxRefunds is how many refunds of a payment the platform lists at once, far more than an order has.
const maxRefunds = 100

// refunds returns the platform's number of the refund that was made under our number, if there is one, and how many
// have failed.
func (g *gateway) refunds(ctx context.Context, a payment.RefundRequest) (made string, failed int, err error) {
	if a.TransactionID == "" {
		return "", 0, fmt.Errorf("%w: payment %s has no number there", payment.ErrRefused, a.OutTradeNo)
	}
	var list struct {
		object
		Data []refund `json:"data"`
		More bool     `json:"has_more"`
	}
	err = g.get(ctx, "/v1/refunds", reading{PaymentIntent: &a.TransactionID, Limit: stripe.Int64(maxRefunds)}, &list)
	if err != nil {
		return "", 0, err
	}
	for _, r := range list.Data {
		switch {
		case r.Metadata[ourNumber] != a.OutRefundNo:
		case r.failed():
			failed++
		default:
			return r.ID, failed, nil
		}
	}
	if list.More {
		err = errors.New("the payment has more refunds than can be read")
	}
	return "", failed, err
}
