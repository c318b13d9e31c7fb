package content

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
)

// Home is the position of the home page's banners, the only one in use.
const Home = 1

// Banner is an advertisement with its period; a zero time is unbounded.
type Banner struct {
	ID                       int64
	Name, Link, URL, Content string
	Position                 int
	Enabled                  bool
	StartTime, EndTime       time.Time `table:"null"`
	AddTime, UpdateTime      time.Time
	Version                  int
}

var banners = table.Of[Banner]("ad")

func (s *Service) banners() edit.CRUD[Banner] { return edit.Of(banners, s.once, s.clock) }

// shownInOrder refuses a banner that ends before it begins.
func shownInOrder(_ *db.Tx, b *Banner) error {
	if !b.StartTime.IsZero() && !b.EndTime.IsZero() && !b.StartTime.Before(b.EndTime) {
		return fmt.Errorf("banner from %s until %s: %w", b.StartTime, b.EndTime, errno.Invalid.Because(text.EndsBefore))
	}
	return nil
}

// CreateBanner adds a banner. It fails with errno.Invalid for one that ends before it begins.
func (s *Service) CreateBanner(ctx context.Context, b Banner) (Banner, error) {
	return s.banners().Create(ctx, b, shownInOrder)
}

// ChangeBanner changes a banner. It fails with errno.UpdateFailed for an unknown one, and as CreateBanner does.
func (s *Service) ChangeBanner(ctx context.Context, id int64, change func(*Banner)) (Banner, error) {
	return s.banners().Update(ctx, id, func(tx *db.Tx, b *Banner) error {
		change(b)
		return shownInOrder(tx, b)
	})
}

// DeleteBanner deletes a banner; an unknown one is no error.
func (s *Service) DeleteBanner(ctx context.Context, id int64) error {
	return s.banners().Delete(ctx, edit.Always[Banner], id)
}

// Banner returns a banner, shown or not. It fails with errno.Invalid.
func (s *Service) Banner(ctx context.Context, id int64) (Banner, error) {
	return edit.Find(ctx, s.db, banners, text.FieldAd, id)
}

// ListBanners lists the banners, shown or not, whose name and content contain these texts. Sort is add_time or id.
func (s *Service) ListBanners(ctx context.Context, name, text string, w page.Query) (page.List[Banner], error) {
	return lists.Fetch[Banner](ctx, s.lists,
		lists.Of(banners).Contains("name", name).Contains("content", text), w)
}

// Banners returns the currently active banners of the home page, by id.
func (s *Service) Banners(ctx context.Context) ([]Banner, error) {
	now := s.clock()
	return banners.Find(ctx, s.db, `position = ? AND enabled = 1 AND deleted = 0
		AND (start_time IS NULL OR start_time <= ?) AND (end_time IS NULL OR end_time >= ?)
		ORDER BY id`, Home, now, now)
}
