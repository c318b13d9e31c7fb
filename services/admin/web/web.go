// Package web is the staff console, as it was built from the sources of this folder.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var built embed.FS

// Pages returns the built files.
func Pages() fs.FS {
	pages, err := fs.Sub(built, "dist")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return pages
}
