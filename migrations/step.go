package migrations

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// ErrForeign says that a database has tables, but no record of migrations.
var ErrForeign = errors.New("the database has tables but no schema_migration: not a database of the shop")

// OlderError says that a database lacks migrations that this program needs.
type OlderError struct {
	// Have is the newest applied migration, 0 for an empty database.
	Have int64
	// Need is the newest migration of this program.
	Need int64
}

// Error names both versions and the remedy.
func (e *OlderError) Error() string {
	return fmt.Sprintf("the schema is at step %d and this release needs step %d: run `shopctl setup`", e.Have, e.Need)
}

// ChangedError says that an applied migration was changed since.
type ChangedError struct {
	// Version is the number of the migration.
	Version int64
	// Name is the file name of the migration, as recorded.
	Name string
	// Now is the file name of the migration in this program, empty if it has none.
	Now string
}

// Error names the migration.
func (e *ChangedError) Error() string {
	switch e.Now {
	case "":
		return fmt.Sprintf("migration %d (%s) was applied to the database but is missing in this release", e.Version, e.Name)
	case e.Name:
		return fmt.Sprintf("migration %d (%s) was changed after it was applied: restore it and add a new step instead",
			e.Version, e.Name)
	default:
		return fmt.Sprintf("migration %s is not a step of this release, which has %s in its place: "+
			"the database was made by other steps, and this release needs a new database", e.Name, e.Now)
	}
}

// step is one migration file.
type step struct {
	name     string
	checksum string // SHA-256 of the bytes, in hex
}

// steps are all files by number.
type steps map[int64]step

// readSteps reads all migrations of fsys. Every SQL file there must be one.
func readSteps(fsys fs.FS) (steps, error) {
	names, err := fs.Glob(fsys, "*.sql")
	if err != nil {
		return nil, fmt.Errorf("listing migrations: %w", err)
	}
	list := make(steps, len(names))
	for _, name := range names {
		version, err := goose.NumericComponent(name)
		if err != nil {
			return nil, fmt.Errorf("reading the number of migration %s: %w", name, err)
		}
		if twin, ok := list[version]; ok {
			return nil, fmt.Errorf("migrations %s and %s have one number", twin.name, name)
		}
		body, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("reading migration %s: %w", name, err)
		}
		sum := sha256.Sum256(body)
		list[version] = step{name: name, checksum: hex.EncodeToString(sum[:])}
	}
	return list, nil
}

// newest is the highest number.
func (s steps) newest() int64 {
	var top int64
	for version := range s {
		top = max(top, version)
	}
	return top
}

// verify compares the record of a migration with the file.
func (s steps) verify(version int64, name, checksum string) error {
	if version > s.newest() {
		return nil // applied by a later release
	}
	known, ok := s[version]
	if !ok {
		return &ChangedError{Version: version, Name: name}
	}
	if known.checksum != checksum {
		return &ChangedError{Version: version, Name: name, Now: known.name}
	}
	return nil
}
