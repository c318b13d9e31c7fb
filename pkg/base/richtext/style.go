package richtext

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"shop.internal/pkg/base/form"
)

const (
	// value is an allowed value of an attribute or a style: words, numbers and colours, but no function except those of
	// colours, no address, no escape and no comment.
	value = `(?:[\p{Han}a-zA-Z0-9#%.,'" +!-]|rgba?\([0-9., %]+\))*`
	// property is an allowed style property: how text looks, but not its position on the page.
	property = `(?:color|background-color|font-(?:size|weight|style|family)|line-height|letter-spacing|` +
		`text-(?:align|decoration|indent)|vertical-align|white-space|word-break|list-style-type|` +
		`(?:max-|min-)?(?:width|height)|float|display|(?:margin|padding)(?:-(?:top|right|bottom|left))?|` +
		`border(?:-(?:top|right|bottom|left|width|style|color|collapse|spacing|radius))?)`
	declaration = property + `: ?` + value
)

var (
	one    = regexp.MustCompile(`^` + declaration + `$`)
	styles = regexp.MustCompile(`^` + declaration + `(?:; ` + declaration + `)*$`)
)

// longest bounds the bytes of a style.
const longest = 2000

// plain keeps only the harmless declarations of each style and the allowed addresses. The allow-list then decides about
// each style as a whole, and would otherwise refuse harmless declarations beside others. Both are linear in the length
// of the text, unlike CSS parsers.
func plain(text string) string {
	var out strings.Builder
	z := html.NewTokenizer(strings.NewReader(text))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return out.String()
		}
		raw := string(z.Raw())
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			t := z.Token()
			var changed bool
			if t.Attr, changed = trim(t.Attr); changed {
				raw = t.String()
			}
		}
		out.WriteString(raw)
	}
}

// elements counts the elements of a text by name; links and pictures without an address do not count.
func elements(text string) map[string]int {
	count := map[string]int{}
	z := html.NewTokenizer(strings.NewReader(text))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return count
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			address := map[string]string{"a": "href", "img": "src"}[t.Data]
			if address == "" || slices.ContainsFunc(t.Attr, func(a html.Attribute) bool { return a.Key == address }) {
				count[t.Data]++
			}
		case html.TextToken, html.EndTagToken, html.CommentToken, html.DoctypeToken:
		}
	}
}

// trim shortens the styles among attributes, removes refused addresses, and reports whether it changed anything.
func trim(attributes []html.Attribute) (kept []html.Attribute, changed bool) {
	kept = attributes[:0]
	for _, a := range attributes {
		switch a.Key {
		case "style":
			a.Val, changed = trimStyle(a.Val), true
		case "href", "src":
			changed = true
			if a.Val = strings.TrimSpace(a.Val); !form.Harmless(a.Val) && (a.Key != "src" || !picture(a.Val)) {
				continue
			}
		}
		kept = append(kept, a)
	}
	return kept, changed
}

func trimStyle(style string) string {
	if len(style) > longest {
		return ""
	}
	var kept []string
	for part := range strings.SplitSeq(style, ";") {
		name, says, _ := strings.Cut(part, ":")
		d := strings.ToLower(strings.TrimSpace(name)) + ": " + strings.TrimSpace(says)
		if one.MatchString(d) {
			kept = append(kept, d)
		}
	}
	return strings.Join(kept, "; ")
}
