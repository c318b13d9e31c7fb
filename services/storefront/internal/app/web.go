package app

import (
	"fmt"
	"strconv"
	"strings"

	"shop.internal/pkg/base/text"
	domain "shop.internal/pkg/domain/app"
	"shop.internal/pkg/kit/program"
	"shop.internal/pkg/kit/server"
	"shop.internal/pkg/kit/site"
	"shop.internal/services/storefront/internal/page"
	"shop.internal/services/storefront/web"
)

// withPages serves the shop's pages under every path that is none of the operations'.
func withPages(h *server.Handler, deps *Deps, c Config, d *domain.Domain, t program.Tools) (*server.Handler, error) {
	attributes := map[string]string{
		"lang": text.Tag(c.Shop.Speaks()), "data-zone": c.Shop.Clock(),
		"data-country":      c.Shop.Place().Code(),
		"data-language":     text.Tag(c.Shop.Speaks()),
		"data-upload-limit": strconv.FormatInt(int64(c.Limits.Upload), 10),
	}
	template, err := site.NewTemplate(web.Pages())
	if err != nil {
		return nil, fmt.Errorf("open the shop's page: %w", err)
	}
	scripts, err := page.ScriptsOf(web.Pages())
	if err != nil {
		return nil, fmt.Errorf("open the shop's page: %w", err)
	}
	pages := page.New(page.Deps{
		Service: h.Handler, Home: deps.Home.Page, Goods: deps.Catalog.Pages, Template: template, Attributes: attributes,
		Scripts: scripts,
		Catalog: d.Catalog, Content: d.Content, Review: d.Reviews, Settings: d.Settings,
		Language: c.Shop.Speaks(), Shop: publicAddress(c), Admission: t.Admission, Clock: t.Clock, Log: t.Log,
	})
	return site.Serve(h, web.Pages(), site.Options{
		Current: pages.Current, Document: pages.Document,
		Pictures: c.Web.Origins(c.Storage.BaseURL), Settings: attributes,
	})
}

// publicAddress is an address of the shop as browsers know it: that of payment notifications, or of the files that it
// serves itself. It is empty if the configuration has neither.
func publicAddress(c Config) string {
	if c.Payment.NotifyURL == "" && strings.HasSuffix(c.Storage.BaseURL, filesPath) {
		return c.Storage.BaseURL
	}
	return c.Payment.NotifyURL
}

// filesPath is the end of the address of the files where the storefront serves them.
const filesPath = "/wx/storage/fetch/"
