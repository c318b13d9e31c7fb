package app_test

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

	"shop.internal/pkg/domain/internal/store/table"
)

// named matches the tables in a statement, or in a part of one.
var named = regexp.MustCompile("\\b(?:FROM|JOIN|INTO|UPDATE)\\s+`?([a-z_]+)`?")

// crossing are the packages that may name the tables of every area: the consistency check, the statistics and the open cases, which read them, and the packages that
// fill or empty databases for tests and the demo shop.
var crossing = map[string]bool{"consistency": true, "statistics": true, "opencases": true, "seed": true, "domaintest": true, "dbtest": true}

// A statement names only tables of its own area; others are accessed through the area that owns them.
func TestStatementsNameTheirOwnTables(t *testing.T) {
	t.Parallel()
	owner := map[string]string{}
	for _, tab := range table.All() {
		owner[tab.Name] = tab.Owner
	}
	require.NotEmpty(t, owner)
	eachText(t, func(folder, where, text string) {
		if crossing[folder] {
			return
		}
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			if own, known := owner[m[1]]; known && own != folder {
				t.Errorf("%s: a statement names the table %s, which belongs to %s", where, m[1], own)
			}
		}
	})
}

// eachText passes the string literals of the module, each with its package and its position.
func eachText(t *testing.T, do func(folder, where, text string)) {
	t.Helper()
	eachNode(t, func(folder, where string, n ast.Node) {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			do(folder, where, text)
		}
	})
}

// eachNode passes the syntax nodes of the module, each with its package and its position.
func eachNode(t *testing.T, do func(folder, where string, n ast.Node)) {
	t.Helper()
	eachFile(t, func(folder string, files *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			if n != nil {
				do(folder, files.Position(n.Pos()).String(), n)
			}
			return true
		})
	})
}

// eachFile passes the source files of the domain and of the base, each with its package.
func eachFile(t *testing.T, do func(folder string, files *token.FileSet, file *ast.File)) {
	t.Helper()
	for _, module := range []string{"..", "../../base"} {
		require.NoError(t, filepath.WalkDir(module, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err == nil {
				do(filepath.Base(filepath.Dir(path)), files, file)
			}
			return err
		}))
	}
}

// member matches JSON names of two or more words.
var member = regexp.MustCompile(`^"[a-z]+([A-Z][a-z0-9]*)+"$`)

// An error names the domain's field, never the member of a request: the services map it.
func TestErrorsNameNoMembers(t *testing.T) {
	t.Parallel()
	eachNode(t, func(_, where string, n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "Because" && f.Sel.Name != "With" {
			return
		}
		for _, arg := range call.Args {
			if literal, ok := arg.(*ast.BasicLit); ok && member.MatchString(literal.Value) {
				t.Errorf("%s: an error names the member %s of a request", where, literal.Value)
			}
		}
	})
}

// chinese finds words that belong into the catalogue.
var chinese = regexp.MustCompile(`\p{Han}`)

// stored are words that are data of a shop, such as names and units, and no texts for people.
var stored = map[string]bool{
	"推荐": true, "件": true, "规格": true, "规格%d": true,
}

// inventing are the packages that make up data of a shop.
var inventing = map[string]bool{"seed": true, "domaintest": true, "toypay": true}

// What people read stands in the catalogue, in every language, or is worded in every language where it is declared.
func TestTextsStandInTheCatalogue(t *testing.T) {
	t.Parallel()
	declared := map[string]bool{}
	eachNode(t, func(_, _ string, n ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok && isTextOf(call) {
			for _, arg := range call.Args {
				if literal, ok := arg.(*ast.BasicLit); ok {
					declared[literal.Value] = true
				}
			}
		}
	})
	eachText(t, func(folder, where, text string) {
		if chinese.MatchString(text) && !inventing[folder] && !stored[text] && !declared[strconv.Quote(text)] {
			t.Errorf("%s: the text %q belongs into the catalogue", where, text)
		}
	})
}

// isTextOf reports whether a call is text.Of.
func isTextOf(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, ok := f.X.(*ast.Ident)
	return ok && from.Name == "text" && f.Sel.Name == "Of"
}

// bare finds a column that holds a state, an actor or a reason, compared with a number.
var bare = regexp.MustCompile(`\b(?:[a-z]+_status|status|state|actor_type|operator_type|owner_type|reason)\s*` +
	`(?:=|<>|<|>|IN|NOT IN|BETWEEN|WHEN)\s*\(?\s*[0-9]`)

// A statement says a state, an actor or a reason by its name: what the numbers mean stands once, with the names.
func TestStatementsNameStates(t *testing.T) {
	t.Parallel()
	eachText(t, func(folder, where, text string) {
		if m := bare.FindString(text); m != "" {
			t.Errorf("%s: %q compares a state with a number", where, m)
		}
	})
}

// compared finds a text of people that is compared by a pattern.
var compared = regexp.MustCompile(`LIKE (?:LOWER\()?\?`)

// Only package db compares texts of people by patterns, since the collation of the tables takes one emoji for another.
func TestTextsAreMatchedInOnePlace(t *testing.T) {
	t.Parallel()
	eachText(t, func(folder, where, text string) {
		if folder != "db" && folder != "seed" && compared.MatchString(text) {
			t.Errorf("%s: %q is what db.Matches and db.Begins are for", where, text)
		}
	})
}

// statement matches the beginning of a statement.
var statement = regexp.MustCompile(`^\(?(?:SELECT|INSERT|UPDATE|DELETE|WITH)\s`)

// A statement is one text, one clause a line: it is not cut into literals to fit a line. Names and shared parts may
// stand between its pieces.
func TestStatementsAreNotCutIntoLiterals(t *testing.T) {
	t.Parallel()
	eachFile(t, func(_ string, files *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			sum, ok := n.(*ast.BinaryExpr)
			if !ok || sum.Op != token.ADD {
				return true
			}
			parts := operands(sum)
			if first, ok := textOf(parts[0]); !ok || !statement.MatchString(first) {
				return true
			}
			for i := range parts[1:] {
				_, one := textOf(parts[i])
				_, next := textOf(parts[i+1])
				if one && next {
					t.Errorf("%s: a statement is put together from literals", files.Position(parts[i+1].Pos()))
				}
			}
			return false
		})
	})
}

// operands returns the operands of a concatenation.
func operands(e ast.Expr) []ast.Expr {
	if sum, ok := e.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
		return append(operands(sum.X), operands(sum.Y)...)
	}
	return []ast.Expr{e}
}

func textOf(e ast.Expr) (string, bool) {
	literal, ok := e.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(literal.Value)
	return text, err == nil
}

// waits are the functions of package time that make their caller wait.
var waits = map[string]bool{"Sleep": true, "After": true, "Tick": true, "NewTimer": true, "NewTicker": true}

// A transaction waits for nothing but the database: others wait for the rows that it holds. So nothing sleeps, and what
// takes part in a transaction starts no timer either.
func TestNothingSleeps(t *testing.T) {
	t.Parallel()
	calls := 0
	eachFile(t, func(folder string, files *token.FileSet, file *ast.File) {
		if folder == "dbtest" {
			return // it shares a server among the packages under test
		}
		var look func(n ast.Node, inTx bool)
		look = func(n ast.Node, inTx bool) {
			ast.Inspect(n, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					if n.Body != nil {
						look(n.Body, takesTx(n.Type))
					}
					return false
				case *ast.FuncLit:
					look(n.Body, inTx || takesTx(n.Type))
					return false
				case *ast.SelectorExpr:
					if from, ok := n.X.(*ast.Ident); ok && from.Name == "time" && waits[n.Sel.Name] {
						calls++
						if inTx || n.Sel.Name == "Sleep" {
							t.Errorf("%s: time.%s makes a transaction wait", files.Position(n.Pos()), n.Sel.Name)
						}
					}
				}
				return true
			})
		}
		look(file, false)
	})
	require.NotZero(t, calls, "the loops in the background wait")
}

// takesTx reports whether a function has a parameter *db.Tx, or *Tx in package db.
func takesTx(f *ast.FuncType) bool {
	for _, p := range f.Params.List {
		star, ok := p.Type.(*ast.StarExpr)
		if !ok {
			continue
		}
		switch x := star.X.(type) {
		case *ast.SelectorExpr:
			if x.Sel.Name == "Tx" {
				return true
			}
		case *ast.Ident:
			if x.Name == "Tx" {
				return true
			}
		}
	}
	return false
}
