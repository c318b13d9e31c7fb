package catalog

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
)

// FreightHooks is what the catalogue needs of the freight templates that goods name.
type FreightHooks struct {
	// Hold keeps a template from being deleted until the transaction ends; it reports false for an unknown one.
	Hold func(ctx context.Context, tx *db.Tx, id int64) (bool, error)
	// Exists reports whether there is a template.
	Exists func(ctx context.Context, q db.Querier, id int64) (bool, error)
	// Names are the names of all templates, by id.
	Names func(ctx context.Context) (map[int64]string, error)
}

// OnFreight sets the hooks for freight templates. It is called at wiring; without hooks no goods can name one.
func (s *Service) OnFreight(h FreightHooks) { s.freight = h }

// holdFreight keeps freight templates from being deleted until the transaction ends, in ascending order; 0 is none. It
// fails with errno.Invalid for an unknown one.
func (s *Service) holdFreight(ctx context.Context, tx *db.Tx, ids ...int64) error {
	wanted := map[int64]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	delete(wanted, 0)
	for _, id := range slices.Sorted(maps.Keys(wanted)) {
		found, err := false, error(nil)
		if s.freight.Hold != nil {
			found, err = s.freight.Hold(ctx, tx, id)
		}
		if err == nil && !found {
			err = fmt.Errorf("freight template %d: %w", id, errno.NoSuch(text.FieldFreight))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// CountFreight returns how many goods name a freight template, at most maxCounted.
func CountFreight(ctx context.Context, q db.Querier, template int64) (int, error) {
	ids, err := goodsRows.IDs(ctx, q, "freight_id = ? AND deleted = 0 LIMIT ?", template, maxCounted)
	return len(ids), err
}
