package meter_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/meter/metertest"
)

func TestCount(t *testing.T) {
	m := meter.New(time.Now)
	all := metertest.Read(t, m)
	require.Contains(t, all, "shop_logins_total staff refused", "declared values are there from the start")
	require.Contains(t, all, "shop_stock_refusals_total")
	require.NotContains(t, all, "shop_job_changes_total purge")
	m.Count(meter.Logins, meter.Staff, meter.Refused)
	m.Add(meter.JobChanges, 3, "purge")
	m.Of(meter.JobChanges, "purge").Add(4)
	all = metertest.Read(t, m)
	require.EqualValues(t, 1, all["shop_logins_total staff refused"])
	require.EqualValues(t, 7, all["shop_job_changes_total purge"])
	require.EqualValues(t, 7, metertest.Value(t, m, meter.JobChanges, "purge"))
}

// However many values a label gets, the series stay few.
func TestSeriesAreBounded(t *testing.T) {
	m := meter.New(time.Now)
	for i := range 1000 {
		m.Count(meter.JobRuns, fmt.Sprint("job ", i), meter.OK)
	}
	n, total := 0, int64(0)
	for name, counted := range metertest.Read(t, m) {
		if strings.HasPrefix(name, "shop_job_runs_total") {
			n, total = n+1, total+counted
		}
	}
	require.Less(t, n, 210)
	require.EqualValues(t, 1000, total)
	require.EqualValues(t, 800, metertest.Read(t, m)["shop_job_runs_total other other"])
}

func TestTook(t *testing.T) {
	now := time.Unix(1000, 0)
	m := meter.New(func() time.Time { return now })
	for _, took := range []time.Duration{time.Millisecond, 7 * time.Millisecond, time.Hour} {
		began := m.Now()
		now = now.Add(took)
		require.Equal(t, took, m.Took(meter.RedisCalls, began))
	}
	families, err := m.Registry.Gather()
	require.NoError(t, err)
	at := slices.IndexFunc(families, func(f *dto.MetricFamily) bool { return f.GetName() == "shop_redis_call_seconds" })
	s := families[at].GetMetric()[0].GetHistogram()
	require.EqualValues(t, 3, s.GetSampleCount())
	require.InDelta(t, 3600.008, s.GetSampleSum(), 1e-6)
	upTo := map[float64]uint64{}
	for _, b := range s.GetBucket() {
		upTo[b.GetUpperBound()] = b.GetCumulativeCount()
	}
	require.EqualValues(t, 0, upTo[.0005])
	require.EqualValues(t, 1, upTo[.001], "a bound belongs to its bucket")
	require.EqualValues(t, 2, upTo[.01])
	require.EqualValues(t, 2, upTo[30], "what took longer is in the total only")
}

func TestNothingIsCountedWithoutAMeter(t *testing.T) {
	var m *meter.Meter
	m.Count(meter.StockRefusals)
	m.Of(meter.CacheReads, "settings", meter.Hit).Inc()
	require.Zero(t, m.Took(meter.RedisCalls, m.Now()))
}

// A figure that is read is declared once, whatever the values of its label.
func TestGauge(t *testing.T) {
	m := meter.New(time.Now)
	before := len(m.Declared())
	for _, state := range []string{"used", "idle"} {
		m.Gauge("sample", "A sample.", func() float64 { return float64(len(state)) }, "state", state)
	}
	m.Total("sample_total", "A sum.", func() float64 { return 3 })
	require.Len(t, m.Declared(), before+2)
	require.Contains(t, m.Declared(), meter.Metric{Name: "sample", Kind: meter.KindGauge, Labels: []string{"state"}, Help: "A sample."})
	families, err := m.Registry.Gather()
	require.NoError(t, err)
	at := slices.IndexFunc(families, func(f *dto.MetricFamily) bool { return f.GetName() == "sample" })
	require.Len(t, families[at].GetMetric(), 2)
}

func TestResult(t *testing.T) {
	refusal := errors.New("no")
	require.Equal(t, meter.OK, meter.Result(nil, refusal))
	require.Equal(t, meter.Refused, meter.Result(fmt.Errorf("because: %w", refusal), refusal))
	require.Equal(t, meter.Failed, meter.Result(errors.New("else"), refusal))
}
