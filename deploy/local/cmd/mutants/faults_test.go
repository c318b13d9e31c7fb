package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shop.internal/deploy/local/copied"
)

// project is the root of the checkout.
const project = "../../../.."

// Each fault can be introduced and undone, and its test exists.
func TestFaultsFitTheCode(t *testing.T) {
	list, err := faults(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 12 {
		t.Errorf("there are %d faults", len(list))
	}
	for _, f := range list {
		copied := t.TempDir()
		for _, e := range f.edits {
			source, err := os.ReadFile(filepath.Join(project, e.File))
			if err == nil {
				err = os.MkdirAll(filepath.Dir(filepath.Join(copied, e.File)), 0o700)
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(copied, e.File), source, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		undo, err := introduce(copied, f)
		if err != nil {
			t.Error(err)
		}
		for _, e := range f.edits {
			if now, _ := os.ReadFile(filepath.Join(copied, e.File)); !strings.Contains(string(now), e.To) {
				t.Errorf("%q has left %s as it was", f.name, e.File)
			}
		}
		if err := undo(); err != nil {
			t.Error(err)
		}
		tests, _ := filepath.Glob(filepath.Join(project, f.pkg, "*_test.go"))
		name, found := "func "+strings.Split(f.test, "$")[0]+"(", false
		for _, file := range tests {
			source, _ := os.ReadFile(file)
			found = found || strings.Contains(string(source), name)
		}
		if !found {
			t.Errorf("the test of %q is not there: %s", f.name, f.test)
		}
	}
}

// A fault is caught by make test, which every run of .ci/run has: it leaves out the loops of make reliability alone.
func TestFaultsAreCaughtByMakeTest(t *testing.T) {
	list, err := faults(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if strings.HasPrefix(f.pkg, "pkg/domain/modeltest") || !strings.HasPrefix(f.pkg, "pkg/") && !strings.HasPrefix(f.pkg, "services/") {
			t.Errorf("%q has its test in %s, which make test does not run", f.name, f.pkg)
		}
	}
}

func TestFaultsOfAChange(t *testing.T) {
	list, err := faults(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := changed(list, []string{"pkg/domain/runtime/idempotency/idempotency.go", "README.md"}); len(got) != 1 ||
		got[0].name != "idempotency key ignored" {
		t.Errorf("%+v", got)
	}
	if got := changed(list, []string{"README.md"}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// A list that cannot be understood is refused.
func TestFaultsRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no heading":  "-a\n",
		"no edit":     "fault: a\ntest: b C\n",
		"no test":     "fault: a\nfile: b\n-c\n+d\n",
		"what is it?": "fault: a\nfile: b\n-c\n+d\nwhat is it?\ntest: e F\n",
	} {
		if list, err := faults(text); err == nil {
			t.Errorf("%s: taken as %v", name, list)
		}
	}
}

// An edit whose text is missing or ambiguous fails.
func TestIntroduceRefuses(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a"), []byte("x\nx\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{"x\n", "y\n"} {
		if _, err := introduce(folder, fault{name: "f", edits: []copied.Edit{{File: "a", From: from, To: "z\n"}}}); err == nil {
			t.Errorf("%q is replaced", from)
		}
	}
}
