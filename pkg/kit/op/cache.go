package op

import (
	"net/http"
	"slices"
)

// Shared reports whether all anonymous callers get the same answer to the same query, so that caches may keep it: a
// public Read, or one with an optional token. It follows from the declaration.
func (s Spec) Shared() bool {
	return s.shared && (s.Access.kind == public || s.Access.kind == optional)
}

// vary returns the headers that a shared answer depends on, by whether a token is optional.
func (h *Hooks) vary() map[bool][]string {
	for i, name := range h.Credentials {
		h.Credentials[i] = http.CanonicalHeaderKey(name)
	}
	plain := []string{"Accept-Encoding"}
	return map[bool][]string{
		false: slices.Clip(plain), true: slices.Clip(append(slices.Clone(plain), h.Credentials...)),
	}
}

// hasCredentials reports whether a request has any credentials.
func (h *Hooks) hasCredentials(r *http.Request) bool {
	for _, name := range h.Credentials {
		for _, text := range r.Header[name] {
			if text != "" {
				return true
			}
		}
	}
	return false
}

// varying joins what an answer depends on already, such as the origin of a page, with more.
func varying(known, more []string) []string {
	if known == nil {
		return more
	}
	return slices.Concat(known, more)
}
