package main

import (
	"context"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// raced returns the packages of the workspace whose tests the race detector has to observe: those that have changed and
// those that import them; "all" where what they are built with has changed, and nothing where no package has.
func (c changes) raced(ctx context.Context, t *tree) ([]string, error) {
	if c.everything {
		return []string{"all"}, nil
	}
	changed := map[string]bool{}
	for _, file := range c.files {
		switch owner := t.owner(file); {
		case slices.Contains([]string{"go.mod", "go.sum", "go.work", "go.work.sum"}, path.Base(file)):
			return []string{"all"}, nil
		case owner != "":
			changed["shop.internal/"+owner] = true
		}
	}
	const each = "{{range .Imports}} {{.}}{{end}}{{range .TestImports}} {{.}}{{end}}{{range .XTestImports}} {{.}}{{end}}"
	cmd := exec.CommandContext(ctx, "go", "list", "-f", "{{.ImportPath}}"+each, "work")
	cmd.Dir, cmd.Env = t.root, append(os.Environ(), "GOWORK="+filepath.Join(t.root, "go.work"))
	out, err := output(cmd)
	if err != nil {
		return nil, err
	}
	var list []string
	for line := range strings.Lines(out) {
		names := strings.Fields(line) // of a package, and of what it and its tests import
		touched := func(name string) bool { return changed[name] }
		if names[0] != "shop.internal/pkg/domain/modeltest" && slices.ContainsFunc(names, touched) {
			list = append(list, names[0])
		}
	}
	return list, nil
}
