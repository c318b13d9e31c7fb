// Package site serves the built pages of a service: files that were compressed when they were built, the page itself
// for every address that a browser navigates to, and the headers that confine both. The rest goes to the service.
package site

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// index is the page that every address of the site gets.
const index = "index.html"

// Options say how a site is served.
type Options struct {
	// Pictures are origins beside the site's own that pictures may come from, such as https://cdn.example.com.
	Pictures []string
	// Reserved are the first segments of the paths of the service, such as wx.
	Reserved []string
	// Settings are what the page has to know of the service, as attributes of its element html.
	Settings map[string]string
	// Current are further ones that may change while the service runs. It may be nil, and keeps the page as it is if it
	// fails.
	Current func(ctx context.Context) (map[string]string, error)
	// Document returns what the service makes itself for an address, nil for what it has none: the site then answers with
	// its built file or page. With a Document every address that is no file has the page, whatever a client accepts. It
	// may be nil.
	Document func(r *http.Request) *Document
}

// Site is the built pages in memory.
type Site struct {
	files    map[string]*file
	reserved []string
	confined http.Header

	document func(r *http.Request) *Document
	// plain is the page as it was built, shown the page with its settings.
	plain    []byte
	settings map[string]string
	current  func(ctx context.Context) (map[string]string, error)
	shown    atomic.Pointer[shown]
}

// shown is the page with its current settings.
type shown struct {
	*file

	current map[string]string
}

// New reads the built pages. It fails if they have no index.html.
func New(pages fs.FS, o Options) (*Site, error) {
	s := &Site{
		files: map[string]*file{}, reserved: o.Reserved, confined: confined(policy(o.Pictures)),
		settings: o.Settings, current: o.Current, document: o.Document,
	}
	err := fs.WalkDir(pages, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || compressed(name) {
			return err
		}
		s.files[name], err = read(pages, name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	if s.files[index] == nil {
		return nil, errors.New("the pages have no index.html")
	}
	page := s.files[index]
	s.plain = page.bodies[len(page.bodies)-1].coded().data
	if len(o.Settings) > 0 {
		page, err = s.withSettings(nil)
	}
	s.shown.Store(&shown{file: page})
	return s, err
}

// policy is what the pages may do: load their own files and ask their own service, and nothing that is written into a
// page runs. Styles that scripts set on elements are no part of the policy.
func policy(pictures []string) string {
	return strings.Join([]string{
		"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "manifest-src 'self'",
		"worker-src 'self'", "font-src 'self' data:", "img-src 'self' data: blob:" + origins(pictures),
		"base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
	}, "; ")
}

func origins(list []string) string {
	var b strings.Builder
	for _, o := range slices.Compact(slices.Sorted(slices.Values(list))) {
		b.WriteString(" " + o)
	}
	return b.String()
}

// Before returns a handler that answers for the site and leaves everything else to the service.
func (s *Site) Before(service http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead || s.isReserved(r.URL.Path) {
			service.ServeHTTP(w, r)
			return
		}
		if s.document != nil {
			if d := s.document(r); d != nil {
				s.serve(w, r, d)
				return
			}
		}
		f, fallback := s.find(r)
		if f == nil {
			service.ServeHTTP(w, r)
			return
		}
		if fallback && s.document == nil {
			w.Header().Add("Vary", "Accept")
		}
		s.serve(w, r, &Document{Status: http.StatusOK, Cache: f.cache(), file: f})
	})
}

func (s *Site) isReserved(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return slices.Contains(s.reserved, first)
}

// find returns the file of a request, or the page where a browser navigates to an address of the site.
func (s *Site) find(r *http.Request) (f *file, fallback bool) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || name == index {
		return s.page(r.Context()), false
	}
	if f := s.files[name]; f != nil {
		return f, false
	}
	navigates := s.document != nil || strings.Contains(r.Header.Get("Accept"), "text/html")
	if strings.Contains(path.Base(name), ".") || !navigates {
		return nil, false
	}
	return s.page(r.Context()), true
}

// page returns the page with its current settings. It is written anew when they have changed.
func (s *Site) page(ctx context.Context) *file {
	now := s.shown.Load()
	if s.current == nil {
		return now.file
	}
	current, err := s.current(ctx)
	if err != nil || maps.Equal(current, now.current) {
		return now.file
	}
	f, err := s.withSettings(current)
	if err != nil {
		return now.file
	}
	s.shown.Store(&shown{f, current})
	return f
}

func (s *Site) serve(w http.ResponseWriter, r *http.Request, d *Document) {
	h := w.Header()
	maps.Copy(h, s.confined)
	h["Cache-Control"] = []string{d.Cache}
	if d.Location != "" {
		h.Set("Location", d.Location)
		w.WriteHeader(d.Status)
		return
	}
	if len(d.bodies) > 1 {
		h.Add("Vary", "Accept-Encoding")
	}
	b := d.choose(r.Header.Get("Accept-Encoding"))
	c := b.coded()
	h["Etag"] = []string{c.tag}
	if d.Status == http.StatusOK && matches(r.Header.Get("If-None-Match"), c.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h["Content-Type"] = []string{d.kind}
	h["Content-Length"] = []string{strconv.Itoa(len(c.data))}
	if b.encoding != "" {
		h.Set("Content-Encoding", b.encoding)
	}
	w.WriteHeader(d.Status)
	_, _ = w.Write(c.data) // the client may have disconnected
}

// confined are the headers that keep a page to itself, by their canonical names.
func confined(policy string) http.Header {
	return http.Header{
		"Content-Security-Policy":      {policy},
		"X-Content-Type-Options":       {"nosniff"},
		"X-Frame-Options":              {"DENY"},
		"Referrer-Policy":              {"strict-origin-when-cross-origin"},
		"Cross-Origin-Opener-Policy":   {"same-origin"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Permissions-Policy":           {"camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
	}
}
