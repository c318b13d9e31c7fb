package app

import (
	"strconv"

	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/kit/server"
	"shop.internal/pkg/kit/site"
	"shop.internal/services/storefront/web"
)

// withPages serves the shop's page under every path that is none of the operations'.
func withPages(h *server.Handler, c Config) (*server.Handler, error) {
	return site.Serve(h, web.Pages(), site.Options{
		Pictures: c.Web.Origins(c.Storage.BaseURL),
		Settings: map[string]string{
			"lang": text.Tag(c.Shop.Language), "data-zone": c.Shop.Zone,
			"data-upload-limit": strconv.FormatInt(int64(c.Limits.Upload), 10),
		},
	})
}
