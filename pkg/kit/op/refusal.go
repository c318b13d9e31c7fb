package op

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/form"
	"shop.internal/pkg/domain/platform/money"
	wording "shop.internal/pkg/domain/platform/text"
)

// labelOf is what people call a member; other names another member whose label suits it better.
func labelOf(name, other string) *wording.Text {
	if other != "" {
		if !wording.Labelled(other) {
			panic(fmt.Sprintf("member %s: there is no label %q", name, other))
		}
		name = other
	}
	return wording.Member(name)
}

// missing refuses a request without a member that it needs.
func (f *field) missing() error { return errno.Missing.Because(wording.MemberMissing, f.label) }

// invalid refuses a value that is none of the member's kind.
func (f *field) invalid() error {
	switch f.kind {
	case whole, id:
		return f.refuse(wording.MemberWhole)
	case flag:
		return f.refuse(wording.MemberFlag)
	case amount:
		return f.refuse(wording.MemberAmount)
	case list:
		return f.refuse(wording.MemberList)
	case text, object:
	}
	return f.refuse(wording.MemberMalformed)
}

func (f *field) refuse(why *wording.Text, args ...any) error {
	return errno.Invalid.Because(why, append([]any{f.label}, args...)...)
}

// outside refuses a number that is not within the bounds, or not among the values allowed.
func (f *field) outside() error {
	if f.oneof != nil {
		return f.refuse(wording.MemberOneOf, strings.Join(f.oneof, ", "))
	}
	show := func(n int64) any { return n }
	if f.kind == amount {
		show = func(n int64) any { return money.Amount(n) }
	}
	least, most := f.span()
	switch {
	case f.min == nil && f.max != nil:
		return f.refuse(wording.MemberAtMost, show(most))
	case f.min != nil && f.max == nil:
		return f.refuse(wording.MemberAtLeast, show(least))
	}
	return f.refuse(wording.MemberBetween, show(least), show(most))
}

// span is the smallest and the largest number that the member takes.
func (f *field) span() (least, most int64) {
	switch least, most = math.MinInt32, math.MaxInt32; f.kind {
	case id:
		least, most = -MaxID, MaxID
	case amount:
		least, most = -int64(money.Max), int64(money.Max)
	case whole, flag, text, list, object:
	}
	if f.min != nil {
		least = max(least, *f.min)
	}
	if f.max != nil {
		most = min(most, *f.max)
	}
	return least, most
}

// unfit refuses a text by the first rule that it breaks.
func (f *field) unfit(t string) error {
	n := int64(utf8.RuneCountInString(t))
	switch {
	case f.min != nil && f.max != nil && *f.min > 1 && !f.within(n):
		return f.refuse(wording.MemberLength, *f.min, *f.max)
	case f.min != nil && n < *f.min:
		return f.refuse(wording.MemberShort, *f.min)
	case f.max != nil && n > *f.max:
		return f.refuse(wording.MemberLong, *f.max)
	case f.bytes != nil && int64(len(t)) > *f.bytes:
		return f.refuse(wording.MemberBytes, *f.bytes)
	case !f.allowed(t):
		return f.refuse(wording.MemberOneOf, strings.Join(f.oneof, ", "))
	case f.mobile && !Mobile(t):
		return f.refuse(wording.MemberMobile)
	case f.url && !form.Web(t):
		return f.refuse(wording.MemberLink)
	case f.link && !form.Link(t):
		return f.refuse(wording.MemberPage)
	case f.visible:
		return f.refuse(wording.MemberVisible)
	}
	return f.invalid()
}

// uncounted refuses a list with too few members or too many.
func (f *field) uncounted(n int) error {
	if f.max != nil && int64(n) > *f.max {
		return f.refuse(wording.MemberMany, *f.max)
	}
	if f.min != nil {
		return f.refuse(wording.MemberFew, *f.min)
	}
	return f.invalid()
}

// tooLong refuses a body above the limit.
func tooLong() error {
	return fmt.Errorf("%w: %w", errTooLarge, errno.Invalid.Because(wording.BodyTooLong))
}
