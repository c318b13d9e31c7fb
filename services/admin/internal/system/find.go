package system

import (
	"context"
	"slices"
	"strings"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/menu"
)

type findHandlers struct{ Deps }

// mostHits is the maximum number of records of a kind that are found.
const mostHits = 5

// findOps declares the operation.
func findOps(d Deps) []op.Op {
	h := findHandlers{d}
	return []op.Op{
		op.Read[Find, []Hit]{
			Path: "/admin/find", Title: "Find records by a number or a name, of the kinds that the caller may list",
			Access: op.Permit("admin:find:list", menu.Find(), menu.Query()), Budget: 15, Do: h.find,
		},
	}
}

// Find is the query of /admin/find. The number is that of an order, a payment, a parcel, an after-sale case, goods or a
// mobile.
type Find struct {
	Keyword string `json:"keyword" check:"required" doc:"A whole number, or words of the name of goods or of a shopper."`
}

// Hit is a record that was found.
type Hit struct {
	Kind  string `json:"kind" doc:"The area that lists it: order, aftersale, goods or user."`
	ID    int64  `json:"id"`
	Title string `json:"title" doc:"Its number or name."`
	Note  string `json:"note" doc:"The recipient, the reason, the number of goods or of the mobile."`
}

// foundKind is an area that is looked through, and the permission to list it.
type foundKind struct {
	permission string
	find       func(ctx context.Context, word string) ([]Hit, error)
}

func (h findHandlers) kinds() []foundKind {
	return []foundKind{
		{"admin:order:list", h.orders},
		{"admin:aftersale:list", h.cases},
		{"admin:goods:list", h.goods},
		{"admin:user:list", h.people},
	}
}

func (h findHandlers) find(ctx context.Context, r Find) ([]Hit, error) {
	held, err := auth.Held(ctx, h.Access)
	if err != nil {
		return nil, err
	}
	word := strings.TrimSpace(r.Keyword)
	hits := []Hit{}
	for _, k := range h.kinds() {
		if !slices.Contains(held.Values, access.Super) && !slices.Contains(held.Values, k.permission) {
			continue
		}
		found, err := k.find(ctx, word)
		if err != nil {
			return nil, err
		}
		hits = append(hits, found...)
	}
	return hits, nil
}

// newest asks for the newest records of a list.
func newest() page.Query {
	return page.Query{Page: 1, Limit: mostHits, Sort: "add_time", Desc: true, Beyond: page.Empty, All: false}
}

func (h findHandlers) orders(ctx context.Context, word string) ([]Hit, error) {
	found, err := h.Orders.FindByNumber(ctx, word, mostHits)
	if mobile := h.Country.Number(word); err == nil && len(found) == 0 && h.Country.Mobile(mobile) && mobile != word {
		found, err = h.Orders.FindByNumber(ctx, mobile, mostHits)
	}
	return wire.Each(found, func(o order.Hit) Hit {
		return Hit{Kind: "order", ID: o.ID, Title: o.SN, Note: o.Consignee}
	}), err
}

func (h findHandlers) cases(ctx context.Context, word string) ([]Hit, error) {
	found, err := h.Cases.AdminList(ctx, aftersale.Filter{SN: word}, newest())
	return wire.Each(found.Items, func(c aftersale.Listed) Hit {
		return Hit{Kind: "aftersale", ID: c.ID, Title: c.SN, Note: c.Reason}
	}), err
}

func (h findHandlers) goods(ctx context.Context, word string) ([]Hit, error) {
	found, err := h.Goods.All(ctx, catalog.ListFilter{SN: word}, newest())
	if err == nil && len(found.Items) == 0 {
		found, err = h.Goods.All(ctx, catalog.ListFilter{Name: word}, newest())
	}
	return wire.Each(found.Items, func(g catalog.Goods) Hit {
		return Hit{Kind: "goods", ID: g.ID, Title: g.Name, Note: g.SN}
	}), err
}

func (h findHandlers) people(ctx context.Context, word string) ([]Hit, error) {
	found, err := h.People.Members(ctx, account.MemberFilter{Mobile: h.Country.Number(word)}, newest())
	if err == nil && len(found.Items) == 0 {
		found, err = h.People.Members(ctx, account.MemberFilter{Username: word}, newest())
	}
	return wire.Each(found.Items, func(m account.Member) Hit {
		return Hit{Kind: "user", ID: m.ID, Title: m.Username, Note: m.Mobile}
	}), err
}
