// Package engagement serves the traces of shoppers: /wx/collect, /wx/footprint, /wx/search and /wx/feedback.
package engagement

import (
	"context"

	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/paging"
	"shop.internal/services/storefront/internal/rate"
)

// Deps are the dependencies of the operations.
type Deps struct {
	Traces  *engagement.Service
	Content *content.Service
	Zone    wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operations on traces.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Read[FavouritesRequest, wire.List[Favourite]]{
			Path: "/wx/collect/list", Title: "List one's own favourites", Access: op.SignedIn,
			Budget: 3, Do: h.favourites,
		},
		op.Write[Thing, Toggled]{
			Path: "/wx/collect/addordelete", Title: "Add a favourite, or take it away", Access: op.SignedIn,
			IdempotencyScope: "collect.addordelete", Budget: 4, Do: h.toggle,
		},
		op.Read[FootprintsRequest, wire.List[Footprint]]{
			Path: "/wx/footprint/list", Title: "List the goods one has looked at", Access: op.SignedIn,
			Budget: 3, Do: h.footprints,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/wx/footprint/delete", Title: "Delete one's own footprint", Access: op.SignedIn,
			IdempotencyScope: "footprint.delete", Budget: 2, Do: h.deleteFootprint,
		},
		op.Read[op.None, SearchPage]{
			Path: "/wx/search/index", Title: "Show the words to search for", Access: op.Optional,
			Budget: 3, Do: h.searchPage,
		},
		op.Read[HelperRequest, []string]{
			Path: "/wx/search/helper", Title: "List the keywords that contain a text", Access: op.Public,
			Budget: 1, Do: h.helper,
		},
		op.Write[op.None, op.None]{
			Path: "/wx/search/clearhistory", Title: "Forget what one has searched for", Access: op.SignedIn,
			Budget: 2, Do: h.forget,
		},
		op.Write[Feedback, op.None]{
			Path: "/wx/feedback/submit", Title: "Write to the shop", Access: op.SignedIn, IdempotencyScope: "feedback.submit",
			Rate: rate.Feedback, Budget: 3, Do: h.submit,
		},
	}
}

// FavouritesRequest is the query of /wx/collect/list.
type FavouritesRequest struct {
	Type int `json:"type" check:"required,enum=0|1" doc:"0 goods, 1 topic."`
	wire.Paging
}

// Favourite is a favourite. The last three members repeat a topic's data under the names that topics have.
type Favourite struct {
	ID          int64       `json:"id"`
	Type        int         `json:"type"`
	ValueID     int64       `json:"valueId" doc:"The id of the goods or of the topic."`
	Name        string      `json:"name"`
	Brief       string      `json:"brief"`
	PicURL      wire.Link   `json:"picUrl"`
	RetailPrice wire.Money  `json:"retailPrice"`
	Title       *string     `json:"title,omitempty"`
	Subtitle    *string     `json:"subtitle,omitempty"`
	Price       *wire.Money `json:"price,omitempty"`
}

func favouriteView(f engagement.Favourite) Favourite {
	v := Favourite{
		ID: f.ID, Type: int(f.Kind), ValueID: f.ValueID, Name: f.Name, Brief: f.Brief, PicURL: wire.Link(f.PicURL),
		RetailPrice: wire.Money(f.Price), Title: nil, Subtitle: nil, Price: nil,
	}
	if f.Kind == engagement.Topic {
		v.Title, v.Subtitle, v.Price = &v.Name, &v.Brief, &v.RetailPrice
	}
	return v
}

func (h handlers) favourites(ctx context.Context, r FavouritesRequest) (wire.List[Favourite], error) {
	q, err := paging.Of(r.Paging)
	if err != nil {
		return wire.List[Favourite]{}, err
	}
	l, err := h.Traces.Favourites(ctx, auth.ID(ctx), engagement.Kind(r.Type), q)
	return wire.ListOf(l, favouriteView), err
}

// Thing is the body of /wx/collect/addordelete.
type Thing struct {
	Type    int   `json:"type" check:"required,enum=0|1" doc:"0 goods, 1 topic."`
	ValueID int64 `json:"valueId" check:"required" doc:"Id of the goods or the topic."`
}

// Toggled is whether a favourite was added or removed.
type Toggled struct {
	Type string `json:"type" doc:"add or delete."`
}

func (h handlers) toggle(ctx context.Context, r Thing) (Toggled, error) {
	added, err := h.Traces.Toggle(ctx, auth.ID(ctx), engagement.Kind(r.Type), r.ValueID)
	if added {
		return Toggled{Type: "add"}, err
	}
	return Toggled{Type: "delete"}, err
}

// FootprintsRequest is the query of /wx/footprint/list.
type FootprintsRequest struct{ wire.Paging }

// Footprint is a view of goods, with the time of the latest one.
type Footprint struct {
	ID          int64      `json:"id"`
	GoodsID     int64      `json:"goodsId"`
	Name        string     `json:"name"`
	Brief       string     `json:"brief"`
	PicURL      wire.Link  `json:"picUrl"`
	RetailPrice wire.Money `json:"retailPrice"`
	AddTime     wire.Time  `json:"addTime"`
}

func (h handlers) footprints(ctx context.Context, r FootprintsRequest) (wire.List[Footprint], error) {
	q, err := paging.Of(r.Paging)
	if err != nil {
		return wire.List[Footprint]{}, err
	}
	l, err := h.Traces.Footprints(ctx, auth.ID(ctx), q)
	return wire.ListOf(l, func(f engagement.Footprint) Footprint {
		return Footprint{
			ID: f.ID, GoodsID: f.GoodsID, Name: f.Name, Brief: f.Brief, PicURL: wire.Link(f.PicURL),
			RetailPrice: wire.Money(f.Price),
			AddTime:     h.Zone.At(f.ViewTime),
		}
	}), err
}

func (h handlers) deleteFootprint(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Traces.DeleteFootprint(ctx, auth.ID(ctx), r.ID)
}

// Feedback is the body of /wx/feedback/submit.
type Feedback struct {
	FeedType   string   `json:"feedType" check:"required,maxLength=63"`
	Content    string   `json:"content" check:"required,maxLength=1023"`
	Mobile     string   `json:"mobile" check:"required,form=mobile"`
	HasPicture bool     `json:"hasPicture"`
	PicURLs    []string `json:"picUrls" check:"maxItems=9,url"`
}

func (h handlers) submit(ctx context.Context, r Feedback) (op.None, error) {
	f := engagement.Feedback{Shopper: auth.ID(ctx), FeedType: r.FeedType, Content: r.Content, Mobile: r.Mobile}
	if r.HasPicture {
		f.Pictures = r.PicURLs
	}
	return op.None{}, h.Traces.Submit(ctx, f)
}
