package order

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Hit is an order that a number has found.
type Hit struct {
	ID        int64
	SN        string `gorm:"column:order_sn"`
	Consignee string
}

// FindByNumber returns at most limit orders, the newest first, that operators have not deleted and that have this text
// as their number, as the recipient's mobile number, or as the number of the parcel or of the payment platform. Each is
// found in an index of its own.
func (s *Service) FindByNumber(ctx context.Context, number string, limit int) ([]Hit, error) {
	const by = "(SELECT id FROM orders WHERE %s = ? AND deleted = 0 ORDER BY id DESC LIMIT ?)"
	statement, args := "", []any{}
	for i, column := range []string{"order_sn", "mobile", "ship_sn", "pay_id"} {
		if i > 0 {
			statement += " UNION "
		}
		statement += fmt.Sprintf(by, column)
		args = append(args, number, limit)
	}
	var hits []Hit
	err := table.Scan(ctx, s.DB, &hits, "SELECT o.id, o.order_sn, o.consignee FROM ("+statement+
		") f JOIN orders o ON o.id = f.id ORDER BY o.id DESC LIMIT ?", append(args, limit)...)
	if err != nil {
		return nil, fmt.Errorf("find orders by a number: %w", err)
	}
	return hits, nil
}

// Any reports whether an order was ever placed.
func (s *Service) Any(ctx context.Context, q db.Querier) (bool, error) {
	return orders.Exists(ctx, q, "TRUE")
}
