package payment

import (
	"context"
	"errors"

	"shop.internal/pkg/domain/platform/meter"
)

// Watched returns a gateway whose calls to the platform are counted and timed.
func Watched(g Gateway, m *meter.Meter) Gateway { return watched{g, m} }

type watched struct {
	Gateway
	meter *meter.Meter
}

// call makes a call. That a payment is unpaid is an answer, not a failure.
func call[T any](w watched, name string, do func() (T, error)) (T, error) {
	began := w.meter.Now()
	answer, err := do()
	w.meter.Took(meter.PlatformCalls, began, name)
	if err != nil && !errors.Is(err, ErrUnpaid) {
		w.meter.Count(meter.PlatformFailures, name, meter.Result(err, ErrRefused))
	}
	return answer, err
}

// Prepay implements Gateway.
func (w watched) Prepay(ctx context.Context, a PrepayRequest) (string, error) {
	return call(w, "prepay", func() (string, error) { return w.Gateway.Prepay(ctx, a) })
}

// H5 implements Gateway.
func (w watched) H5(ctx context.Context, a PrepayRequest) (string, error) {
	return call(w, "h5", func() (string, error) { return w.Gateway.H5(ctx, a) })
}

// Close implements Gateway.
func (w watched) Close(ctx context.Context, outTradeNo string) error {
	_, err := call(w, "close", func() (struct{}, error) { return struct{}{}, w.Gateway.Close(ctx, outTradeNo) })
	return err
}

// Query implements Gateway.
func (w watched) Query(ctx context.Context, outTradeNo string) (Notification, error) {
	return call(w, "query", func() (Notification, error) { return w.Gateway.Query(ctx, outTradeNo) })
}

// Refund implements Gateway.
func (w watched) Refund(ctx context.Context, a RefundRequest) (string, error) {
	return call(w, "refund", func() (string, error) { return w.Gateway.Refund(ctx, a) })
}

// RefundStatus implements Gateway.
func (w watched) RefundStatus(ctx context.Context, outRefundNo string) (string, error) {
	return call(w, "refund status", func() (string, error) { return w.Gateway.RefundStatus(ctx, outRefundNo) })
}
