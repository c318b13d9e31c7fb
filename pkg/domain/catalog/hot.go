package catalog

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
)

// HotMode says what decides whether a product is hot: one that so many buy at once that their purchases are batched
// (see the package order). It changes how purchases are made, never which.
type HotMode int

// The modes, by the numbers of the column.
const (
	// HotByLoad leaves it to the number of purchases.
	HotByLoad HotMode = iota
	// AlwaysHot and NeverHot are the choice of an operator.
	AlwaysHot
	NeverHot
)

// SetHot stores what decides whether a product is hot. Every process reads it with the next purchase of the product, so
// it needs no entry in the feed. It fails with errno.Invalid for an unknown product.
func (s *Service) SetHot(ctx context.Context, id int64, mode HotMode) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		r, found, err := products.LockLive(ctx, tx, id)
		switch {
		case err != nil:
			return fmt.Errorf("lock product %d: %w", id, err)
		case !found:
			return errno.NoSuch(text.FieldProduct)
		}
		before, after := r.Product, r.Product
		if r.HotMode != mode {
			after.HotMode, after.UpdateTime, after.Version = mode, s.clock(), r.Version+1
			set := table.Set{"hot_mode": mode, "update_time": after.UpdateTime}
			if _, err := products.Update(ctx, tx, set, "id = ?", id); err != nil {
				return err
			}
		}
		return audit.Record(ctx, tx, audit.Change{ID: id, Before: before, After: after})
	})
}
