package promotion

import (
	"context"

	"shop.internal/pkg/domain/internal/listing"
)

// EachHolding hands over all coupons in shoppers' hands that a filter chooses, newest first, a batch at a time.
func (s *Service) EachHolding(ctx context.Context, f HolderFilter, yield func([]Holding) error) error {
	return listing.Each(ctx, s.db, holdings(f), func(rows []holdingRow) error {
		all := make([]Holding, len(rows))
		for i, r := range rows {
			all[i] = r.holding()
		}
		return yield(all)
	})
}
