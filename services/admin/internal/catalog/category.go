package catalog

import (
	"context"

	"shop.internal/pkg/base/patch"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/paging"
)

// Node is a category of the tree.
type Node struct {
	ID       int64     `json:"id"`
	Name     string    `json:"name"`
	Keywords string    `json:"keywords"`
	Desc     string    `json:"desc" show:"long"`
	IconURL  wire.Link `json:"iconUrl" show:"picture"`
	PicURL   wire.Link `json:"picUrl" show:"picture"`
	Level    string    `json:"level" show:"one=category-level"`
	Pid      int64     `json:"pid" show:"of=category"`
	// SortOrder is the place among those of one parent, the smallest first.
	SortOrder int `json:"sortOrder"`
}

// Branch is a category of the first level with its children.
type Branch struct {
	Node
	Children []Node `json:"children"`
}

// Category is a complete category.
type Category struct {
	Node
	wire.Stamps
}

// NewCategory is the request of /admin/category/create.
type NewCategory struct {
	Name      string `json:"name" check:"required,maxLength=63,visible"`
	Keywords  string `json:"keywords" check:"maxLength=1023,visible"`
	Desc      string `json:"desc" check:"maxLength=255" show:"long"`
	Pid       int64  `json:"pid" doc:"The parent; for the second level." show:"of=category"`
	IconURL   string `json:"iconUrl" check:"maxLength=255,link" show:"picture"`
	PicURL    string `json:"picUrl" check:"maxLength=255,link" show:"picture"`
	Level     string `json:"level" check:"required,enum=L1|L2" show:"one=category-level"`
	SortOrder int    `json:"sortOrder" check:"default=50,range=sort-order"`
}

// CategoryChange is the request of /admin/category/update; absent members stay unchanged.
type CategoryChange struct {
	wire.Ref
	wire.Expected
	Name      *string `json:"name" check:"notBlank,maxLength=63,visible"`
	Keywords  *string `json:"keywords" check:"maxLength=1023,visible"`
	Desc      *string `json:"desc" check:"maxLength=255" show:"long"`
	Pid       *int64  `json:"pid" show:"of=category"`
	IconURL   *string `json:"iconUrl" check:"maxLength=255,link" show:"picture"`
	PicURL    *string `json:"picUrl" check:"maxLength=255,link" show:"picture"`
	Level     *string `json:"level" check:"notBlank,enum=L1|L2" show:"one=category-level"`
	SortOrder *int    `json:"sortOrder" check:"range=sort-order"`
}

func node(c catalog.Category) Node {
	return Node{
		ID: c.ID, Name: c.Name, Keywords: c.Keywords, Desc: c.Desc, IconURL: wire.Link(c.IconURL),
		PicURL: wire.Link(c.PicURL), Level: c.Level,
		Pid: c.Pid, SortOrder: c.SortOrder,
	}
}

func (h treeHandlers) category(c catalog.Category) Category {
	return Category{Node: node(c), Stamps: h.Zone.Stamps(c.AddTime, c.UpdateTime)}
}

func (h treeHandlers) listCategories(ctx context.Context, r paging.Slice) (wire.List[Branch], error) {
	tree, err := h.Catalog.Tree(ctx)
	if err != nil {
		return wire.List[Branch]{}, err
	}
	return paging.OfSlice(r, tree, func(b catalog.Branch) Branch {
		return Branch{Node: node(b.Category), Children: wire.Each(b.Children, node)}
	})
}

func (h treeHandlers) listTop(ctx context.Context, r paging.Slice) (wire.List[Option], error) {
	top, err := h.Catalog.FirstCategories(ctx)
	if err != nil {
		return wire.List[Option]{}, err
	}
	return paging.OfSlice(r, top, func(c catalog.Category) Option { return Option{Value: c.ID, Label: c.Name} })
}

func (h treeHandlers) createCategory(ctx context.Context, r NewCategory) (catalog.Category, error) {
	return h.Catalog.CreateCategory(ctx, catalog.Category{
		Name: r.Name, Keywords: r.Keywords, Desc: r.Desc, Pid: r.Pid, IconURL: r.IconURL, PicURL: r.PicURL, Level: r.Level,
		SortOrder: r.SortOrder,
	})
}

func (h treeHandlers) updateCategory(ctx context.Context, r CategoryChange) (catalog.Category, error) {
	return h.Catalog.ChangeCategory(ctx, r.ID, func(c *catalog.Category) { patch.Apply(c, r) })
}

// Option is a category to choose.
type Option struct {
	Value int64  `json:"value"`
	Label string `json:"label"`
}
