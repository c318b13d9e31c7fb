package address

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/page"
	"shop.internal/pkg/domain/text"
)

// Service is the area.
type Service struct {
	db       *db.DB
	keys     *idempotency.Store
	accounts *account.Service
	regions  *regions
	now      func() time.Time
}

// New returns the area.
func New(d *db.DB, keys *idempotency.Store, accounts *account.Service, now func() time.Time) *Service {
	return &Service{
		db: d, keys: keys, accounts: accounts, regions: &regions{now: now},
		now: func() time.Time { return now().UTC().Truncate(time.Millisecond) },
	}
}

// List returns the shopper's addresses, sorted by DefaultFirst, ByTime or ByID.
func (s *Service) List(ctx context.Context, shopper int64, q page.Query) (page.List[Address], error) {
	list, err := page.Fetch(q,
		func() (int64, error) { return count(ctx, s.db, shopper) },
		func(q page.Query) ([]Address, error) { return list(ctx, s.db, shopper, q) })
	if err != nil {
		return list, fmt.Errorf("list the addresses of shopper %d: %w", shopper, err)
	}
	return list, nil
}

// Get returns one of the shopper's addresses. It fails with errno.Invalid for one that is unknown, deleted or another
// shopper's.
func (s *Service) Get(ctx context.Context, shopper, id int64) (Address, error) {
	return s.Find(ctx, s.db, shopper, id)
}

// Find is Get within the caller's transaction or without one.
func (s *Service) Find(ctx context.Context, q db.Querier, shopper, id int64) (Address, error) {
	a, found, err := find(ctx, q, shopper, id)
	if err != nil {
		return Address{}, fmt.Errorf("read address %d: %w", id, err)
	}
	if !found {
		return Address{}, fmt.Errorf("address %d of shopper %d: %w", id, shopper, errno.NoSuch("addressId"))
	}
	return a, nil
}

// Default returns the shopper's default address, and false where there is none.
func (s *Service) Default(ctx context.Context, q db.Querier, shopper int64) (Address, bool, error) {
	a, found, err := findDefault(ctx, q, shopper)
	if err != nil {
		return Address{}, false, fmt.Errorf("read the default address of shopper %d: %w", shopper, err)
	}
	return a, found, nil
}

// Save stores an address of a.Shopper, a new one where a.ID is 0, and returns its id. A default address takes the
// place of the one before. It fails with errno.Invalid for a value outside the rules, for an id that is not the
// shopper's, and for one address too many.
func (s *Service) Save(ctx context.Context, a Address) (int64, error) {
	if err := a.check(); err != nil {
		return 0, err
	}
	return idempotency.InTx(ctx, s.keys, func(tx *db.Tx) (int64, error) {
		if err := s.accounts.Lock(ctx, tx, a.Shopper); err != nil {
			return 0, err
		}
		if a.ID != 0 {
			return a.ID, s.change(ctx, tx, a)
		}
		return s.add(ctx, tx, a)
	})
}

func (s *Service) change(ctx context.Context, tx *db.Tx, a Address) error {
	if _, err := s.Find(ctx, tx, a.Shopper, a.ID); err != nil {
		return err
	}
	now := s.now()
	if err := clearDefault(ctx, tx, a, now); err != nil {
		return fmt.Errorf("take the default from another address: %w", err)
	}
	if err := update(ctx, tx, a, now); err != nil {
		return fmt.Errorf("change address %d: %w", a.ID, err)
	}
	return nil
}

func (s *Service) add(ctx context.Context, tx *db.Tx, a Address) (int64, error) {
	n, gone, err := counts(ctx, tx, a.Shopper)
	if err == nil && gone >= mostGone {
		err = forget(ctx, tx, a.Shopper, mostGone/2)
	}
	if err != nil {
		return 0, fmt.Errorf("count the addresses of shopper %d: %w", a.Shopper, err)
	}
	if n >= most {
		return 0, fmt.Errorf("shopper %d has %d addresses: %w", a.Shopper, n, errno.Invalid.Because(text.AddressesFull, most))
	}
	now := s.now()
	if err := clearDefault(ctx, tx, a, now); err != nil {
		return 0, fmt.Errorf("take the default from another address: %w", err)
	}
	id, err := insert(ctx, tx, a, now)
	if err != nil {
		return 0, fmt.Errorf("add an address of shopper %d: %w", a.Shopper, err)
	}
	return id, nil
}

// Delete takes one of the shopper's addresses away. It fails with errno.Invalid for one that is unknown, deleted or
// another shopper's.
func (s *Service) Delete(ctx context.Context, shopper, id int64) error {
	return idempotency.Do(ctx, s.keys, func(tx *db.Tx) error {
		if err := s.accounts.Lock(ctx, tx, shopper); err != nil {
			return err
		}
		found, err := remove(ctx, tx, shopper, id, s.now())
		if err != nil {
			return fmt.Errorf("delete address %d: %w", id, err)
		}
		if !found {
			return fmt.Errorf("address %d of shopper %d: %w", id, shopper, errno.NoSuch("addressId"))
		}
		return nil
	})
}

// Regions returns the divisions right below a parent, by code; the parent 0 has the provinces. An unknown parent has
// none. The slice is shared: the caller must not change it.
func (s *Service) Regions(ctx context.Context, parent int64) ([]Region, error) {
	below, err := s.regions.below(ctx, s.db)
	if err != nil {
		return nil, fmt.Errorf("read the regions: %w", err)
	}
	return below[parent], nil
}
