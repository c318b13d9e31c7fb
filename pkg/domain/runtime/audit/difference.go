package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"shop.internal/pkg/base/money"
)

// difference encodes the members that differ between two states of a row; nil stays nil. An inserted or deleted row is
// encoded whole.
func difference(before, after any) (b, a *string, err error) {
	was, err := members(before)
	if err != nil {
		return nil, nil, err
	}
	is, err := members(after)
	if err != nil {
		return nil, nil, err
	}
	if was != nil && is != nil {
		for name, value := range was {
			if other, both := is[name]; both && reflect.DeepEqual(value, other) {
				delete(was, name)
				delete(is, name)
			}
		}
	}
	if b, err = text(was); err != nil {
		return nil, nil, err
	}
	a, err = text(is)
	return b, a, err
}

// members returns a value's members; nil has none.
func members(v any) (map[string]any, error) {
	if v == nil {
		return nil, nil
	}
	made, err := plain(reflect.ValueOf(v))
	if err != nil {
		return nil, fmt.Errorf("record what an operator changed: %w", err)
	}
	if made == nil {
		return nil, nil
	}
	m, ok := made.(map[string]any)
	if !ok {
		return nil, errors.New("what is recorded must have members")
	}
	return m, nil
}

func text(m map[string]any) (*string, error) {
	if m == nil {
		return nil, nil
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		return nil, fmt.Errorf("encode what an operator changed: %w", err)
	}
	s := strings.TrimSuffix(out.String(), "\n")
	return &s, nil
}

// plain converts a value for JSON as readers of records expect it: members named as in the API, secrets redacted,
// amounts in currency units, zero times as null.
func plain(v reflect.Value) (any, error) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return nil, nil
		}
		v = v.Elem()
	}
	switch x := v.Interface().(type) {
	case money.Amount:
		return json.Number(x.String()), nil
	case time.Time:
		if x.IsZero() {
			return nil, nil
		}
		return x.UTC().Format("2006-01-02T15:04:05.000Z07:00"), nil
	}
	switch v.Kind() {
	case reflect.Struct:
		out := map[string]any{}
		return out, fields(v, out)
	case reflect.Map:
		return entries(v)
	case reflect.Slice, reflect.Array:
		out := make([]any, v.Len()) // a nil list is an empty list
		for i := range out {
			item, err := plain(v.Index(i))
			if err != nil {
				return nil, err
			}
			out[i] = item
		}
		return out, nil
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return v.Interface(), nil
	default:
		return nil, fmt.Errorf("a %s cannot be recorded", v.Kind())
	}
}

// fields adds the exported fields of a struct, including those of embedded structs.
func fields(v reflect.Value, out map[string]any) error {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			if err := fields(v.Field(i), out); err != nil {
				return err
			}
			continue
		}
		if err := put(out, Named(f), v.Field(i)); err != nil {
			return err
		}
	}
	return nil
}

// Named returns the member of records that a field becomes.
func Named(f reflect.StructField) string {
	if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
		return name
	}
	return spelled(f.Name)
}

// Members returns the members of a row as they are read from a record of it.
func Members(row any) (map[string]any, error) {
	made, err := members(row)
	if err != nil {
		return nil, err
	}
	encoded, err := json.Marshal(made)
	if err != nil {
		return nil, fmt.Errorf("encode a row: %w", err)
	}
	var out map[string]any
	return out, json.Unmarshal(encoded, &out)
}

func entries(v reflect.Value) (any, error) {
	out := make(map[string]any, v.Len())
	for entry := v.MapRange(); entry.Next(); {
		if err := put(out, fmt.Sprint(entry.Key().Interface()), entry.Value()); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// put adds a member. A secret is stored as its hash until the values have been compared.
func put(out map[string]any, name string, v reflect.Value) error {
	value, err := plain(v)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if secret(name) {
		value = redacted{fmt.Sprint(value)}
	}
	out[name] = value
	return nil
}

// redacted is a secret that can be compared but is never written.
type redacted struct{ value string }

// MarshalJSON implements json.Marshaler.
func (redacted) MarshalJSON() ([]byte, error) { return []byte(`"` + Redacted + `"`), nil }

// Redacted stands in records for a secret.
const Redacted = "***"

// secret reports whether a member is a secret, by its name.
func secret(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{
		"password", "secret", "token", "hash", "openid", "sessionkey", "privatekey", "collectcode",
	} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// spelled converts the name of a Go field to that of the API: PicURL becomes picUrl, ID becomes id.
func spelled(name string) string {
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		return name
	}
	was, runes := []rune(name), []rune(name)
	for i := range runes {
		next := i+1 < len(was) && unicode.IsLower(was[i+1]) && !plural(was, i+1)
		if unicode.IsUpper(was[i]) && (i == 0 || unicode.IsUpper(was[i-1]) && !next) {
			runes[i] = unicode.ToLower(runes[i])
		}
	}
	return string(runes)
}

// plural reports whether the letter is the s at the end of an abbreviation, as in IDs.
func plural(name []rune, i int) bool { return i == len(name)-1 && name[i] == 's' && i > 1 }
