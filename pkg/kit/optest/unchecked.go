package optest

import (
	"net/http"
	"regexp"

	"shop.internal/pkg/kit/op"
)

var (
	addressed = regexp.MustCompile(`(?i)(url|link|pic|picture|avatar|gallery|icon|image)s?$`)
	named     = regexp.MustCompile(`(?i)(name|title|keyword|unit|tag|attribute|specification|value|consignee|sn)s?$`)
)

// Unchecked names the text members of requests that write, as "POST /path member", which by their names hold an address
// without the rule url or link, or a name without the rule visible. A member of an object stands behind its name and a
// dot.
func Unchecked(specs []op.Spec) []string {
	var out []string
	for _, s := range specs {
		if s.Method == http.MethodPost {
			out = append(out, unchecked(s.Key()+" ", s.Fields())...)
		}
	}
	return out
}

func unchecked(where string, fields []op.Field) []string {
	var out []string
	for _, f := range fields {
		rules := f
		if f.Item != nil {
			rules = *f.Item
		}
		out = append(out, unchecked(where+f.Name+".", append(f.Members, rules.Members...))...)
		if rules.Kind != op.Text || len(rules.OneOf) > 0 {
			continue
		}
		if addressed.MatchString(f.Name) && !rules.URL && !rules.Link || named.MatchString(f.Name) && !rules.Visible {
			out = append(out, where+f.Name)
		}
	}
	return out
}
