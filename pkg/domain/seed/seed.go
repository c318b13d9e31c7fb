// Package seed fills a shop for demonstrations and measurements. It owns no table: it writes the rows of several areas
// in batches, since their own methods, made for one shopper at a time, would take hours, and keeps the books
// consistent. Only programs that an operator starts may use it, no service.
package seed

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/crypto/bcrypt"

	"shop.internal/pkg/base/hashing"
	"shop.internal/pkg/domain/internal/store/db"
)

// Service fills a shop.
type Service struct {
	db  *db.DB
	now func() time.Time
}

// New returns the service.
func New(d *db.DB, now func() time.Time) *Service {
	return &Service{db: d, now: func() time.Time { return now().UTC().Truncate(time.Millisecond) }}
}

// Present is what a database contains.
type Present struct {
	Goods, Users int64
	// Operators are the login names of the live operators.
	Operators []string
}

// Present reads what the database contains.
func (s *Service) Present(ctx context.Context) (Present, error) {
	p, err := present(ctx, s.db)
	if err != nil {
		return p, fmt.Errorf("look what the shop holds: %w", err)
	}
	return p, nil
}

// Table is a table whose ids can be read.
type Table string

// The tables of a demo shop, which is created in a fixed order.
const (
	Categories  Table = "category"
	Brands      Table = "brand"
	Freights    Table = "freight"
	Goods       Table = "goods"
	Banners     Table = "ad"
	Topics      Table = "topic"
	Questions   Table = "issue"
	Keywords    Table = "keyword"
	Coupons     Table = "coupon"
	Offers      Table = "groupon_rules"
	Comments    Table = "comment"
	Users       Table = "user"
	UserCoupons Table = "coupon_user"
	Orders      Table = "orders"
	Favourites  Table = "collect"
	Footprints  Table = "footprint"
	Searches    Table = "search_history"
	Feedback    Table = "feedback"
	Notices     Table = "notice"
)

// IDs returns the ids of a table, ascending. An interrupted load continues after the last one.
func (s *Service) IDs(ctx context.Context, t Table) ([]int64, error) {
	all, err := ids(ctx, s.db, t)
	if err != nil {
		return nil, fmt.Errorf("read the ids of %s: %w", t, err)
	}
	return all, nil
}

// Pictures returns the addresses of the shop's own objects by their names.
func (s *Service) Pictures(ctx context.Context) (map[string]string, error) {
	all, err := pictures(ctx, s.db)
	if err != nil {
		return nil, fmt.Errorf("read the pictures: %w", err)
	}
	return all, nil
}

// Shopper is an account with its default address.
type Shopper struct {
	Username, Nickname, Mobile, Avatar              string
	Recipient, Province, City, County, Detail, Code string
	// Joined is the time of the registration, zero for now.
	Joined time.Time
}

// Shoppers adds accounts that share a password, and their addresses, all or none. Accounts whose login name exists are
// skipped. Login names must be lower case.
func (s *Service) Shoppers(ctx context.Context, list []Shopper, password string) error {
	hash, err := bcrypt.GenerateFromPassword([]byte(password), hashing.DefaultCost)
	if err != nil {
		return fmt.Errorf("add shoppers: %w", err)
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := insertShoppers(ctx, tx, list, string(hash), s.now()); err != nil {
			return err
		}
		return insertAddresses(ctx, tx, list, s.now())
	})
	if err != nil {
		return fmt.Errorf("add shoppers: %w", err)
	}
	return nil
}

// Predate spreads what shoppers have left in a table over the time since each of them joined. It does the same again
// when an interrupted load goes on.
func (s *Service) Predate(ctx context.Context, t Table) error {
	if err := predate(ctx, s.db, t, s.now()); err != nil {
		return fmt.Errorf("predate %s: %w", t, err)
	}
	return nil
}

// Keyword is a keyword of the search page.
type Keyword struct {
	Word         string
	Hot, Default bool
}

// AddKeyword adds a keyword of the search page.
func (s *Service) AddKeyword(ctx context.Context, k Keyword) error {
	if err := insertKeyword(ctx, s.db, k, s.now()); err != nil {
		return fmt.Errorf("add the keyword %q: %w", k.Word, err)
	}
	return nil
}

// Rebase replaces the base address of the shop's own objects, and of everything that shows them, since a demo shop may
// be served from another port than at its first start. It reports whether the base has changed.
func (s *Service) Rebase(ctx context.Context, base string) (bool, error) {
	done := false
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		old, err := oldBase(ctx, tx)
		if done = old != "" && old != base; err != nil || !done {
			return err
		}
		return rebase(ctx, tx, old, base)
	})
	if err != nil {
		return false, fmt.Errorf("move the pictures to %s: %w", base, err)
	}
	return done, nil
}

// Now returns the time by the shop's clock.
func (s *Service) Now() time.Time { return s.now() }
