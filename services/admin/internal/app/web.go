package app

import (
	"strconv"

	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/kit/server"
	"shop.internal/pkg/kit/site"
	"shop.internal/services/admin/internal/storage"
	"shop.internal/services/admin/web"
)

// withPages serves the staff console under every path that is none of the operations'.
func withPages(h *server.Handler, c Config) (*server.Handler, error) {
	return site.Serve(h, web.Pages(), site.Options{
		Pictures: c.Web.Origins(c.PictureBase()),
		Settings: map[string]string{
			"lang": text.Tag(c.Shop.Language), "data-zone": c.Shop.Zone,
			"data-upload-limit": strconv.Itoa(storage.MaxFile),
		},
	})
}
