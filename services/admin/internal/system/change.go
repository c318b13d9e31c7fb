package system

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/wire"
)

// Change is a member of a row that was changed.
type Change struct {
	Member string `json:"member"`
	Label  string `json:"label" doc:"The member's name for people, in the caller's language."`
	Before string `json:"before" doc:"Its value as text, empty for none."`
	After  string `json:"after"`
}

// What is shown of a record: the whole is for programs.
const (
	mostChanges = 60
	longest     = 500
)

// recordChanges returns the members of a record by name, and how many further ones there are. Before and after are JSON
// objects; what is none has no members.
func recordChanges(before, after, language string, zone wire.Zone) ([]Change, int) {
	was, is := recordMembers(before), recordMembers(after)
	names := maps.Clone(was)
	maps.Copy(names, is)
	all := []Change{}
	delete(names, "version")
	delete(names, "updateTime") // the record has the time
	for _, name := range slices.Sorted(maps.Keys(names)) {
		label := name
		if f := text.FieldNamed(name); f != nil {
			label = f.Title(language)
		}
		all = append(all, Change{
			Member: name, Label: label, Before: shownValue(was[name], zone), After: shownValue(is[name], zone),
		})
	}
	if len(all) <= mostChanges {
		return all, 0
	}
	return all[:mostChanges], len(all) - mostChanges
}

func recordMembers(object string) map[string]json.RawMessage {
	m := map[string]json.RawMessage{}
	if json.Unmarshal([]byte(object), &m) != nil || m == nil {
		return map[string]json.RawMessage{}
	}
	return m
}

// recorded is the layout of times in records, which are UTC.
const recorded = "2006-01-02T15:04:05.000Z07:00"

// shownValue is a JSON value as text: a string as it is, a time as answers have it, null as nothing.
func shownValue(value json.RawMessage, zone wire.Zone) string {
	var s *string
	if len(value) == 0 || json.Unmarshal(value, &s) == nil {
		if s == nil {
			return ""
		}
		if t, err := time.Parse(recorded, *s); err == nil {
			return t.In(zone.Location()).Format(wire.Layout)
		}
		return form.Truncate(*s, longest)
	}
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return ""
	}
	return form.Truncate(b.String(), longest)
}
