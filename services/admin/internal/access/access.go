// Package access serves operators their sessions and their own account, the other operators with their roles and
// permissions, and the notices among them.
package access

import (
	"slices"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/authz"
)

// Deps are what the operations need.
type Deps struct {
	Access   *access.Service
	Sessions *access.Sessions
	Zone     wire.Zone
	// Language is the language of texts for operators who ask for none.
	Language string
	// Registry returns all permissions; it is called only while serving.
	Registry func() *authz.Registry
}

// Ops declares the operations on operators and their rights.
func Ops(d Deps) []op.Op {
	return slices.Concat(sessionOps(d), noticeOps(d), profileOps(d), rightsOps(d), roleOps(d), staffOps(d))
}
