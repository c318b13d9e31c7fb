// Package logging provides the program's log: slog, one JSON object per line, with the values of secret-looking keys
// redacted.
package logging

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
)

// secretParts are parts of keys, secretKeys whole keys, whose values are redacted: secrets and personal data.
var (
	secretParts = []string{
		"password", "passwd", "secret", "token", "captcha", "authorization", "cookie", "credential", "dsn", "mobile",
	}
	secretKeys = []string{"address", "body", "code", "mail", "email", "tel"}
)

// Redacted replaces a redacted value.
const Redacted = "***"

// New returns a logger that writes lines of at least the level to w. If w buffers lines, as a Buffer does, errors are
// flushed at once.
func New(w io.Writer, level slog.Leveler) *slog.Logger {
	f, _ := w.(flusher)
	return slog.New(&handler{slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}), f})
}

type flusher interface{ Flush() error }

// handler redacts secrets. It examines the attributes itself because slog's own hook costs more per line than the rest.
type handler struct {
	slog.Handler
	out flusher // nil without a buffer
}

// Handle writes a line; errors are flushed at once, since they may be the last thing a program logs.
func (h *handler) Handle(ctx context.Context, r slog.Record) error {
	secret := false
	r.Attrs(func(a slog.Attr) bool {
		secret = betrays(a)
		return !secret
	})
	if secret {
		clean := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
		r.Attrs(func(a slog.Attr) bool {
			clean.AddAttrs(redact(a))
			return true
		})
		r = clean
	}
	err := h.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelError && err == nil && h.out != nil {
		return h.out.Flush()
	}
	return err
}

// WithAttrs returns a handler that adds attributes to every line.
func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	clean := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		clean[i] = redact(a)
	}
	return &handler{h.Handler.WithAttrs(clean), h.out}
}

// WithGroup returns a handler that puts the attributes of every line into a group.
func (h *handler) WithGroup(name string) slog.Handler {
	return &handler{h.Handler.WithGroup(name), h.out}
}

// betrays reports whether an attribute, or one in its group, has a secret-looking key.
func betrays(a slog.Attr) bool {
	if k := a.Value.Kind(); k == slog.KindLogValuer || k == slog.KindGroup {
		return true // resolved and looked through by redact; rare enough not to be done twice
	}
	return Secret(a.Key)
}

// redact redacts the value of an attribute, or of those in its group.
func redact(a slog.Attr) slog.Attr {
	if Secret(a.Key) {
		return slog.String(a.Key, Redacted)
	}
	a.Value = a.Value.Resolve()
	if a.Value.Kind() != slog.KindGroup {
		return a
	}
	members := a.Value.Group()
	clean := make([]slog.Attr, len(members))
	for i, member := range members {
		clean[i] = redact(member)
	}
	return slog.Attr{Key: a.Key, Value: slog.GroupValue(clean...)}
}

// Secret reports whether the name of an attribute, a header or a parameter looks like something that must not be
// logged.
func Secret(key string) bool {
	switch key { // the keys of every line
	case slog.TimeKey, slog.LevelKey, slog.MessageKey, "method", "path", "errno", "status", "ms", "request", "who":
		return false
	}
	key = strings.ToLower(key)
	return slices.Contains(secretKeys, key) ||
		slices.ContainsFunc(secretParts, func(part string) bool { return strings.Contains(key, part) })
}
