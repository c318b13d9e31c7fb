// Package orders serves operators the orders, their open cases and the after-sale cases.
package orders

import (
	"slices"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/express"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/opencases"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/review"
	auditing "shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
)

// Deps are what the operations need.
type Deps struct {
	Orders     *order.Service
	Freight    *freight.Service
	Aftersales *aftersale.Service
	Payments   *payment.Service
	People     *account.Service
	Staff      *access.Service
	Comments   *review.Lines
	Parcels    *express.Service
	Settings   *settings.Service
	Audit      *auditing.Service
	Zone       wire.Zone
	Channels   order.Channels
	Cases      *opencases.Service
	// Language is the language of what an open case says.
	Language string
}

// Ops declares the operations on orders and after-sale cases.
func Ops(d Deps) []op.Op { return slices.Concat(aftersaleOps(d), orderOps(d)) }
