// Package userdata serves operators the data of shoppers: addresses, favourites, footprints, search keywords, feedback.
// They are read-only.
package userdata

import (
	"context"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/named"
	"shop.internal/services/admin/internal/paging"
)

// Deps are what the operations need.
type Deps struct {
	Addresses *address.Service
	Accounts  *account.Service
	Goods     *catalog.Service
	Traces    *engagement.Service
	Zone      wire.Zone
}

type handlers struct{ Deps }

// Ops declares the lists of shoppers' data.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Read[ListAddresses, wire.List[Address]]{
			Path: "/admin/address/list", Title: "List delivery addresses",
			Access: op.Permit("admin:address:list", menu.Addresses(), menu.Query()), Budget: 6, MayLag: true,
			Columns: op.Columns{
				Names: []string{"name", "tel", "province", "city", "county", "addressDetail", "username", "isDefault"},
			},
			Do: h.listAddresses,
		},
		op.Read[ListCollections, wire.List[Collection]]{
			Path: "/admin/collect/list", Title: "List favourites",
			Access: op.Permit("admin:collect:list", menu.Collections(), menu.Query()), Budget: 5, MayLag: true,
			Columns: op.Columns{
				Names: []string{"username", "type", "goodsName", "valueId", "addTime"},
			},
			Do: h.listCollections,
		},
		op.Read[ListFootprints, wire.List[Footprint]]{
			Path: "/admin/footprint/list", Title: "List footprints",
			Access: op.Permit("admin:footprint:list", menu.Footprints(), menu.Query()), Budget: 5, MayLag: true,
			Columns: op.Columns{
				Names: []string{"username", "goodsName", "addTime"},
			},
			Do: h.listFootprints,
		},
		op.Read[ListSearches, wire.List[Search]]{
			Path: "/admin/history/list", Title: "List keywords that shoppers searched for",
			Access: op.Permit("admin:history:list", menu.Searches(), menu.Query()), Budget: 4, MayLag: true,
			Columns: op.Columns{
				Names: []string{"keyword", "username", "from", "addTime"},
			},
			Do: h.listSearches,
		},
		op.Read[ListFeedback, wire.List[Feedback]]{
			Path: "/admin/feedback/list", Title: "List feedback",
			Access: op.Permit("admin:feedback:list", menu.Feedback(), menu.Query()), Budget: 3, MayLag: true,
			Columns: op.Columns{
				Names: []string{"feedType", "content", "picUrls", "username", "mobile", "addTime"}, Opens: "content",
			},
			Do: h.listFeedback,
		},
	}
}

// ListAddresses is the query of /admin/address/list.
type ListAddresses struct {
	wire.Paging
	ID     *int64 `json:"id" doc:"Only the address of this id." show:"none"`
	UserID *int64 `json:"userId" doc:"Only addresses of this shopper." show:"of=user"`
	Name   string `json:"name" doc:"Only recipients whose name contains these words, in any order."`
}

func (h handlers) listAddresses(ctx context.Context, r ListAddresses) (wire.List[Address], error) {
	l, err := paging.Page(r.Paging, func(q page.Query) (page.List[address.Address], error) {
		return h.Addresses.All(ctx, address.Filter{ID: r.ID, Shopper: r.UserID, Name: r.Name}, q)
	}, h.address)
	if err != nil {
		return l, err
	}
	return l, named.Beside(ctx, l.List, (*Address).shopper, h.Accounts.Usernames)
}

// ListCollections is the query of /admin/collect/list.
type ListCollections struct {
	wire.Paging
	ID      *int64 `json:"id" doc:"Only the favourite of this id." show:"none"`
	UserID  *int64 `json:"userId" doc:"Only favourites of this shopper." show:"of=user"`
	ValueID *int64 `json:"valueId" doc:"Only this goods or topic."`
}

func (h handlers) listCollections(ctx context.Context, r ListCollections) (wire.List[Collection], error) {
	l, err := paging.Page(r.Paging, func(q page.Query) (page.List[engagement.Collected], error) {
		return h.Traces.AllFavourites(ctx, engagement.TraceFilter{ID: r.ID, Shopper: r.UserID, Thing: r.ValueID}, q)
	}, h.collection)
	if err != nil {
		return l, err
	}
	if err := named.Beside(ctx, l.List, (*Collection).goods, h.Goods.GoodsNames); err != nil {
		return l, err
	}
	return l, named.Beside(ctx, l.List, (*Collection).shopper, h.Accounts.Usernames)
}

// ListFootprints is the query of /admin/footprint/list.
type ListFootprints struct {
	wire.Paging
	ID      *int64 `json:"id" doc:"Only the footprint of this id." show:"none"`
	UserID  *int64 `json:"userId" doc:"Only footprints of this shopper." show:"of=user"`
	GoodsID *int64 `json:"goodsId" doc:"Only on this goods." show:"of=goods"`
}

func (h handlers) listFootprints(ctx context.Context, r ListFootprints) (wire.List[Footprint], error) {
	l, err := paging.Page(r.Paging, func(q page.Query) (page.List[engagement.Seen], error) {
		return h.Traces.AllFootprints(ctx, engagement.TraceFilter{ID: r.ID, Shopper: r.UserID, Thing: r.GoodsID}, q)
	}, h.footprint)
	if err != nil {
		return l, err
	}
	if err := named.Beside(ctx, l.List, (*Footprint).goods, h.Goods.GoodsNames); err != nil {
		return l, err
	}
	return l, named.Beside(ctx, l.List, (*Footprint).shopper, h.Accounts.Usernames)
}

// ListSearches is the query of /admin/history/list.
type ListSearches struct {
	wire.Paging
	ID      *int64 `json:"id" doc:"Only the keyword of this id." show:"none"`
	UserID  *int64 `json:"userId" doc:"Only keywords of this shopper." show:"of=user"`
	Keyword string `json:"keyword" doc:"Only keywords that contain these words, in any order."`
}

func (h handlers) listSearches(ctx context.Context, r ListSearches) (wire.List[Search], error) {
	l, err := paging.Page(r.Paging, func(q page.Query) (page.List[engagement.Searched], error) {
		return h.Traces.AllSearches(ctx, engagement.SearchFilter{ID: r.ID, Shopper: r.UserID, Keyword: r.Keyword}, q)
	}, h.search)
	if err != nil {
		return l, err
	}
	return l, named.Beside(ctx, l.List, (*Search).shopper, h.Accounts.Usernames)
}

// ListFeedback is the query of /admin/feedback/list.
type ListFeedback struct {
	wire.Paging
	ID       *int64 `json:"id" doc:"Only the feedback of this id."`
	UserID   *int64 `json:"userId" doc:"Only feedback of this shopper." show:"of=user"`
	Username string `json:"username" doc:"Only shoppers whose name contained these words, in any order."`
}

func (h handlers) listFeedback(ctx context.Context, r ListFeedback) (wire.List[Feedback], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[engagement.StoredFeedback], error) {
		return h.Traces.AllFeedback(ctx, engagement.FeedbackFilter{ID: r.ID, Shopper: r.UserID, Username: r.Username}, q)
	}, h.feedback)
}
