package order

import (
	"context"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/internal/db"
)

// What operators do to orders, as the business log names it.
const (
	actionShip   = "发货"
	actionRefund = "退款"
	actionReject = "拒绝退款"
)

func (a Actor) entry(action, sn string) access.Entry {
	return access.Entry{
		Admin: a.Name, Address: a.Address, Kind: access.Ordering, Action: action, OK: true, Result: "订单编号 " + sn,
	}
}

// note writes what an operator did into the business log, with the move. What others do is no entry.
func (s *Service) note(ctx context.Context, tx *db.Tx, by Actor, action string, o Order) error {
	if by.Type != ByOperator {
		return nil
	}
	return s.Access.Record(ctx, tx, by.entry(action, o.SN))
}
