package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// file is a file of the site in its encodings, the smallest first.
type file struct {
	kind      string // the media type
	immutable bool   // its name has a hash of what it holds
	bodies    []body
}

// body is a file in an encoding, which is made when it is asked for.
type body struct {
	encoding string
	coded    func() coded
}

type coded struct {
	tag  string
	data []byte
}

// encodings are the compressed forms of files by their ends, the preferred one first.
var encodings = []encoding{{".br", "br"}, {".gz", "gzip"}}

type encoding struct{ suffix, name string }

// cache is the header Cache-Control of a built file.
func (f *file) cache() string {
	if f.immutable {
		return "public, max-age=31536000, immutable"
	}
	return "no-cache"
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
	c := codedOf(data)
	return body{encoding, func() coded { return c }}
}

func codedOf(data []byte) coded {
	sum := sha256.Sum256(data)
	return coded{data: data, tag: `"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`}
}

// level is how thoroughly brotli compresses what is made while the service runs.
const level = 5

// textOf returns a text as a file that is compressed when it is asked for.
func textOf(kind string, data []byte) *file {
	f := &file{kind: kind}
	for _, e := range encodings {
		f.bodies = append(f.bodies, body{e.name, sync.OnceValue(func() coded {
			return codedOf(e.encoded(data))
		})})
	}
	f.bodies = append(f.bodies, bodyOf("", data))
	return f
}

// encoded is what a file is in an encoding.
func (e encoding) encoded(data []byte) []byte {
	var b bytes.Buffer
	var w io.WriteCloser = brotli.NewWriterLevel(&b, level)
	if e.name == "gzip" {
		w = gzip.NewWriter(&b)
	}
	_, err := w.Write(data)
	if err = errors.Join(err, w.Close()); err != nil {
		panic(fmt.Errorf("compress a text in memory: %w", err))
	}
	return b.Bytes()
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
