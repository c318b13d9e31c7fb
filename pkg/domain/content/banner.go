package content

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
	"shop.internal/pkg/domain/text"
)

func (s *Service) banners() edit.CRUD[Banner] {
	return edit.CRUD[Banner]{
		Table: "ad", Once: s.once, Lock: lockBanner,
		Insert: func(ctx context.Context, tx *db.Tx, b Banner) (int64, error) {
			return insertBanner(ctx, tx, b, s.clock())
		},
		Save: func(ctx context.Context, tx *db.Tx, id int64, b Banner) error {
			return saveBanner(ctx, tx, id, b, s.clock())
		},
		Remove: s.remover("ad"),
	}
}

// remover marks rows of a table as deleted.
func (s *Service) remover(table string) func(context.Context, *db.Tx, int64) error {
	return func(ctx context.Context, tx *db.Tx, id int64) error { return remove(ctx, tx, table, id, s.clock()) }
}

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

// ChangeBanner changes a banner. It fails with errno.UpdateFailed where there is none, and as CreateBanner does.
func (s *Service) ChangeBanner(ctx context.Context, id int64, change func(*Banner)) (Banner, error) {
	return s.banners().Update(ctx, id, func(tx *db.Tx, b *Banner) error {
		change(b)
		return shownInOrder(tx, b)
	})
}

// DeleteBanner deletes a banner, where there is one.
func (s *Service) DeleteBanner(ctx context.Context, id int64) error {
	return s.banners().Delete(ctx, edit.Always[Banner], id)
}

// Banner returns a banner, shown or not. It fails with errno.Invalid.
func (s *Service) Banner(ctx context.Context, id int64) (Banner, error) {
	return findBanner(ctx, s.db, id)
}

// ListBanners lists the banners, shown or not, whose name and content contain these texts. Sort is add_time or id.
func (s *Service) ListBanners(ctx context.Context, name, text string, w page.Query) (page.List[Banner], error) {
	l, err := listing.Fetch[bannerRow](ctx, s.db,
		listing.Of("ad", bannerColumns).Contains("name", name).Contains("content", text), w)
	return page.Map(l, bannerRow.banner), err
}
