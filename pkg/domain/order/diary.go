package order

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
)

// record keeps what an operator's call did to an order, with the move. The order is read anew, so that the record says
// what the row says.
func (s *Service) record(ctx context.Context, tx *db.Tx, before Order, comment string) error {
	if _, byOperator := audit.From(ctx); !byOperator {
		return nil
	}
	after, _, err := byID(ctx, tx, before.ID)
	if err != nil {
		return fmt.Errorf("read order %d again: %w", before.ID, err)
	}
	return audit.Record(ctx, tx, audit.Change{
		ID: before.ID, Before: before, After: after, Result: logName(before.SN), Comment: comment,
	})
}

// logName is how the business log names an order.
func logName(sn string) string { return "订单编号 " + sn }
