package catalog

import (
	"context"
	"strconv"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/paging"
)

// BrandsRequest is the query of /wx/brand/list.
type BrandsRequest struct{ wire.Paging }

func (h handlers) brands(ctx context.Context, r BrandsRequest) (wire.List[BrandSummary], error) {
	q, err := paging.Of(r.Paging)
	if err != nil {
		return wire.List[BrandSummary]{}, err
	}
	l, err := h.Catalog.Brands(ctx, q)
	return wire.ListOf(l, BrandSummaryView), err
}

func (h handlers) brand(ctx context.Context, r wire.Ref) (Brand, error) {
	b, err := h.Catalog.Brand(ctx, r.ID)
	if err != nil {
		return Brand{}, err
	}
	return h.brandView(b), nil
}

// Family is a category with its parent and siblings.
type Family struct {
	CurrentCategory Category   `json:"currentCategory"`
	ParentCategory  Category   `json:"parentCategory"`
	BrotherCategory []Category `json:"brotherCategory"`
}

func (h handlers) family(ctx context.Context, r wire.Ref) (Family, error) {
	f, err := h.Catalog.FamilyOf(ctx, r.ID)
	if err != nil {
		return Family{}, err
	}
	return Family{
		CurrentCategory: h.category(f.Current), ParentCategory: h.category(f.Parent),
		BrotherCategory: wire.Each(f.Brothers, h.category),
	}, nil
}

// Current is a category with its children; it is absent if there is no category.
type Current struct {
	CurrentCategory    *Category  `json:"currentCategory,omitempty"`
	CurrentSubCategory []Category `json:"currentSubCategory"`
}

func (h handlers) current(ctx context.Context, r wire.Ref) (Current, error) {
	c, err := h.Catalog.Category(ctx, r.ID)
	if err != nil {
		return Current{}, err
	}
	return h.opened(ctx, c)
}

func (h handlers) opened(ctx context.Context, c catalog.Category) (Current, error) {
	children, err := h.Catalog.Children(ctx, c.ID)
	if err != nil {
		return Current{}, err
	}
	view := h.category(c)
	return Current{CurrentCategory: &view, CurrentSubCategory: wire.Each(children, h.category)}, nil
}

// IndexRequest is the query of /wx/catalog/index.
type IndexRequest struct {
	ID *int64 `json:"id" doc:"The category to open; the first one by default."`
}

// Index is the first level of the tree with one category opened.
type Index struct {
	CategoryList []Category `json:"categoryList"`
	Current
}

func (h handlers) index(ctx context.Context, r IndexRequest) (Index, error) {
	firsts, err := h.Catalog.FirstCategories(ctx)
	if err != nil {
		return Index{}, err
	}
	view := Index{
		CategoryList: wire.Each(firsts, h.category), Current: Current{CurrentCategory: nil, CurrentSubCategory: []Category{}},
	}
	switch {
	case r.ID != nil:
		view.Current, err = h.current(ctx, wire.Ref{ID: *r.ID})
	case len(firsts) > 0:
		view.Current, err = h.opened(ctx, firsts[0])
	}
	return view, err
}

// All is the whole tree.
type All struct {
	CategoryList []Category            `json:"categoryList"`
	AllList      map[string][]Category `json:"allList" doc:"The categories below each of the first level, by its id."`
	Current
}

func (h handlers) all(ctx context.Context, _ op.None) (All, error) {
	firsts, err := h.Catalog.FirstCategories(ctx)
	if err != nil {
		return All{}, err
	}
	seconds, err := h.Catalog.SecondCategories(ctx)
	if err != nil {
		return All{}, err
	}
	view := All{
		CategoryList: wire.Each(firsts, h.category), AllList: make(map[string][]Category, len(firsts)),
		Current: Current{CurrentCategory: nil, CurrentSubCategory: []Category{}},
	}
	for _, c := range firsts {
		view.AllList[strconv.FormatInt(c.ID, 10)] = []Category{}
	}
	for _, c := range seconds {
		key := strconv.FormatInt(c.Pid, 10)
		if below, ok := view.AllList[key]; ok {
			view.AllList[key] = append(below, h.category(c))
		}
	}
	if len(firsts) > 0 {
		view.CurrentCategory = &view.CategoryList[0]
		view.CurrentSubCategory = view.AllList[strconv.FormatInt(firsts[0].ID, 10)]
	}
	return view, nil
}

func (h handlers) firsts(ctx context.Context, _ op.None) ([]Category, error) {
	l, err := h.Catalog.FirstCategories(ctx)
	return wire.Each(l, h.category), err
}

func (h handlers) seconds(ctx context.Context, r wire.Ref) ([]Category, error) {
	l, err := h.Catalog.Children(ctx, r.ID)
	return wire.Each(l, h.category), err
}
