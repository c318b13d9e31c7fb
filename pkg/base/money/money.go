// Package money represents amounts of money as whole cents, never in floating point.
package money

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Amount is a number of cents.
type Amount int64

// Max is the largest amount of a money column: 99,999,999.99.
const Max Amount = 9_999_999_999

// ErrSyntax says that a text is not an amount with at most two fraction digits (further zeros are allowed).
var ErrSyntax = errors.New("not an amount of money")

// Yuan returns an amount in whole currency units.
func Yuan(n int64) Amount { return Amount(n * 100) }

// Parse parses a decimal number such as "12", "-0.5" or "12.340". It fails with ErrSyntax for anything else, for a
// third fraction digit other than zero, and for an absolute value above Max.
func Parse(text string) (Amount, error) {
	a, rest, err := parse(text)
	if err == nil && strings.Trim(rest, "0") != "" {
		err = fmt.Errorf("%w: %.32q", ErrSyntax, text)
	}
	if err != nil {
		return 0, err
	}
	return a, nil
}

// ParseRounded is Parse for a number computed in floating point: further fraction digits are rounded, half a cent away
// from zero.
func ParseRounded(text string) (Amount, error) {
	a, rest, err := parse(text)
	switch {
	case err != nil || !onlyDigits(rest):
		return 0, fmt.Errorf("%w: %.32q", ErrSyntax, text)
	case rest == "" || rest[0] < '5':
		return a, nil
	case strings.HasPrefix(text, "-"):
		a--
	default:
		a++
	}
	if a > Max || a < -Max {
		return 0, fmt.Errorf("%w: %.32q", ErrSyntax, text)
	}
	return a, nil
}

// parse parses whole cents and returns the remaining fraction digits.
func parse(text string) (a Amount, rest string, err error) {
	digits, negative := strings.CutPrefix(text, "-")
	if !negative {
		digits = strings.TrimPrefix(digits, "+")
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	if len(fraction) > 2 {
		fraction, rest = fraction[:2], fraction[2:]
	}
	if whole+fraction == "" || !onlyDigits(whole) || !onlyDigits(fraction) {
		return 0, "", fmt.Errorf("%w: %.32q", ErrSyntax, text)
	}
	whole = strings.TrimLeft(whole, "0")
	if len(whole) > 8 {
		return 0, "", fmt.Errorf("%w: %.32q", ErrSyntax, text)
	}
	cents, err := strconv.ParseInt("0"+whole+(fraction + "00")[:2], 10, 64)
	if err != nil {
		return 0, "", fmt.Errorf("%w: %.32q", ErrSyntax, text)
	}
	if negative {
		cents = -cents
	}
	return Amount(cents), rest, nil
}

func onlyDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// String returns the amount with exactly two fraction digits: "36.00".
func (a Amount) String() string { return string(a.Append(nil)) }

// Append appends the text of String to b.
func (a Amount) Append(b []byte) []byte {
	if a < 0 {
		b, a = append(b, '-'), -a
	}
	b = strconv.AppendInt(b, int64(a/100), 10)
	return append(b, '.', byte('0'+a/10%10), byte('0'+a%10))
}

// Times returns the amount times n, which is 0 or more. It saturates at the largest Amount, far above Max, so that a
// later check of a bound works.
func (a Amount) Times(n int) Amount {
	if n == 0 {
		return 0
	}
	if p := a * Amount(n); p/Amount(n) == a {
		return p
	}
	return extreme(a)
}

// Round rounds an amount that is not below zero to the nearest multiple of a unit, half a unit up.
func (a Amount) Round(unit Amount) Amount { return (a + unit/2) / unit * unit }

// Plus adds two amounts and saturates like Times.
func (a Amount) Plus(b Amount) Amount {
	if s := a + b; s > a == (b > 0) || b == 0 {
		return s
	}
	return extreme(b)
}

// extreme is the largest amount with the sign of a.
func extreme(a Amount) Amount {
	if a < 0 {
		return math.MinInt64
	}
	return math.MaxInt64
}

// Value returns the exact decimal for MySQL.
func (a Amount) Value() (driver.Value, error) { return a.String(), nil }

// Scan reads a DECIMAL or integer column; NULL is zero.
func (a *Amount) Scan(v any) error {
	var err error
	switch v := v.(type) {
	case nil:
		*a = 0
	case []byte:
		err = a.scanText(string(v))
	case string:
		err = a.scanText(v)
	case int64:
		*a = Yuan(v)
	default:
		err = fmt.Errorf("%w: %T", ErrSyntax, v)
	}
	return err
}

// scanText parses a value of MySQL; sums may exceed Max.
func (a *Amount) scanText(text string) error {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > 2 && strings.Trim(fraction[2:], "0") != "" {
		return fmt.Errorf("%w: %.32q", ErrSyntax, text)
	}
	cents, err := strconv.ParseInt(whole+(fraction + "00")[:2], 10, 64)
	if err != nil {
		return fmt.Errorf("%w: %.32q", ErrSyntax, text)
	}
	*a = Amount(cents)
	return nil
}

// Split divides the total by the weights without losing a cent: the parts add up to the total, each differs from its
// share by less than one cent, and later parts get the rounding. If no weight is above zero the last part gets
// everything.
func Split(total Amount, weights []int64) []Amount {
	var left int64
	for _, w := range weights {
		left += w
	}
	parts := make([]Amount, len(weights))
	for i, w := range weights {
		switch {
		case i == len(weights)-1:
			parts[i] = total
		case left > 0:
			parts[i] = share(total, w, left)
		}
		total -= parts[i]
		left -= w
	}
	return parts
}

// share is total*w/left rounded down, computed in 128 bits.
func share(total Amount, w, left int64) Amount {
	negative := total < 0
	if negative {
		total = -total
	}
	part := Amount(mulDiv(uint64(total), uint64(w), uint64(left))) //nolint:gosec // none is negative, the part is smaller
	if negative {
		return -part
	}
	return part
}
