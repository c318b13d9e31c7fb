package site

import (
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strings"

	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/server"
)

// Config is the section web of a service's configuration.
type Config struct {
	Enabled        bool     `key:"enabled" default:"true"`
	PictureOrigins []string `key:"picture-origins"`
}

// ValidationErrors returns a sentence for each mistake.
func (c *Config) ValidationErrors() []string {
	var wrong []string
	for _, origin := range c.PictureOrigins {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || u.Scheme+"://"+u.Host != origin {
			wrong = append(wrong,
				fmt.Sprintf("web.picture-origins: %q is no origin such as https://pictures.example.com", origin))
		}
	}
	return wrong
}

// Origins returns where pictures may come from beside the service itself: what is configured, and the origin of files,
// the address under which uploads are shown, unless that is empty.
func (c *Config) Origins(files string) []string {
	list := c.PictureOrigins
	if u, err := url.Parse(files); err == nil && u.Host != "" {
		list = append(list[:len(list):len(list)], u.Scheme+"://"+u.Host)
	}
	return list
}

// Serve returns the service with its pages under every path that is none of the operations' or the documents'.
func Serve(h *server.Handler, pages fs.FS, o Options) (*server.Handler, error) {
	o.Reserved = reserved(h.Specs)
	s, err := New(pages, o)
	if err != nil {
		return nil, err
	}
	return &server.Handler{Handler: s.Before(h.Handler), Specs: h.Specs, Notes: h.Notes}, nil
}

// reserved returns the first segments of the paths of the service, each once: every request is compared with them.
func reserved(specs []op.Spec) []string {
	list := []string{"docs"}
	for _, spec := range specs {
		first, _, _ := strings.Cut(strings.TrimPrefix(spec.Path, "/"), "/")
		list = append(list, first)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
