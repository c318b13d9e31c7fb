// Package golden compares answers with reviewed files. The files are the contract as clients see it: changing one is
// changing the API.
package golden

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// update is a flag of the test binary: go test ./... -update rewrites the files.
var update = flag.Bool("update", false, "write the golden files anew")

// compared are the files that the tests of a package have used.
var compared sync.Map

// Unused returns the JSON files under testdata of the package that no test has used.
func Unused() ([]string, error) {
	var unused []string
	err := filepath.WalkDir("testdata", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		if _, used := compared.Load(path); !used {
			unused = append(unused, path)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return slices.Sorted(slices.Values(unused)), err
}

// JSON compares a JSON text with testdata/<name>.json of the package. Both are indented alike; members keep their
// order, and numbers their digits, since 36.00 is not 36 in the contract.
func JSON(t testing.TB, name string, body []byte) {
	t.Helper()
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, bytes.TrimSpace(body), "", "  "); err != nil {
		t.Errorf("%s is not JSON: %v\n%s", name, err, body)
		return
	}
	pretty.WriteByte('\n')
	Text(t, name+".json", pretty.Bytes())
}

// Value compares a value as JSON with testdata/<name>.json of the package. The members of a map are sorted.
func Value(t testing.TB, name string, v any) {
	t.Helper()
	body, err := json.Marshal(v)
	if err != nil {
		t.Errorf("%s is no JSON: %v", name, err)
		return
	}
	JSON(t, name, body)
}

// Text compares bytes with testdata/<file> of the package.
func Text(t testing.TB, file string, got []byte) {
	t.Helper()
	if file == "" || strings.Contains(file, "..") || filepath.IsAbs(file) {
		t.Errorf("%q is no name for a golden file", file)
		return
	}
	path := filepath.Join("testdata", filepath.FromSlash(file))
	compared.Store(path, true)
	if *update {
		write(t, path, got)
		return
	}
	want, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.Errorf("%s does not exist; look at this answer and run the test with -update:\n%s", path, got)
	case err != nil:
		t.Errorf("read %s: %v", path, err)
	default:
		assert.Equal(t, string(want), string(got), "%s differs; if the change is meant, run the test with -update", path)
	}
}

func write(t testing.TB, path string, got []byte) {
	t.Helper()
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, got) {
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Errorf("make the folder of %s: %v", path, err)
		return
	}
	if err := os.WriteFile(path, got, 0o644); err != nil {
		t.Errorf("write %s: %v", path, err)
	}
}
