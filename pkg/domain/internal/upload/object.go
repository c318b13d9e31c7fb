package upload

import (
	"context"
	"strings"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
)

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
	Kind OwnerKind `gorm:"column:type"`
	ID   int64
}

// Object is what is known of a stored file.
type Object struct {
	ID int64
	// Key names the object in addresses; Name is what the uploader called it.
	Key  string `gorm:"column:storage_key"`
	Name string
	// Type is the media type found from the bytes.
	Type string
	Size int64
	URL  string
	// SHA256 is the hash of the bytes, in hex.
	SHA256              string `gorm:"column:sha256"`
	Owner               Owner  `gorm:"embedded;embeddedPrefix:owner_"`
	AddTime, UpdateTime time.Time
}

// Image reports whether browsers may show the object in place.
func (o Object) Image() bool { return strings.HasPrefix(o.Type, "image/") }

// row is an object as the table has it.
type row struct {
	Object
	// UnusedSince is zero for an object that is used or that is not tracked.
	UnusedSince time.Time `table:"null"`
}

var rows = table.Of[row]("storage", table.Marked)

// Objects reads objects; whatever else is kept of them is known here alone.
var Objects = table.Part[Object](rows)

// Insert records an object and returns its id. One that a shopper has put here is unused for now; of one without a
// login nobody is known who could use it.
func Insert(ctx context.Context, tx *db.Tx, o Object) (int64, error) {
	r := row{Object: o, UnusedSince: time.Time{}}
	if o.Owner.Kind == Shopper && o.Owner.ID > 0 {
		r.UnusedSince = o.AddTime
	}
	return rows.Insert(ctx, tx, r)
}

// Rename writes the name of an object that its caller has locked.
func Rename(ctx context.Context, tx *db.Tx, o Object) error {
	_, err := rows.Update(ctx, tx, table.Set{"name": o.Name, "update_time": o.UpdateTime}, "id = ? AND deleted = 0", o.ID)
	return err
}

// Remove marks the object of a key as deleted. One that is not there is no failure.
func Remove(ctx context.Context, tx *db.Tx, key string, at time.Time) error {
	_, err := rows.Remove(ctx, tx, table.Set{"update_time": at}, "storage_key = ? AND del_mark = 0", key)
	return err
}
