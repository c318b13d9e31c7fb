package table

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"

	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"
)

// fieldValue returns the stored value of a column of a row.
func fieldValue(ctx context.Context, f *schema.Field, row reflect.Value) (any, error) {
	v, zero := f.ValueOf(ctx, row)
	if zero && f.Tag.Get("table") == "null" {
		return nil, nil // NULL is the value
	}
	if valuer, ok := v.(driver.Valuer); ok && f.Serializer != nil {
		return valuer.Value() // the caller names the column
	}
	return v, nil
}

// given returns the stored value of a value in an update.
func given(ctx context.Context, f *schema.Field, v any) (any, error) {
	if _, ok := v.(clause.Expression); ok {
		return v, nil
	}
	if f.Tag.Get("table") == "null" && (v == nil || reflect.ValueOf(v).IsZero()) {
		return nil, nil // NULL is the value
	}
	if f.Serializer == nil {
		return v, nil
	}
	if valuer, ok := v.(driver.Valuer); ok { // of a row, by way of Save
		return valuer.Value() // the caller names the column
	}
	return f.Serializer.Value(ctx, f, reflect.Value{}, v) // the caller names the column
}

// list stores a slice as a JSON array: nil as an empty one; NULL and an empty text are read as nil.
type list struct{}

func init() { schema.RegisterSerializer("list", list{}) } //nolint:gochecknoinits // GORM knows serializers by name

// Scan reads a column.
func (list) Scan(ctx context.Context, f *schema.Field, row reflect.Value, stored any) error {
	var text []byte
	switch v := stored.(type) {
	case nil:
	case []byte:
		text = v
	case string:
		text = []byte(v)
	default:
		return fmt.Errorf("column %s holds a %T, which is no list", f.DBName, stored)
	}
	out := reflect.New(f.FieldType)
	if len(text) > 0 {
		if err := json.Unmarshal(text, out.Interface()); err != nil {
			return fmt.Errorf("read the list in column %s: %w", f.DBName, err)
		}
	}
	f.ReflectValueOf(ctx, row).Set(out.Elem())
	return nil
}

// Value writes a column.
func (list) Value(_ context.Context, f *schema.Field, _ reflect.Value, v any) (any, error) {
	if reflect.ValueOf(v).IsNil() {
		return "[]", nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("write the list in column %s: %w", f.DBName, err)
	}
	return string(text), nil
}
