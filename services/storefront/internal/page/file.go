package page

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"shop.internal/pkg/base/colour"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/site"
)

// forever is for files whose address changes with what they hold.
const forever = "public, max-age=31536000, immutable"

// file returns a file that depends on the settings or the catalogue, nil for none.
func (p *Pages) file(r *http.Request, l look) *site.Document {
	switch path := r.URL.Path; {
	case path == "/robots.txt":
		return site.NewDocument("text/plain; charset=utf-8", []byte(p.robots()))
	case path == "/manifest.webmanifest":
		return p.manifest(l)
	case path == "/favicon.ico" && l.Logo != "":
		return &site.Document{Status: http.StatusFound, Cache: "no-cache", Location: l.Logo}
	case path == themePath:
		d := site.NewDocument("text/css; charset=utf-8", []byte(l.theme()))
		if l.Color != "" && themePath+"?"+r.URL.RawQuery == l.Theme() {
			d.Cache = forever
		}
		return d
	case path == "/sitemap.xml" || strings.HasPrefix(path, sitemapFolder):
		return p.sitemap(r.Context(), path)
	}
	return nil
}

// robots asks search engines to leave out the pages of shoppers. The operations stay open to them: a page that they
// render asks for what it shows.
func (p *Pages) robots() string {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for _, language := range text.Languages() {
		for _, k := range kinds {
			if k.private && !strings.Contains(k.path, idPart) {
				fmt.Fprintf(&b, "Disallow: %s%s\n", p.base(language), k.path)
			}
		}
	}
	if p.origin != "" {
		fmt.Fprintf(&b, "\nSitemap: %s/sitemap.xml\n", p.origin)
	}
	return b.String()
}

// manifest describes the shop to a device that installs it.
func (p *Pages) manifest(l look) *site.Document {
	type icon struct {
		Src     string `json:"src"`
		Sizes   string `json:"sizes"`
		Type    string `json:"type,omitempty"`
		Purpose string `json:"purpose,omitempty"`
	}
	icons := []icon{
		{"/icons/shop.svg", "any", "image/svg+xml", ""},
		{"/icons/shop-192.png", "192x192", "image/png", ""},
		{"/icons/shop-512.png", "512x512", "image/png", ""},
		{"/icons/shop-mask-512.png", "512x512", "image/png", "maskable"},
	}
	if l.Logo != "" {
		icons = []icon{{l.Logo, "any", "", ""}}
	}
	name := cmp.Or(l.Name, text.OfPage("shop").In(p.Language))
	theme := pageGround.String()
	if l.Color != "" {
		theme = l.Color
	}
	data, err := json.Marshal(struct {
		Name       string `json:"name"`
		ShortName  string `json:"short_name"`
		Lang       string `json:"lang"`
		ID         string `json:"id"`
		StartURL   string `json:"start_url"`
		Scope      string `json:"scope"`
		Display    string `json:"display"`
		Background string `json:"background_color"`
		Theme      string `json:"theme_color"`
		Icons      []icon `json:"icons"`
	}{
		name, name, text.Tag(p.Language), "/", "/", "/", "standalone", pageGround.String(), theme, icons,
	})
	if err != nil {
		p.report(err)
		return nil
	}
	return site.NewDocument("application/manifest+json", data)
}

// The grounds of the pages in light and in dark colours, as in pkg/web/src/tokens.css.
var (
	pageGround = colour.RGB{R: 0xf7, G: 0xf5, B: 0xf1}
	darkGround = colour.RGB{R: 0x15, G: 0x13, B: 0x10}
	darkCard   = colour.RGB{R: 0x1f, G: 0x1c, B: 0x18}
	darkSunk   = colour.RGB{R: 0x2a, G: 0x26, B: 0x21}
	lightSunk  = colour.RGB{R: 0xef, G: 0xeb, B: 0xe4}
)

// themePath is the address of the style with the shop's colour.
const themePath = "/theme.css"

// Theme is the address of the style, which changes with the colour; empty for the colours of the program.
func (l look) Theme() string {
	if l.Color == "" {
		return ""
	}
	return themePath + "?" + strings.ToLower(strings.TrimPrefix(l.Color, "#"))
}

// The shares of white, black and the ground in the colours that follow from the shop's.
const (
	softShare  = 0.9
	hoverShare = 0.15
	darkShare  = 0.85
)

// theme is a style with the shop's colour in the place of that of the program. What is written in the colour can be
// read on every ground, white text on the colour as well; the setting sees to that.
func (l look) theme() string {
	c, ok := colour.Parse(l.Color)
	if !ok {
		return ""
	}
	soft, darkSoft := c.Mix(colour.White, softShare), c.Mix(darkCard, darkShare)
	hover := c.Mix(colour.Black, hoverShare)
	return style(c.On(colour.Black, colour.White, pageGround, lightSunk, soft), c, hover, soft) +
		"@media (prefers-color-scheme: dark) {\n" +
		style(c.On(colour.White, darkGround, darkCard, darkSunk, darkSoft), c, hover, darkSoft) + "}\n"
}

func style(accent, fill, hover, soft colour.RGB) string {
	return fmt.Sprintf("html:root { --c-accent: %s; --c-fill: %s; --c-fill-2: %s; --c-soft: %s; }\n",
		accent, fill, hover, soft)
}
