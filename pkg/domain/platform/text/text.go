// Package text is the catalogue of the texts that people read: refusals, notices, mails and text messages, in every
// language. Each text has one entry, which code refers to. Entries are grouped in files by their readers.
package text

import (
	"fmt"
	"slices"
)

// The languages of a deployment, as in the key shop.language.
const (
	Chinese = "zh"
	English = "en"
)

// Text is one entry of the catalogue. ZH and EN are formats of package fmt that take the same arguments.
type Text struct {
	// Key names the entry, such as "brand.has-goods".
	Key    string
	ZH, EN string
}

// In returns the entry in a language, "en" or Chinese for any other, with its arguments filled in. Arguments that are
// entries themselves are given in the same language.
func (t *Text) In(language string, args ...any) string {
	format := t.ZH
	if language == English {
		format = t.EN
	}
	if len(args) == 0 {
		return format
	}
	filled := slices.Clone(args)
	for i, a := range filled {
		if nested, ok := a.(interface {
			In(language string, args ...any) string
		}); ok {
			filled[i] = nested.In(language)
		}
	}
	return fmt.Sprintf(format, filled...)
}

// all is the catalogue in the order of declaration.
var all []*Text // filled while the package is initialised, then only read

func add(key, zh, en string) *Text {
	t := &Text{Key: key, ZH: zh, EN: en}
	all = append(all, t)
	return t
}

// All returns every entry of the catalogue.
func All() []*Text { return slices.Clone(all) }
