package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// own is the prefix of the project's modules.
const own = "shop.internal/"

// modulesOf are the modules of which at least one package is linked into the programs.
func modulesOf(ctx context.Context) ([]part, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-json=Module", "./services/storefront/cmd/storefront",
		"./services/admin/cmd/admin", "./services/admin/cmd/shopctl")
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages of the programs: %w", err)
	}
	type module struct{ Path, Version, Dir string }
	found := map[string]module{}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var p struct{ Module *module }
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read the packages of the programs: %w", err)
		}
		if p.Module != nil && !strings.HasPrefix(p.Module.Path, own) {
			found[p.Module.Path] = *p.Module
		}
	}
	all := make([]part, 0, len(found))
	for _, m := range found {
		licences, err := read(m.Dir)
		if err != nil {
			return nil, fmt.Errorf("read the licence of %s: %w", m.Path, err)
		}
		all = append(all, part{name: m.Path, version: m.Version, kind: "golang", licences: licences})
	}
	return all, nil
}

// read recognises the texts of licences in a folder. Of a file at least three quarters must be such texts.
func read(dir string) ([]string, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, f := range files {
		name := strings.ToUpper(f.Name())
		if f.IsDir() || !strings.HasPrefix(name, "LICEN") && !strings.HasPrefix(name, "COPYING") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		scanned := licensecheck.Scan(text)
		if scanned.Percent < 75 {
			continue
		}
		for _, m := range scanned.Match {
			found[m.ID] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// packagesOf are the packages that the pages of these manifests depend on, directly or by way of others, as the lock
// file has them.
func packagesOf(lockFile string, manifests ...string) ([]part, error) {
	needed := map[string]string{}
	for _, manifest := range manifests {
		var page struct{ Dependencies map[string]string }
		if err := decode(manifest, &page); err != nil {
			return nil, err
		}
		maps.Copy(needed, page.Dependencies)
	}
	var lock struct {
		Packages map[string]struct {
			Version, License, Resolved string
			// Link says that it is a part of the project, in the folder Resolved.
			Link         bool
			Dependencies map[string]string
		}
	}
	if err := decode(lockFile, &lock); err != nil {
		return nil, err
	}
	var all []part
	known := map[string]bool{}
	for next := slices.Sorted(maps.Keys(needed)); len(next) > 0; next = next[1:] {
		name := next[0]
		if known[name] {
			continue
		}
		known[name] = true
		p, ok := lock.Packages["node_modules/"+name]
		if !ok {
			return nil, fmt.Errorf("%s is not in %s", name, lockFile)
		}
		if p.Link {
			next = append(next, slices.Sorted(maps.Keys(lock.Packages[p.Resolved].Dependencies))...)
			continue
		}
		one := part{name: name, version: p.Version, kind: "npm"}
		one.licences = chosen(p.License)
		all = append(all, one)
		next = append(next, slices.Sorted(maps.Keys(p.Dependencies))...)
	}
	return all, nil
}

// chosen are the licences under which a package is used: the first allowed one of alternatives, such as
// "(MPL-2.0 OR Apache-2.0)".
func chosen(expression string) []string {
	alternatives := strings.Split(strings.Trim(expression, "()"), " OR ")
	for _, a := range alternatives {
		if slices.Contains(allowed, a) {
			return []string{a}
		}
	}
	return slices.DeleteFunc(alternatives, func(a string) bool { return a == "" })
}

func decode(file string, into any) error {
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}
