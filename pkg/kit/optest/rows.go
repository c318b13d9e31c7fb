package optest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Named returns which texts of a form the tests of the repository name, all of it or some of its folders. A file of the
// caller that lists them names none.
func Named(t testing.TB, form string, list string, folders ...string) map[string]bool {
	t.Helper()
	named, row, root := map[string]bool{}, regexp.MustCompile(form), repository(t)
	if len(folders) == 0 {
		folders = []string{"."}
	}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && path != root && strings.HasPrefix(e.Name(), "."):
				return filepath.SkipDir
			case e.IsDir() || !strings.HasSuffix(path, "_test.go") || e.Name() == list:
				return nil
			}
			text, err := os.ReadFile(path)
			for _, id := range row.FindAllString(string(text), -1) {
				named[id] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return named
}

// repository is the folder with the workspace file, above all modules.
func repository(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for !slices.Contains([]string{".", string(filepath.Separator)}, dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	t.Fatal("no workspace above the test")
	return ""
}
