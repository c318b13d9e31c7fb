package table

import (
	"database/sql"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"sync"

	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/hosted"
)

// addressed matches the names of columns with an address, or a list of them.
var addressed = regexp.MustCompile(`(^|_)(url|link|pic|picture|avatar|gallery|icon|image)s?$`)

// conversion converts an address, and HTML that contains some.
type conversion struct{ address, html func(string) string }

func shown(b *hosted.Bases) conversion { return conversion{b.Shown, b.ShownIn} }

func stored(b *hosted.Bases) conversion { return conversion{b.Stored, b.StoredIn} }

// holding are the columns that convert was asked for: "html", "address" or "".
var holding sync.Map

func holds(f *schema.Field) string {
	if known, ok := holding.Load(f); ok {
		return known.(string) // nothing else is stored
	}
	what := f.Tag.Get("holds")
	texts := f.FieldType.Kind() == reflect.String ||
		f.FieldType.Kind() == reflect.Slice && f.FieldType.Elem().Kind() == reflect.String
	if what == "" && texts && addressed.MatchString(f.DBName) {
		what = "address"
	}
	holding.Store(f, what)
	return what
}

// convert returns what converts the texts of a column, nil for a column without addresses.
func convert(f *schema.Field, to conversion) func(string) string {
	switch holds(f) {
	case "html":
		return to.html
	case "address":
		return to.address
	}
	return nil
}

// each converts a text, or those of a slice, in place.
func each(v reflect.Value, to func(string) string) {
	if v.Kind() == reflect.String {
		v.SetString(to(v.String()))
		return
	}
	for i := range v.Len() {
		v.Index(i).SetString(to(v.Index(i).String()))
	}
}

// filed returns the value to store in a column for one that may have addresses.
func filed(q db.Querier, f *schema.Field, v any) any {
	if holds(f) == "" {
		return v
	}
	to := convert(f, stored(q.Files()))
	switch v := v.(type) {
	case clause.Expr:
		vars := make([]any, len(v.Vars))
		for i := range v.Vars {
			vars[i] = filed(q, f, v.Vars[i])
		}
		v.Vars = vars
		return v
	case sql.NullString:
		v.String = to(v.String)
		return v
	case string:
		if f.Serializer != nil {
			return inList(v, to)
		}
		return to(v)
	}
	return v
}

// inList converts the texts of a JSON list. A list without any to convert stays as it is written.
func inList(list string, to func(string) string) string {
	var texts []string
	if json.Unmarshal([]byte(list), &texts) != nil {
		return list
	}
	before := slices.Clone(texts)
	each(reflect.ValueOf(texts), to)
	text, err := json.Marshal(texts)
	if err != nil || slices.Equal(before, texts) {
		return list
	}
	return string(text)
}
