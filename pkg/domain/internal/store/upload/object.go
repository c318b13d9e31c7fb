package upload

import (
	"context"
	"strings"
	"time"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// OwnerKind is the kind of an object's owner.
type OwnerKind int

// The kinds of owners.
const (
	Shop     OwnerKind = 0
	Shopper  OwnerKind = 1
	Operator OwnerKind = 2
)

// Owner is who uploaded an object; ID is 0 for the shop itself.
type Owner struct {
	Kind OwnerKind `gorm:"column:type"`
	ID   int64
}

// Object is the metadata of a stored file.
type Object struct {
	ID int64
	// Key is the name in addresses; Name is the name given by the uploader.
	Key  string `gorm:"column:storage_key"`
	Name string
	// Type is the media type detected from the bytes.
	Type string
	Size int64
	URL  string
	// SHA256 is the hash of the bytes, in hex.
	SHA256              string `gorm:"column:sha256"`
	Owner               Owner  `gorm:"embedded;embeddedPrefix:owner_"`
	AddTime, UpdateTime time.Time
}

// Image reports whether browsers may display the object inline.
func (o Object) Image() bool { return strings.HasPrefix(o.Type, "image/") }

// row is an object as stored.
type row struct {
	Object
	// UnusedSince is zero for an object that is used or not tracked.
	UnusedSince time.Time `table:"null"`
}

var rows = table.Of[row]("storage", table.Marked,
	table.MayRefer("owner_id", "user").When("t.owner_type = ?", Shopper),
	table.MayRefer("owner_id", "admin").When("t.owner_type <> ?", Shopper),
)

// Objects reads objects without the columns that only this package uses.
var Objects = table.Part[Object](rows)

// Insert stores an object and returns its id. A shopper's object is unused at first; without a login the owner is
// unknown, so it is not tracked.
func Insert(ctx context.Context, tx *db.Tx, o Object) (int64, error) {
	r := row{Object: o, UnusedSince: time.Time{}}
	if o.Owner.Kind == Shopper && o.Owner.ID > 0 {
		r.UnusedSince = o.AddTime
	}
	return rows.Insert(ctx, tx, r)
}

// Rename writes the name of an object that the caller has locked.
func Rename(ctx context.Context, tx *db.Tx, o Object) error {
	_, err := rows.Update(ctx, tx, table.Set{"name": o.Name, "update_time": o.UpdateTime}, "id = ? AND deleted = 0", o.ID)
	return err
}

// Remove soft-deletes the object of a key; an unknown key is no error.
func Remove(ctx context.Context, tx *db.Tx, key string, at time.Time) error {
	_, err := rows.Remove(ctx, tx, table.Set{"update_time": at}, "storage_key = ? AND del_mark = 0", key)
	return err
}
