package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

// difference encodes what differs between two states of a row; nil stays nil. A row that came or went is kept whole.
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

// members reads a value as a JSON object; nil is none.
func members(v any) (map[string]any, error) {
	if r := reflect.ValueOf(v); !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil() {
		return nil, nil
	}
	body, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode what an operator changed: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("a recorded value is no object: %w", err)
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
	if err := e.Encode(tidy(m)); err != nil {
		return nil, fmt.Errorf("encode what an operator changed: %w", err)
	}
	s := strings.TrimSuffix(out.String(), "\n")
	return &s, nil
}

// noTime is how a time that is not set is encoded.
const noTime = "0001-01-01T00:00:00Z"

// tidy spells the names of members as clients do and strikes secrets out.
func tidy(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, value := range v {
			if secret(name) {
				out[spelled(name)] = "***"
				continue
			}
			out[spelled(name)] = tidy(value)
		}
		return out
	case []any:
		for i := range v {
			v[i] = tidy(v[i])
		}
	case string:
		if v == noTime {
			return nil
		}
	}
	return v
}

// secret reports whether a member must not be kept, by its name.
func secret(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"password", "secret", "token", "hash", "openid", "sessionkey", "privatekey"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// spelled writes the name of a Go field as the API does: PicURL becomes picUrl, ID becomes id. Other names stay.
func spelled(name string) string {
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		return name
	}
	runes := []rune(name)
	for i := range runes {
		next := i+1 < len(runes) && unicode.IsLower(runes[i+1]) && !plural(runes, i+1)
		if unicode.IsUpper(runes[i]) && (i == 0 || unicode.IsUpper([]rune(name)[i-1]) && !next) {
			runes[i] = unicode.ToLower(runes[i])
		}
	}
	return string(runes)
}

// plural reports whether the letter is the s of an abbreviation at the end of a name, as in IDs.
func plural(name []rune, i int) bool { return i == len(name)-1 && name[i] == 's' && i > 1 }
