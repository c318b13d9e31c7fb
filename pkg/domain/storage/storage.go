// Package storage owns uploaded objects: their rows, and their bytes in a bucket. Keys are generated here, and only
// keys in the table reach the bucket. The type of an object is detected from its bytes; the uploader's name is stored
// as text.
package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gocloud.dev/blob"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/seen"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/upload"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/runtime/outbox"
)

// ErrUnknown says that no object has the key.
var ErrUnknown = errors.New("no such object")

// Object is the metadata of a stored file.
type Object = upload.Object

// Owner is the uploader of an object.
type Owner = upload.Owner

// OwnerKind is the kind of an owner.
type OwnerKind = upload.OwnerKind

// The kinds of owners.
const (
	Shop     = upload.Shop
	Shopper  = upload.Shopper
	Operator = upload.Operator
)

// Service manages the objects.
type Service struct {
	db      *db.DB
	lists   *lists.Engine
	bucket  *blob.Bucket
	base    string
	outbox  *outbox.Service
	once    *idempotency.Store
	painter painter
	turns   *turns
	uses    Uses
	now     func() time.Time
}

// New returns the service. The address of an object is base followed by its key.
func New(
	d *db.DB, bucket *blob.Bucket, base string, box *outbox.Service,
	once *idempotency.Store, now func() time.Time,
) *Service {
	return &Service{
		lists: lists.New(d),
		db:    d, bucket: bucket, base: base, outbox: box, once: once, painter: newPainter(),
		turns: newTurns(waitTimeout), now: now,
		uses: func(context.Context, db.Querier, []int64, time.Time) ([]string, error) { return nil, nil },
	}
}

func (s *Service) clock() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

// Filter filters objects. The zero filter matches all of them.
type Filter struct {
	// Key is the whole key, Name a part of the name.
	Key, Name string
}

// All lists the objects, by add_time or id.
func (s *Service) All(ctx context.Context, f Filter, q page.Query) (page.List[Object], error) {
	list := lists.Of(upload.Objects).Contains("name", f.Name)
	if f.Key != "" {
		list.Where("i.storage_key = ? AND i.del_mark = 0", f.Key)
	}
	return lists.Fetch[Object](ctx, s.lists, list, q)
}

// findObject reads the object of a key. It fails with ErrUnknown.
func findObject(ctx context.Context, q db.Querier, key string) (Object, error) {
	return known(upload.Objects.One(ctx, q, "r.storage_key = ? AND r.del_mark = 0", key))
}

// known turns a missing object into ErrUnknown.
func known(o Object, found bool, err error) (Object, error) {
	if err == nil && !found {
		err = ErrUnknown
	}
	return o, err
}

// Get returns the metadata of an object. It fails with errno.Invalid for one that is unknown or deleted.
func (s *Service) Get(ctx context.Context, id int64) (Object, error) {
	o, err := known(upload.Objects.Live(ctx, s.db, id))
	if errors.Is(err, ErrUnknown) {
		err = fmt.Errorf("%w: %w", errno.NoSuch(text.FieldFile), err)
	}
	return o, err
}

// Rename sets the name of an object, unless it is nil, and returns the object. Its key, its address and its bytes stay.
// It fails with errno.UpdateFailed for one that is unknown or deleted.
func (s *Service) Rename(ctx context.Context, id int64, name *string) (Object, error) {
	o, err := idempotency.InTx(ctx, s.once, func(tx *db.Tx) (Object, error) {
		before, err := known(upload.Objects.LockLive(ctx, tx, id))
		if err != nil {
			return before, err
		}
		o := before
		if o.UpdateTime, err = seen.Next(ctx, "file", id, before.UpdateTime, s.clock()); err != nil {
			return o, err
		}
		if name != nil {
			o.Name = *name
		}
		if err := upload.Rename(ctx, tx, o); err != nil {
			return o, err
		}
		return o, audit.Record(ctx, tx, audit.Change{
			ID: o.ID, Before: recordedOf(before), After: recordedOf(o), Result: o.Key,
		})
	})
	if errors.Is(err, ErrUnknown) {
		err = fmt.Errorf("%w: %w", errno.UpdateFailed, err)
	}
	return o, err
}

// recorded is what audit records show of an object.
type recorded struct {
	ID              int64
	Key, Name, Type string
	Size            int64
	URL, SHA256     string
}

func recordedOf(o Object) recorded {
	return recorded{o.ID, o.Key, o.Name, o.Type, o.Size, o.URL, o.SHA256}
}
