// Command sleeps finds calls of time.Sleep on which a result may depend: a test that waits for "long enough" fails on a
// slower machine, and wastes time on a faster one. A sleep may stand
//
//   - in a function that uses synctest, whose clock is its own, in its helpers in the same file, and in what they call;
//   - in a loop that ends by a deadline or after a number of rounds, as the pause between two looks;
//   - where a comment in its line begins with "lasts", as the length of what is tested, such as the fault of a process.
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
	"strings"
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
				fmt.Printf("%s: nothing says that this is long enough: wait for what has to happen, with a deadline\n", position)
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
			if isSleep(n) && !lasting[at.Line] && !bounded(above) {
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

func isSleep(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || function.Sel.Name != "Sleep" {
		return false
	}
	pkg, ok := function.X.(*ast.Ident)
	return ok && pkg.Name == "time"
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
