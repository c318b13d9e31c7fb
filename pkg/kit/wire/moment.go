package wire

import (
	"time"

	"shop.internal/pkg/base/calendar"
	"shop.internal/pkg/base/errno"
	wording "shop.internal/pkg/base/text"
)

// Moment parses a timestamp in the shop's time zone; an empty one is the zero time. It fails with errno.Invalid about
// the field.
func (z Zone) Moment(field *wording.Field, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(Layout, text)
	if err != nil {
		return time.Time{}, errno.Invalid.Because(wording.ValidationDateTime, field)
	}
	return calendar.Moment(t, z.Location()), nil
}
