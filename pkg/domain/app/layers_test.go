package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// layer matches a row of the table of layers: its name and its packages.
var layer = regexp.MustCompile(`(?m)^\| (wiring|areas|runtime|store) \| ([^|]+) \|`)

// layers reads the table of docs/architecture.md: the packages from the top to the bottom, and the layer of each. An
// area stands for the packages in its folder.
func layers(t *testing.T) (packages []string, of map[string]string) {
	t.Helper()
	page, err := os.ReadFile("../../../docs/architecture.md")
	require.NoError(t, err)
	of = map[string]string{}
	for _, row := range layer.FindAllStringSubmatch(string(page), -1) {
		for name := range strings.SplitSeq(row[2], ", ") {
			name = strings.Trim(name, "` ")
			packages, of[name] = append(packages, name), row[1]
		}
	}
	require.NotEmpty(t, packages)
	return packages, of
}

// forTests are packages that the shop does not contain. They may import all others.
var forTests = []string{"domaintest", "domaintest/toypay", "modeltest"}

// The page and the folders have the same packages. A package imports those of lower layers, within the runtime and the
// store any other, and of the areas those that the page names after it.
func TestLayers(t *testing.T) {
	t.Parallel()
	order, of := layers(t)
	seen := map[string]bool{}
	// entry is what the page names of the path of a package.
	entry := func(path string) string {
		for _, name := range order {
			if path == name || strings.HasPrefix(path, name+"/") {
				return name
			}
		}
		return ""
	}
	rank := func(name string) int {
		return slices.Index([]string{"wiring", "areas", "runtime", "store"}, of[name])
	}
	require.NoError(t, filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		own, err := filepath.Rel("..", filepath.Dir(path))
		require.NoError(t, err)
		if slices.Contains(forTests, own) {
			return nil
		}
		from := entry(filepath.ToSlash(own))
		if from == "" {
			t.Errorf("docs/architecture.md names no layer of %s", own)
			return nil
		}
		seen[from] = true
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range file.Imports {
			if to, ours := strings.CutPrefix(imported(t, spec), "shop.internal/pkg/domain/"); ours {
				to = entry(to)
				lower := rank(to) > rank(from)
				beside := rank(to) == rank(from) && (of[from] != "areas" || slices.Index(order, to) >= slices.Index(order, from))
				if to == "" || !lower && !beside {
					t.Errorf("%s imports %s, against the layers", path, imported(t, spec))
				}
			}
		}
		return nil
	}))
	for _, name := range order {
		require.True(t, seen[name], "docs/architecture.md names a package %s", name)
	}
}

func imported(t *testing.T, spec *ast.ImportSpec) string {
	t.Helper()
	path, err := strconv.Unquote(spec.Path.Value)
	require.NoError(t, err)
	return path
}
