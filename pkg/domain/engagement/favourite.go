package engagement

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/page"
)

// Favourite is a thing that a shopper has collected, with what is said of it now: for a topic its title, its subtitle
// and its price.
type Favourite struct {
	ID, ValueID         int64
	Kind                Kind
	Name, Brief, PicURL string
	Price               money.Amount
	AddTime             time.Time
}

// HasCollected reports whether a shopper has the thing among the favourites.
func (s *Service) HasCollected(ctx context.Context, shopper int64, kind Kind, id int64) (bool, error) {
	return hasCollected(ctx, s.db, shopper, kind, id)
}

// Toggle adds a thing to the shopper's favourites, or takes it from them, and reports whether it has added. Of calls at
// the same time each turns what the one before has left. It fails with errno.Invalid when it would add what is not
// there; what is gone can still be taken away.
func (s *Service) Toggle(ctx context.Context, shopper int64, kind Kind, id int64) (bool, error) {
	return idempotency.InTx(ctx, s.once, func(tx *db.Tx) (bool, error) {
		if err := toggle(ctx, tx, shopper, kind, id, s.clock()); err != nil {
			return false, err
		}
		added, err := hasCollected(ctx, tx, shopper, kind, id)
		if err != nil || !added {
			return false, err
		}
		there, err := exists(ctx, tx, kind, id)
		if err == nil && !there {
			err = fmt.Errorf("collect %d of kind %d: %w", id, kind, errno.NoSuch("valueId"))
		}
		return true, err
	})
}

func exists(ctx context.Context, q db.Querier, kind Kind, id int64) (bool, error) {
	if kind == Topic {
		return content.TopicExists(ctx, q, id)
	}
	return catalog.Exists(ctx, q, id)
}

// Favourites lists the shopper's favourites of a kind. What is gone is neither shown nor counted; goods that are not on
// sale are. Sort is add_time or id.
func (s *Service) Favourites(
	ctx context.Context, shopper int64, kind Kind, q page.Query,
) (page.List[Favourite], error) {
	return page.Fetch(q, func() (int64, error) { return countFavourites(ctx, s.db, shopper, kind) },
		func(q page.Query) ([]Favourite, error) { return listFavourites(ctx, s.db, shopper, kind, q) })
}
