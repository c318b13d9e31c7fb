package calendar_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/calendar"
	"shop.internal/pkg/base/calendar/calendartest"
)

// shown is what the clocks of a zone show, as a time of UTC.
func shown(t time.Time, zone *time.Location) time.Time {
	t = t.In(zone)
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

func TestEveryMomentIsOnItsDayInAllZones(t *testing.T) {
	t.Parallel()
	calendartest.EachDay(t, func(date time.Time, zone *time.Location) bool {
		begin, end := calendar.Begin(date, zone), calendar.Begin(date.AddDate(0, 0, 1), zone)
		for at := begin; at.Before(end); at = at.Add(end.Sub(begin)/4 + time.Nanosecond) {
			if !calendar.Date(at, zone).Equal(date) {
				return false
			}
		}
		return calendar.Date(begin, zone).Equal(date) && calendar.Date(end.Add(-time.Nanosecond), zone).Equal(date)
	})
}

func TestDaysLaterInAllZones(t *testing.T) {
	t.Parallel()
	calendartest.EachDay(t, func(date time.Time, zone *time.Location) bool {
		for _, begin := range []time.Duration{0, 12 * time.Hour, 24*time.Hour - time.Second} {
			at := calendar.Begin(date, zone).Add(begin)
			later := calendar.After(at, 1, zone)
			wanted := shown(at, zone).AddDate(0, 0, 1)
			if got := shown(later, zone); got.Before(wanted) || got.After(wanted) && !skipped(wanted, zone) {
				return false
			}
		}
		return true
	})
}

// skipped reports whether the clocks of a zone never show a time.
func skipped(wanted time.Time, zone *time.Location) bool {
	at := calendar.Moment(wanted, zone)
	return shown(at, zone).After(wanted) && shown(at.Add(-time.Nanosecond), zone).Before(wanted)
}

func TestUnusualDays(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ zone, shown, at string }{
		"midnight is skipped":        {"America/Santiago", "2024-09-08 00:00:00", "2024-09-08T04:00:00Z"},
		"midnight is skipped, east":  {"Asia/Beirut", "2024-03-31 00:00:00", "2024-03-30T22:00:00Z"},
		"midnight comes twice":       {"America/Havana", "2024-11-03 00:00:00", "2024-11-03T04:00:00Z"},
		"a shift of half an hour":    {"Australia/Lord_Howe", "2024-10-06 02:15:00", "2024-10-05T15:30:00Z"},
		"the day before comes twice": {"Africa/Cairo", "2024-11-01 00:00:00", "2024-10-31T22:00:00Z"},
		"a day that was left out":    {"Pacific/Apia", "2011-12-30 00:00:00", "2011-12-30T10:00:00Z"},
		"a zone without a shift":     {"Asia/Shanghai", "2024-06-01 00:00:00", "2024-05-31T16:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zone, err := time.LoadLocation(tt.zone)
			require.NoError(t, err)
			clock, err := time.Parse(time.DateTime, tt.shown)
			require.NoError(t, err)
			require.Equal(t, tt.at, calendar.Moment(clock, zone).Format(time.RFC3339))
		})
	}
}
