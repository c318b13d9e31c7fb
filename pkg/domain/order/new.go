package order

import (
	"context"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
)

// New returns the service and registers it for unfinished refunds and for payments found by queries.
func New(p Deps) *Service {
	s := &Service{Deps: p, lists: lists.New(p.DB), dropCases: func(context.Context, *db.Tx, int64) error { return nil }}
	s.openQueues()
	p.Payments.OnRefund(s.finishRefund)
	p.Payments.OnPaid(s.applyFinding, unpaidOrder)
	return s
}
