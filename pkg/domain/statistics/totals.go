package statistics

import (
	"context"

	"shop.internal/pkg/domain/internal/store/counter"
)

// Totals are the numbers of live rows.
type Totals struct {
	Users, Goods, Products, Orders int64
}

// Totals counts in one statement. Large totals may be half a minute old.
func (r *Rollup) Totals(ctx context.Context) (Totals, error) {
	count := func(scope, table string) counter.Count {
		return counter.Count{Scope: scope, From: table + " WHERE deleted = 0", Args: nil, Large: 0}
	}
	n, err := counter.Totals(ctx, r.db, count("user:all", "user"), count("goods:all", "goods"),
		count("goods_product:all", "goods_product"), count("orders:all", "orders"))
	if err != nil {
		return Totals{}, err
	}
	return Totals{Users: n[0].N, Goods: n[1].N, Products: n[2].N, Orders: n[3].N}, nil
}
