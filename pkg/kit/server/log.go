package server

import (
	"context"
	"errors"
	"log/slog"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/op"
)

// Done returns the hook op.Hooks.Done that counts every answer, unless m is nil, and logs it.
func Done(log *slog.Logger, m *Metrics) func(op.Result) {
	return func(r op.Result) {
		if m != nil {
			m.Observe(r)
		}
		logRequest(log, r)
	}
}

// logRequest logs a request in one line. An internal error is logged with its whole chain; the client's address is left
// out, since it is personal and not needed to find a fault.
func logRequest(log *slog.Logger, r op.Result) {
	level := slog.LevelInfo
	// A client that has disconnected, or that was refused because of too much work, met no fault.
	if r.Errno == errno.Internal.Num && !errors.Is(r.Err, context.Canceled) && !errors.Is(r.Err, errno.ErrBusy) {
		level = slog.LevelError
	}
	ctx := context.Background()
	if !log.Enabled(ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 9)
	attrs = append(attrs, slog.String("method", r.Method), slog.String("path", r.Path), slog.Int("errno", r.Errno),
		slog.Int("status", r.Status), slog.Float64("ms", float64(r.Took.Microseconds())/1000), slog.String("request", r.ID))
	if r.Who != "" {
		attrs = append(attrs, slog.String("who", r.Who))
	}
	if r.Trace != "" {
		attrs = append(attrs, slog.String("trace", r.Trace))
	}
	if r.Err != nil {
		attrs = append(attrs, slog.String("err", r.Err.Error()))
	}
	// Bypasses the logger, which would look up the source line.
	line := slog.NewRecord(r.At, level, "request", 0)
	line.AddAttrs(attrs...)
	_ = log.Handler().Handle(ctx, line) // a failing log cannot be reported
}
