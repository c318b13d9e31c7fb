package deployment

import (
	"strings"

	"shop.internal/pkg/domain/express"
)

// Express are the keys of the service that knows where parcels are.
type Express struct {
	Provider string `key:"provider" validate:"oneof=none http" default:"none"`
	URL      string `key:"url" validate:"omitempty,url"`
	Token    string `key:"token"`
}

// ValidationErrors checks the rules that span keys; it returns a sentence for each violation, without any value. demo
// says whether this is a demo shop.
func (e Express) ValidationErrors(demo bool) []string {
	if e.Provider == "http" && !strings.HasPrefix(e.URL, "https://") && (!demo || !strings.HasPrefix(e.URL, "http://")) {
		return []string{"express.url: an address that begins with https:// is needed where express.provider is http"}
	}
	return nil
}

// Source returns the tracking provider.
func (e Express) Source() express.Provider {
	if e.Provider == "http" {
		return express.NewHTTP(e.URL, e.Token)
	}
	return express.None{}
}
