package envelope

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// Body is the data of a cached answer with what is computed once: its tag, and the whole answer in each requested
// content coding.
type Body struct {
	data  []byte
	tag   func() []string
	coded [codings]struct {
		once sync.Once
		body []byte
	}
}

// NewBody returns the body of data, which is JSON and must not change.
func NewBody(data []byte) *Body {
	b := &Body{data: data}
	b.tag = sync.OnceValue(func() []string { return tagOf(data) })
	return b
}

// Data returns the JSON.
func (b *Body) Data() []byte { return b.data }

// Tag returns the ETag of answers with the data.
func (b *Body) Tag() string { return b.tag()[0] }

// The content codings, in the order of preference.
const (
	identity coding = iota
	gzipped
	brotlied
	codings
)

type coding int

// worthwhile is the length from which an answer is compressed.
const worthwhile = 1 << 10

// The compression levels: higher for what is computed once.
const (
	onceLevel   = 6
	brotliLevel = 5
	eachLevel   = gzip.BestSpeed
)

// The values of headers that are the same in every answer.
var (
	// shared lets shared caches keep an answer for a second, like the shop's own cache. Browsers always revalidate, so
	// that shoppers see their own changes.
	shared         = []string{"public, max-age=0, s-maxage=1"}
	contentCodings = [codings][]string{nil, {"gzip"}, {"br"}}
)

// WritePublic answers with data that is the same for everybody, compressed as the request accepts, and with status 304
// if the client has it already. kept is the cached body with the data, nil if it is not cached. It returns the status.
func (w *Writer) WritePublic(to http.ResponseWriter, r *http.Request, data []byte, kept *Body) int {
	header := to.Header()
	var tag []string
	if kept != nil {
		tag = kept.tag()
	} else {
		tag = tagOf(data)
	}
	header["Cache-Control"], header["Etag"] = shared, tag
	if has(r.Header["If-None-Match"], tag[0]) {
		to.WriteHeader(http.StatusNotModified)
		return http.StatusNotModified
	}
	accepted := r.Header["Accept-Encoding"]
	if len(accepted) == 0 || len(data) < worthwhile {
		w.WriteSuccess(to, data)
		return http.StatusOK
	}
	switch c := preferred(accepted, kept != nil); {
	case c == identity:
		w.WriteSuccess(to, data)
	case kept != nil:
		header["Content-Encoding"] = contentCodings[c]
		w.write(to, kept.in(c, w))
	default:
		header["Content-Encoding"] = contentCodings[gzipped]
		w.write(to, w.gzip(w.Success(data), eachLevel))
	}
	return http.StatusOK
}

// in returns the whole answer in a content coding.
func (b *Body) in(c coding, w *Writer) []byte {
	form := &b.coded[c]
	form.once.Do(func() {
		whole := w.Success(b.data)
		if c == gzipped {
			form.body = w.gzip(whole, onceLevel)
			return
		}
		var out bytes.Buffer
		compressed(brotli.NewWriterLevel(&out, brotliLevel), whole)
		form.body = out.Bytes()
	})
	return form.body
}

// gzip compresses an answer. Writers are large and therefore pooled.
func (w *Writer) gzip(whole []byte, level int) []byte {
	var out bytes.Buffer
	pool := &w.fast
	if level == onceLevel {
		pool = &w.thorough
	}
	z, ok := pool.Get().(*gzip.Writer)
	if !ok {
		z, _ = gzip.NewWriterLevel(&out, level) // the levels above are valid
	} else {
		z.Reset(&out)
	}
	compressed(z, whole)
	pool.Put(z)
	return out.Bytes()
}

// compressed compresses into memory, which does not fail.
func compressed(to io.WriteCloser, whole []byte) {
	_, _ = to.Write(whole)
	_ = to.Close()
}

// tagOf is the ETag: weak, since all content codings share it.
func tagOf(data []byte) []string {
	sum := sha256.Sum256(data)
	return []string{`W/"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
}

// has reports whether If-None-Match contains the tag, by weak comparison.
func has(conditions []string, tag string) bool {
	strong := strings.TrimPrefix(tag, "W/")
	for _, line := range conditions {
		for part := range strings.SplitSeq(line, ",") {
			if part = strings.TrimSpace(part); part == "*" || strings.TrimPrefix(part, "W/") == strong {
				return true
			}
		}
	}
	return false
}

// preferred returns the content coding that Accept-Encoding prefers: the one of the highest quality, and among equal
// ones the smallest answer. A quality of 0 refuses a coding.
func preferred(accepted []string, mayBrotli bool) coding {
	const unsaid = -1
	quality := [codings]int{identity: unsaid, gzipped: unsaid, brotlied: unsaid}
	rest := 0
	for _, line := range accepted {
		for part := range strings.SplitSeq(line, ",") {
			name, parameters, _ := strings.Cut(part, ";")
			q := qualityOf(parameters)
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "br":
				quality[brotlied] = q
			case "gzip", "x-gzip":
				quality[gzipped] = q
			case "identity":
				quality[identity] = q
			case "*":
				rest = q
			}
		}
	}
	best, highest := identity, max(quality[identity], 0)
	for c := gzipped; c < codings; c++ {
		q := quality[c]
		if q == unsaid {
			q = rest
		}
		if q > 0 && q >= highest && (c != brotlied || mayBrotli) {
			best, highest = c, q
		}
	}
	return best
}

// qualityOf parses q=0.5 as thousandths; an unreadable one counts as 0.
func qualityOf(parameters string) int {
	for part := range strings.SplitSeq(parameters, ";") {
		name, value, found := strings.Cut(strings.TrimSpace(part), "=")
		if !found || !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || q < 0 || q > 1 {
			return 0
		}
		return int(q * 1000)
	}
	return 1000
}
