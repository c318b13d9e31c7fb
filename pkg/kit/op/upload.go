package op

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"reflect"
	"time"

	"shop.internal/pkg/base/errno"
	wording "shop.internal/pkg/base/text"
)

// Upload is a POST with one file in a multipart form. A form without it is errno.Missing; a truncated one, and a file
// above the limit, are errno.Invalid, the latter with HTTP 413 and without reading on.
type Upload[Resp any] struct {
	Path   string
	Title  string
	Access Access
	Fails  []*errno.Code
	// Part is the name of the file's part.
	Part string
	// Limit is the maximum size of the file.
	Limit int64
	// IdempotencyScope is the scope of the Idempotency-Key. Uploads of the same bytes under the same name are equal.
	IdempotencyScope string
	// Audit describes the audit record of this change, for operations with a permission.
	Audit Audit
	// Timeout is the timeout if that is longer than the service's.
	Timeout time.Duration
	// Rate names a class of rate limits in addition to those of every write; usually empty.
	Rate string
	// Budget is the maximum number of SQL statements of a call, as in Read.
	Budget int
	Do     func(context.Context, File) (Resp, error)
}

// File is an uploaded file.
type File struct {
	// Name is the client's name of the file: any text, or none.
	Name string
	Data []byte
}

const (
	// formOverhead is the allowance for a form beside its file: boundaries, headers of parts, further small parts.
	formOverhead = 64 << 10
	// maxParts bounds the parts that are searched for the file.
	maxParts = 20
)

func (o Upload[Resp]) spec() Spec {
	s := Spec{
		Method: http.MethodPost, Path: o.Path, Title: o.Title, Access: o.Access, Fails: o.Fails,
		IdempotencyScope: o.IdempotencyScope, Audit: o.Audit,
		Resp: reflect.TypeFor[Resp](), Rate: o.Rate, timeout: o.Timeout, Budget: o.Budget,
		upload: &filePart{name: o.Part, limit: o.Limit}, bodyLimit: o.Limit + formOverhead,
	}
	s.serve = func(ctx context.Context, in *input) (answer, error) {
		result, err := o.Do(ctx, in.file)
		if err != nil {
			return answer{}, err
		}
		return encoded(result)
	}
	return s
}

// FilePart is the name of the part with the file of an Upload, "" for any other operation.
func (s Spec) FilePart() string {
	if s.upload == nil {
		return ""
	}
	return s.upload.name
}

// FileLimit is the maximum size in bytes of the file of an Upload, 0 for any other operation.
func (s Spec) FileLimit() int64 {
	if s.upload == nil {
		return 0
	}
	return s.upload.limit
}

// sum is a hash that identifies an upload; the boundaries of forms differ each time.
func (f File) sum() [sha256.Size]byte {
	h := sha256.New()
	h.Write(append([]byte(f.Name), 0))
	h.Write(f.Data)
	return [sha256.Size]byte(h.Sum(nil))
}

// read finds the file in the form. It does not read beyond the end of the file.
func (p *filePart) read(w http.ResponseWriter, r *http.Request, most int64) (File, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" || r.ContentLength == 0 {
		return File{}, p.missing()
	}
	form := multipart.NewReader(http.MaxBytesReader(w, r.Body, most), params["boundary"])
	for range maxParts {
		part, err := form.NextRawPart()
		if err == io.EOF { //nolint:errorlint // wrapped it is a truncated form
			break
		}
		if err != nil {
			return File{}, p.broken(err)
		}
		if part.FormName() != p.name {
			continue
		}
		data, err := io.ReadAll(io.LimitReader(part, p.limit+1))
		if err != nil {
			return File{}, p.broken(err)
		}
		if int64(len(data)) > p.limit {
			return File{}, p.oversize()
		}
		return File{Name: part.FileName(), Data: data}, nil
	}
	return File{}, p.missing()
}

func (p *filePart) missing() error {
	return &memberError{errno.Missing.Because(wording.ValidationRequired, p.label), p.name}
}

// broken distinguishes a form that is too large from a truncated one.
func (p *filePart) broken(err error) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return p.oversize()
	}
	return fmt.Errorf("read the form: %w: %w", errno.Invalid.Because(wording.FileBroken), err)
}

// oversize refuses a file above the limit.
func (p *filePart) oversize() error {
	limit := fmt.Sprintf("%d KiB", p.limit>>10)
	return fmt.Errorf("%w: %w", errTooLarge, errno.Invalid.Because(wording.FileTooLong, limit))
}
