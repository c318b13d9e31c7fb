package op

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/money"
	wording "shop.internal/pkg/base/text"
)

// MaxID is the largest id: the largest integer that a JSON number represents exactly in browsers.
const MaxID = 1<<53 - 1

// parseInto parses text as the field declares, with the leniency of the contract: clients send numbers as text,
// booleans as 0 and 1. quoted says that the value was a JSON string, where only digits are a number.
func (f *field) parseInto(into reflect.Value, t string, quoted bool, in *input) error {
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
		return f.putAmount(into, t, in)
	case text:
		return f.putText(into, t)
	case list, object: // the items are set one by one
	}
	return nil
}

func (f *field) putAmount(into reflect.Value, t string, in *input) error {
	read := money.Parse
	if f.round {
		read = money.ParseRounded
	}
	a, err := read(strings.TrimSpace(t))
	if err != nil {
		return f.invalid()
	}
	if !f.within(int64(a)) {
		return f.outside()
	}
	if a%money.Yuan(1) != 0 && in.unit != nil && !f.ratio {
		unit, err := in.unit()
		if err != nil {
			return err
		}
		if a%unit != 0 {
			return f.refuse(wording.ValidationWhole)
		}
	}
	into.SetInt(int64(a))
	return nil
}

func (f *field) putInteger(into reflect.Value, t string, quoted bool) error {
	if !quoted && f.boolAsInteger {
		switch t {
		case "true":
			t = "1"
		case "false":
			t = "0"
		}
	}
	n, ok := integer(t, quoted)
	if !ok {
		return f.invalid()
	}
	if least, most := f.span(); n < least || n > most || f.enum != nil && !f.allowed(strconv.FormatInt(n, 10)) {
		return f.outside()
	}
	into.SetInt(n)
	return nil
}

// integer parses an optional sign and digits; a JSON number may also have a fraction of zeros.
func integer(t string, quoted bool) (int64, bool) {
	if quoted {
		t = strings.TrimSpace(t)
	} else if whole, fraction, found := strings.Cut(t, "."); found {
		if strings.Trim(fraction, "0") != "" {
			return 0, false
		}
		t = whole
	}
	n, err := strconv.ParseInt(t, 10, 64)
	return n, err == nil
}

func boolean(t string) (value, ok bool) {
	switch strings.TrimSpace(t) {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return false, false
}

// maxExponent bounds the zeros that a short number can expand to.
const maxExponent = 64

// plain writes a JSON number without its exponent, digit by digit, since a float would round.
func plain(t string) (string, bool) {
	at := strings.IndexAny(t, "eE")
	if at < 0 {
		return t, true
	}
	exponent, err := strconv.Atoi(t[at+1:])
	if err != nil || exponent > maxExponent || exponent < -maxExponent {
		return "", false
	}
	mantissa, negative := strings.CutPrefix(t[:at], "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits, point := whole+fraction, len(whole)+exponent
	switch {
	case point <= 0:
		digits = "0." + strings.Repeat("0", -point) + digits
	case point >= len(digits):
		digits += strings.Repeat("0", point-len(digits))
	default:
		digits = digits[:point] + "." + digits[point:]
	}
	if negative {
		digits = "-" + digits
	}
	return digits, true
}

func (f *field) putText(into reflect.Value, t string) error {
	t = f.cleaned(t)
	switch {
	case t == "" && !f.required:
	case !f.within(int64(utf8.RuneCountInString(t))),
		f.maxBytes != nil && int64(len(t)) > *f.maxBytes,
		!f.allowed(t),
		f.form != nil && !f.form.Fits(t),
		f.url && !form.Web(t),
		f.link && !form.Link(t),
		f.visible && !form.Visible(t):
		return f.unfit(t)
	}
	into.SetString(t)
	return nil
}

// cleaned is a text of the request as it is stored.
func (f *field) cleaned(t string) string {
	t = strings.ToValidUTF8(t, "\uFFFD")
	switch {
	case f.clean != nil:
		return f.clean(t)
	case f.form != nil:
		return f.form.Clean(t)
	case f.url, f.link:
		return t
	case f.visible:
		return form.Name(t)
	}
	return form.Clean(t)
}

// blankIn reports whether nothing of a text is left.
func (f *field) blankIn(t string) bool {
	return strings.TrimSpace(t) == "" || f.kind == text && f.cleaned(t) == ""
}

func (f *field) within(n int64) bool {
	return (f.min == nil || n >= *f.min) && (f.max == nil || n <= *f.max)
}

func (f *field) allowed(t string) bool { return f.enum == nil || slices.Contains(f.enum, t) }
