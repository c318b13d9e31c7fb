package payment

import (
	"context"
	"errors"

	"shop.internal/pkg/domain/platform/meter"
	"shop.internal/pkg/domain/platform/trace"
)

// Watched returns a gateway whose calls to the platform are counted and timed.
func Watched(g Gateway, m *meter.Meter) Gateway { return watched{g, m} }

type watched struct {
	Gateway
	meter *meter.Meter
}

// call makes a call. That a payment is unpaid is an answer, not a failure.
func call[T any](
	ctx context.Context, w watched, name string, do func(ctx context.Context) (T, error),
) (T, error) {
	began := w.meter.Now()
	ctx, span := trace.Call(ctx, "payment platform", name)
	answer, err := do(ctx)
	span.End(err)
	w.meter.Took(meter.PlatformCalls, began, name)
	if err != nil && !errors.Is(err, ErrUnpaid) {
		w.meter.Count(meter.PlatformFailures, name, meter.Result(err, ErrRefused))
	}
	return answer, err
}

// Prepay implements Gateway.
func (w watched) Prepay(ctx context.Context, a PrepayRequest) (string, error) {
	return call(ctx, w, "prepay", func(ctx context.Context) (string, error) { return w.Gateway.Prepay(ctx, a) })
}

// H5 implements Gateway.
func (w watched) H5(ctx context.Context, a PrepayRequest) (string, error) {
	return call(ctx, w, "h5", func(ctx context.Context) (string, error) { return w.Gateway.H5(ctx, a) })
}

// Close implements Gateway.
func (w watched) Close(ctx context.Context, outTradeNo string) error {
	_, err := call(ctx, w, "close", func(ctx context.Context) (struct{}, error) {
		return struct{}{}, w.Gateway.Close(ctx, outTradeNo)
	})
	return err
}

// Query implements Gateway.
func (w watched) Query(ctx context.Context, outTradeNo string) (Notification, error) {
	return call(ctx, w, "query", func(ctx context.Context) (Notification, error) {
		return w.Gateway.Query(ctx, outTradeNo)
	})
}

// Refund implements Gateway.
func (w watched) Refund(ctx context.Context, a RefundRequest) (string, error) {
	return call(ctx, w, "refund", func(ctx context.Context) (string, error) { return w.Gateway.Refund(ctx, a) })
}

// RefundStatus implements Gateway.
func (w watched) RefundStatus(ctx context.Context, outRefundNo string) (string, error) {
	return call(ctx, w, "refund status", func(ctx context.Context) (string, error) {
		return w.Gateway.RefundStatus(ctx, outRefundNo)
	})
}
