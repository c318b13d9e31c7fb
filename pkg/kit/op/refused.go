package op

import (
	"context"

	"shop.internal/pkg/base/errno"
)

// Refused is a GET that everybody may send and that always fails: for what some clients ask for and the service does
// not offer, and for addresses to which callers are sent on.
type Refused struct {
	Path  string
	Title string
	// Private is as in Read.
	Private bool
	// Code is the answer.
	Code *errno.Code
}

func (o Refused) spec() Spec {
	s := Read[None, None]{
		Path: o.Path, Title: o.Title, Access: Public, Fails: []*errno.Code{o.Code}, Private: o.Private,
		Do: func(context.Context, None) (None, error) { return None{}, o.Code },
	}.spec()
	s.refused = true
	return s
}

// Refused reports whether the operation always fails.
func (s Spec) Refused() bool { return s.refused }
