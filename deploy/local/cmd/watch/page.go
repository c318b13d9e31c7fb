package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// metric is the declaration of a metric, as a service prints it, with the services that have it.
type metric struct {
	Name, Kind string
	Labels     []string
	Help       string
	services   []string
}

const pageIntro = `# Metrics

Generated from the declarations in the code. Prometheus reads them from ` + "`/metrics`" + ` on the operations port of
each service ([watch.md](watch.md)). A histogram also has the series ` + "`_bucket`, `_sum` and `_count`" + `.
The client library adds more figures of the Go runtime and of the process.

| Metric | Kind | Labels | Services | Meaning |
|---|---|---|---|---|
`

// metricsPage returns the page; each source is of the form SERVICE=FILE.
func metricsPage(sources []string) (string, error) {
	all := map[string]*metric{}
	for _, source := range sources {
		service, file, ok := strings.Cut(source, "=")
		if !ok {
			return "", fmt.Errorf("%q is not of the form SERVICE=FILE", source)
		}
		if err := addMetrics(all, service, file); err != nil {
			return "", fmt.Errorf("metrics of %s: %w", service, err)
		}
	}
	var page strings.Builder
	page.WriteString(pageIntro)
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		m := all[name]
		fmt.Fprintf(&page, "| `%s` | %s | %s | %s | %s |\n", name, m.Kind, strings.Join(quoted(m.Labels), ", "),
			strings.Join(m.services, ", "), m.Help)
	}
	return page.String(), nil
}

func quoted(labels []string) []string {
	all := make([]string, len(labels))
	for i, l := range labels {
		all[i] = "`" + l + "`"
	}
	return all
}

// addMetrics reads the metrics of one service, which has at least one.
func addMetrics(all map[string]*metric, service, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := json.NewDecoder(f)
	for n := 0; ; n++ {
		var m metric
		if err := lines.Decode(&m); errors.Is(err, io.EOF) {
			if n == 0 {
				return errors.New("there are none")
			}
			return nil
		} else if err != nil {
			return err
		}
		known, ok := all[m.Name]
		if !ok {
			known = &m
			all[m.Name] = known
		}
		if known.Kind != m.Kind || known.Help != m.Help || !slices.Equal(known.Labels, m.Labels) {
			return fmt.Errorf("%s is declared otherwise by another service", m.Name)
		}
		known.services = append(known.services, service)
	}
}

// readPage reads the metrics back from the page.
func readPage(file string) (map[string]metric, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	all := map[string]metric{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		name := strings.Trim(strings.TrimSpace(cells[0]), "`")
		if len(cells) != 5 || !strings.HasPrefix(strings.TrimSpace(cells[0]), "`") {
			continue
		}
		list := func(cell string) []string {
			return strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune("`, ", r) })
		}
		all[name] = metric{name, strings.TrimSpace(cells[1]), list(cells[2]), cells[4], list(cells[3])}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s lists no metric", file)
	}
	return all, nil
}
