package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// covered keeps which addresses have been asked, and which have answered with success.
type covered struct{ asked, succeeded map[string]bool }

var failure = regexp.MustCompile(`^\{"errno":[1-9]`)

// note keeps what an exchange shows.
func (c *covered) note(ex *exchange) {
	address, err := url.Parse(ex.address)
	if err != nil {
		return // it could not have been asked
	}
	if c.asked == nil {
		c.asked, c.succeeded = map[string]bool{}, map[string]bool{}
	}
	key := ex.method + " " + address.Path
	c.asked[key] = true
	if ex.status < http.StatusBadRequest && !failure.Match(bytes.TrimSpace(ex.got)) {
		c.succeeded[key] = true
	}
}

// has reports whether a set has an operation, whose path may have a parameter.
func has(set map[string]bool, method, path string) bool {
	if !strings.Contains(path, "{") {
		return set[method+" "+path]
	}
	prefix, _, _ := strings.Cut(path, "{")
	for key := range set {
		if strings.HasPrefix(key, method+" "+prefix) {
			return true
		}
	}
	return false
}

// everything holds the walk to the API documents of the two services: each operation that they declare was asked, and
// succeeded at least once.
func (w *walk) everything(c *chapter) {
	for service, a := range map[string]agent{"storefront": w.guest, "administration": w.nobody} {
		c.try("every operation of the "+service+" was played", func(s *step) {
			ex := s.raw(a, call{method: http.MethodGet, path: "/docs/openapi.json"})
			var document struct {
				Paths map[string]map[string]any
			}
			if err := json.Unmarshal(ex.got, &document); err != nil || len(document.Paths) == 0 {
				s.fatalf(ex, "no API document: %v", err)
			}
			var missed []string
			for path, methods := range document.Paths {
				for method := range methods {
					method = strings.ToUpper(method)
					switch {
					case !has(w.covered.asked, method, path):
						missed = append(missed, method+" "+path)
					case !never(path) && !has(w.covered.succeeded, method, path):
						missed = append(missed, method+" "+path+" (without success)")
					}
				}
			}
			slices.Sort(missed)
			if len(missed) > 0 {
				s.failf(nil, "not played: %s", strings.Join(missed, ", "))
			}
		})
	}
}

// never tells the operations at which no call can succeed in a demo shop: they need the app platform or the signature
// of the payment platform, or are there to refuse.
func never(operation string) bool {
	return slices.Contains(strings.Fields(`
		/wx/auth/login_by_weixin /wx/auth/bindPhone /wx/msg/config /wx/order/pay-notify /wx/home/cache
		/admin/auth/401 /admin/auth/403`), operation)
}
