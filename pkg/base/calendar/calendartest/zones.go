// Package calendartest walks the days of all time zones, for the tests of what goes by days.
package calendartest

import (
	"archive/zip"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Zones are the time zones of the tz database that came with Go, of those that are the same by several names one.
func Zones(t testing.TB) []*time.Location {
	t.Helper()
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	require.NoError(t, err)
	files, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	require.NoError(t, err)
	var zones []*time.Location
	known := map[uint32]bool{}
	for _, f := range files.File {
		if strings.HasSuffix(f.Name, "/") || known[f.CRC32] {
			continue
		}
		known[f.CRC32] = true
		zone, err := time.LoadLocation(f.Name)
		require.NoError(t, err)
		zones = append(zones, zone)
	}
	require.NoError(t, files.Close())
	require.Greater(t, len(zones), 300)
	return zones
}

// EachDay calls do with the days of 2024 to 2030 in all zones, as midnight of UTC. Where do returns false, it fails and
// goes on with the next zone.
func EachDay(t testing.TB, do func(date time.Time, zone *time.Location) bool) {
	t.Helper()
	for _, zone := range Zones(t) {
		for date := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC); date.Year() < 2031; date = date.AddDate(0, 0, 1) {
			if !do(date, zone) {
				t.Errorf("%s is wrong in %s", date.Format(time.DateOnly), zone)
				break
			}
		}
	}
}
