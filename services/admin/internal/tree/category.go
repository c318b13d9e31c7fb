package tree

import (
	"context"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/paging"
)

// Node is a category of the tree.
type Node struct {
	ID       int64     `json:"id"`
	Name     string    `json:"name"`
	Keywords string    `json:"keywords"`
	Desc     string    `json:"desc"`
	IconURL  wire.Link `json:"iconUrl"`
	PicURL   wire.Link `json:"picUrl"`
	Level    string    `json:"level"`
	Pid      int64     `json:"pid"`
}

// Branch is a category of the first level with its children.
type Branch struct {
	Node
	Children []Node `json:"children"`
}

// Category is a category, complete.
type Category struct {
	Node
	SortOrder int `json:"sortOrder"`
	wire.Stamps
}

// NewCategory is the request of /admin/category/create.
type NewCategory struct {
	Name      string `json:"name" check:"required,blank,max=63,visible"`
	Keywords  string `json:"keywords" check:"max=1023,visible"`
	Desc      string `json:"desc" check:"max=255"`
	Pid       int64  `json:"pid" doc:"The parent; for the second level."`
	IconURL   string `json:"iconUrl" check:"max=255,link"`
	PicURL    string `json:"picUrl" check:"max=255,link"`
	Level     string `json:"level" check:"required,blank,oneof=L1|L2"`
	SortOrder int    `json:"sortOrder" check:"default=50,range=sort-order"`
}

// CategoryChange is the request of /admin/category/update; what is absent stays.
type CategoryChange struct {
	ID        int64   `json:"id" check:"required"`
	Name      *string `json:"name" check:"filled,max=63,visible"`
	Keywords  *string `json:"keywords" check:"max=1023,visible"`
	Desc      *string `json:"desc" check:"max=255"`
	Pid       *int64  `json:"pid"`
	IconURL   *string `json:"iconUrl" check:"max=255,link"`
	PicURL    *string `json:"picUrl" check:"max=255,link"`
	Level     *string `json:"level" check:"filled,oneof=L1|L2"`
	SortOrder *int    `json:"sortOrder" check:"range=sort-order"`
}

func node(c catalog.Category) Node {
	return Node{
		ID: c.ID, Name: c.Name, Keywords: c.Keywords, Desc: c.Desc, IconURL: wire.Link(c.IconURL),
		PicURL: wire.Link(c.PicURL), Level: c.Level,
		Pid: c.Pid,
	}
}

func (h handlers) category(c catalog.Category) Category {
	return Category{Node: node(c), SortOrder: c.SortOrder, Stamps: h.zone.Stamps(c.AddTime, c.UpdateTime)}
}

func (h handlers) listCategories(ctx context.Context, r paging.Slice) (wire.List[Branch], error) {
	tree, err := h.catalog.Tree(ctx)
	if err != nil {
		return wire.List[Branch]{}, err
	}
	return paging.OfSlice(r, tree, func(b catalog.Branch) Branch {
		return Branch{Node: node(b.Category), Children: wire.Each(b.Children, node)}
	})
}

func (h handlers) listTop(ctx context.Context, r paging.Slice) (wire.List[Option], error) {
	top, err := h.catalog.FirstCategories(ctx)
	if err != nil {
		return wire.List[Option]{}, err
	}
	return paging.OfSlice(r, top, func(c catalog.Category) Option { return Option{Value: c.ID, Label: c.Name} })
}

func (h handlers) createCategory(ctx context.Context, r NewCategory) (Category, error) {
	c, err := h.catalog.CreateCategory(ctx, catalog.Category{
		Name: r.Name, Keywords: r.Keywords, Desc: r.Desc, Pid: r.Pid, IconURL: r.IconURL, PicURL: r.PicURL, Level: r.Level,
		SortOrder: r.SortOrder,
	})
	return h.category(c), err
}

func (h handlers) readCategory(ctx context.Context, r wire.Ref) (Category, error) {
	c, err := h.catalog.Category(ctx, r.ID)
	return h.category(c), err
}

func (h handlers) changeCategory(ctx context.Context, r CategoryChange) (Category, error) {
	c, err := h.catalog.ChangeCategory(ctx, r.ID, func(c *catalog.Category) {
		wire.Set(&c.Name, r.Name)
		wire.Set(&c.Keywords, r.Keywords)
		wire.Set(&c.Desc, r.Desc)
		wire.Set(&c.Pid, r.Pid)
		wire.Set(&c.IconURL, r.IconURL)
		wire.Set(&c.PicURL, r.PicURL)
		wire.Set(&c.Level, r.Level)
		wire.Set(&c.SortOrder, r.SortOrder)
	})
	return h.category(c), err
}

func (h handlers) deleteCategory(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.catalog.DeleteCategory(ctx, r.ID)
}
