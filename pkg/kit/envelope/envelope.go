// Package envelope writes the envelope of JSON answers: {errno, errmsg} and, on success, data.
package envelope

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
)

// ContentType is the media type of every envelope.
const ContentType = "application/json;charset=UTF-8"

// Writer writes envelopes in one language.
type Writer struct {
	language string
	empty    []byte // the whole answer of success without data
	open     []byte // what stands before data
	buffers  sync.Pool
	// fast and thorough are pools of gzip writers at the two levels.
	fast, thorough sync.Pool
	// refusing are the writers of failures in every language of the catalogue, this one included.
	refusing map[string]*Writer
}

// New returns a writer for "zh" or "en".
func New(language string) *Writer {
	w := newWriter(language)
	w.refusing = map[string]*Writer{language: w}
	for _, other := range text.Languages() {
		if other != language {
			w.refusing[other] = newWriter(other)
		}
	}
	return w
}

// In returns the writer of failures in a language, w itself for one that the catalogue does not have.
func (w *Writer) In(language string) *Writer {
	if other := w.refusing[language]; other != nil {
		return other
	}
	return w
}

func newWriter(language string) *Writer {
	ok, err := json.Marshal(errno.OK.Text(language))
	if err != nil {
		panic(err) // a text of our own table
	}
	head := append([]byte(`{"errno":0,"errmsg":`), ok...)
	head = head[:len(head):len(head)]
	return &Writer{language: language, empty: append(head, '}'), open: append(head, `,"data":`...)}
}

// contentType is the value of the header, made once.
var contentType = []string{ContentType}

// WriteSuccess answers with data, which is encoded JSON; nil means success without data. The answer is written in one
// piece, since each further write costs a system call.
func (w *Writer) WriteSuccess(to http.ResponseWriter, data []byte) {
	if data == nil {
		w.write(to, w.empty)
		return
	}
	buffer, ok := w.buffers.Get().(*[]byte)
	if !ok {
		buffer = new([]byte)
	}
	body := append(append((*buffer)[:0], w.open...), data...)
	body = append(body, '}')
	w.write(to, body)
	if cap(body) <= maxPooledBuffer {
		*buffer = body
		w.buffers.Put(buffer)
	}
}

// maxPooledBuffer is the largest buffer that is reused.
const maxPooledBuffer = 256 << 10

func (w *Writer) write(to http.ResponseWriter, body []byte) {
	header := to.Header()
	header["Content-Type"] = contentType
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	to.WriteHeader(http.StatusOK)
	_, _ = to.Write(body) // client disconnected; nothing left to write
}

// retryAfter is when a client may try again that was refused because of too much work, in seconds.
var retryAfter = []string{"1"}

// ReasonHeader says why a call was refused where the number of the envelope has several reasons: "rate-limit" for what
// was asked for too often, which is no mistake in the request.
const ReasonHeader = "X-Shop-Reason"

const reasonLimited = "rate-limit"

// WriteFailure answers with an error.
func (w *Writer) WriteFailure(to http.ResponseWriter, status int, err error) {
	to.Header()["Content-Type"] = contentType
	if status == http.StatusServiceUnavailable {
		to.Header()["Retry-After"] = retryAfter
	}
	if later, limited := errors.AsType[*errno.Later](err); limited {
		to.Header().Set("Retry-After", strconv.Itoa(max(int(math.Ceil(later.After.Seconds())), 1)))
		to.Header().Set(ReasonHeader, reasonLimited)
	}
	to.WriteHeader(status)
	_, _ = to.Write(w.Failure(err))
}

// Success returns the answer with data, which is encoded JSON; nil means success without data.
func (w *Writer) Success(data []byte) []byte {
	if data == nil {
		return w.empty
	}
	b := make([]byte, 0, len(w.open)+len(data)+1)
	b = append(append(b, w.open...), data...)
	return append(b, '}')
}

// Encode returns data as JSON.
func Encode(data any) ([]byte, error) {
	if raw, ok := data.(json.RawMessage); ok {
		return raw, nil
	}
	if kept, ok := data.(interface{ Encoded() []byte }); ok {
		return kept.Encoded(), nil
	}
	b, err := json.Marshal(data)
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	return b, nil
}

// Failure returns the answer for an error: its code and the text for people only.
func (w *Writer) Failure(err error) []byte {
	message, encErr := json.Marshal(errno.Text(err, w.language))
	if encErr != nil {
		message = []byte(`""`)
	}
	b := append([]byte(`{"errno":`), strconv.Itoa(errno.Of(err).Num)...)
	b = append(append(b, `,"errmsg":`...), message...)
	return append(b, '}')
}

// Status returns the HTTP status of an error: 200 for every answer of a known operation, since the clients read the
// envelope only then, and others for unknown paths, wrong methods, and too much work, which proxies and load balancers
// should see.
func Status(err error) int {
	if errors.Is(err, errno.ErrBusy) {
		return http.StatusServiceUnavailable
	}
	switch errno.Of(err) {
	case errno.UnknownPath:
		return http.StatusNotFound
	case errno.WrongMethod:
		return http.StatusMethodNotAllowed
	default:
		return http.StatusOK
	}
}
