// Package richtext owns what markup the shop keeps. Goods, topics and notices hold HTML that operators write and that
// the console and the shop show as it stands, so whatever could run in a reader's browser is taken out before it is
// stored.
package richtext

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"

	"shop.internal/pkg/domain/platform/form"
)

// Clean returns a text of HTML with everything taken out that is not known to be harmless: elements, attributes, styles
// and addresses are kept by an allow-list, so what nobody has thought of goes as well. What it returns it leaves as it
// is when asked again.
func Clean(html string) string { return sanitizer().Sanitize(plain(html)) }

// sanitizer is made once, since it is a hundred expressions.
var sanitizer = sync.OnceValue(policy)

func policy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	layout(p)
	tables(p)
	links(p)
	p.AllowAttrs("style").Matching(styles).Globally()
	return p
}

// layout keeps text and its parts. Neither id, name nor class stays: they are names that the page around the text uses.
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

// links keeps addresses of other pages and pictures. Which ones is the rule for addresses that are entered anywhere,
// form.Harmless, which plain holds them to before. An address in the text itself is kept only where it is a bitmap.
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

// picture says whether an address is a picture itself.
func picture(address string) bool {
	u, err := url.Parse(strings.NewReplacer("\r", "", "\n", "").Replace(address)) // which editors put into long ones
	return err == nil && u.Scheme == "data" && bitmap(u)
}

// bitmap says whether a data address holds a picture that can only be looked at.
func bitmap(u *url.URL) bool {
	prefix := inline.FindString(u.Opaque)
	if prefix == "" || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	_, err := base64.StdEncoding.DecodeString(u.Opaque[len(prefix):])
	return err == nil
}
