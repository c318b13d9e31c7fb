package site

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"net/http"
	"slices"
)

// Document is an answer that a service makes itself: a page with content, or a file that depends on its settings. It
// must not change, and may be kept: it keeps its compressed forms.
type Document struct {
	// Status is the HTTP status, Cache the header Cache-Control.
	Status int
	Cache  string
	// Location is where a redirect leads.
	Location string
	*file
}

// NewDocument returns a text with its media type, status 200 and a header Cache-Control that asks to revalidate.
func NewDocument(kind string, text []byte) *Document {
	return &Document{Status: http.StatusOK, Cache: "no-cache", file: textOf(kind, text)}
}

// Size is the number of bytes of the text.
func (d *Document) Size() int {
	if d == nil || d.file == nil {
		return 0
	}
	return len(d.bodies[len(d.bodies)-1].coded().data)
}

// Template is the built page with places for content.
type Template struct{ before, between, after []byte }

// The places of a page: what stands in its head from the first theme colour to the end of the title, and the inside of
// the element app.
var (
	headStart, headEnd = []byte(`<meta name="theme-color"`), []byte(`</title>`)
	appStart           = []byte(`<div id="app">`)
)

// NewTemplate reads index.html. It fails if the page lacks one of the places.
func NewTemplate(pages fs.FS) (*Template, error) {
	page, err := fs.ReadFile(pages, index)
	if err != nil {
		return nil, fmt.Errorf("read the page: %w", err)
	}
	before, rest, head := bytes.Cut(page, headStart)
	_, rest, title := bytes.Cut(rest, headEnd)
	between, after, app := bytes.Cut(rest, appStart)
	if !head || !title || !app {
		return nil, errors.New("the page has no place for content")
	}
	return &Template{before: before, between: slices.Concat(between, appStart), after: after}, nil
}

// Page returns the page with the attributes of its element html, with content for its head, which has the theme colour,
// the icons and the title, and with content for its element app.
func (t *Template) Page(attributes map[string]string, head, app []byte) []byte {
	before, _ := withAttributes(t.before, attributes)
	return slices.Concat(before, head, t.between, app, t.after)
}

// withAttributes returns a page whose element html has these attributes alone.
func withAttributes(page []byte, attributes map[string]string) (with []byte, found bool) {
	before, rest, opened := bytes.Cut(page, []byte("<html"))
	_, after, closed := bytes.Cut(rest, []byte(">"))
	if !opened || !closed {
		return page, false
	}
	var b bytes.Buffer
	b.Write(before)
	b.WriteString("<html")
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		fmt.Fprintf(&b, ` %s="%s"`, name, html.EscapeString(attributes[name]))
	}
	b.WriteString(">")
	b.Write(after)
	return b.Bytes(), true
}
