package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	waitedTooLong = "    a_test.go:7: \n        \tError Trace:\t/a_test.go:7\n        \tError:      \tCondition never satisfied\n        \tTest:       \tTestA\n"
	noAnswer      = "    a_test.go:8: \n        \tError Trace:\t/a_test.go:8\n        \tError:      \tReceived unexpected error:\n        \t            \tGet \"/wx/home\": context deadline exceeded\n"
	wrongStock    = "    a_test.go:9: \n        \tError Trace:\t/a_test.go:9\n        \tError:      \tNot equal: \n        \t            \texpected: 3\n        \t            \tactual  : 2, context deadline exceeded\n"
)

func TestOnlyAPassedLimitIsRepeated(t *testing.T) {
	failed := "--- FAIL: TestA (20.00s)\n"
	for _, tt := range []struct{ output, reason string }{
		{"=== RUN   TestA\n" + waitedTooLong + failed, "a_test.go:7: Condition never satisfied"},
		{noAnswer + failed, "a_test.go:8: context deadline exceeded"},
		{"    a_test.go:3: dial tcp: i/o timeout\n" + failed, "a_test.go:3: i/o timeout"},
		{"    a_test.go:3: Error 1969 (70100): Query execution was interrupted (max_statement_time exceeded)\n", "a_test.go:3: max_statement_time exceeded"},
		{wrongStock + failed, ""},
		{noAnswer + wrongStock + failed, ""},
		{waitedTooLong + "    a_test.go:4: the books disagree\n" + failed, ""},
		{"    a_test.go:3: 2 in stock, not 3\n" + failed, ""},
		{"WARNING: DATA RACE\n" + waitedTooLong + failed, ""},
		{"panic: context deadline exceeded\n", ""},
		{failed, ""},
	} {
		reason, other := limit(tt.output)
		if reason != tt.reason || other == (tt.reason != "") && tt.output != failed {
			t.Errorf("%q: %q, other %v", tt.output, reason, other)
		}
	}
}

// packageOf is the events of a package, whose tests have these outputs, none if they pass.
func packageOf(name string, outputs map[string]string, own string) string {
	var text strings.Builder
	event := func(action, test, output string, elapsed float64) {
		fmt.Fprintf(&text, "{\"Action\":%q,\"Package\":%q,\"Test\":%q,\"Output\":%q,\"Elapsed\":%f}\n", action, name, test, output, elapsed)
	}
	for test, output := range outputs {
		event("output", test, output, 0)
		event(map[bool]string{true: "pass", false: "fail"}[output == ""], test, "", 1)
	}
	if own != "" {
		event("output", "", own, 0)
	}
	event("output", "", "FAIL\n", 0)
	event("output", "", "FAIL\t"+name+"\t2s\n", 0)
	event("fail", "", "", 2)
	return text.String()
}

func TestARunIsRepeatedWhereNothingElseFailed(t *testing.T) {
	many := map[string]string{}
	for i := range most + 1 {
		many[fmt.Sprintf("Test%d", i)] = waitedTooLong
	}
	for name, tt := range map[string]struct {
		events string
		tests  []string
	}{
		"a test":             {packageOf("a", map[string]string{"TestA": waitedTooLong, "TestB": ""}, ""), []string{"a TestA"}},
		"a subtest":          {packageOf("a", map[string]string{"TestA": "--- FAIL", "TestA/one": noAnswer}, ""), []string{"a TestA"}},
		"two packages":       {packageOf("b", map[string]string{"TestB": noAnswer}, "") + packageOf("a", map[string]string{"TestA": noAnswer}, ""), []string{"a TestA", "b TestB"}},
		"an assertion too":   {packageOf("a", map[string]string{"TestA": waitedTooLong, "TestB": wrongStock}, ""), nil},
		"a silent failure":   {packageOf("a", map[string]string{"TestA": "--- FAIL"}, ""), nil},
		"TestMain complains": {packageOf("a", map[string]string{"TestA": waitedTooLong}, "a golden file is unused\n"), nil},
		"no test failed":     {packageOf("a", nil, ""), nil},
		"too many":           {packageOf("a", many, ""), nil},
	} {
		p := newPrinter(io.Discard, io.Discard, false)
		if err := p.read(strings.NewReader(tt.events)); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range p.late() {
			got = append(got, l.pkg+" "+l.test)
		}
		if !slices.Equal(got, tt.tests) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A module whose test waits for what is there at the second run, and one that finds something wrong.
func TestWhatPassesAtARepetitionIsFlaky(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write("go.mod", "module shop.internal/late\n\ngo 1.26\n")
	write("a_test.go", `package late

import (
	"context"
	"os"
	"testing"
)

func TestGood(t *testing.T) {}

func TestSecond(t *testing.T) {
	if _, err := os.Stat("ran"); err != nil {
		os.WriteFile("ran", nil, 0o600)
		t.Fatal(context.DeadlineExceeded)
	}
	if os.Getenv("STILL") != "" {
		t.Fatal("2 in stock, not 3")
	}
}
`)
	list := write("flaky", "")
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	t.Setenv("SHOP_FLAKY", list)
	notes := filepath.Join(dir, "notes")
	if err := test(notes, []string{"-vet=off", "-count=1", "./..."}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(list)
	if want := "shop.internal/late TestSecond\ta_test.go:14: context deadline exceeded\n"; err != nil || string(text) != want {
		t.Errorf("%v, noted %q", err, text)
	}
	if err := os.Remove("ran"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("STILL", "yes")
	if err := test(notes, []string{"-vet=off", "-count=1", "./..."}); err == nil {
		t.Error("a test that fails at its repetition has passed")
	}
	if err := test(notes, []string{"-vet=off", "-count=1", "./..."}); err == nil {
		t.Error("a failed assertion has passed")
	}
	if again, _ := os.ReadFile(list); string(again) != string(text) {
		t.Errorf("noted %q", again)
	}
}

func TestFlakyTestsArePrintedAndBounded(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, lines ...string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	now := time.Date(2026, 5, 31, 12, 0, 0, 0, time.UTC)
	list := write("list", "# a comment", "2026-05-02\ta TestA\tlate", "2026-04-20\ta TestB\tlate", "2026-05-03\ta TestC\tlate", "2026-05-04\ta TestC\tlate")
	said := func(files ...string) (string, error) {
		var out strings.Builder
		err := flaky(&out, now, list, files)
		return out.String(), err
	}
	mend := " has failed by chance 2 times within 30 days: mend it before anything new\n"
	got, err := said(filepath.Join(dir, "none"))
	if want := "a TestC" + mend; err != nil || got != want {
		t.Errorf("%v, %q", err, got)
	}
	got, err = said(write("run", "a TestA\ttoo slow", "a TestB\ttoo slow"))
	want := "flaky: passed at a repetition; add to " + list + ":\n2026-05-31\ta TestA\ttoo slow\n2026-05-31\ta TestB\ttoo slow\n" +
		"a TestA" + mend + "a TestC" + mend
	if err != nil || got != want {
		t.Errorf("%v, %q", err, got)
	}
	if _, err := said(write("run", "1\t", "2\t", "3\t"), write("other", "4\t", "5\t", "6\t")); err == nil {
		t.Error("six tests passed at a repetition")
	}
	write("list", "yesterday a TestA")
	if _, err := said(); err == nil {
		t.Error("a list that cannot be read")
	}
}
