package people

import (
	"context"

	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/paging"
)

type regionHandlers struct{ Deps }

// regionOps declares the operations on administrative divisions.
func regionOps(d Deps) []op.Op {
	h := regionHandlers{d}
	return []op.Op{
		op.Read[ListRegions, wire.List[Province]]{
			Path: "/admin/region/list", Title: "List all regions as a tree", Access: op.SignedIn, Budget: 2, Do: h.list,
		},
		op.Read[ListChildren, wire.List[Region]]{
			Path: "/admin/region/clist", Title: "List the regions below a region", Access: op.SignedIn,
			Budget: 2, Do: h.children,
		},
	}
}

// ListRegions is the query of /admin/region/list.
type ListRegions struct {
	paging.Slice
}

func (h regionHandlers) list(ctx context.Context, r ListRegions) (wire.List[Province], error) {
	all, err := h.Addresses.Divisions(ctx)
	if err != nil {
		return wire.List[Province]{}, err
	}
	return paging.OfSlice(r.Slice, all, province)
}

// ListChildren is the query of /admin/region/clist.
type ListChildren struct {
	paging.Slice
	ID int64 `json:"id" doc:"The region above, 0 for the provinces." check:"required"`
}

func (h regionHandlers) children(ctx context.Context, r ListChildren) (wire.List[Region], error) {
	all, err := h.Addresses.Regions(ctx, r.ID)
	if err != nil {
		return wire.List[Region]{}, err
	}
	return paging.OfSlice(r.Slice, all, region)
}

// Region is an administrative division.
type Region struct {
	ID   int64  `json:"id"`
	Pid  int64  `json:"pid"`
	Name string `json:"name"`
	Type int    `json:"type" doc:"1 province, 2 city, 3 district."`
	Code int    `json:"code"`
}

func region(r address.Region) Region {
	return Region{ID: r.ID, Pid: r.Parent, Name: r.Name, Type: r.Type, Code: r.Code}
}

// District is a division without any below it.
type District struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Type int    `json:"type"`
	Code int    `json:"code"`
}

// City is a division with its districts.
type City struct {
	District
	Children []District `json:"children"`
}

// Province is a division with its cities.
type Province struct {
	District
	Children []City `json:"children"`
}

func district(d address.Division) District {
	return District{ID: d.ID, Name: d.Name, Type: d.Type, Code: d.Code}
}

func city(d address.Division) City { return City{district(d), wire.Each(d.Below, district)} }

func province(d address.Division) Province { return Province{district(d), wire.Each(d.Below, city)} }
