package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// slowest is how many tests a report shows.
const slowest = 20

type note struct {
	kind, name string
	seconds    float64
}

// report prints how long parts, packages and the slowest tests took, the slowest first. A test that has subtests takes
// as long as they do, so only those without are shown and added up.
func report(w io.Writer, file, title string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	notes, err := parse(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	fmt.Fprintf(w, "%s, in seconds\n", title)
	for _, k := range []struct {
		kind, heading string
		most          int
	}{{"part", "parts", len(notes)}, {"package", "packages", len(notes)}, {"test", "slowest tests", slowest}} {
		list := slices.DeleteFunc(slices.Clone(notes), func(n note) bool { return n.kind != k.kind })
		if len(list) == 0 {
			continue
		}
		slices.SortStableFunc(list, func(a, b note) int { return cmp.Compare(b.seconds, a.seconds) })
		sum := 0.0
		for _, n := range list {
			sum += n.seconds
		}
		fmt.Fprintf(w, "\n%s (%d, together %.0f)\n", k.heading, len(list), sum)
		for _, n := range list[:min(k.most, len(list))] {
			fmt.Fprintf(w, "%9.1f  %s\n", n.seconds, strings.TrimPrefix(n.name, "shop.internal/"))
		}
	}
	return nil
}

// parse reads notes. Those of tests with subtests are left out.
func parse(text string) ([]note, error) {
	var notes []note
	groups := map[string]bool{}
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 3 {
			return nil, fmt.Errorf("%q is no note", line)
		}
		seconds, err := strconv.ParseFloat(f[2], 64)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		notes = append(notes, note{f[0], f[1], seconds})
		pkg, test, _ := strings.Cut(f[1], " ")
		for i, c := range test {
			if c == '/' {
				groups[pkg+" "+test[:i]] = true
			}
		}
	}
	return slices.DeleteFunc(notes, func(n note) bool { return n.kind == "test" && groups[n.name] }), nil
}
