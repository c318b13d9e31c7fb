package site

import (
	"errors"
	"maps"
)

// withSettings returns the page with its settings and the current ones as attributes of its element html, in the place
// of those that it was built with.
func (s *Site) withSettings(current map[string]string) (*file, error) {
	settings := maps.Clone(s.settings)
	maps.Copy(settings, current)
	page, found := withAttributes(s.plain, settings)
	if !found {
		return nil, errors.New("the page has no element html for the settings")
	}
	return textOf(s.files[index].kind, page), nil
}
