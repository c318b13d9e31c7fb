// Package settings owns what the shop's owner may tune while the shop runs: the rows of system_config. Readers
// always get typed, valid values; a stored text that breaks the rule of its key counts as the default.
package settings

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

// Values are the settings at one moment.
type Values struct {
	// How many entries each part of the home page shows.
	IndexNew, IndexHot, IndexBrand, IndexTopic, FloorCount, FloorGoods int
	// Share says whether share images are offered.
	Share bool
	// FreightValue is charged where the goods cost less than FreightMin.
	FreightValue, FreightMin money.Amount
	// UnpaidFor is how long an order waits for its money, UnconfirmedFor how long a parcel for its confirmation,
	// CommentFor how long a received order for comments.
	UnpaidFor, UnconfirmedFor, CommentFor time.Duration
	// The shop's own data, as shown to shoppers.
	MallName, MallAddress, MallPhone, MallQQ, MallLongitude, MallLatitude string
}

// key is one setting: its stored name, its default, and how a text of it is checked and put into Values.
type key struct {
	name, fallback string
	put            func(v *Values, text string) bool
}

const day = 24 * time.Hour

var keys = []key{
	{"litemall_wx_index_new", "6", count(func(v *Values) *int { return &v.IndexNew })},
	{"litemall_wx_index_hot", "6", count(func(v *Values) *int { return &v.IndexHot })},
	{"litemall_wx_index_brand", "4", count(func(v *Values) *int { return &v.IndexBrand })},
	{"litemall_wx_index_topic", "4", count(func(v *Values) *int { return &v.IndexTopic })},
	{"litemall_wx_catlog_list", "4", count(func(v *Values) *int { return &v.FloorCount })},
	{"litemall_wx_catlog_goods", "4", count(func(v *Values) *int { return &v.FloorGoods })},
	{"litemall_wx_share", "false", func(v *Values, s string) bool {
		v.Share = s == "true"
		return s == "true" ||
			s == "false"
	}},
	{"litemall_express_freight_value", "8", price(9_999_999, func(v *Values) *money.Amount { return &v.FreightValue })},
	{"litemall_express_freight_min", "88", price(999_999_999, func(v *Values) *money.Amount { return &v.FreightMin })},
	{"litemall_order_unpaid", "30", span(time.Minute, 525600, func(v *Values) *time.Duration { return &v.UnpaidFor })},
	{"litemall_order_unconfirm", "7", span(day, 3650, func(v *Values) *time.Duration { return &v.UnconfirmedFor })},
	{"litemall_order_comment", "7", span(day, 3650, func(v *Values) *time.Duration { return &v.CommentFor })},
	{"litemall_mall_name", "litemall", text(63, func(v *Values) *string { return &v.MallName })},
	{"litemall_mall_address", "上海", text(127, func(v *Values) *string { return &v.MallAddress })},
	{"litemall_mall_phone", "021-xxxx-xxxx", text(31, func(v *Values) *string { return &v.MallPhone })},
	{"litemall_mall_qq", "705144434", text(31, func(v *Values) *string { return &v.MallQQ })},
	{"litemall_mall_longitude", "121.587839", degrees(180, func(v *Values) *string { return &v.MallLongitude })},
	{"litemall_mall_latitude", "31.201900", degrees(90, func(v *Values) *string { return &v.MallLatitude })},
}

func count(at func(*Values) *int) func(*Values, string) bool {
	return func(v *Values, s string) bool {
		n, err := strconv.Atoi(s)
		*at(v) = n
		return err == nil && n >= 0 && n <= 100
	}
}

func price(most money.Amount, at func(*Values) *money.Amount) func(*Values, string) bool {
	return func(v *Values, s string) bool {
		a, err := money.Parse(s)
		*at(v) = a
		return err == nil && a >= 0 && a <= most
	}
}

func span(unit time.Duration, most int, at func(*Values) *time.Duration) func(*Values, string) bool {
	return func(v *Values, s string) bool {
		n, err := strconv.Atoi(s)
		*at(v) = time.Duration(n) * unit
		return err == nil && n >= 1 && n <= most
	}
}

func text(most int, at func(*Values) *string) func(*Values, string) bool {
	return func(v *Values, s string) bool {
		*at(v) = s
		n := len([]rune(s))
		return n >= 1 && n <= most
	}
}

func degrees(most float64, at func(*Values) *string) func(*Values, string) bool {
	return func(v *Values, s string) bool {
		*at(v) = s
		x, err := strconv.ParseFloat(s, 64)
		return s == "" || err == nil && x >= -most && x <= most
	}
}

// maxAge is how old the kept values may be: a change made by another replica acts within this time, whatever has become
// of Redis, since the table itself is asked.
const maxAge = time.Second

// Service answers with the present settings.
type Service struct {
	db   *db.DB
	now  func() time.Time
	kept atomic.Pointer[kept]
	load sync.Mutex
}

type kept struct {
	Values
	at time.Time
}

// New returns the settings of a database.
func New(d *db.DB, now func() time.Time) *Service { return &Service{db: d, now: now} }

// Now returns the settings, read from the table at most a second ago.
func (s *Service) Now(ctx context.Context) (Values, error) {
	if k := s.fresh(); k != nil {
		return k.Values, nil
	}
	s.load.Lock()
	defer s.load.Unlock()
	if k := s.fresh(); k != nil {
		return k.Values, nil
	}
	stored, err := read(context.WithoutCancel(ctx), s.db)
	if err != nil {
		return Values{}, fmt.Errorf("read the settings: %w", err)
	}
	k := &kept{Values: valuesOf(stored), at: s.now()}
	s.kept.Store(k)
	return k.Values, nil
}

// NowIn is Now for who is in a transaction: it asks on the caller's own connection and waits for nobody else's.
func (s *Service) NowIn(ctx context.Context, tx *db.Tx) (Values, error) {
	if k := s.fresh(); k != nil {
		return k.Values, nil
	}
	// Nothing is kept of what is read here: it may never be committed.
	stored, err := read(ctx, tx)
	if err != nil {
		return Values{}, fmt.Errorf("read the settings: %w", err)
	}
	return valuesOf(stored), nil
}

func (s *Service) fresh() *kept {
	k := s.kept.Load()
	if k == nil {
		return nil
	}
	if age := s.now().Sub(k.at); age < 0 || age >= maxAge {
		return nil
	}
	return k
}

func valuesOf(stored map[string]string) Values {
	var v Values
	for _, k := range keys {
		if s, ok := stored[k.name]; !ok || !k.put(&v, s) {
			k.put(&v, k.fallback)
		}
	}
	return v
}

// Fill adds every setting that the table lacks, with its default. It may run on several replicas at once.
func (s *Service) Fill(ctx context.Context) error {
	now := s.now()
	for _, k := range keys {
		if err := fill(ctx, s.db, k.name, k.fallback, now); err != nil {
			return fmt.Errorf("fill in the setting %s: %w", k.name, err)
		}
	}
	s.kept.Store(nil)
	return nil
}
