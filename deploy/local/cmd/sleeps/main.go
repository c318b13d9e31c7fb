// Command sleeps finds what makes a result depend on the speed of the machine: calls of time.Sleep, since a test that
// waits for "long enough" fails on a slower machine and wastes time on a faster one; assertions on time.Since; and
// Eventually that waits for less than 20 s. Any of them may stand
//
//   - in a function that uses synctest, whose clock is its own, in its helpers in the same file, and in what they call;
//   - where a comment in its line begins with "lasts", as the length of what is tested, such as the fault of a process;
//
// and a sleep in a loop that ends by a deadline or after a number of rounds, as the pause between two looks.
//
// deploy/local/check.sh runs it on the folders of the modules.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	found := false
	for _, folder := range os.Args[1:] {
		err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(path) != ".go" {
				return err
			}
			wrong, err := sleeps(path, nil)
			for _, position := range wrong {
				found = true
				fmt.Printf("%s: this depends on the machine: wait for the event, with a deadline that finds a hang\n", position)
			}
			return err
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	if found {
		os.Exit(1)
	}
}

// sleeps returns the positions of the calls of a file that may not stand there. The source is read from the file if it
// is nil.
func sleeps(path string, source []byte) ([]token.Position, error) {
	files := token.NewFileSet()
	var from any
	if source != nil {
		from = source
	}
	file, err := parser.ParseFile(files, path, from, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	bubbles := []string{"synctest"} // and the functions of this file that use it
	for _, d := range file.Decls {
		if function, ok := d.(*ast.FuncDecl); ok && mentions(function, "synctest") {
			bubbles = append(bubbles, function.Name.Name)
		}
	}
	lasting := map[int]bool{} // lines
	for _, group := range file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "// lasts") {
				lasting[files.Position(c.Pos()).Line] = true
			}
		}
	}
	var wrong []token.Position
	for _, declaration := range file.Decls {
		if mentions(declaration, bubbles...) || len(bubbles) > 1 && isHelper(declaration) {
			continue
		}
		var above []ast.Node
		ast.Inspect(declaration, func(n ast.Node) bool {
			if n == nil {
				above = above[:len(above)-1]
				return true
			}
			above = append(above, n)
			at := files.Position(n.Pos())
			if !lasting[at.Line] && (isSleep(n) && !bounded(above) || isTimed(n) || isHasty(n)) {
				wrong = append(wrong, at)
			}
			return true
		})
	}
	return wrong, nil
}

func isHelper(d ast.Decl) bool {
	function, ok := d.(*ast.FuncDecl)
	return ok && !strings.HasPrefix(function.Name.Name, "Test")
}

func isSleep(n ast.Node) bool { return calls(n, "time", "Sleep") }

// calls reports whether a node is the call of a function of a package, any of them if no name is given.
func calls(n ast.Node, pkg string, names ...string) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(names) > 0 && !slices.Contains(names, function.Sel.Name) {
		return false
	}
	from, ok := function.X.(*ast.Ident)
	return ok && from.Name == pkg
}

// isTimed reports whether a node asserts how long something took.
func isTimed(n ast.Node) (timed bool) {
	if !calls(n, "require") && !calls(n, "assert") {
		return false
	}
	for _, argument := range n.(*ast.CallExpr).Args {
		ast.Inspect(argument, func(n ast.Node) bool {
			timed = timed || calls(n, "time", "Since")
			return !timed
		})
	}
	return timed
}

// isHasty reports whether a node waits for something to become true, but for less than 20 s.
func isHasty(n ast.Node) bool {
	const least = 20 * time.Second
	names := []string{"Eventually", "EventuallyWithT"}
	if !calls(n, "require", names...) && !calls(n, "assert", names...) {
		return false
	}
	arguments := n.(*ast.CallExpr).Args
	if len(arguments) < 3 {
		return false
	}
	for unit, length := range map[string]time.Duration{"Millisecond": time.Millisecond, "Second": time.Second} {
		if count := 1.0; mentions(arguments[2], unit) {
			ast.Inspect(arguments[2], func(n ast.Node) bool {
				if number, ok := n.(*ast.BasicLit); ok {
					count, _ = strconv.ParseFloat(number.Value, 64)
				}
				return true
			})
			return time.Duration(count*float64(length)) < least
		}
	}
	return false
}

// bounded reports whether one of the nodes is a loop that ends: over something that is counted, or by a deadline that
// it looks at.
func bounded(above []ast.Node) bool {
	for _, n := range above {
		switch loop := n.(type) {
		case *ast.RangeStmt:
			return true
		case *ast.ForStmt:
			counted := loop.Cond != nil && loop.Post != nil && isStep(loop.Post)
			if counted || mentions(loop, "After", "Before", "Since", "Until", "Err", "Done") {
				return true
			}
		}
	}
	return false
}

func isStep(post ast.Stmt) bool {
	_, ok := post.(*ast.IncDecStmt)
	return ok
}

// mentions reports whether a node contains one of the names.
func mentions(n ast.Node, names ...string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			for _, name := range names {
				found = found || id.Name == name
			}
		}
		return !found
	})
	return found
}
