package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
)

// The files that are checked, in the checkout. A dashboard is named after its service.
const (
	metricsFile = "docs/operate/metrics.md"
	alarmsFile  = "docs/operate/alarms.md"
	alertsFile  = "deploy/watch/alerts.yaml"
	dashboards  = "deploy/watch/*.json"
)

// check fails with a line for each mistake: an expression that is no PromQL, a metric that the service does not have,
// an alert without an entry of its own in the runbook, and an entry without an alert.
func check(folder string) error {
	metrics, err := readPage(filepath.Join(folder, metricsFile))
	if err != nil {
		return err
	}
	c := checker{folder: folder, metrics: metrics, parser: parser.NewParser(parser.Options{})}
	c.alerts()
	files, err := filepath.Glob(filepath.Join(folder, dashboards))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		c.wrong("%s: there is no dashboard", dashboards)
	}
	for _, file := range files {
		c.dashboard(file)
	}
	return errors.Join(c.mistakes...)
}

type checker struct {
	folder   string
	metrics  map[string]metric
	parser   parser.Parser
	mistakes []error
}

func (c *checker) wrong(format string, args ...any) {
	c.mistakes = append(c.mistakes, fmt.Errorf(format, args...))
}

// grafana replaces the variables of Grafana that stand for a duration.
var grafana = strings.NewReplacer("$__rate_interval", "5m", "$__interval", "1m", "$__range", "1h")

// dashboard checks the expressions of a dashboard.
func (c *checker) dashboard(file string) {
	service := strings.TrimSuffix(filepath.Base(file), ".json")
	text, err := os.ReadFile(file)
	var all any
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		c.wrong("%s: %w", file, err)
		return
	}
	found := expressions(all)
	if len(found) == 0 {
		c.wrong("%s: there is no expression", file)
	}
	for _, e := range found {
		c.expression(filepath.Base(file), service, grafana.Replace(e))
	}
}

// expressions returns the values of the members expr and definition, wherever they are.
func expressions(of any) []string {
	var found []string
	switch of := of.(type) {
	case []any:
		for _, e := range of {
			found = append(found, expressions(e)...)
		}
	case map[string]any:
		for name, e := range of {
			if text, ok := e.(string); ok && name == "expr" {
				found = append(found, text)
			} else {
				found = append(found, expressions(e)...)
			}
		}
	}
	slices.Sort(found)
	return found
}

// given are metrics and labels that Prometheus adds to what it reads.
var (
	givenMetrics = []string{"up"}
	givenLabels  = []string{"job", "instance", "le", "__name__"}
)

// expression checks that an expression is PromQL and selects metrics and labels that the service has; service is empty
// for any.
func (c *checker) expression(where, service, text string) {
	parsed, err := c.parser.ParseExpr(text)
	if err != nil {
		c.wrong("%s: %s: %w", where, text, err)
		return
	}
	parser.Inspect(parsed, func(n parser.Node, _ []parser.Node) error {
		if v, ok := n.(*parser.VectorSelector); ok {
			c.selector(where, service, v)
		}
		return nil
	})
}

func (c *checker) selector(where, service string, v *parser.VectorSelector) {
	if slices.Contains(givenMetrics, v.Name) {
		return
	}
	m, ok := c.find(v.Name)
	switch {
	case !ok:
		c.wrong("%s: no service has the metric %s", where, v.Name)
		return
	case service != "" && !slices.Contains(m.services, service):
		c.wrong("%s: %s does not have the metric %s", where, service, v.Name)
	}
	for _, by := range v.LabelMatchers {
		if !slices.Contains(givenLabels, by.Name) && !slices.Contains(m.Labels, by.Name) {
			c.wrong("%s: the metric %s has no label %s", where, v.Name, by.Name)
		}
	}
}

// find finds a metric, or the histogram of a series.
func (c *checker) find(name string) (metric, bool) {
	if m, ok := c.metrics[name]; ok {
		return m, m.Kind != "histogram"
	}
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		if of, cut := strings.CutSuffix(name, suffix); cut {
			m, ok := c.metrics[of]
			return m, ok && m.Kind == "histogram"
		}
	}
	return metric{}, false
}

// heading matches the entry of an alert in the runbook.
var heading = regexp.MustCompile(`(?m)^## (\S+)$`)

// parts are what each entry has.
var parts = []string{"**What it means.**", "**What to look at.**", "**What to do.**"}

// alerts checks the alert rules and their entries in the runbook.
func (c *checker) alerts() {
	rules, err := os.ReadFile(filepath.Join(c.folder, alertsFile))
	if err != nil {
		c.wrong("%w", err)
		return
	}
	runbook, err := os.ReadFile(filepath.Join(c.folder, alarmsFile))
	if err != nil {
		c.wrong("%w", err)
		return
	}
	groups, errs := rulefmt.Parse(rules, false, model.UTF8Validation, c.parser, slog.New(slog.DiscardHandler))
	for _, err := range errs {
		c.wrong("%s: %w", alertsFile, err)
	}
	if groups == nil {
		return
	}
	entries := map[string]string{}
	found := heading.FindAllStringSubmatchIndex(string(runbook), -1)
	for i, at := range found {
		end := len(runbook)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		entries[string(runbook[at[2]:at[3]])] = string(runbook[at[1]:end])
	}
	for _, g := range groups.Groups {
		for _, r := range g.Rules {
			c.alert(r, entries)
			delete(entries, r.Alert)
		}
	}
	for name := range entries {
		c.wrong("%s: no alert has the name %s", alarmsFile, name)
	}
}

func (c *checker) alert(r rulefmt.Rule, entries map[string]string) {
	c.expression(alertsFile+": "+r.Alert, "", r.Expr)
	entry, ok := entries[r.Alert]
	if !ok {
		c.wrong("%s: %s has no entry of its own in %s", alertsFile, r.Alert, alarmsFile)
	}
	for _, part := range parts {
		if ok && !strings.Contains(entry, part) {
			c.wrong("%s: the entry %s lacks %s", alarmsFile, r.Alert, part)
		}
	}
	if want := alarmsFile + "#" + strings.ToLower(r.Alert); r.Annotations["runbook"] != want {
		c.wrong("%s: the annotation runbook of %s must be %s", alertsFile, r.Alert, want)
	}
	if r.Annotations["summary"] == "" {
		c.wrong("%s: %s has no annotation summary", alertsFile, r.Alert)
	}
	if !slices.Contains([]string{"page", "ticket"}, r.Labels["severity"]) {
		c.wrong("%s: the label severity of %s is neither page nor ticket", alertsFile, r.Alert)
	}
}
