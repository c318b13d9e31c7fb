package server

import (
	"context"
	"errors"
	"log/slog"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
)

// Done returns what op.Hooks.Done needs: it counts every answer, where m is not nil, and writes its line.
func Done(log *slog.Logger, m *Metrics) func(op.Result) {
	return func(r op.Result) {
		if m != nil {
			m.Observe(r)
		}
		logRequest(log, r)
	}
}

// logRequest writes the one line of a request. An internal error is written with its whole chain; the client's address
// is left out, since it is personal and no one needs it to find a fault.
func logRequest(log *slog.Logger, r op.Result) {
	level := slog.LevelInfo
	if r.Errno == errno.Internal.Num && !errors.Is(r.Err, context.Canceled) { // canceled: the client has gone
		level = slog.LevelError
	}
	ctx := context.Background()
	if !log.Enabled(ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 8)
	attrs = append(attrs, slog.String("method", r.Method), slog.String("path", r.Path), slog.Int("errno", r.Errno),
		slog.Int("status", r.Status), slog.Float64("ms", float64(r.Took.Microseconds())/1000), slog.String("request", r.ID))
	if r.Who != "" {
		attrs = append(attrs, slog.String("who", r.Who))
	}
	if r.Err != nil {
		attrs = append(attrs, slog.String("err", r.Err.Error()))
	}
	// Past the logger, which would look up the line of source for nothing.
	line := slog.NewRecord(r.At, level, "request", 0)
	line.AddAttrs(attrs...)
	_ = log.Handler().Handle(ctx, line) // a log that cannot be written can tell nobody
}
