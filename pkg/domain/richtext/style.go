package richtext

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

const (
	// value is what an attribute or a style may say: words, numbers and colours, but no call besides those of colours, no
	// address, no escape and no comment.
	value = `(?:[\p{Han}a-zA-Z0-9#%.,'" +!-]|rgba?\([0-9., %]+\))*`
	// property is how text may look; where it stands on the page stays the page's affair.
	property = `(?:color|background-color|font-(?:size|weight|style|family)|line-height|letter-spacing|` +
		`text-(?:align|decoration|indent)|vertical-align|white-space|word-break|list-style-type|` +
		`(?:max-|min-)?(?:width|height)|float|display|(?:margin|padding)(?:-(?:top|right|bottom|left))?|` +
		`border(?:-(?:top|right|bottom|left|width|style|color|collapse|spacing|radius))?)`
	declaration = property + `: ?` + value
)

//nolint:gochecknoglobals // constants
var (
	one    = regexp.MustCompile(`^` + declaration + `$`)
	styles = regexp.MustCompile(`^` + declaration + `(?:; ` + declaration + `)*$`)
)

// longest is the most bytes of a style; nobody writes a longer one.
const longest = 2000

// plainStyles returns the text with only the harmless declarations of each style. The allow-list decides afterwards
// over each style as a whole; this saves what is harmless in a style that it would refuse. Both take time that grows
// with the length of the text alone, which readers of CSS do not.
func plainStyles(text string) string {
	var out strings.Builder
	z := html.NewTokenizer(strings.NewReader(text))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return out.String()
		}
		raw := string(z.Raw())
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			if t := z.Token(); trim(t.Attr) {
				raw = t.String()
			}
		}
		out.WriteString(raw)
	}
}

// trim shortens the styles among attributes, and says whether there was one.
func trim(attributes []html.Attribute) (found bool) {
	for i, a := range attributes {
		if a.Key != "style" {
			continue
		}
		found = true
		var kept []string
		if len(a.Val) > longest {
			a.Val = ""
		}
		for part := range strings.SplitSeq(a.Val, ";") {
			name, says, _ := strings.Cut(part, ":")
			d := strings.ToLower(strings.TrimSpace(name)) + ": " + strings.TrimSpace(says)
			if one.MatchString(d) {
				kept = append(kept, d)
			}
		}
		attributes[i].Val = strings.Join(kept, "; ")
	}
	return found
}
