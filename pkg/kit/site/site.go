// Package site serves the built pages of a service: files that were compressed when they were built, the page itself
// for every address that a browser navigates to, and the headers that confine both. The rest goes to the service.
package site

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
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
}

// Site is the built pages in memory.
type Site struct {
	files    map[string]*file
	reserved []string
	policy   string
}

// file is a file of the site in the encodings that it was built in, the smallest first.
type file struct {
	kind      string // the media type
	immutable bool   // its name has a hash of what it holds
	bodies    []body
}

type body struct {
	encoding, tag string
	data          []byte
}

// encodings are the compressed forms of files by their ends, the preferred one first.
var encodings = []encoding{{".br", "br"}, {".gz", "gzip"}}

type encoding struct{ suffix, name string }

// New reads the built pages. It fails if they have no index.html.
func New(pages fs.FS, o Options) (*Site, error) {
	s := &Site{files: map[string]*file{}, reserved: o.Reserved, policy: policy(o.Pictures)}
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
	if len(o.Settings) > 0 {
		err = s.tell(o.Settings)
	}
	return s, err
}

func compressed(name string) bool {
	return slices.ContainsFunc(encodings, func(e encoding) bool { return strings.HasSuffix(name, e.suffix) })
}

// kinds are the media types that the tables of operating systems disagree on.
var kinds = map[string]string{
	".webmanifest": "application/manifest+json", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
	".txt": "text/plain; charset=utf-8", ".woff2": "font/woff2", ".ico": "image/vnd.microsoft.icon",
}

func read(pages fs.FS, name string) (*file, error) {
	kind := kinds[path.Ext(name)]
	if kind == "" {
		kind = mime.TypeByExtension(path.Ext(name))
	}
	f := &file{kind: kind, immutable: strings.HasPrefix(name, "assets/")}
	for _, e := range encodings {
		data, err := fs.ReadFile(pages, name+e.suffix)
		switch {
		case err == nil:
			f.bodies = append(f.bodies, bodyOf(e.name, data))
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	data, err := fs.ReadFile(pages, name)
	if err != nil {
		return nil, err
	}
	f.bodies = append(f.bodies, bodyOf("", data))
	return f, nil
}

func bodyOf(encoding string, data []byte) body {
	sum := sha256.Sum256(data)
	return body{encoding: encoding, data: data, tag: `"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`}
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
		f, fallback := s.find(r)
		if f == nil {
			service.ServeHTTP(w, r)
			return
		}
		if fallback {
			w.Header().Add("Vary", "Accept")
		}
		s.serve(w, r, f)
	})
}

// find returns the file of a request, or the page where a browser navigates to an address of the site.
func (s *Site) find(r *http.Request) (f *file, fallback bool) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return nil, false
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	first, _, _ := strings.Cut(name, "/")
	if slices.Contains(s.reserved, first) {
		return nil, false
	}
	if name == "" {
		return s.files[index], false
	}
	if f := s.files[name]; f != nil {
		return f, false
	}
	if strings.Contains(path.Base(name), ".") || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		return nil, false
	}
	return s.files[index], true
}

func (s *Site) serve(w http.ResponseWriter, r *http.Request, f *file) {
	h := w.Header()
	s.confine(h)
	if len(f.bodies) > 1 {
		h.Add("Vary", "Accept-Encoding")
	}
	if f.immutable {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		h.Set("Cache-Control", "no-cache")
	}
	b := f.choose(r.Header.Get("Accept-Encoding"))
	h.Set("ETag", b.tag)
	if matches(r.Header.Get("If-None-Match"), b.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", f.kind)
	h.Set("Content-Length", strconv.Itoa(len(b.data)))
	if b.encoding != "" {
		h.Set("Content-Encoding", b.encoding)
	}
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(b.data) // who has gone away is told nothing
}

// confine sets the headers that keep a page to itself.
func (s *Site) confine(h http.Header) {
	h.Set("Content-Security-Policy", s.policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
}

// choose returns the first body whose encoding the client takes; the last one is not encoded.
func (f *file) choose(accept string) *body {
	for i := range f.bodies {
		if b := &f.bodies[i]; b.encoding == "" || accepts(accept, b.encoding) {
			return b
		}
	}
	return &f.bodies[len(f.bodies)-1]
}

// accepts reports whether a header Accept-Encoding names the encoding, or all, with a weight above zero.
func accepts(header, encoding string) bool {
	all := false
	for part := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(part, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name != encoding && name != "*" {
			continue
		}
		wanted := weight(parameters) > 0
		if name == encoding {
			return wanted
		}
		all = wanted
	}
	return all
}

// weight returns the q of an element of a header, 1 where it has none.
func weight(parameters string) float64 {
	for p := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				return 0
			}
			return q
		}
	}
	return 1
}

// matches reports whether a header If-None-Match names the tag.
func matches(header, tag string) bool {
	for part := range strings.SplitSeq(header, ",") {
		part = strings.TrimPrefix(strings.TrimSpace(part), "W/")
		if part == tag || part == "*" {
			return true
		}
	}
	return false
}
