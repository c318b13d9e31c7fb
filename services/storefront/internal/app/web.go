package app

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/kit/server"
	"shop.internal/pkg/kit/site"
	"shop.internal/services/storefront/web"
)

// withPages serves the shop's page under every path that is none of the operations'.
func withPages(h *server.Handler, c Config) (*server.Handler, error) {
	reserved := []string{"docs"}
	for _, spec := range h.Specs {
		first, _, _ := strings.Cut(strings.TrimPrefix(spec.Path, "/"), "/")
		reserved = append(reserved, first)
	}
	slices.Sort(reserved)
	reserved = slices.Compact(reserved) // every request is compared with them
	pages, err := site.New(web.Pages(), site.Options{
		Pictures: c.pictureOrigins(), Reserved: reserved,
		Settings: map[string]string{
			"lang": text.Tag(c.Shop.Language), "data-zone": c.Shop.Zone,
			"data-upload-limit": strconv.FormatInt(int64(c.Limits.Upload), 10),
		},
	})
	if err != nil {
		return nil, err
	}
	return &server.Handler{Handler: pages.Before(h.Handler), Specs: h.Specs, Notes: h.Notes}, nil
}

// pictureOrigins returns where the pictures of the page may come from beside the service itself: where uploads are
// shown, and what is configured.
func (c *Config) pictureOrigins() []string {
	list := c.Web.PictureOrigins
	if u, err := url.Parse(c.Storage.BaseURL); err == nil && u.Host != "" {
		list = append(list[:len(list):len(list)], u.Scheme+"://"+u.Host)
	}
	return list
}
