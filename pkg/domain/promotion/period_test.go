package promotion

import (
	"testing"
	"time"

	"shop.internal/pkg/base/calendar"
	"shop.internal/pkg/base/calendar/calendartest"
)

// A coupon for a number of days is valid up to the same time of the day, whatever the clocks did in between.
func TestCouponsLastDaysOfTheCalendarInAllZones(t *testing.T) {
	t.Parallel()
	calendartest.EachDay(t, func(date time.Time, zone *time.Location) bool {
		noon := calendar.Moment(date.Add(12*time.Hour), zone)
		start, end := Coupon{Days: 30}.period(noon, zone)
		wanted := date.AddDate(0, 0, 30).Add(12 * time.Hour).Format(time.DateTime)
		return start.Equal(noon) && end.In(zone).Format(time.DateTime) == wanted
	})
}
