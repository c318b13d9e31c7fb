package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/annotations"
)

// series are read in the notation of Prometheus' own tests, one on a line, a sample a minute.
type series []promql.Series

func read(t *testing.T, lines string) (all series, last time.Time) {
	t.Helper()
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		of, values, err := parser.NewParser(parser.Options{}).ParseSeriesDesc(line)
		if err != nil {
			t.Fatal(line, err)
		}
		s := promql.Series{Metric: of}
		for i, v := range values {
			at := time.Unix(0, 0).Add(time.Duration(i) * time.Minute)
			if !v.Omitted {
				s.Floats = append(s.Floats, promql.FPoint{T: at.UnixMilli(), F: v.Value})
			}
			if at.After(last) {
				last = at
			}
		}
		all = append(all, s)
	}
	return all, last
}

// Querier implements storage.Queryable.
func (s series) Querier(_, _ int64) (storage.Querier, error) { return querier{all: s}, nil }

type querier struct{ all series }

// Select implements storage.Querier.
func (q querier) Select(_ context.Context, _ bool, _ *storage.SelectHints, by ...*labels.Matcher) storage.SeriesSet {
	found := &selected{}
	for _, s := range q.all {
		matches := true
		for _, m := range by {
			matches = matches && m.Matches(s.Metric.Get(m.Name))
		}
		if matches {
			found.all = append(found.all, s)
		}
	}
	return found
}

// The engine asks for series alone.
func (querier) LabelValues(context.Context, string, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

func (querier) LabelNames(context.Context, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

func (querier) Close() error { return nil }

type selected struct {
	all series
	n   int
}

func (s *selected) Next() bool { s.n++; return s.n <= len(s.all) }
func (s *selected) At() storage.Series {
	return promql.NewStorageSeries(s.all[s.n-1])
}
func (s *selected) Err() error                        { return nil }
func (s *selected) Warnings() annotations.Annotations { return nil }

// fires reports whether a rule holds for as long as it has to, evaluated every minute.
func fires(t *testing.T, engine *promql.Engine, r rulefmt.Rule, of series, last time.Time) bool {
	t.Helper()
	q, err := engine.NewRangeQuery(t.Context(), of, nil, r.Expr, time.Unix(0, 0), last, time.Minute)
	if err != nil {
		t.Fatal(r.Alert, err)
	}
	defer q.Close()
	found, err := q.Exec(t.Context()).Matrix()
	if err != nil {
		t.Fatal(r.Alert, err)
	}
	for _, s := range found {
		since := s.Floats[0].T
		for i, p := range s.Floats {
			if i > 0 && p.T-s.Floats[i-1].T > time.Minute.Milliseconds() {
				since = p.T
			}
			if p.T-since >= time.Duration(r.For).Milliseconds() {
				return true
			}
		}
	}
	return false
}

func rulesOf(t *testing.T) []rulefmt.Rule {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", alertsFile))
	if err != nil {
		t.Fatal(err)
	}
	p := parser.NewParser(parser.Options{})
	groups, errs := rulefmt.Parse(text, false, model.UTF8Validation, p, slog.New(slog.DiscardHandler))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var all []rulefmt.Rule
	for _, g := range groups.Groups {
		all = append(all, g.Rules...)
	}
	return all
}

// Each alert fires in a shop with a few calls a minute that has its fault, and none of them in one that has none.
func TestEachAlertFiresInAQuietShop(t *testing.T) {
	engine := promql.NewEngine(promql.EngineOpts{
		Logger: slog.New(slog.DiscardHandler), MaxSamples: 50_000_000, Timeout: time.Minute,
	})
	calm, calmEnd := read(t, quiet)
	tried := map[string]bool{}
	for _, r := range rulesOf(t) {
		if len(faults[r.Alert]) == 0 {
			t.Errorf("%s: no fault shows that it fires in a quiet shop", r.Alert)
		}
		tried[r.Alert] = true
		for _, fault := range faults[r.Alert] {
			if of, last := read(t, fault); !fires(t, engine, r, of, last) {
				t.Errorf("%s does not fire for %s", r.Alert, fault)
			}
		}
		if fires(t, engine, r, calm, calmEnd) {
			t.Errorf("%s fires in a quiet shop without a fault", r.Alert)
		}
	}
	for name := range faults {
		if !tried[name] {
			t.Errorf("no alert has the name %s", name)
		}
	}
}
