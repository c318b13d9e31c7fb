package payment

import (
	"context"
	"errors"

	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/trace"
)

// watched is a gateway whose calls are counted and timed.
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

// Start implements Gateway. The metrics call a payment in a browser h5, and any other prepay. Where no platform is
// called, nothing is counted.
func (w watched) Start(ctx context.Context, a StartRequest) (number string, answer Answer, err error) {
	if a.Kind == KindOffline || a.Kind == KindApp && a.Number != "" {
		return w.Gateway.Start(ctx, a)
	}
	name := "prepay"
	if a.Kind == KindPage || a.Kind == KindRedirect {
		name = "h5"
	}
	_, err = call(ctx, w, name, func(ctx context.Context) (_ struct{}, err error) {
		number, answer, err = w.Gateway.Start(ctx, a)
		return struct{}{}, err
	})
	return number, answer, err
}

// Close implements Gateway.
func (w watched) Close(ctx context.Context, p Ref) error {
	_, err := call(ctx, w, "close", func(ctx context.Context) (struct{}, error) {
		return struct{}{}, w.Gateway.Close(ctx, p)
	})
	return err
}

// Query implements Gateway.
func (w watched) Query(ctx context.Context, p Ref) (Notification, error) {
	return call(ctx, w, "query", func(ctx context.Context) (Notification, error) {
		return w.Gateway.Query(ctx, p)
	})
}

// Refund implements Gateway.
func (w watched) Refund(ctx context.Context, a RefundRequest) (string, error) {
	return call(ctx, w, "refund", func(ctx context.Context) (string, error) { return w.Gateway.Refund(ctx, a) })
}

// RefundStatus implements Gateway.
func (w watched) RefundStatus(ctx context.Context, a RefundRequest) (string, error) {
	return call(ctx, w, "refund status", func(ctx context.Context) (string, error) {
		return w.Gateway.RefundStatus(ctx, a)
	})
}
