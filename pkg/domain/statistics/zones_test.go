package statistics_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/calendar"
	"shop.internal/pkg/base/calendar/calendartest"
	"shop.internal/pkg/domain/consistency"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/statistics"
)

// The statistics, what adds them up and what verifies them have the same days: one ends where the next begins.
func TestDaysOfTheStatisticsInAllZones(t *testing.T) {
	t.Parallel()
	calendartest.EachDay(t, func(date time.Time, zone *time.Location) bool {
		begin, end := statistics.Bounds(date, zone)
		next, _ := statistics.Bounds(date.AddDate(0, 0, 1), zone)
		return end.Equal(next) && calendar.Date(begin, zone).Equal(date) &&
			calendar.Date(end.Add(-time.Nanosecond), zone).Equal(date)
	})
}

// Around the days that are longer or shorter than others, shoppers are counted on the date that the clocks showed.
func TestStatisticsWhereTheClocksAreMoved(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"America/Santiago", "Asia/Beirut", "Africa/Cairo", "America/Havana", "Australia/Lord_Howe",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zone, err := time.LoadLocation(name)
			require.NoError(t, err)
			s := domaintest.OpenIn(t, name)
			unusual := 0
			registered := map[string]int64{}
			for date := time.Date(2029, 1, 1, 0, 0, 0, 0, time.UTC); date.Year() < 2030; date = date.AddDate(0, 0, 1) {
				begin, end := statistics.Bounds(date, zone)
				if end.Sub(begin) == 24*time.Hour {
					continue
				}
				unusual++
				for at := begin.Add(-26 * time.Hour); at.Before(end.Add(26 * time.Hour)); at = at.Add(30 * time.Minute) {
					s.Exec("INSERT INTO user (username, username_key, add_time, update_time) VALUES (?, ?, ?, ?)",
						at.String(), at.String(), at, at)
					registered[at.In(zone).Format(time.DateOnly)]++
				}
			}
			require.Equal(t, 2, unusual)
			for refresh(t, s) > 0 {
				continue
			}
			counted := map[string]int64{}
			for date := range registered {
				counted[date] = s.Int("SELECT users FROM stat_day WHERE day = ?", date)
			}
			require.Equal(t, registered, counted)
			require.EqualValues(t, len(registered), s.Int("SELECT COUNT(*) FROM stat_day WHERE users > 0"))
			require.NoError(t, s.Consistency.Verify(t.Context(), func(d consistency.Disagreement) error {
				if d.Table != "stat_day" {
					return nil // the shoppers of this test did not register
				}
				return fmt.Errorf("disagrees: %v", d)
			}, nil))
		})
	}
}
