package page

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/site"
)

// Addresses of site maps: that of the pages without goods, and those of the goods by ranges of their ids.
const (
	sitemapFolder = "/sitemap/"
	sitemapPages  = sitemapFolder + "pages.xml"
	sitemapGoods  = sitemapFolder + "goods-%d.xml"
)

const (
	// rangeOf is the number of ids of goods in a part. Each of the goods has an address in every language.
	rangeOf = 5000
	// maxParts is the number of parts that an index may name.
	maxParts = 50_000
	// maxOthers bounds the brands and the topics that are listed.
	maxOthers = 2000
	// sitemapAge is how long a site map is kept.
	sitemapAge = 10 * time.Minute
)

// xmlKind is the media type of a site map.
const xmlKind = "application/xml; charset=utf-8"

// entry is a page on a site map.
type entry struct {
	path string
	// changed is when it was, zero if that is unknown.
	changed time.Time
}

// sitemap returns a site map, nil if there is none: for an unknown one, and where the shop's address is unknown.
func (p *Pages) sitemap(ctx context.Context, path string) *site.Document {
	if p.origin == "" || path != "/sitemap.xml" && path != sitemapPages && partOf(path) == 0 {
		return nil
	}
	d, err := p.sitemaps.Get(ctx, path)
	if err != nil {
		p.report(err)
		return nil
	}
	return d
}

// partOf is the number of a part with goods, 0 for another path.
func partOf(path string) int64 {
	var number int64
	_, err := fmt.Sscanf(path, sitemapGoods, &number)
	if err != nil || number < 1 || number > maxParts || path != fmt.Sprintf(sitemapGoods, number) {
		return 0
	}
	return number
}

// newSitemaps returns the site maps that are kept, nil for one that is empty.
func (p *Pages) newSitemaps() *cache.Cache[string, *site.Document] {
	return cache.New(cache.Options[*site.Document]{
		TTL: cache.For[*site.Document](sitemapAge), Deadline: timeout, Sweep: true, Now: p.Clock, MaxSize: maxBytes,
		Weigh: weight,
	}, func(ctx context.Context, path string) (d *site.Document, err error) {
		err = p.reading(ctx, func(ctx context.Context) error {
			d, err = p.writeSitemap(ctx, path)
			return err
		})
		return d, err
	})
}

func (p *Pages) writeSitemap(ctx context.Context, path string) (*site.Document, error) {
	if path == "/sitemap.xml" {
		return p.sitemapIndex(ctx)
	}
	entries, err := p.otherPages(ctx)
	if n := partOf(path); n > 0 {
		entries, err = p.goodsPages(ctx, n)
	}
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" ` +
		`xmlns:xhtml="http://www.w3.org/1999/xhtml">` + "\n")
	for _, e := range entries {
		p.writeEntry(&b, e)
	}
	b.WriteString("</urlset>\n")
	return site.NewDocument(xmlKind, b.Bytes()), nil
}

// writeEntry writes the addresses of a page, each with those of the other languages.
func (p *Pages) writeEntry(b *bytes.Buffer, e entry) {
	var others strings.Builder
	for _, language := range text.Languages() {
		fmt.Fprintf(&others, `<xhtml:link rel="alternate" hreflang="%s" href="%s"/>`,
			text.Tag(language), p.addressIn(language, e.path))
	}
	changed := ""
	if !e.changed.IsZero() {
		changed = "<lastmod>" + e.changed.UTC().Format(time.RFC3339) + "</lastmod>"
	}
	for _, language := range text.Languages() {
		fmt.Fprintf(b, "<url><loc>%s</loc>%s%s</url>\n", p.addressIn(language, e.path), changed, others.String())
	}
}

func (p *Pages) sitemapIndex(ctx context.Context) (*site.Document, error) {
	numbers, err := p.Catalog.Ranges(ctx, rangeOf)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(xml.Header + `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	fmt.Fprintf(&b, "<sitemap><loc>%s%s</loc></sitemap>\n", p.origin, sitemapPages)
	for _, n := range numbers[:min(len(numbers), maxParts-1)] {
		fmt.Fprintf(&b, "<sitemap><loc>%s%s</loc></sitemap>\n", p.origin, fmt.Sprintf(sitemapGoods, n))
	}
	b.WriteString("</sitemapindex>\n")
	return site.NewDocument(xmlKind, b.Bytes()), nil
}

// goodsPages are the goods on sale of a part.
func (p *Pages) goodsPages(ctx context.Context, number int64) ([]entry, error) {
	list, err := p.Catalog.OnSaleBetween(ctx, (number-1)*rangeOf+1, number*rangeOf)
	entries := make([]entry, len(list))
	for i, g := range list {
		entries[i] = entry{fmt.Sprintf("/goods/%d", g.ID), g.UpdateTime}
	}
	return entries, err
}

// otherPages are the pages without goods: the fixed ones, categories, brands and topics.
func (p *Pages) otherPages(ctx context.Context) ([]entry, error) {
	entries := []entry{}
	for _, k := range kinds {
		if len(k.ask) > 0 && !strings.Contains(k.path, idPart) {
			entries = append(entries, entry{path: k.path})
		}
	}
	firsts, err := p.Catalog.FirstCategories(ctx)
	if err != nil {
		return nil, err
	}
	seconds, err := p.Catalog.SecondCategories(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range slices.Concat(firsts, seconds) {
		entries = append(entries, entry{fmt.Sprintf("/category/%d", c.ID), c.UpdateTime})
	}
	brands, err := p.Catalog.FirstBrands(ctx, maxOthers)
	if err != nil {
		return nil, err
	}
	for _, b := range brands {
		entries = append(entries, entry{fmt.Sprintf("/brands/%d", b.ID), b.UpdateTime})
	}
	topics, err := p.Content.Topics(ctx, maxOthers)
	for _, t := range topics {
		entries = append(entries, entry{path: fmt.Sprintf("/topics/%d", t.ID)})
	}
	return entries[:min(len(entries), rangeOf)], err
}
