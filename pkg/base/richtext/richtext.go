// Package richtext sanitizes HTML. Goods, topics and notices contain HTML written by operators, which the console and
// the shop render, so anything that a browser could execute is removed before it is stored.
package richtext

import (
	"encoding/base64"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"

	"shop.internal/pkg/base/form"
)

// Clean removes everything from an HTML text that is not known to be harmless: elements, attributes, styles and
// addresses are kept by an allow-list. Cleaning twice changes nothing more.
func Clean(html string) string { return sanitizer().Sanitize(plain(html)) }

// Unstyled is Clean without styles, for pages whose policy forbids them in markup.
func Unstyled(html string) string { return unstyled().Sanitize(plain(html)) }

// maxRemoved bounds what Removed says.
const maxRemoved = 20

// names are the elements that Removed says.
var names = regexp.MustCompile(`^[a-z][a-z0-9:-]{0,31}$`)

// Removed returns the names of the elements that Clean removes from texts, such as video, in alphabetical order. A link
// or a picture counts as removed if its address is.
func Removed(texts ...string) []string {
	removed := map[string]bool{}
	for _, text := range texts {
		left := elements(Clean(text))
		for name, n := range elements(text) {
			if n > left[name] && names.MatchString(name) {
				removed[name] = true
			}
		}
	}
	list := slices.Sorted(maps.Keys(removed))
	return list[:min(len(list), maxRemoved)]
}

// sanitizer and unstyled are built once, since they have a hundred expressions.
var (
	sanitizer = sync.OnceValue(func() *bluemonday.Policy {
		p := policy()
		p.AllowAttrs("style").Matching(styles).Globally()
		return p
	})
	unstyled = sync.OnceValue(policy)
)

func policy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	layout(p)
	tables(p)
	links(p)
	return p
}

// layout allows text and its structure. It allows neither id, name nor class, which belong to the page around the text.
func layout(p *bluemonday.Policy) {
	p.AllowElements("p", "div", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "strong", "b", "em", "i", "u", "s",
		"strike", "del", "ins", "sub", "sup", "small", "big", "mark", "center", "blockquote", "pre", "code", "ul", "ol",
		"li", "dl", "dt", "dd", "figure", "figcaption", "section", "article", "header", "footer")
	p.AllowAttrs("color", "face").Matching(word).OnElements("font")
	p.AllowAttrs("size").Matching(bluemonday.Integer).OnElements("font")
	p.AllowNoAttrs().OnElements("span", "font")
	p.AllowAttrs("align").Matching(bluemonday.CellAlign).OnElements("p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "hr")
	p.AllowAttrs("dir").Matching(bluemonday.Direction).Globally()
	p.AllowAttrs("title").Globally()
	p.AllowLists()
}

func tables(p *bluemonday.Policy) {
	p.AllowTables()
	p.AllowAttrs("border", "cellpadding", "cellspacing").Matching(bluemonday.Integer).OnElements("table")
	p.AllowAttrs("align").Matching(bluemonday.CellAlign).OnElements("table")
}

// links allows addresses of other pages and pictures, as checked by form.Harmless in plain. A data address is allowed
// only for a bitmap.
func links(p *bluemonday.Policy) {
	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(true)
	p.AllowURLSchemes(form.Schemes()...)
	p.AllowURLSchemeWithCustomPolicy("data", bitmap)
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("target").Matching(blank).OnElements("a")
	p.AllowAttrs("src", "alt").OnElements("img")
	p.AllowAttrs("width", "height").Matching(bluemonday.NumberOrPercent).OnElements("img")
	p.AllowAttrs("align").Matching(bluemonday.ImageAlign).OnElements("img")
}

var (
	word   = regexp.MustCompile(`^` + value + `$`)
	blank  = regexp.MustCompile(`^_blank$`)
	inline = regexp.MustCompile(`^image/(?:png|jpe?g|gif|webp|bmp);base64,`)
)

// picture reports whether an address contains a picture itself.
func picture(address string) bool {
	u, err := url.Parse(strings.NewReplacer("\r", "", "\n", "").Replace(address)) // which editors put into long ones
	return err == nil && u.Scheme == "data" && bitmap(u)
}

// bitmap reports whether a data address contains a bitmap.
func bitmap(u *url.URL) bool {
	prefix := inline.FindString(u.Opaque)
	if prefix == "" || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	_, err := base64.StdEncoding.DecodeString(u.Opaque[len(prefix):])
	return err == nil
}
