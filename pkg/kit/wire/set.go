package wire

import (
	"time"

	"shop.internal/pkg/domain/platform/errno"
	wording "shop.internal/pkg/domain/platform/text"
)

// Set puts a member of a partial update where it belongs; an absent one leaves what is there.
func Set[T any](into, given *T) {
	if given != nil {
		*into = *given
	}
}

// Moment reads a timestamp by the shop's clock; an empty one is the zero time. It fails with errno.Invalid about the
// field.
func (z Zone) Moment(field *wording.Field, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.ParseInLocation(Layout, text, z.Location())
	if err != nil {
		return time.Time{}, errno.Invalid.Because(wording.MemberMoment, field)
	}
	return t.UTC(), nil
}
