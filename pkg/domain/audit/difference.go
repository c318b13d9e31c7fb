package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
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

// members takes a value apart; nil is none.
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
