package op

import (
	"math"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"shop.internal/pkg/domain/money"
)

// MaxID is the largest id: what a JSON number holds exactly in a browser.
const MaxID = 1<<53 - 1

// put reads text as the field declares it; the leniency is the contract's: clients send numbers as text, booleans as 0
// and 1. quoted says that the value was text, where only digits make a number.
func (f *field) put(into reflect.Value, t string, quoted bool) error {
	switch f.kind {
	case whole, id:
		return f.putInteger(into, t, quoted)
	case flag:
		b, ok := boolean(t)
		if !ok {
			return f.invalid()
		}
		into.SetBool(b)
	case amount:
		a, ok := decimal(t, quoted)
		if !ok || !f.within(int64(a)) {
			return f.invalid()
		}
		into.SetInt(int64(a))
	default:
		return f.putText(into, t)
	}
	return nil
}

func (f *field) putInteger(into reflect.Value, t string, quoted bool) error {
	n, ok := integer(t, quoted)
	limit := int64(math.MaxInt32)
	if f.kind == id {
		limit = MaxID
	}
	if !ok || n > limit || n < -limit-1 || !f.within(n) || !f.allowed(strconv.FormatInt(n, 10)) {
		return f.invalid()
	}
	into.SetInt(n)
	return nil
}

func integer(t string, quoted bool) (int64, bool) {
	switch t {
	case "true":
		return 1, !quoted // flags that a client sends as integers, and the reverse
	case "false":
		return 0, !quoted
	}
	if n, err := strconv.ParseInt(strings.TrimSpace(t), 10, 64); err == nil {
		return n, true
	}
	if quoted {
		return 0, false
	}
	x, err := strconv.ParseFloat(t, 64) // 5.0 and 1e3 are whole numbers
	if err != nil || x != math.Trunc(x) || math.Abs(x) > MaxID {
		return 0, false
	}
	return int64(x), true
}

func boolean(t string) (value, ok bool) {
	switch strings.ToLower(strings.TrimSpace(t)) {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return false, false
}

func decimal(t string, quoted bool) (money.Amount, bool) {
	t = strings.TrimSpace(t)
	if !quoted && strings.ContainsAny(t, "eE") {
		x, err := strconv.ParseFloat(t, 64)
		if err != nil || math.Abs(x) > MaxID {
			return 0, false
		}
		t = strconv.FormatFloat(x, 'f', -1, 64)
	}
	a, err := money.Parse(t)
	return a, err == nil
}

func (f *field) putText(into reflect.Value, t string) error {
	t = strings.ToValidUTF8(t, "\uFFFD")
	if f.trim {
		t = strings.TrimSpace(t)
	}
	switch {
	case t == "" && !f.required:
	case !f.within(int64(utf8.RuneCountInString(t))),
		f.bytes != nil && int64(len(t)) > *f.bytes,
		!f.allowed(t),
		f.mobile && !Mobile(t),
		f.url && !Link(t):
		return f.invalid()
	}
	into.SetString(t)
	return nil
}

func (f *field) within(n int64) bool {
	return (f.min == nil || n >= *f.min) && (f.max == nil || n <= *f.max)
}

func (f *field) allowed(t string) bool { return f.oneof == nil || slices.Contains(f.oneof, t) }

// Mobile reports whether a text has the form of a mobile number: 1 and ten more digits.
func Mobile(t string) bool {
	if len(t) != 11 || t[0] != '1' {
		return false
	}
	for i := range len(t) {
		if t[i] < '0' || t[i] > '9' {
			return false
		}
	}
	return true
}

// Link reports whether a text is an http or https address of at most 255 characters.
func Link(t string) bool {
	if utf8.RuneCountInString(t) > 255 {
		return false
	}
	u, err := url.Parse(t)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
