package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// lately is for how long a test that passed at a repetition may not do so again.
const lately = 30 * 24 * time.Hour

// keep appends tests to a file, a line each: the test, a tab and the reason.
func keep(file string, tests []lateTest) error {
	var text strings.Builder
	for _, t := range tests {
		fmt.Printf("flaky\t%s %s\t%s\n", t.pkg, t.test, t.reason)
		fmt.Fprintf(&text, "%s %s\t%s\n", t.pkg, t.test, t.reason)
	}
	if file == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text.String())
	return errors.Join(err, f.Close())
}

// flaky prints what passed at a repetition in this run, as lines for the list, and the tests that did so twice within
// 30 days. More than five in this run are an error. A line of the list has a date, a test and a reason, separated by
// tabs.
func flaky(w io.Writer, now time.Time, list string, files []string) error {
	days, err := listed(list)
	if err != nil {
		return err
	}
	today := now.UTC().Truncate(24 * time.Hour)
	var lines []string
	for _, file := range files {
		for line, err := range linesOf(file) {
			if err != nil {
				return err
			}
			name, _, _ := strings.Cut(line, "\t")
			days[name] = append(days[name], today)
			lines = append(lines, today.Format(time.DateOnly)+"\t"+line)
		}
	}
	if len(lines) > 0 {
		fmt.Fprintf(w, "flaky: passed at a repetition; add to %s:\n%s\n", list, strings.Join(lines, "\n"))
	}
	var twice []string
	for name, on := range days {
		on = slices.DeleteFunc(on, func(day time.Time) bool { return now.Sub(day) > lately })
		if len(on) > 1 {
			twice = append(twice, fmt.Sprintf("%s has failed by chance %d times within 30 days: mend it before anything new",
				name, len(on)))
		}
	}
	slices.Sort(twice)
	for _, line := range twice {
		fmt.Fprintln(w, line)
	}
	if len(lines) > most {
		return fmt.Errorf("%d tests passed only at a repetition, more than %d", len(lines), most)
	}
	return nil
}

// listed reads the list: the days of each test.
func listed(file string) (map[string][]time.Time, error) {
	days := map[string][]time.Time{}
	for line, err := range linesOf(file) {
		if err != nil {
			return nil, err
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			return nil, fmt.Errorf("%s: %q is no date, test and reason, separated by tabs", file, line)
		}
		day, err := time.Parse(time.DateOnly, f[0])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		days[f[1]] = append(days[f[1]], day)
	}
	return days, nil
}

// linesOf returns the lines of a file that are neither empty nor comments, none where there is no file.
func linesOf(file string) func(yield func(string, error) bool) {
	return func(yield func(string, error) bool) {
		text, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			yield("", err)
			return
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "#") && !yield(line, nil) {
				return
			}
		}
	}
}
