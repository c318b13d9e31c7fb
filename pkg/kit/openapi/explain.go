package openapi

import (
	"strings"

	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/op"
)

// explain says what a program that draws a page needs to know of a member: its label, and what it is beside its type.
// The label is also the description of a member without one. A reference to a record stays alone, since validators read
// nothing that stands beside one.
func (d *document) explain(s object, label string, show op.Show) {
	if s["$ref"] != nil {
		return
	}
	if d.Label != nil {
		if f := d.Label(label); f != nil {
			s["x-label"] = Words(f.Title)
			if _, described := s["description"]; !described {
				s["description"] = f.Title(wording.English) + "."
			}
		}
	}
	if show.As == "" {
		return
	}
	about := object{"as": string(show.As)}
	if show.Of != "" {
		about["of"] = show.Of
	}
	if show.One != "" {
		var one []object
		for _, c := range d.choices(show.One) {
			one = append(one, object{"value": c.Value, "label": Words(func(l string) string { return c.Name.In(l) })})
		}
		about["one"] = one
	}
	s["x-show"] = about
}

// shown says in a sentence what the tag show says, for those who read the document.
func (d *document) shown(show op.Show) string {
	switch show.As {
	case op.ShowTime:
		return "A time of the shop's zone, as YYYY-MM-DD HH:MM:SS."
	case op.ShowRich:
		return "HTML; what could run is removed."
	case op.ShowChoice:
		var names []string
		for _, c := range d.choices(show.One) {
			names = append(names, c.Value+" "+c.Name.In(wording.English))
		}
		return strings.Join(names, ", ") + "."
	case op.ShowPicture, op.ShowLink, op.ShowLong, op.ShowSecret, op.ShowID, op.ShowRegions, op.ShowNone:
	}
	return ""
}

func (d *document) choices(table string) []wording.Choice {
	if d.Choices == nil {
		return wording.Choices(table)
	}
	return d.Choices(table)
}

// Words is a text in every language of the catalogue, by the language.
func Words(in func(language string) string) map[string]string {
	words := map[string]string{}
	for _, language := range wording.Languages() {
		words[language] = in(language)
	}
	return words
}
