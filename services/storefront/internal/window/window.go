// Package window says which pages of a list a shopper may ask for.
package window

import (
	"shop.internal/pkg/domain/page"
	"shop.internal/pkg/kit/wire"
)

const (
	usual = 10
	most  = 1000
)

// Of reads the paging of a request: 10 rows by default, at most 1000, a page past the last one is empty. More are the
// sort words beside those of every list. It fails with errno.Invalid.
func Of(p wire.Paging, more ...string) (page.Query, error) { return OfLimit(p, usual, more...) }

// OfLimit is Of with another default number of rows.
func OfLimit(p wire.Paging, limit int, more ...string) (page.Query, error) {
	return p.Window(wire.Rules{Default: limit, Max: most, Clamp: true, Beyond: page.Empty, FoldSort: true}, more...)
}
