// Package wire defines the scalars and shared shapes of the contract's JSON: money, timestamps, pagination.
package wire

import (
	"encoding/json"
	"fmt"
	"time"

	"shop.internal/pkg/base/money"
)

// Money is an amount as a JSON number with exactly two fraction digits: 36.00.
type Money money.Amount

// MarshalJSON writes the number.
func (m Money) MarshalJSON() ([]byte, error) { return money.Amount(m).Append(nil), nil }

// MoneyText is an amount as JSON text with two fraction digits: "99.00". The contract uses it only in the lists of a
// shopper's coupons.
type MoneyText money.Amount

// MarshalJSON writes the text.
func (m MoneyText) MarshalJSON() ([]byte, error) {
	return append(money.Amount(m).Append([]byte{'"'}), '"'), nil
}

// Layout is the format of all timestamps of the contract.
const Layout = time.DateTime

// Zone formats times in the shop's time zone. The zero Zone is UTC.
type Zone struct{ loc *time.Location }

// ZoneOf returns the zone of a location name such as "Asia/Shanghai".
func ZoneOf(name string) (Zone, error) {
	loc, err := time.LoadLocation(name)
	if err != nil {
		return Zone{}, fmt.Errorf("time zone %q: %w", name, err)
	}
	return Zone{loc}, nil
}

// Location returns the zone for computing, UTC for the zero Zone.
func (z Zone) Location() *time.Location {
	if z.loc == nil {
		return time.UTC
	}
	return z.loc
}

// Time is a timestamp of the contract, text of the form YYYY-MM-DD HH:MM:SS in its time zone. The zero Time is null,
// and omitted if the field has omitzero.
type Time struct{ t time.Time }

// At returns t in the zone; a zero t gives the zero Time.
func (z Zone) At(t time.Time) Time {
	if t.IsZero() {
		return Time{}
	}
	return Time{t.In(z.Location())}
}

// IsZero reports whether there is no time.
func (t Time) IsZero() bool { return t.t.IsZero() }

// MarshalJSON writes the text, truncated to seconds, or null.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return t.t.AppendFormat(make([]byte, 0, len(Layout)+2), `"`+Layout+`"`), nil
}

// Object is pre-encoded JSON, such as a cached page.
type Object = json.RawMessage

// OrEmpty returns s, and an empty slice for nil: arrays of the contract are never null.
func OrEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
