// Package text is the catalogue of the texts that people read: refusals, notices, mails and text messages. Code refers
// to an entry by the variable that declares it; what it says stands in one file per language, zh.json and en.json.
package text

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The languages of a deployment, as in the key shop.language.
const (
	Chinese = "zh"
	English = "en"
)

// Languages returns every language that the catalogue has, the default one first.
func Languages() []string { return []string{Chinese, English} }

// Tag is a language as HTML names it.
func Tag(language string) string {
	if language == Chinese {
		return "zh-CN"
	}
	return language
}

// Text is one entry of the catalogue.
type Text struct {
	// Key names the entry in the files of the languages, such as "brand.has-goods".
	Key     string
	formats map[string]string // by language; formats of package fmt that take the same arguments
}

// In returns the entry in a language, or in Chinese for an unknown one, with its arguments filled in. Arguments that
// are entries themselves are given in the same language.
func (t *Text) In(language string, args ...any) string {
	format, known := t.formats[language]
	if !known {
		format = t.formats[Chinese]
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

// Stored returns the entry as the shop's records hold it: in Chinese, whatever the language of the deployment. It is ""
// for no entry.
func (t *Text) Stored(args ...any) string {
	if t == nil {
		return ""
	}
	return t.In(Chinese, args...)
}

//go:embed *.json
var files embed.FS

// catalogues are the texts of every language by their keys.
var catalogues = load()

func load() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, language := range Languages() {
		data, err := files.ReadFile(language + ".json")
		if err != nil {
			panic(err) // embedded above
		}
		texts := map[string]string{}
		if err := json.Unmarshal(data, &texts); err != nil {
			panic(fmt.Errorf("reading the catalogue of texts %s.json: %w", language, err))
		}
		all[language] = texts
	}
	return all
}

// all are the entries in the order of declaration.
var all []*Text // filled while the package is initialised, then only read

// entry declares an entry of the catalogue. It panics while the program is initialised if a language lacks it.
func entry(key string) *Text {
	t := &Text{Key: key, formats: map[string]string{}}
	for language, texts := range catalogues {
		format, ok := texts[key]
		if !ok {
			panic("the catalogue of texts " + language + ".json lacks " + key)
		}
		t.formats[language] = format
	}
	all = append(all, t)
	return t
}

// family declares all entries whose keys begin with a prefix, and returns them by the rest of the key. Declarations
// elsewhere choose among them by name.
func family(prefix string) map[string]*Text {
	found := map[string]*Text{}
	for key, format := range catalogues[Chinese] {
		if name, is := strings.CutPrefix(key, prefix); is && !strings.HasPrefix(format, "@") {
			found[name] = entry(key)
		}
	}
	return found
}

// Literal returns a text that is the same in every language, such as the name of a column. It is no entry.
func Literal(s string) *Text { return &Text{Key: s, formats: map[string]string{Chinese: s}} }

// Of returns a text that is worded where it is declared, such as the name of a payment provider. It is no entry.
func Of(chinese, english string) *Text {
	return &Text{Key: english, formats: map[string]string{Chinese: chinese, English: english}}
}

// All returns every entry of the catalogue.
func All() []*Text { return slices.Clone(all) }

// List are texts in a row, as a sentence names them.
type List []*Text

// In returns them in a language.
func (l List) In(language string, _ ...any) string {
	all := make([]string, len(l))
	for i, t := range l {
		all[i] = t.In(language)
	}
	if language == Chinese {
		return strings.Join(all, "、")
	}
	return strings.Join(all, ", ")
}
