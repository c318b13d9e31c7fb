// Package user serves /wx/user: the shopper's own page.
package user

import (
	"context"

	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/storefront/internal/auth"
)

// Deps are what the operations need.
type Deps struct {
	Orders *order.Service
}

type handlers struct{ Deps }

// Ops declares the operations of the shopper's page.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Read[op.None, Index]{
			Path: "/wx/user/index", Title: "Count what one's own orders wait for", Access: op.SignedIn,
			Budget: 4, Do: h.index,
		},
	}
}

// Index is the shopper's page.
type Index struct {
	Order Orders `json:"order"`
}

// Orders are numbers of orders by the step they wait for.
type Orders struct {
	Unpaid    int64 `json:"unpaid" doc:"Orders that wait for money."`
	Unship    int64 `json:"unship" doc:"Paid orders that were not shipped."`
	Unrecv    int64 `json:"unrecv" doc:"Shipped orders that have not arrived."`
	Uncomment int64 `json:"uncomment" doc:"Lines of received orders that can be commented on."`
}

func (h handlers) index(ctx context.Context, _ op.None) (Index, error) {
	n, err := h.Orders.Counts(ctx, auth.ID(ctx))
	return Index{Order: Orders{
		Unpaid: n.Unpaid, Unship: n.Unshipped, Unrecv: n.Unreceived, Uncomment: n.Uncommented,
	}}, err
}
