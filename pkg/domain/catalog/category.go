package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Category is a node of a tree of two levels. Goods belong to the second level.
type Category struct {
	ID, Pid             int64
	Name, Keywords      string
	Desc                string `gorm:"column:description"`
	IconURL, PicURL     string
	Level               string
	SortOrder           int
	AddTime, UpdateTime time.Time
	Version             int
}

// The levels of the category tree.
const (
	FirstLevel  = "L1"
	SecondLevel = "L2"
)

var categories = table.Of[Category]("category",
	table.MayRefer("pid", "category"),
)

// Place is where goods stand among the categories, with their weight.
type Place struct {
	// ID are the goods.
	ID, CategoryID int64
	// ParentID is the category above CategoryID, 0 for none.
	ParentID int64
	// Weight is that of a piece in grams, FreightID the template by which delivery is charged, 0 for none.
	Weight    int
	FreightID int64
}

// Places returns where goods stand, deleted ones included, in one statement; unknown ids are left out.
func Places(ctx context.Context, q db.Querier, ids []int64) (map[int64]Place, error) {
	byID := make(map[int64]Place, len(ids))
	if len(ids) == 0 {
		return byID, nil
	}
	list, err := table.Select[Place](ctx, q, `SELECT g.id, g.category_id, g.weight, g.freight_id,
			COALESCE((SELECT c.pid FROM category c WHERE c.id = g.category_id), 0) AS parent_id
		FROM goods g WHERE g.id IN ?`, ids)
	if err != nil {
		return nil, fmt.Errorf("find the categories of %d goods: %w", len(ids), err)
	}
	for _, p := range list {
		byID[p.ID] = p
	}
	return byID, nil
}

// displayed is the display order of categories.
const displayed = " ORDER BY r.sort_order, r.id"

func (s *Service) categories() edit.CRUD[Category] {
	c := edit.Of(categories, s.once, s.clock)
	c.Changed = func(ctx context.Context, tx *db.Tx, _ int64) error { return s.touch(ctx, tx) }
	return c
}

// placed sets the level of a category: the first without a parent, the second below a category of the first. The parent
// is locked, so that it is neither deleted nor moved concurrently.
func placed(ctx context.Context, tx *db.Tx, c *Category) error {
	switch c.Level {
	case FirstLevel:
		c.Pid = 0
		return nil
	case SecondLevel:
	default:
		return fmt.Errorf("category of level %q: %w", c.Level, errno.Invalid.Because(text.ValidationEnum, text.FieldLevel,
			FirstLevel+", "+SecondLevel))
	}
	if c.Pid == 0 {
		return fmt.Errorf("category without a parent: %w", errno.Missing.About(text.FieldParent))
	}
	if _, err := categories.Hold(ctx, tx, c.Pid); err != nil {
		return err
	}
	parent, found, err := categories.LockLive(ctx, tx, c.Pid)
	if err != nil {
		return err
	}
	if !found || parent.Level != FirstLevel || parent.ID == c.ID {
		return fmt.Errorf("category below %d: %w", c.Pid, errno.Invalid.Because(text.CategoryParent))
	}
	return nil
}

// CreateCategory adds a category. It fails with errno.Missing for one of the second level without a parent, and with
// errno.Invalid for an unknown level or a parent that is not of the first level.
func (s *Service) CreateCategory(ctx context.Context, c Category) (Category, error) {
	return s.categories().Create(ctx, c, func(tx *db.Tx, c *Category) error { return placed(ctx, tx, c) })
}

// ChangeCategory changes a category. It fails with errno.UpdateFailed for an unknown one, like CreateCategory, and with
// errno.Invalid if a category with children would become a child.
func (s *Service) ChangeCategory(ctx context.Context, id int64, change func(*Category)) (Category, error) {
	return s.categories().Update(ctx, id, func(tx *db.Tx, c *Category) error {
		was := *c
		change(c)
		if err := placed(ctx, tx, c); err != nil {
			return err
		}
		if was.Level == FirstLevel && c.Level == SecondLevel {
			return childless(ctx, tx, id)
		}
		return nil
	})
}

func childless(ctx context.Context, tx *db.Tx, id int64) error {
	children, err := childrenOf(ctx, tx, []int64{id})
	if err == nil && len(children) > 0 {
		err = fmt.Errorf("category %d: %w", id, errno.Invalid.Because(text.CategoryHasChildren, len(children)))
	}
	return err
}

// DeleteCategory deletes a category; an unknown one is ignored. It fails with errno.Invalid while it has children or
// goods.
func (s *Service) DeleteCategory(ctx context.Context, id int64) error {
	return s.categories().Delete(ctx, func(tx *db.Tx, c Category) error {
		if err := childless(ctx, tx, c.ID); err != nil {
			return err
		}
		return unused(ctx, tx, "category_id", c.ID, text.CategoryHasGoods)
	}, id)
}

// Branch is a category of the first level with its children.
type Branch struct {
	Category
	Children []Category
}

// Tree returns all categories in display order.
func (s *Service) Tree(ctx context.Context) ([]Branch, error) {
	top, err := categoriesOfLevel(ctx, s.db, FirstLevel)
	if err != nil {
		return nil, err
	}
	children, err := categoriesOfLevel(ctx, s.db, SecondLevel)
	if err != nil {
		return nil, err
	}
	tree := make([]Branch, len(top))
	for i, c := range top {
		tree[i] = Branch{Category: c}
	}
	for _, c := range children {
		if i := slices.IndexFunc(tree, func(b Branch) bool { return b.ID == c.Pid }); i >= 0 {
			tree[i].Children = append(tree[i].Children, c)
		}
	}
	return tree, nil
}

// FirstCategories returns the first-level categories in display order.
func (s *Service) FirstCategories(ctx context.Context) ([]Category, error) {
	return categoriesOfLevel(ctx, s.db, FirstLevel)
}

// SecondCategories returns all second-level categories in display order.
func (s *Service) SecondCategories(ctx context.Context) ([]Category, error) {
	return categoriesOfLevel(ctx, s.db, SecondLevel)
}

// Category returns a category. It fails with errno.Invalid for an unknown one.
func (s *Service) Category(ctx context.Context, id int64) (Category, error) {
	return edit.Find(ctx, s.db, categories, text.FieldCategory, id)
}

// Children returns the categories below one, in display order.
func (s *Service) Children(ctx context.Context, id int64) ([]Category, error) {
	return childrenOf(ctx, s.db, []int64{id})
}

// Family is a category with its parent and siblings, and the category to show.
type Family struct {
	Current, Parent Category
	Brothers        []Category
}

// FamilyOf returns the family of a category. For a first-level category the first child is shown, or the category
// itself if it has none. It fails with errno.Invalid.
func (s *Service) FamilyOf(ctx context.Context, id int64) (Family, error) {
	c, err := s.Category(ctx, id)
	if err != nil {
		return Family{}, err
	}
	f := Family{Current: c, Parent: c}
	if c.Level != FirstLevel {
		if f.Parent, err = s.Category(ctx, c.Pid); err != nil {
			return Family{}, err
		}
	}
	if f.Brothers, err = s.Children(ctx, f.Parent.ID); err != nil {
		return Family{}, err
	}
	if c.Level == FirstLevel && len(f.Brothers) > 0 {
		f.Current = f.Brothers[0]
	}
	return f, nil
}

func categoriesOfLevel(ctx context.Context, q db.Querier, level string) ([]Category, error) {
	return categories.Find(ctx, q, "r.level = ? AND r.deleted = 0"+displayed, level)
}

func childrenOf(ctx context.Context, q db.Querier, parents []int64) ([]Category, error) {
	if len(parents) == 0 {
		return nil, nil
	}
	return categories.Find(ctx, q, "r.pid IN ? AND r.deleted = 0 AND r.level = ?"+displayed, parents, SecondLevel)
}

// LiveCategories returns the ids that are those of categories.
func LiveCategories(ctx context.Context, q db.Querier, ids []int64) ([]int64, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return categories.IDs(ctx, q, "id IN ? AND deleted = 0", ids)
}

// categoriesOf returns the second-level categories of all goods that match. If few match, they are collected and their
// categories looked up; if most goods may match, one match per category is looked up on an index.
func categoriesOf(ctx context.Context, q db.Querier, f Filter, found lookup) ([]Category, error) {
	c := conditionsOf(f, found)
	few := f.BrandID != 0 || f.New != nil && *f.New || f.Hot != nil && *f.Hot
	switch {
	case found.keyword != "":
		from, args := candidates(found)
		if found.frequent && (f.MinPrice != nil || f.MaxPrice != nil) { // few of the many candidates may have such a price
			from, args = "goods g", nil
		}
		args = append(append(append([]any{SecondLevel}, args...), c.args...), maxCandidates)
		return categories.Find(ctx, q, `r.level = ? AND r.deleted = 0 AND r.id IN (SELECT m.category_id
			FROM (SELECT g.category_id FROM `+from+" WHERE "+c.where()+" LIMIT ?) m)"+displayed, args...)
	case few:
		args := append([]any{SecondLevel}, c.args...)
		return categories.Find(ctx, q, `r.level = ? AND r.deleted = 0 AND r.id IN (SELECT m.category_id
			FROM (SELECT DISTINCT g.category_id FROM goods g WHERE `+c.where()+") m)"+displayed, args...)
	default:
		args := append([]any{SecondLevel}, c.args...)
		return categories.Find(ctx, q, `r.level = ? AND r.deleted = 0 AND (SELECT 1 FROM goods g
			WHERE g.category_id = r.id AND `+c.where()+" LIMIT 1) = 1"+displayed, args...)
	}
}

// maxCounted is the maximum number of goods that a refusal counts.
const maxCounted = 1000

// unused fails with errno.Invalid while goods refer to a row by this column; why is the text with their number.
func unused(ctx context.Context, tx *db.Tx, column string, id int64, why *text.Text) error {
	goods, err := goodsRows.IDs(ctx, tx, column+" = ? AND deleted = 0 LIMIT ?", id, maxCounted)
	if err == nil && len(goods) > 0 {
		err = fmt.Errorf("goods %d has %s %d: %w", goods[0], column, id, errno.Invalid.Because(why, len(goods)))
	}
	return err
}

// Floor is a first-level category on the home page with the newest goods below it.
type Floor struct {
	ID    int64
	Name  string
	Goods []Summary
}

// head is one of the newest goods of its category.
type head struct {
	ID, CategoryID int64
	AddTime        time.Time
}

var categorized = table.Part[head](goodsRows)

// promoted is the first-level category that collects goods of all others; on the home page it would repeat them.
const promoted = "推荐"

// Floors returns the first floors of the home page, each with its newest goods on sale.
func (s *Service) Floors(ctx context.Context, floors, goods int) ([]Floor, error) {
	if floors <= 0 {
		return nil, nil
	}
	firsts, err := s.FirstCategories(ctx)
	if err != nil {
		return nil, err
	}
	firsts = slices.DeleteFunc(firsts, func(c Category) bool { return c.Name == promoted })
	firsts = firsts[:min(floors, len(firsts))]
	ids := make([]int64, len(firsts))
	for i, c := range firsts {
		ids[i] = c.ID
	}
	children, err := childrenOf(ctx, s.db, ids)
	if err != nil {
		return nil, err
	}
	newest, err := s.newestOf(ctx, children, goods)
	if err != nil {
		return nil, err
	}
	out := make([]Floor, len(firsts))
	for i, c := range firsts {
		out[i] = Floor{ID: c.ID, Name: c.Name, Goods: newest[c.ID]}
	}
	return out, nil
}

// newestOf returns the newest n goods of all children of each first-level category, merged from a few of each child.
func (s *Service) newestOf(ctx context.Context, children []Category, n int) (map[int64][]Summary, error) {
	parent := make(map[int64]int64, len(children))
	ids := make([]int64, len(children))
	for i, c := range children {
		parent[c.ID], ids[i] = c.Pid, c.ID
	}
	heads, err := newestByCategory(ctx, s.db, ids, n)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(heads, func(a, b head) int {
		return cmp.Or(b.AddTime.Compare(a.AddTime), cmp.Compare(b.ID, a.ID))
	})
	chosen := map[int64][]int64{}
	var all []int64
	for _, h := range heads {
		if floor := parent[h.CategoryID]; len(chosen[floor]) < n {
			chosen[floor] = append(chosen[floor], h.ID)
			all = append(all, h.ID)
		}
	}
	summaries, err := summariesOf(ctx, s.db, all, forSale)
	if err != nil {
		return nil, err
	}
	out := make(map[int64][]Summary, len(chosen))
	for floor, ids := range chosen {
		for _, id := range ids {
			if g, ok := summaries[id]; ok {
				out[floor] = append(out[floor], g)
			}
		}
	}
	return out, nil
}

// newestByCategory returns the newest n goods on sale of each category, by one short index scan per category.
func newestByCategory(ctx context.Context, q db.Querier, categories []int64, n int) ([]head, error) {
	if len(categories) == 0 || n <= 0 {
		return nil, nil
	}
	branch := "(SELECT g.id, g.category_id, g.add_time FROM goods g WHERE g.category_id = ? AND " + onSale +
		" ORDER BY g.add_time DESC, g.id DESC LIMIT ?)"
	args := make([]any, 0, 2*len(categories))
	for _, id := range categories {
		args = append(args, id, n)
	}
	var heads []head
	err := table.Scan(ctx, q, &heads, strings.Repeat(branch+" UNION ALL ", len(categories)-1)+branch, args...)
	if err != nil {
		return nil, fmt.Errorf("list the newest goods of categories: %w", err)
	}
	return heads, nil
}

// path returns the ids from the root of the tree to a category.
func (s *Service) path(ctx context.Context, category int64) ([]int64, error) {
	if category == 0 {
		return nil, nil
	}
	c, err := s.Category(ctx, category)
	switch {
	case errors.Is(err, errno.Invalid):
		return nil, nil
	case err != nil:
		return nil, err
	case c.Level == SecondLevel:
		return []int64{c.Pid, c.ID}, nil
	}
	return []int64{c.ID}, nil
}
