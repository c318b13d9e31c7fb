package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestChosen(t *testing.T) {
	for expression, want := range map[string]string{
		"MIT": "MIT", "(GPL-3.0 OR MIT)": "MIT", "(MPL-2.0 OR Apache-2.0)": "MPL-2.0", "GPL-3.0": "GPL-3.0", "": "",
	} {
		if got := strings.Join(chosen(expression), ","); got != want {
			t.Errorf("%q: %q, not %q", expression, got, want)
		}
	}
}

func TestPermitted(t *testing.T) {
	err := permitted([]part{
		{name: "fine", licences: []string{"MIT"}}, {name: "unknown"}, {name: "strict", licences: []string{"MIT", "AGPL-3.0"}},
	})
	if err == nil || strings.Contains(err.Error(), "fine") || !strings.Contains(err.Error(), "unknown") ||
		!strings.Contains(err.Error(), "AGPL-3.0") {
		t.Error(err)
	}
}

// A text that is mostly something else is no licence.
func TestRead(t *testing.T) {
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"whole": string(text), "part": strings.Repeat("Something else. ", 500) + string(text)} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := read(dir)
		if err != nil || (name == "whole") != (len(found) == 1 && found[0] == "BSD-3-Clause") || name == "part" && len(found) > 0 {
			t.Error(name, found, err)
		}
	}
}
