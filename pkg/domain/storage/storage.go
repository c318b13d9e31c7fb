// Package storage owns uploaded objects: their rows, and their bytes in a bucket. The key of an object is made here and
// only keys that stand in the table reach the bucket. The type of an object is found from its bytes; what the uploader
// called it is kept as text.
package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"
	"unicode"

	"gocloud.dev/blob"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/internal/upload"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/outbox"
	"shop.internal/pkg/domain/platform/text"
)

// ErrUnknown says that no object has the key.
var ErrUnknown = errors.New("no such object")

// OwnerKind says who put an object here.
type OwnerKind int

// The kinds of owners.
const (
	Shop     OwnerKind = 0
	Shopper  OwnerKind = 1
	Operator OwnerKind = 2
)

// Owner is who put an object here; ID is 0 for the shop itself.
type Owner struct {
	Kind OwnerKind
	ID   int64
}

// Object is what is known of a stored file.
type Object struct {
	ID int64
	// Key names the object in addresses; Name is what the uploader called it.
	Key, Name string
	// Type is the media type found from the bytes.
	Type string
	Size int64
	URL  string
	// SHA256 is the hash of the bytes, in hex.
	SHA256              string
	Owner               Owner
	AddTime, UpdateTime time.Time
}

// Image reports whether browsers may show the object in place.
func (o Object) Image() bool { return strings.HasPrefix(o.Type, "image/") }

// Service keeps the objects.
type Service struct {
	db      *db.DB
	lists   *lists.Engine
	bucket  *blob.Bucket
	base    string
	outbox  *outbox.Service
	once    *idempotency.Store
	painter painter
	uses    Uses
	now     func() time.Time
}

// New returns the keeper of objects. Addresses of objects are base and the key.
func New(
	d *db.DB, bucket *blob.Bucket, base string, box *outbox.Service,
	once *idempotency.Store, now func() time.Time,
) *Service {
	return &Service{
		lists: lists.New(d),
		db:    d, bucket: bucket, base: base, outbox: box, once: once, painter: newPainter(), now: now,
		uses: func(context.Context, db.Querier, []int64, time.Time) ([]string, error) { return nil, nil },
	}
}

const longestName = 255

// plainName drops folders and whatever cannot be shown from a file name, and cuts it.
func plainName(name string) string {
	name = path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, ""), `\`, "/"))
	if name == "." || name == ".." || name == "/" {
		return ""
	}
	r := []rune(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, name))
	return strings.TrimSpace(string(r[:min(len(r), longestName)]))
}

// Put stores a file under a key of its own: of shoppers pictures, of operators also films, documents and plain text. A
// picture is drawn anew unless it is the shop's own. It fails with errno.Invalid for no bytes, for bytes of any other
// type, and for pictures that are broken or too large to be drawn.
func (s *Service) Put(ctx context.Context, owner Owner, name string, data []byte) (Object, error) {
	return s.PutWith(ctx, owner, name, data, func(*db.Tx, Object) error { return nil })
}

// PutWith is Put with more to be done in the transaction that records the object. Where that fails there is no object.
func (s *Service) PutWith(
	ctx context.Context, owner Owner, name string, data []byte, also func(tx *db.Tx, o Object) error,
) (Object, error) {
	var own string // the key under which this call has stored bytes
	o, err := idempotency.InTxAfter(ctx, s.once, func() (func(*db.Tx) (Object, error), error) {
		o, err := s.store(ctx, owner, name, data)
		own = o.Key
		return func(tx *db.Tx) (Object, error) { return s.record(ctx, tx, o, also) }, err
	})
	if own == "" || err == nil && o.Key == own {
		return o, err
	}
	unused := s.discard(ctx, own)
	if err != nil {
		return Object{}, errors.Join(err, unused)
	}
	return o, nil // an equal request was faster
}

// store writes the bytes of a new object, pictures drawn anew. The bytes come before the row: a row without bytes would
// be an address that fails, bytes without a row are only waste.
func (s *Service) store(ctx context.Context, owner Owner, name string, data []byte) (Object, error) {
	kind := typeOf(data, owner)
	if len(data) == 0 || extension(kind, owner) == "" {
		return Object{}, fmt.Errorf("store %d bytes of type %s: %w", len(data), kind, errno.Invalid.Because(text.FileUnfit))
	}
	if _, drawable := kindOf(kind); drawable && owner.Kind != Shop {
		var err error
		if data, err = s.painter.draw(ctx, data, kind); err != nil {
			return Object{}, err
		}
	}
	sum := sha256.Sum256(data)
	at := s.now().UTC().Truncate(time.Millisecond)
	o := Object{
		Key: upload.NewKey() + extension(kind, owner), Name: plainName(name), Type: kind, Size: int64(len(data)),
		SHA256: hex.EncodeToString(sum[:]), Owner: owner, AddTime: at, UpdateTime: at,
	}
	o.URL = s.base + o.Key
	if o.Name == "" && owner.Kind == Operator {
		o.Name = o.Key // a list shows it
	}
	if err := write(ctx, s.bucket, o.Key, kind, data); err != nil {
		return Object{}, err
	}
	return o, nil
}

func (s *Service) record(
	ctx context.Context, tx *db.Tx, o Object, also func(tx *db.Tx, o Object) error,
) (_ Object, err error) {
	if o.ID, err = insertObject(ctx, tx, o); err != nil {
		return Object{}, err
	}
	if err := also(tx, o); err != nil {
		return Object{}, err
	}
	return o, audit.Record(ctx, tx, audit.Change{ID: o.ID, After: o.recorded(), Result: o.Key})
}

// discardTime is the longest that removing the bytes of an object may take.
const discardTime = 5 * time.Second

// discard removes the bytes of an object that could not be recorded. A commit may have gone through although its answer
// was lost; so the bytes stay where it cannot be known that there is no row.
func (s *Service) discard(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), discardTime)
	defer cancel()
	if _, err := findObject(ctx, s.db, key); !errors.Is(err, ErrUnknown) {
		return err
	}
	if err := s.bucket.Delete(ctx, key); err != nil {
		return fmt.Errorf("remove object %s: %w", key, err)
	}
	return nil
}

// Open returns an object and its bytes, which the caller closes. It fails with ErrUnknown.
func (s *Service) Open(ctx context.Context, key string) (Object, io.ReadSeekCloser, error) {
	if !validKey(key) {
		return Object{}, nil, fmt.Errorf("open an object by a malformed key: %w", ErrUnknown)
	}
	if o, r, ok := openBuiltin(key); ok {
		return o, r, nil
	}
	o, err := findObject(ctx, s.db, key)
	if err != nil {
		return Object{}, nil, err
	}
	r, err := s.bucket.NewReader(ctx, o.Key, nil)
	if err != nil {
		return Object{}, nil, fmt.Errorf("open object %s: %w", o.Key, err)
	}
	return o, r, nil
}

// longestKey is the width of the key's column.
const longestKey = 127

// validKey reports whether a text can be a key: letters, digits and dots.
func validKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		if c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return key != "" && len(key) <= longestKey
}
