// Package metertest reads metrics in tests.
package metertest

import (
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/meter"
)

// Read returns what was counted and timed, by the name of the metric and, in the order of their names, the values of
// its labels:
// "shop_logins_total staff refused". That of a histogram is the number of durations.
func Read(t testing.TB, m *meter.Meter) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	families, err := m.Registry.Gather()
	require.NoError(t, err)
	for _, family := range families {
		for _, s := range family.GetMetric() {
			name := family.GetName()
			for _, l := range s.GetLabel() {
				name += " " + l.GetValue()
			}
			all[name] = int64(s.GetCounter().GetValue() + float64(s.GetHistogram().GetSampleCount()))
		}
	}
	return all
}

// Trips returns the number of round trips to the database so far.
func Trips(t testing.TB, m *meter.Meter) (n int64) {
	t.Helper()
	for name, value := range Read(t, m) {
		if strings.HasPrefix(name, "shop_sql_statement_seconds ") {
			n += value
		}
	}
	return n
}

// Value returns what was counted in one series.
func Value(t testing.TB, m *meter.Meter, c meter.Counter, labels ...string) int64 {
	t.Helper()
	var s dto.Metric
	require.NoError(t, m.Of(c, labels...).Write(&s))
	return int64(s.GetCounter().GetValue())
}
