// Package logging makes the program's log: slog, one JSON object a line, with the values of secret-looking keys struck
// out, so that a careless line betrays nothing. It leaves what is logged to its callers.
package logging

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
)

// secretParts are parts of keys, secretKeys whole keys, whose values are never written: secrets, and what is personal.
var (
	secretParts = []string{
		"password", "passwd", "secret", "token", "captcha", "authorization", "cookie", "credential", "dsn", "mobile",
	}
	secretKeys = []string{"address", "body", "code", "mail", "email", "tel"}
)

// Redacted stands where a value was struck out.
const Redacted = "***"

// New returns a logger that writes lines of at least the level to w. Where w keeps lines back, as a Buffer does, a line
// of level error is written through at once.
func New(w io.Writer, level slog.Leveler) *slog.Logger {
	h := slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: redact})
	if f, ok := w.(flusher); ok {
		return slog.New(&through{h, f})
	}
	return slog.New(h)
}

func redact(_ []string, a slog.Attr) slog.Attr {
	if Secret(a.Key) {
		a.Value = slog.StringValue(Redacted)
	}
	return a
}

// Secret reports whether the name of an attribute, a header or a parameter promises something that no log may hold.
func Secret(key string) bool {
	switch key { // the keys of every line
	case slog.TimeKey, slog.LevelKey, slog.MessageKey, "method", "path", "errno", "status", "ms", "request", "who":
		return false
	}
	key = strings.ToLower(key)
	return slices.Contains(secretKeys, key) ||
		slices.ContainsFunc(secretParts, func(part string) bool { return strings.Contains(key, part) })
}

type flusher interface{ Flush() error }

// through hands errors to the writer below at once: they may be the last thing a program says.
type through struct {
	slog.Handler
	out flusher
}

func (t *through) Handle(ctx context.Context, r slog.Record) error {
	err := t.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelError && err == nil {
		return t.out.Flush()
	}
	return err
}

func (t *through) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &through{t.Handler.WithAttrs(attrs), t.out}
}

func (t *through) WithGroup(name string) slog.Handler {
	return &through{t.Handler.WithGroup(name), t.out}
}
