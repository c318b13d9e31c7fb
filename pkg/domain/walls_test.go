package domain_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/table"
)

// named finds the tables that a statement, or a part of one, names.
var named = regexp.MustCompile("\\b(?:FROM|JOIN|INTO|UPDATE)\\s+`?([a-z_]+)`?")

// crossing are the packages that may name the tables of every area: the books, which check what the areas wrote, and
// what fills or empties databases for tests and the demo shop.
var crossing = map[string]bool{"report": true, "seed": true, "domaintest": true, "dbtest": true}

// A statement names the tables of its own area alone: what another area keeps is that area's to read and write.
func TestStatementsNameTheirOwnTables(t *testing.T) {
	owner := map[string]string{}
	for _, tab := range table.All() {
		owner[tab.Name] = tab.Owner
	}
	require.NotEmpty(t, owner)
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		folder := filepath.Base(filepath.Dir(path))
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || crossing[folder] {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			for _, m := range named.FindAllStringSubmatch(text, -1) {
				if own, known := owner[m[1]]; known && own != folder {
					t.Errorf("%s: a statement names the table %s, which belongs to %s", files.Position(literal.Pos()), m[1], own)
				}
			}
			return true
		})
		return nil
	}))
}
