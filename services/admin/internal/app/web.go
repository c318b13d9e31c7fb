package app

import (
	"strconv"

	"shop.internal/pkg/base/text"
	domain "shop.internal/pkg/domain/app"
	"shop.internal/pkg/kit/server"
	"shop.internal/pkg/kit/site"
	"shop.internal/services/admin/internal/content"
	"shop.internal/services/admin/web"
)

// withPages serves the staff console under every path that is none of the operations'.
func withPages(h *server.Handler, c Config, d *domain.Domain) (*server.Handler, error) {
	return site.Serve(h, web.Pages(), site.Options{
		Current:  d.Settings.ShownToPages,
		Pictures: c.Web.Origins(c.PictureBase()),
		Settings: map[string]string{
			"lang": text.Tag(c.Shop.Speaks()), "data-zone": c.Shop.Clock(),
			"data-country":      c.Shop.Place().Code(),
			"data-upload-limit": strconv.Itoa(content.MaxFile),
		},
	})
}
