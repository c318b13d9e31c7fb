package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// project is the root of the checkout.
const project = "../../../.."

// Each recipe fits the code, takes no more places than it may, and the document names each of them.
func TestRecipesFitTheCodeAndTheDocument(t *testing.T) {
	list, err := recipes(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 {
		t.Errorf("there are %d recipes", len(list))
	}
	document, err := os.ReadFile(filepath.Join(project, "docs/development.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if n := len(r.places()); n > r.most || n == 0 || len(r.runs) == 0 {
			t.Errorf("%s takes %d places, more than %d, or has no edit or command", r.name, n, r.most)
		}
		copied := t.TempDir()
		for _, file := range r.places() {
			if name := strings.Replace(file, "NEXT", "NNNN", 1); !strings.Contains(string(document), "`"+name+"`") {
				t.Errorf("%s: docs/development.md does not name %s", r.name, name)
			}
			if err := os.MkdirAll(filepath.Dir(filepath.Join(copied, file)), 0o700); err != nil {
				t.Fatal(err)
			}
			source, err := os.ReadFile(filepath.Join(project, file))
			if err != nil {
				file, source = "migrations/0041_before.sql", nil // the one before the new one
			}
			if err := os.WriteFile(filepath.Join(copied, file), source, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.follow(copied); err != nil {
			t.Errorf("%s: %v", r.name, err)
		}
		for _, e := range r.edits {
			file := filepath.Join(copied, strings.Replace(e.File, "NEXT", "0042", 1))
			if now, _ := os.ReadFile(file); !strings.Contains(string(now), e.To) {
				t.Errorf("%s has left %s as it was", r.name, e.File)
			}
		}
	}
}

// A list that cannot be understood is refused.
func TestRecipesRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no heading":  "-a\n",
		"no number":   "recipe: a\nmost: x\n",
		"what is it?": "recipe: a\nfile: b\n-c\n+d\nwhat is it?\n",
	} {
		if list, err := recipes(text); err == nil {
			t.Errorf("%s: taken as %v", name, list)
		}
	}
}
