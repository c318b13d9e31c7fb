package catalog

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

const categoryColumns = "c.id, c.pid, c.name, c.keywords, COALESCE(c.description, '') AS description, " +
	"COALESCE(c.icon_url, '') AS icon_url, COALESCE(c.pic_url, '') AS pic_url, c.level, c.sort_order, " +
	"c.add_time, c.update_time, c.version"

type categoryRow struct {
	ID, Pid                                      int64
	Name, Keywords, Description, IconURL, PicURL string
	Level                                        string
	SortOrder                                    int
	AddTime, UpdateTime                          time.Time
	Version                                      int
}

func (r categoryRow) category() Category {
	return Category{
		ID: r.ID, Pid: r.Pid, Name: r.Name, Keywords: r.Keywords, Desc: r.Description, IconURL: r.IconURL,
		PicURL: r.PicURL, Level: r.Level, SortOrder: r.SortOrder, AddTime: r.AddTime, UpdateTime: r.UpdateTime,
		Version: r.Version,
	}
}

// readCategories reads categories in display order; rest stands behind FROM category c.
func readCategories(ctx context.Context, q db.Querier, rest string, args ...any) ([]Category, error) {
	var rows []categoryRow
	err := q.G(ctx).Raw("SELECT "+categoryColumns+" FROM category c "+rest+" ORDER BY c.sort_order, c.id", args...).
		Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read categories: %w", err)
	}
	out := make([]Category, len(rows))
	for i, r := range rows {
		out[i] = r.category()
	}
	return out, nil
}

func categoriesOfLevel(ctx context.Context, q db.Querier, level string) ([]Category, error) {
	return readCategories(ctx, q, "WHERE c.level = ? AND c.deleted = 0", level)
}

func childrenOf(ctx context.Context, q db.Querier, parents []int64) ([]Category, error) {
	if len(parents) == 0 {
		return nil, nil
	}
	return readCategories(ctx, q, "WHERE c.pid IN ? AND c.deleted = 0 AND c.level = ?", parents, SecondLevel)
}

func findCategory(ctx context.Context, q db.Querier, id int64) (Category, error) {
	rows, err := readCategories(ctx, q, "WHERE c.id = ? AND c.deleted = 0", id)
	if err != nil {
		return Category{}, err
	}
	if len(rows) == 0 {
		return Category{}, fmt.Errorf("category %d: %w", id, errno.NoSuch("categoryId"))
	}
	return rows[0], nil
}

// categoriesOf returns the second-level categories of all goods that match. Few matches are gathered and their
// categories looked up; where most goods may match, each category looks for one match of its own, which an index
// finds at once.
func categoriesOf(ctx context.Context, q db.Querier, f Filter, found search) ([]Category, error) {
	c := conditionsOf(f, found)
	few := f.BrandID != 0 || f.New != nil && *f.New || f.Hot != nil && *f.Hot
	switch {
	case found.keyword != "":
		from, args := candidates(found)
		args = append(append(append([]any{SecondLevel}, args...), c.args...), mostCandidates)
		return readCategories(ctx, q, "WHERE c.level = ? AND c.deleted = 0 AND c.id IN (SELECT m.category_id FROM "+
			"(SELECT g.category_id FROM "+from+" WHERE "+c.where()+" LIMIT ?) m)", args...)
	case few:
		args := append([]any{SecondLevel}, c.args...)
		return readCategories(ctx, q, "WHERE c.level = ? AND c.deleted = 0 AND c.id IN (SELECT m.category_id FROM "+
			"(SELECT DISTINCT g.category_id FROM goods g WHERE "+c.where()+") m)", args...)
	default:
		args := append([]any{SecondLevel}, c.args...)
		return readCategories(ctx, q, "WHERE c.level = ? AND c.deleted = 0 AND (SELECT 1 FROM goods g WHERE "+
			"g.category_id = c.id AND "+c.where()+" LIMIT 1) = 1", args...)
	}
}

const (
	brandColumns = "b.id, b.name, b.description, b.pic_url, b.sort_order, b.floor_price, b.add_time, b.update_time, " +
		"b.version"
	brandListColumns = "r.id, r.name, r.description, r.pic_url, r.sort_order, r.floor_price, r.add_time, r.update_time, " +
		"r.version"
)

type brandRow struct {
	ID                        int64
	Name, Description, PicURL string
	SortOrder                 int
	FloorPrice                money.Amount
	AddTime, UpdateTime       time.Time
	Version                   int
}

func (r brandRow) brand() Brand {
	return Brand{
		ID: r.ID, Name: r.Name, Desc: r.Description, PicURL: r.PicURL, SortOrder: r.SortOrder, FloorPrice: r.FloorPrice,
		AddTime: r.AddTime, UpdateTime: r.UpdateTime, Version: r.Version,
	}
}

// readBrands reads brands; rest stands behind SELECT columns.
func readBrands(ctx context.Context, q db.Querier, rest string, args ...any) ([]Brand, error) {
	var rows []brandRow
	if err := q.G(ctx).Raw("SELECT "+brandColumns+" "+rest, args...).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("read brands: %w", err)
	}
	out := make([]Brand, len(rows))
	for i, r := range rows {
		out[i] = r.brand()
	}
	return out, nil
}

func findBrand(ctx context.Context, q db.Querier, id int64) (*Brand, error) {
	rows, err := readBrands(ctx, q, "FROM brand b WHERE b.id = ? AND b.deleted = 0", id)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

func firstBrands(ctx context.Context, q db.Querier, n int) ([]Brand, error) {
	if n <= 0 {
		return nil, nil
	}
	return readBrands(ctx, q, "FROM brand b WHERE b.deleted = 0 ORDER BY b.sort_order, b.id LIMIT ?", n)
}

func countBrands(ctx context.Context, q db.Querier) (int64, error) {
	var n int64
	if err := q.G(ctx).Raw("SELECT COUNT(*) FROM brand WHERE deleted = 0").Scan(&n).Error; err != nil {
		return 0, fmt.Errorf("count brands: %w", err)
	}
	return n, nil
}

func listBrands(ctx context.Context, q db.Querier, w window) ([]Brand, error) {
	return readBrands(ctx, q, "FROM (SELECT i.id FROM brand i WHERE i.deleted = 0 ORDER BY "+w.walk("i")+
		" LIMIT ? OFFSET ?) p JOIN brand b ON b.id = p.id ORDER BY "+w.list("b"), w.limit, w.offset)
}
