package documents

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// firstUser is the number of the first user or group that a page makes; no user of this machine is to have it.
const firstUser = 2_000_061

// addTool makes a user or a group: its name, which follows the flags, becomes a line of a file, whose place is its number.
func addTool(_ context.Context, m machine, args []string) error {
	file, err := os.OpenFile(m.file("users"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	if group := valueOf(args, "--gid"); group != "" {
		if _, err := m.number(group); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(file, args[len(args)-1])
	return err
}

// number is the number of a user or a group that was made, or of root.
func (m machine) number(name string) (int, error) {
	if name == "root" {
		return 0, nil
	}
	text, err := os.ReadFile(m.file("users"))
	if err != nil {
		return 0, err
	}
	at := slices.Index(strings.Fields(string(text)), name)
	if at < 0 {
		return 0, fmt.Errorf("there is no user or group %s", name)
	}
	return firstUser + at, nil
}

// give makes a user and a group the owners of a file, which only root can do.
func (m machine) give(file, user, group string) error {
	owner, err := m.number(user)
	if err != nil {
		return err
	}
	owners, err := m.number(group)
	if err != nil || os.Geteuid() != 0 {
		return err
	}
	return os.Chown(file, owner, owners)
}

// chownTool gives files to USER:GROUP.
func chownTool(_ context.Context, m machine, args []string) error {
	user, group, found := strings.Cut(args[0], ":")
	if !found || group == "" || len(args) < 2 {
		return fmt.Errorf("unexpected arguments: %v", args)
	}
	for _, file := range args[1:] {
		if err := m.give(file, user, group); err != nil {
			return err
		}
	}
	return nil
}

// filesBelow lists the files in a folder and below it.
func filesBelow(dir string) (files []string, err error) {
	err = filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files = append(files, file)
		}
		return err
	})
	return files, err
}
