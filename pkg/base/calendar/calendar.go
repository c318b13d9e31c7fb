// Package calendar goes from day to day as the clocks of a time zone do. A day there has not always 24 hours, and in
// some zones midnight comes twice on one day of the year, or never.
package calendar

import "time"

// Date is the date that the clocks of a zone show at a moment, as midnight of UTC.
func Date(t time.Time, zone *time.Location) time.Time {
	y, m, d := t.In(zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// Begin is the first moment of a date in a zone, in UTC. A date that a zone left out has no time: it begins where the
// next one does.
func Begin(date time.Time, zone *time.Location) time.Time { return Moment(date, zone) }

// After is the moment so many days after another, one or more, at the same time of the day, in UTC.
func After(t time.Time, days int, zone *time.Location) time.Time {
	_, offset := t.In(zone).Zone()
	return Moment(t.UTC().Add(seconds(offset)).AddDate(0, 0, days), zone)
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

// Moment is the first moment at which the clocks of a zone show a time, given as one of UTC, or have gone past it where
// they skip it. time.Date does not promise which moment it returns then, and it may be one of the day before.
func Moment(shown time.Time, zone *time.Location) time.Time {
	at := shown.Add(-24 * time.Hour) // earlier anywhere on earth
	for {
		_, offset := at.In(zone).Zone()
		_, end := at.In(zone).ZoneBounds()
		moment := shown.Add(-seconds(offset))
		switch {
		case moment.Before(at):
			return at.UTC()
		case end.IsZero() || moment.Before(end):
			return moment.UTC()
		}
		at = end
	}
}
