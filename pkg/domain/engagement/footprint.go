package engagement

import (
	"context"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/page"
)

// Footprint is goods that a shopper has looked at, with the time of the latest look.
type Footprint struct {
	ID, GoodsID         int64
	Name, Brief, PicURL string
	Price               money.Amount
	ViewTime            time.Time
}

// SeeGoods records that a shopper looked at goods: it counts one view more and brings a deleted footprint back.
func (s *Service) SeeGoods(ctx context.Context, shopper, goods int64) error {
	return seeGoods(ctx, s.db, shopper, goods, s.clock())
}

// Footprints lists what the shopper has looked at. Deleted goods are neither shown nor counted. Sort is add_time, which
// is the time of the latest look, or id.
func (s *Service) Footprints(ctx context.Context, shopper int64, q page.Query) (page.List[Footprint], error) {
	return page.Fetch(q, func() (int64, error) { return countFootprints(ctx, s.db, shopper) },
		func(q page.Query) ([]Footprint, error) { return listFootprints(ctx, s.db, shopper, q) })
}

// DeleteFootprint removes one of the shopper's footprints. It fails with errno.Invalid for one that is not there or not
// the shopper's.
func (s *Service) DeleteFootprint(ctx context.Context, shopper, id int64) error {
	return idempotency.Do(ctx, s.once, func(tx *db.Tx) error {
		done, err := deleteFootprint(ctx, tx, shopper, id, s.clock())
		if err == nil && !done {
			err = errno.NoSuch("footprintId")
		}
		return err
	})
}
