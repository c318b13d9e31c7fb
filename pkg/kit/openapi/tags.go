package openapi

import (
	"fmt"
	"slices"

	"shop.internal/pkg/kit/op"
)

// Tag describes an area of the paths: the operations with its name as the second part.
type Tag struct {
	// Name is the part of the path, such as goods.
	Name string `json:"name"`
	// Text says in a sentence what the operations are for.
	Text string `json:"description"`
}

// areas returns the tags in the order in which readers find them, that of the options. It fails for a tag without an
// operation. An area without a tag, such as that of the sandbox of a demo, comes last and is not described.
func areas(tags []Tag, specs []op.Spec) ([]Tag, error) {
	for _, t := range tags {
		if !slices.ContainsFunc(specs, func(s op.Spec) bool { return tag(s.Path) == t.Name }) {
			return nil, fmt.Errorf("openapi: no operation has the tag %s", t.Name)
		}
	}
	return tags, nil
}
