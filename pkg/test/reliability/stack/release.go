package stack

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Release is a version of the shop that can be run: a checkout and the programs that were built from it.
type Release struct {
	// Name is what to call it in a report.
	Name string
	// Root is the checkout, whose configuration files the programs read, and Programs the folder of the programs.
	Root, Programs string
	// Only are the programs to build, by default all three.
	Only []string
}

// sources are the programs of the shop by the folders of their sources.
var sources = map[string]string{
	"storefront": "shop.internal/services/storefront/cmd/storefront",
	"admin":      "shop.internal/services/admin/cmd/admin",
	"shopctl":    "shop.internal/services/admin/cmd/shopctl",
}

// Build builds the programs from the checkout.
func (r Release) Build(ctx context.Context, flags ...string) error {
	env := append(os.Environ(), "GOWORK="+filepath.Join(r.Root, "go.work")) // this module is outside of it
	args := slices.Concat([]string{"build", "-buildvcs=false", "-o", r.Programs + "/"}, flags)
	for name, source := range sources {
		if len(r.Only) == 0 || slices.Contains(r.Only, name) {
			args = append(args, source)
		}
	}
	_, err := output(ctx, r.Root, env, "go", args...)
	return err
}

// BuildWith builds the programs with more migrations than the checkout has, the files given.
func (r Release) BuildWith(ctx context.Context, migrations ...string) error {
	replace := map[string]string{}
	for _, file := range migrations {
		replace[filepath.Join(r.Root, "migrations", filepath.Base(file))] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	overlay := r.Programs + ".overlay.json"
	if err := os.MkdirAll(filepath.Dir(overlay), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return err
	}
	return r.Build(ctx, "-overlay", overlay)
}

// Checkout writes a version of the project, as git names it, into a folder and builds it there.
func Checkout(ctx context.Context, version, into string) (Release, error) {
	root, err := ProjectRoot()
	if err != nil {
		return Release{}, err
	}
	name, err := Git(ctx, root, "log", "-1", "--format=%h of %cd, %s", "--date=format:%Y-%m-%d %H:%M", version)
	if err != nil {
		return Release{}, fmt.Errorf("there is no version %s in this clone: %w", version, err)
	}
	r := Release{Name: name, Root: filepath.Join(into, "source"), Programs: filepath.Join(into, "bin")}
	if err := os.RemoveAll(into); err != nil {
		return r, err
	}
	if err := os.MkdirAll(r.Root, 0o700); err != nil {
		return r, err
	}
	archive := r.Root + ".tar"
	if _, err := Git(ctx, root, "archive", "-o", archive, version); err != nil {
		return r, err
	}
	if _, err := output(ctx, r.Root, os.Environ(), "tar", "-xf", archive); err != nil {
		return r, err
	}
	return r, r.Build(ctx)
}

// Git asks the repository.
func Git(ctx context.Context, root string, args ...string) (string, error) {
	return output(ctx, root, os.Environ(), "git", args...)
}
