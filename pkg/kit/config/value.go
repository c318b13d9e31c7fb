package config

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Size is a number of bytes, written as 1048576, 64K, 1MiB or 10MB; the units are powers of 1024.
type Size int64

// UnmarshalText parses a size.
func (s *Size) UnmarshalText(text []byte) error {
	t := strings.ToUpper(strings.TrimSpace(string(text)))
	t = strings.TrimSuffix(strings.TrimSuffix(t, "B"), "I")
	shift := 0
	for i, unit := range []string{"K", "M", "G"} {
		if digits, found := strings.CutSuffix(t, unit); found {
			t, shift = strings.TrimSpace(digits), 10*(i+1)
			break
		}
	}
	n, err := strconv.ParseInt(t, 10, 64)
	if err != nil || n < 0 || n > 1<<62>>shift {
		return fmt.Errorf("size %q", text)
	}
	*s = Size(n << shift)
	return nil
}

// String formats the size in its largest whole unit.
func (s Size) String() string {
	for _, u := range []struct {
		bytes Size
		name  string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if s >= u.bytes && s%u.bytes == 0 {
			return strconv.FormatInt(int64(s/u.bytes), 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

var (
	durationType = reflect.TypeFor[time.Duration]()
	textType     = reflect.TypeFor[encoding.TextUnmarshaler]()
	errUnit      = errors.New("a duration needs its unit")
)

func isText(t reflect.Type) bool { return reflect.PointerTo(t).Implements(textType) }

// duration parses 30s or 24h. A bare number is refused, since it would mean nanoseconds.
func duration(_, to reflect.Type, value any) (any, error) {
	if to != durationType {
		return value, nil
	}
	switch x := value.(type) {
	case string:
		return time.ParseDuration(strings.TrimSpace(x))
	case int:
		if x == 0 {
			return time.Duration(0), nil
		}
	}
	return nil, errUnit
}

// list parses a comma-separated text of a variable; blanks around members and empty members are dropped.
func list(_, to reflect.Type, value any) (any, error) {
	text, ok := value.(string)
	if !ok || to.Kind() != reflect.Slice {
		return value, nil
	}
	out := []string{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out, nil
}

// kindName names the expected kind of a value.
func kindName(t reflect.Type) string {
	switch {
	case t == durationType:
		return "a duration such as 30s or 24h"
	case t == reflect.TypeFor[Size]():
		return "a size such as 64K or 1MiB"
	case isText(t):
		return "a word that can be read here"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.String:
		return "a text"
	case reflect.Float32, reflect.Float64:
		return "a number"
	default:
		return "a whole number"
	}
}
