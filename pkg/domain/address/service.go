package address

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/cache"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/text"
)

// Service is the address service.
type Service struct {
	db       *db.DB
	lists    *lists.Engine
	keys     *idempotency.Store
	accounts *account.Service
	regions  *cache.One[regions]
	now      func() time.Time
}

// New returns the service.
func New(d *db.DB, keys *idempotency.Store, accounts *account.Service, now func() time.Time) *Service {
	return &Service{
		lists: lists.New(d),
		db:    d, keys: keys, accounts: accounts, regions: cachedRegions(d, now),
		now: func() time.Time { return now().UTC().Truncate(time.Millisecond) },
	}
}

// Get returns one of the shopper's addresses. It fails with errno.Invalid for one that is unknown, deleted or another
// shopper's.
func (s *Service) Get(ctx context.Context, shopper, id int64) (Address, error) {
	return s.Find(ctx, s.db, shopper, id)
}

// Find is Get within the caller's transaction or without one.
func (s *Service) Find(ctx context.Context, q db.Querier, shopper, id int64) (Address, error) {
	a, found, err := addresses.One(ctx, q, own, id, shopper)
	if err == nil && !found {
		err = unknown(shopper, id)
	}
	return a, err
}

// own is the condition on an address that a shopper names.
const own = "id = ? AND user_id = ? AND deleted = 0"

func unknown(shopper, id int64) error {
	return fmt.Errorf("address %d of shopper %d: %w", id, shopper, errno.NoSuch(text.FieldAddress))
}

// Choice is an address that a shopper names.
type Choice struct{ Shopper, ID int64 }

// FindLater is Find for several shoppers with the next statement of the transaction; the function returns what was
// found for a choice, once that statement was sent.
func (s *Service) FindLater(ctx context.Context, tx *db.Tx, all []Choice) (func(Choice) (Address, error), error) {
	shoppers, ids := make([]int64, len(all)), make([]int64, len(all))
	for i, c := range all {
		shoppers[i], ids[i] = c.Shopper, c.ID
	}
	get, err := addresses.FindLater(ctx, tx, "id IN ? AND user_id IN ? AND deleted = 0", ids, shoppers)
	return func(c Choice) (Address, error) {
		for _, a := range get() {
			if a.ID == c.ID && a.Shopper == c.Shopper {
				return a, nil
			}
		}
		return Address{}, unknown(c.Shopper, c.ID)
	}, err
}

// DeliverableLater reads the address that a purchase goes to with what else is queued; the function returns it: the
// shopper's address of an id, else the default one, and false if there is neither.
func (s *Service) DeliverableLater(
	ctx context.Context, q db.Queue, shopper, id int64,
) (func() (Address, bool), error) {
	get, err := addresses.FindLater(ctx, q, "user_id = ? AND (id = ? OR default_slot = 1) AND deleted = 0", shopper, id)
	return func() (Address, bool) {
		found := get()
		at := max(0, slices.IndexFunc(found, func(a Address) bool { return a.ID == id }))
		if len(found) == 0 {
			return Address{}, false
		}
		return found[at], true
	}, err
}

// Save changes an address of a shopper, a new one if the id is 0, and returns its id; what change does not set stays. A
// new default replaces the previous one. It fails with errno.Invalid for an invalid value, for an id that is not the
// shopper's, and beyond the maximum number of addresses.
func (s *Service) Save(ctx context.Context, shopper, id int64, change func(*Address)) (int64, error) {
	return idempotency.InTx(ctx, s.keys, func(tx *db.Tx) (int64, error) {
		if err := s.accounts.Lock(ctx, tx, shopper); err != nil {
			return 0, err
		}
		var a Address
		if id != 0 {
			var err error
			if a, err = s.Find(ctx, tx, shopper, id); err != nil {
				return 0, err
			}
		}
		change(&a)
		a.ID, a.Shopper = id, shopper
		if err := a.check(); err != nil {
			return 0, err
		}
		if id == 0 {
			return s.add(ctx, tx, a)
		}
		if err := s.clearDefault(ctx, tx, a); err != nil {
			return 0, err
		}
		return id, rows.SaveAt(ctx, tx, rowOf(a), s.now())
	})
}

func (s *Service) add(ctx context.Context, tx *db.Tx, a Address) (int64, error) {
	n, gone, err := counts(ctx, tx, a.Shopper)
	if err == nil && gone >= maxDeleted {
		err = forget(ctx, tx, a.Shopper, maxDeleted/2)
	}
	if err != nil {
		return 0, fmt.Errorf("count the addresses of shopper %d: %w", a.Shopper, err)
	}
	if n >= maxAddresses {
		return 0, fmt.Errorf("shopper %d has %d addresses: %w", a.Shopper, n,
			errno.Invalid.Because(text.AddressesFull, maxAddresses))
	}
	if err := s.clearDefault(ctx, tx, a); err != nil {
		return 0, err
	}
	return rows.InsertAt(ctx, tx, rowOf(a), s.now())
}

// clearDefault removes the default from the shopper's other address before a gets it, since the unique key allows only
// one at any moment.
func (s *Service) clearDefault(ctx context.Context, tx *db.Tx, a Address) error {
	if !a.Default {
		return nil
	}
	_, err := rows.Update(ctx, tx, table.Set{"is_default": false, "default_slot": nil, "update_time": s.now()},
		"user_id = ? AND default_slot = 1 AND id <> ?", a.Shopper, a.ID)
	return err
}

// counts returns the numbers of live and of deleted addresses of a shopper.
func counts(ctx context.Context, q db.Querier, shopper int64) (live, deleted int64, err error) {
	var n struct{ Live, Deleted int64 }
	err = q.G(ctx).Raw(`SELECT COALESCE(SUM(deleted = 0), 0) AS live, COALESCE(SUM(deleted), 0) AS deleted
		FROM address
		WHERE user_id = ?`, shopper).Scan(&n).Error
	return n.Live, n.Deleted, err
}

// forget removes a shopper's deleted addresses except the latest ones.
func forget(ctx context.Context, tx *db.Tx, shopper int64, keep int) error {
	ids, err := rows.IDs(ctx, tx, `user_id = ? AND deleted = 1
		ORDER BY update_time DESC, id DESC
		LIMIT 1000 OFFSET ?`, shopper, keep)
	if err != nil || len(ids) == 0 {
		return err
	}
	_, err = rows.Delete(ctx, tx, "id IN ? AND deleted = 1", ids)
	return err
}

// Delete soft-deletes one of the shopper's addresses. It fails with errno.Invalid for one that is unknown, deleted or
// another shopper's.
func (s *Service) Delete(ctx context.Context, shopper, id int64) error {
	return idempotency.Do(ctx, s.keys, func(tx *db.Tx) error {
		if err := s.accounts.Lock(ctx, tx, shopper); err != nil {
			return err
		}
		set := table.Set{"is_default": false, "default_slot": nil, "update_time": s.now()}
		n, err := rows.Remove(ctx, tx, set, "id = ? AND user_id = ?", id, shopper)
		if err == nil && n == 0 {
			err = fmt.Errorf("address %d of shopper %d: %w", id, shopper, errno.NoSuch(text.FieldAddress))
		}
		return err
	})
}
