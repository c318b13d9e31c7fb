// Package address serves shoppers their delivery addresses and the regions.
package address

import (
	"context"

	"shop.internal/pkg/contract"

	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/paging"
)

// Deps are what the operations need.
type Deps struct {
	Addresses *address.Service
	Zone      wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operations on addresses and regions.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Read[List, wire.List[Address]]{
			Path: "/wx/address/list", Title: "List one's own addresses", Access: op.SignedIn, Budget: 3, Do: h.list,
		},
		op.Read[wire.Ref, Address]{
			Path: "/wx/address/detail", Title: "Read an address", Access: op.SignedIn, Budget: 2, Do: h.detail,
		},
		op.Write[Save, int64]{
			Path: "/wx/address/save", Title: "Add or change an address", Access: op.SignedIn,
			IdempotencyScope: "address.save",
			Budget:           5,
			Do:               h.save,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/wx/address/delete", Title: "Delete an address", Access: op.SignedIn, IdempotencyScope: "address.delete",
			Budget: 3,
			Do:     h.remove,
		},
		op.Read[Regions, []Region]{
			Path: "/wx/region/list", Title: "List the regions below a region", Access: op.Public,
			Budget: 1, Do: h.regions,
		},
	}
}

// Address is a delivery address.
type Address struct {
	contract.Address
	PostalCode string `json:"postalCode"`
	Tel        string `json:"tel"`
	IsDefault  bool   `json:"isDefault"`
	wire.Stamps
}

func (h handlers) view(a address.Address) Address { return View(h.Zone, a) }

// View renders an address, also for the preview of a purchase.
func View(zone wire.Zone, a address.Address) Address {
	return Address{
		Address: contract.AddressOf(a), PostalCode: a.PostalCode, Tel: a.Tel, IsDefault: a.Default,
		Stamps: zone.Stamps(a.Added, a.Changed),
	}
}

// List is the query of /wx/address/list.
type List struct{ wire.Paging }

// all is the default length of this list: clients do not paginate and expect every address.
const all = 1000

// Listing sets the default number of addresses.
func (List) Listing() wire.Listing { return wire.Listing{Default: all} }

func (h handlers) list(ctx context.Context, r List) (wire.List[Address], error) {
	q, err := paging.OfList(r.Paging, r.Listing())
	if err != nil {
		return wire.List[Address]{}, err
	}
	if r.Sort == "" {
		q.Sort = address.DefaultFirst
	}
	found, err := h.Addresses.List(ctx, auth.ID(ctx), q)
	return wire.ListOf(found, h.view), err
}

func (h handlers) detail(ctx context.Context, r wire.Ref) (Address, error) {
	a, err := h.Addresses.Get(ctx, auth.ID(ctx), r.ID)
	return h.view(a), err
}

// Save is the body of /wx/address/save.
type Save struct {
	ID            int64  `json:"id" check:"min=0" doc:"0 or absent adds an address."`
	Name          string `json:"name" label:"consignee" check:"required,maxLength=63,visible"`
	Tel           string `json:"tel" check:"required,form=mobile"`
	Province      string `json:"province" check:"required,maxLength=63,visible"`
	City          string `json:"city" check:"required,maxLength=63,visible"`
	County        string `json:"county" check:"required,maxLength=63,visible"`
	AreaCode      string `json:"areaCode" check:"required,maxLength=6,clean=code" doc:"1 to 6 digits."`
	AddressDetail string `json:"addressDetail" check:"required,maxLength=127"`
	IsDefault     bool   `json:"isDefault" check:"required"`
	// An absent PostalCode stays: clients that do not know it send all others.
	PostalCode *string `json:"postalCode" check:"maxLength=6"`
}

func (h handlers) save(ctx context.Context, r Save) (int64, error) {
	return h.Addresses.Save(ctx, auth.ID(ctx), r.ID, func(a *address.Address) {
		a.Name, a.Tel, a.Default = r.Name, r.Tel, r.IsDefault
		a.Province, a.City, a.County, a.AreaCode, a.Detail = r.Province, r.City, r.County, r.AreaCode, r.AddressDetail
		if r.PostalCode != nil {
			a.PostalCode = *r.PostalCode
		}
	})
}

func (h handlers) remove(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Addresses.Delete(ctx, auth.ID(ctx), r.ID)
}

// Regions is the query of /wx/region/list.
type Regions struct {
	Parent int64 `json:"pid" doc:"Id of a region; 0 or absent lists the provinces."`
}

// Region is an administrative division.
type Region struct {
	ID   int64  `json:"id"`
	Pid  int64  `json:"pid"`
	Name string `json:"name"`
	Type int    `json:"type"`
	Code int    `json:"code"`
}

func (h handlers) regions(ctx context.Context, r Regions) ([]Region, error) {
	found, err := h.Addresses.Regions(ctx, r.Parent)
	views := make([]Region, len(found))
	for i, d := range found {
		views[i] = Region{ID: d.ID, Pid: d.Parent, Name: d.Name, Type: d.Type, Code: d.Code}
	}
	return views, err
}
