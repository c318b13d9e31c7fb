package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"maps"
	"regexp"
	"strings"

	"shop.internal/pkg/base/richtext"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/site"
)

//go:embed templates
var files embed.FS

// Parsed once from embedded files.
var headTemplate, bodyTemplate = parse("head"), parse("body")

// indented are the blanks before a line of a template, for those who read it there.
var indented = regexp.MustCompile(`(?m)(^|}})  +`)

func parse(name string) *template.Template {
	source, err := files.ReadFile("templates/" + name + ".html")
	if err != nil {
		panic(err) // embedded above
	}
	return template.Must(template.New(name).Parse(indented.ReplaceAllString(string(source), "$1")))
}

// shared lets shared caches keep a page for a second, as they keep the answers that it is made of.
const shared = "public, max-age=0, s-maxage=1"

// htmlKind is the media type of a page.
const htmlKind = "text/html; charset=utf-8"

// render writes a page.
func (p *Pages) render(v *view) (*site.Document, error) {
	if v.Listed {
		v.Facts = append(v.Facts, v.trail()...)
	}
	var head, body bytes.Buffer
	if err := headTemplate.Execute(&head, v); err != nil {
		return nil, fmt.Errorf("write the head of a page: %w", err)
	}
	if err := bodyTemplate.Execute(&body, v); err != nil {
		return nil, fmt.Errorf("write a page: %w", err)
	}
	attributes := maps.Clone(p.Attributes)
	maps.Copy(attributes, v.attributes())
	attributes["lang"] = v.Tag()
	text := p.Template.Page(attributes, bytes.TrimSpace(head.Bytes()), bytes.TrimSpace(body.Bytes()))
	d := site.NewDocument(htmlKind, text)
	d.Status, d.Cache = v.Status, shared
	return d, nil
}

// trail are the pages above a page, as structured data; none for the home page, and where the shop's address is not
// known.
func (v *view) trail() []thing {
	if len(v.Above) == 0 || v.pages.origin == "" {
		return nil
	}
	items := make([]thing, 0, len(v.Above)+1)
	for i, l := range v.Above {
		items = append(items, thing{"@type": "ListItem", "position": i + 1, "name": l.Name, "item": v.pages.origin + l.Path})
	}
	items = append(items, thing{"@type": "ListItem", "position": len(items) + 1, "name": v.Heading, "item": v.Canonical()})
	return []thing{{"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items}}
}

// To is the address of a page in the language of the view.
func (v *view) To(path string) string { return slashless(v.Base + path) }

// Locale is the language as Open Graph names it.
func (v *view) Locale() string {
	if v.Language == text.Chinese {
		return "zh_CN"
	}
	return "en_US"
}

// attributes are what the script has to know of the settings, as attributes of the element html.
func (l look) attributes() map[string]string {
	a := map[string]string{
		"data-name": l.Name, "data-currency": string(l.Currency), "data-decimals": fmt.Sprint(l.Currency.Decimals()),
	}
	if l.Logo != "" {
		a["data-logo"] = l.Logo
	}
	return a
}

// markup is a text of editors, which was cleaned when it was stored and is cleaned here again, without the styles that
// the policy of the pages forbids. A browser reads its pictures when they are about to be seen.
func markup(text string) template.HTML {
	clean := strings.ReplaceAll(richtext.Unstyled(text), "<img ", `<img loading="lazy" `)
	return template.HTML(clean) //nolint:gosec // cleaned above
}
