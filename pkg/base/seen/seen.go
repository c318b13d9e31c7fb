// Package seen refuses changes of records that somebody else has changed since the caller read them. The time of the
// last change, which every record carries, tells the states of a record apart, so each change makes it later.
package seen

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/errno"
)

type key struct{}

// With returns the context of a change by somebody who has read the record as it was changed at a time, in whole
// seconds. The zero time expects nothing.
func With(ctx context.Context, at time.Time) context.Context {
	if at.IsZero() {
		return ctx
	}
	return context.WithValue(ctx, key{}, at)
}

// Next returns the time of a change of a locked row that was changed last at old: now, or a second after old where that
// is later. It fails with errno.Stale if the caller has read an older state.
func Next(ctx context.Context, record string, id int64, old, now time.Time) (time.Time, error) {
	at, expects := ctx.Value(key{}).(time.Time)
	if expects && !at.Equal(old.Truncate(time.Second)) {
		return old, fmt.Errorf("%s %d was changed at %s: %w", record, id, old, errno.Stale)
	}
	return After(old, now), nil
}

// After returns now, or a second after old where that is later.
func After(old, now time.Time) time.Time {
	if next := old.Add(time.Second); now.Before(next) {
		return next
	}
	return now
}
