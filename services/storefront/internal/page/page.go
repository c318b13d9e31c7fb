// Package page renders what the shop's pages say to readers that run no script: search engines, previews of links, and
// people before the script has come. A page is made of the answers that the script would ask for, as guests get them,
// so that it depends on no caller; it is kept as long as these answers and the settings stay the same. Where an answer
// is missing because the shop is busy or something failed, the site serves the built page without content.
package page

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/base/admission"
	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/kit/site"
	"shop.internal/services/storefront/internal/pagecache"
)

// Deps are what the pages need.
type Deps struct {
	// Service answers the operations; Home and Goods are their answers that are kept in memory.
	Service http.Handler
	Home    *cache.One[pagecache.Page]
	Goods   *cache.Cache[int64, pagecache.Page]
	// Template is the built page, Attributes what its element html has of the configuration.
	Template   *site.Template
	Attributes map[string]string
	// Scripts are the files of each page and language of the script, as they were built.
	Scripts  map[string][]string
	Catalog  *catalog.Service
	Content  *content.Service
	Review   *review.Service
	Settings *settings.Service
	// Language is the shop's, zh or en: that of the addresses without a prefix.
	Language string
	// Shop is an address of the shop, such as that of payment notifications. Without it the pages name no whole addresses.
	Shop string
	// Admission bounds what pages read beside the answers; nil is no bound.
	Admission *admission.Controller
	// Clock measures ages. Log may be nil.
	Clock func() time.Time
	Log   *slog.Logger
}

// Pages are the pages of a shop.
type Pages struct {
	Deps
	// origin is where the shop is, such as https://shop.example.com; empty if that is unknown.
	origin string
	kept   *cache.Cache[place, made]
	// sitemaps are the site maps by their paths.
	sitemaps *cache.Cache[string, *site.Document]
}

// place is a page in a language.
type place struct{ language, path string }

// made is a page with what it was made of.
type made struct {
	look look
	tags []string
	page *site.Document
}

const (
	// maxBytes is the maximum size of all pages that are kept, without their compressed forms, which are a third of them;
	// longest is how long one is kept.
	maxBytes = 24 << 20
	longest  = time.Hour
	// timeout bounds the time of reading for a page: who waits longer has it from the script.
	timeout = 5 * time.Second
	// overhead is the size of a page that is kept beside its text.
	overhead = 1 << 10
)

// New returns the pages.
func New(d Deps) *Pages {
	p := &Pages{Deps: d, origin: originOf(d.Shop), kept: nil, sitemaps: nil}
	p.kept = cache.New(cache.Options[made]{
		TTL: cache.For[made](longest), Deadline: timeout, Sweep: true, Now: d.Clock,
		MaxSize: maxBytes, Weigh: func(m made) uint32 { return weight(m.page) },
	}, func(context.Context, place) (made, error) {
		return made{}, errors.New("pages are made where they are asked for")
	})
	p.sitemaps = p.newSitemaps()
	return p
}

// weight is the size of a document in memory, in bytes.
func weight(d *site.Document) uint32 {
	return uint32(min(d.Size()+overhead, maxBytes)) //nolint:gosec // both are small
}

// originOf returns the origin of an address, empty for none.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// Document returns the page or the file at an address, nil where the site has to answer.
func (p *Pages) Document(r *http.Request) *site.Document {
	values, err := p.Settings.Now(r.Context())
	if err != nil {
		return nil
	}
	look := lookOf(values)
	if d := p.file(r, look); d != nil {
		return d
	}
	language, path := p.split(r.URL.Path)
	if strings.Contains(path[strings.LastIndexByte(path, '/')+1:], ".") {
		return nil
	}
	k, id := kindOf(path)
	if k == nil {
		return p.keep(r.Context(), place{language: language}, look, nil, func(context.Context) (*view, error) {
			return p.notFound(language, look), nil
		})
	}
	v := p.view(language, look, k, id)
	answers, err := p.answers(r, k, id, p.tags(place{language, v.Path}, look))
	switch {
	case err == nil:
		at := place{language, v.Path}
		return p.keep(r.Context(), at, look, tagsOf(answers), func(ctx context.Context) (*view, error) {
			return v, k.show(ctx, v, answers)
		})
	case errors.Is(err, errMissing):
		return p.missing(r.Context(), v)
	}
	return nil
}

// Current are the attributes of the element html that follow from the settings.
func (p *Pages) Current(ctx context.Context) (map[string]string, error) {
	values, err := p.Settings.Now(ctx)
	return lookOf(values).attributes(), err
}

// split returns the language of an address and the path within it. The shop's own language has no prefix; one that
// names it all the same leads to the same pages.
func (p *Pages) split(path string) (language, rest string) {
	first, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if slices.Contains(text.Languages(), first) {
		return first, "/" + rest
	}
	return p.Language, path
}

// tags are those of the answers that a page is made of, none for one that is not kept.
func (p *Pages) tags(at place, look look) []string {
	if old, ok := p.kept.Cached(at); ok && old.look == look {
		return old.tags
	}
	return nil
}

// keep returns the page that is kept, or makes it if it is another one by now.
func (p *Pages) keep(
	ctx context.Context, at place, look look, tags []string, load func(context.Context) (*view, error),
) *site.Document {
	if old, ok := p.kept.Cached(at); ok && old.look == look && slices.Equal(old.tags, tags) {
		return old.page
	}
	store := p.kept.Loading(at)
	v, err := load(ctx)
	if err != nil {
		p.report(err)
		return nil
	}
	d, err := p.render(v)
	if err != nil {
		p.report(err)
		return nil
	}
	store(made{look, tags, d})
	return d
}

func (p *Pages) report(err error) {
	if p.Log != nil && !errors.Is(err, errno.ErrBusy) && !errors.Is(err, context.Canceled) {
		p.Log.Warn("a page was not rendered and is served without content", "error", err)
	}
}

// reading runs what reads the database for a page, within the places of reads.
func (p *Pages) reading(ctx context.Context, read func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var ticket admission.Ticket
	if p.Admission != nil {
		p.Admission.Issue(&ticket, admission.Read)
		defer ticket.End()
	}
	return read(context.WithValue(ctx, admission.Key{}, &ticket))
}
