package meter_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/meter"
)

// all returns the samples by name and label values.
func all(m *meter.Meter) map[string]meter.Sample {
	found := map[string]meter.Sample{}
	m.Each(func(s meter.Sample) { found[strings.Join(append([]string{s.Figure.Name}, s.Values...), " ")] = s })
	return found
}

func TestCount(t *testing.T) {
	m := meter.New(time.Now)
	require.Contains(t, all(m), "shop_logins_total staff refused", "declared values are there from the start")
	require.Contains(t, all(m), "shop_stock_refusals_total")
	require.NotContains(t, all(m), "shop_job_changes_total purge")
	m.Count(meter.Logins, meter.Staff, meter.Refused)
	m.Add(meter.JobChanges, 3, "purge")
	m.Of(meter.JobChanges, "purge").Add(4)
	got := all(m)
	require.EqualValues(t, 1, got["shop_logins_total staff refused"].Total)
	require.EqualValues(t, 7, got["shop_job_changes_total purge"].Total)
	require.Equal(t, []string{"purge"}, got["shop_job_changes_total purge"].Values)
}

// However many values a label gets, the series stay few.
func TestSeriesAreBounded(t *testing.T) {
	m := meter.New(time.Now)
	for i := range 1000 {
		m.Count(meter.JobRuns, fmt.Sprint("job ", i), meter.OK)
	}
	n, total := 0, int64(0)
	for name, s := range all(m) {
		if strings.HasPrefix(name, "shop_job_runs_total") {
			n, total = n+1, total+s.Total
		}
	}
	require.Less(t, n, 210)
	require.EqualValues(t, 1000, total)
	require.EqualValues(t, 800, all(m)["shop_job_runs_total other other"].Total)
}

func TestTook(t *testing.T) {
	now := time.Unix(1000, 0)
	m := meter.New(func() time.Time { return now })
	for _, took := range []time.Duration{time.Millisecond, 7 * time.Millisecond, time.Hour} {
		began := m.Now()
		now = now.Add(took)
		require.Equal(t, took, m.Took(meter.RedisCalls, began))
	}
	s := all(m)["shop_redis_call_seconds"]
	require.EqualValues(t, 3, s.Total)
	require.Equal(t, time.Hour+8*time.Millisecond, s.Sum)
	require.EqualValues(t, 0, s.Buckets[time.Millisecond/2])
	require.EqualValues(t, 1, s.Buckets[time.Millisecond], "a bound belongs to its bucket")
	require.EqualValues(t, 2, s.Buckets[10*time.Millisecond])
	require.EqualValues(t, 2, s.Buckets[30*time.Second], "what took longer is in the total only")
}

func TestNothingIsCountedWithoutAMeter(t *testing.T) {
	var m *meter.Meter
	m.Count(meter.StockRefusals)
	require.Zero(t, m.Took(meter.RedisCalls, m.Now()))
	require.Zero(t, m.Value(meter.StockRefusals))
	require.Empty(t, all(m))
}

func TestResult(t *testing.T) {
	refusal := errors.New("no")
	require.Equal(t, meter.OK, meter.Result(nil, refusal))
	require.Equal(t, meter.Refused, meter.Result(fmt.Errorf("because: %w", refusal), refusal))
	require.Equal(t, meter.Failed, meter.Result(errors.New("else"), refusal))
}
