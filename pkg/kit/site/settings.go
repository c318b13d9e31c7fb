package site

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"slices"

	"github.com/andybalholm/brotli"
)

// tell writes settings into the page as attributes of its element html, in the place of those that it was built with.
func (s *Site) tell(settings map[string]string) error {
	page := s.files[index]
	plain := page.bodies[len(page.bodies)-1].data
	before, rest, found := bytes.Cut(plain, []byte("<html"))
	_, after, closed := bytes.Cut(rest, []byte(">"))
	if !found || !closed {
		return errors.New("the page has no element html for the settings")
	}
	var b bytes.Buffer
	b.Write(before)
	b.WriteString("<html")
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(&b, ` %s="%s"`, name, html.EscapeString(settings[name]))
	}
	b.WriteString(">")
	b.Write(after)
	page.bodies = nil
	for _, e := range encodings {
		data, err := e.encoded(b.Bytes())
		if err != nil {
			return fmt.Errorf("compress the page: %w", err)
		}
		page.bodies = append(page.bodies, bodyOf(e.name, data))
	}
	page.bodies = append(page.bodies, bodyOf("", b.Bytes()))
	return nil
}

// encoded is what a file is in an encoding.
func (e encoding) encoded(data []byte) ([]byte, error) {
	var b bytes.Buffer
	var w io.WriteCloser = brotli.NewWriterLevel(&b, brotli.BestCompression)
	if e.name == "gzip" {
		w = gzip.NewWriter(&b)
	}
	_, err := w.Write(data)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}
