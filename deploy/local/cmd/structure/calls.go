package main

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// code is the functions of our modules, each with the package that it is of.
type code map[string]struct {
	decl *ast.FuncDecl
	of   *packages.Package
}

func codeOf(loaded []*packages.Package) code {
	all := code{}
	packages.Visit(loaded, nil, func(p *packages.Package) {
		if !strings.HasPrefix(p.PkgPath, "shop.internal/") {
			return
		}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				if decl, ok := d.(*ast.FuncDecl); ok && decl.Body != nil {
					all[p.TypesInfo.Defs[decl.Name].(*types.Func).FullName()] = struct {
						decl *ast.FuncDecl
						of   *packages.Package
					}{decl, p}
				}
			}
		}
	})
	return all
}

// entered returns the files that a reader enters who follows a function to the last call: those of every function that
// it names, and so on. What is called through an interface or a variable is not followed.
func (c code) entered(start string) (map[string][]string, error) {
	if _, ok := c[start]; !ok {
		return nil, fmt.Errorf("no function %s", start)
	}
	files := map[string][]string{}
	seen := map[string]bool{start: true}
	for next := []string{start}; len(next) > 0; {
		f := c[next[0]]
		next = next[1:]
		path := f.of.PkgPath
		if file := f.of.Fset.Position(f.decl.Pos()).Filename; !slices.Contains(files[path], file) {
			files[path] = append(files[path], file)
		}
		ast.Inspect(f.decl.Body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			if used, ok := f.of.TypesInfo.Uses[id].(*types.Func); ok {
				name := used.Origin().FullName()
				if _, known := c[name]; known && !seen[name] {
					seen[name] = true
					next = append(next, name)
				}
			}
			return true
		})
	}
	return files, nil
}
