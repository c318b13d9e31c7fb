// Package ratio compares two ways of doing the same work. They alternate within one run, so that other load slows both,
// and the result is the median of the rounds with their range. It is for benchmarks.
package ratio

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// Way does the work for the length of a turn and returns the number of runs per second.
type Way func(ctx context.Context, turn time.Duration) (float64, error)

// Comparison is a way of ours against a baseline, and the ratio that ours should reach. A Bar of 0 means none.
type Comparison struct {
	Name           string
	Baseline, Ours Way
	Bar            float64
}

// Result is the result of a comparison: runs per second, and their ratio as median, minimum and maximum of the rounds.
type Result struct {
	Name            string
	Baseline, Ours  float64
	Ratio, Min, Max float64
	Bar             float64
}

// Measure runs both ways once to warm up and then in each round. Their order alternates.
func (c Comparison) Measure(ctx context.Context, rounds int, turn time.Duration) (Result, error) {
	var speeds [2][]float64
	var ratios []float64
	for round := range rounds + 1 {
		var speed [2]float64
		for i := range speed {
			who := (round + i) % len(speed)
			var err error
			if speed[who], err = [...]Way{c.Baseline, c.Ours}[who](ctx, turn); err != nil {
				return Result{}, fmt.Errorf("%s, %s: %w", c.Name, [...]string{"the baseline", "ours"}[who], err)
			}
		}
		if round == 0 {
			continue
		}
		for who := range speed {
			speeds[who] = append(speeds[who], speed[who])
		}
		ratios = append(ratios, speed[1]/speed[0])
	}
	return Result{
		Name: c.Name, Baseline: median(speeds[0]), Ours: median(speeds[1]), Bar: c.Bar,
		Ratio: median(ratios), Min: slices.Min(ratios), Max: slices.Max(ratios),
	}, nil
}

func median(values []float64) float64 {
	sorted := slices.SortedFunc(slices.Values(values), cmp.Compare[float64])
	return sorted[len(sorted)/2]
}

// String is the result as a row of a table with tabs between the columns: name, baseline, ours, ratio, range, bar, and
// a remark if the ratio is below the bar.
func (r Result) String() string {
	bar, remark := "-", ""
	if r.Bar > 0 {
		bar = fmt.Sprintf("%.2f", r.Bar)
	}
	if r.Ratio < r.Bar {
		remark = "below what is wanted"
	}
	return fmt.Sprintf("%s\t%.0f/s\t%.0f/s\t%.2f\t%.2f to %.2f\t%s\t%s",
		r.Name, r.Baseline, r.Ours, r.Ratio, r.Min, r.Max, bar, remark)
}

// TableVariable names the environment variable with the file to which Report adds rows.
const TableVariable = "SHOP_BENCH_TABLE"

// Report logs the results of a benchmark and adds them to the table of the run, if any.
func Report(b *testing.B, results ...Result) {
	b.Helper()
	var rows strings.Builder
	for _, r := range results {
		rows.WriteString(r.String() + "\n")
	}
	add(b, rows.String())
}

// Figure logs a figure without a baseline, such as the time of one call, and adds it to the table. A value above the
// bar is too high.
func Figure(b *testing.B, name string, value, bar float64, unit string) {
	b.Helper()
	remark := ""
	if value > bar {
		remark = "above what is wanted"
	}
	add(b, fmt.Sprintf("%s\t-\t%s %s\t-\t-\t%g %s\t%s\n", name, rounded(value), unit, bar, unit, remark))
}

// Note is Figure without a bar.
func Note(b *testing.B, name string, value float64, unit string) {
	b.Helper()
	add(b, fmt.Sprintf("%s\t-\t%s %s\t-\t-\t-\t\n", name, rounded(value), unit))
}

// rounded shows a small value with two decimal places.
func rounded(value float64) string {
	if value < 100 {
		return strings.TrimSuffix(fmt.Sprintf("%.2f", value), ".00")
	}
	return fmt.Sprintf("%.0f", value)
}

// Against logs a figure beside the one that it is compared with, such as memory, adds both to the table, and reports
// whether it is within bar times that one.
func Against(b *testing.B, name string, baseline, ours, bar float64, unit string) bool {
	b.Helper()
	remark := ""
	if ours > bar*baseline {
		remark = "above what is wanted"
	}
	add(b, fmt.Sprintf("%s\t%s %s\t%s %s\t%.2f\t-\t%.2f\t%s\n",
		name, rounded(baseline), unit, rounded(ours), unit, ours/baseline, bar, remark))
	return remark == ""
}

func add(b *testing.B, rows string) {
	b.Helper()
	b.Log("\n" + rows)
	name := os.Getenv(TableVariable)
	if name == "" {
		return
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600) //nolint:gosec // the caller's file
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // what was written is checked below
	if _, err := f.WriteString(rows); err != nil {
		b.Fatal(err)
	}
}
