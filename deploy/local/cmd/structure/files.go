package main

import (
	"cmp"
	"go/ast"
	"go/types"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// arrow is a reference from one file of a package to a function, method or type of another.
type arrow struct{ from, to string }

// arrows returns the references between the files of a package, each pair of files once, with the names that are used.
func arrows(p *packages.Package) map[arrow][]string {
	all := map[arrow][]string{}
	file := func(pos ast.Node) string { return filepath.Base(p.Fset.Position(pos.Pos()).Filename) }
	for _, f := range p.Syntax {
		from := file(f)
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			switch used := p.TypesInfo.Uses[id].(type) {
			case *types.Func, *types.TypeName:
				if used.Pkg() != p.Types || local(used) {
					return true
				}
				to := filepath.Base(p.Fset.Position(used.Pos()).Filename)
				if a := (arrow{from, to}); from != to && !slices.Contains(all[a], used.Name()) {
					all[a] = append(all[a], used.Name())
				}
			}
			return true
		})
	}
	return all
}

// local reports whether a type is declared within a function.
func local(used types.Object) bool {
	name, isType := used.(*types.TypeName)
	return isType && name.Parent() != name.Pkg().Scope()
}

// upward returns the arrows against the order of the files that has the fewest of them, and that order.
func upward(files []string, all map[arrow][]string) (against []arrow, order []string) {
	const starts = 60
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same in each run
	best := -1
	for range starts {
		tried := slices.Sorted(slices.Values(files))
		random.Shuffle(len(tried), func(i, j int) { tried[i], tried[j] = tried[j], tried[i] })
		if n := improve(tried, all); best < 0 || n < best {
			best, order = n, tried
		}
	}
	for a := range all {
		if slices.Index(order, a.from) > slices.Index(order, a.to) {
			against = append(against, a)
		}
	}
	slices.SortFunc(against, func(a, b arrow) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	return against, order
}

// improve moves one file after the other to its best place, until no move helps, and returns the arrows against the
// order that are left.
func improve(order []string, all map[arrow][]string) int {
	has := func(a, b string) int {
		if _, ok := all[arrow{a, b}]; ok {
			return 1
		}
		return 0
	}
	for moved := true; moved; {
		moved = false
		for _, file := range slices.Clone(order) {
			at := slices.Index(order, file)
			rest := slices.Delete(slices.Clone(order), at, at+1)
			// Before all others, every arrow to the file is against the order.
			cost := 0
			for _, other := range rest {
				cost += has(other, file)
			}
			least, place, now := cost, 0, cost
			for i, other := range rest {
				cost += has(file, other) - has(other, file)
				if cost < least {
					least, place = cost, i+1
				}
				if i+1 == at {
					now = cost
				}
			}
			if least < now {
				copy(order, slices.Insert(rest, place, file))
				moved = true
			}
		}
	}
	n := 0
	for a := range all {
		if slices.Index(order, a.from) > slices.Index(order, a.to) {
			n++
		}
	}
	return n
}
