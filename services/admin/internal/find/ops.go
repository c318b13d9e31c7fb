// Package find looks up what staff have a number or a name of, in every area that they may list.
package find

import (
	"context"
	"slices"
	"strings"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/menu"
)

// Deps are what the operation needs.
type Deps struct {
	Access *access.Service
	Orders *order.Service
	Cases  *aftersale.Service
	People *account.Service
	Goods  *catalog.Service
}

// most is the maximum number of records of a kind that are found.
const most = 5

// Ops declares the operation.
func Ops(d Deps) []op.Op {
	return []op.Op{
		op.Read[Find, []Hit]{
			Path: "/admin/find", Title: "Find records by a number or a name, of the kinds that the caller may list",
			Access: op.Permit("admin:find:list", menu.Find(), menu.Query()), Budget: 15, Do: d.find,
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

// kind is an area that is looked through, and the permission to list it.
type kind struct {
	permission string
	find       func(ctx context.Context, word string) ([]Hit, error)
}

func (d Deps) kinds() []kind {
	return []kind{
		{"admin:order:list", d.orders},
		{"admin:aftersale:list", d.cases},
		{"admin:goods:list", d.goods},
		{"admin:user:list", d.people},
	}
}

func (d Deps) find(ctx context.Context, r Find) ([]Hit, error) {
	held, err := d.Access.AuthorityOf(ctx, auth.Operator(ctx).ID)
	if err != nil {
		return nil, err
	}
	word := strings.TrimSpace(r.Keyword)
	hits := []Hit{}
	for _, k := range d.kinds() {
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

// first asks for the newest records of a list.
func first() page.Query {
	return page.Query{Page: 1, Limit: most, Sort: "add_time", Desc: true, Beyond: page.Empty, All: false}
}

func (d Deps) orders(ctx context.Context, word string) ([]Hit, error) {
	found, err := d.Orders.FindByNumber(ctx, word, most)
	return wire.Each(found, func(o order.Hit) Hit {
		return Hit{Kind: "order", ID: o.ID, Title: o.SN, Note: o.Consignee}
	}), err
}

func (d Deps) cases(ctx context.Context, word string) ([]Hit, error) {
	found, err := d.Cases.AdminList(ctx, aftersale.Filter{SN: word}, first())
	return wire.Each(found.Items, func(c aftersale.Case) Hit {
		return Hit{Kind: "aftersale", ID: c.ID, Title: c.SN, Note: c.Reason}
	}), err
}

func (d Deps) goods(ctx context.Context, word string) ([]Hit, error) {
	found, err := d.Goods.All(ctx, catalog.ListFilter{SN: word}, first())
	if err == nil && len(found.Items) == 0 {
		found, err = d.Goods.All(ctx, catalog.ListFilter{Name: word}, first())
	}
	return wire.Each(found.Items, func(g catalog.Goods) Hit {
		return Hit{Kind: "goods", ID: g.ID, Title: g.Name, Note: g.SN}
	}), err
}

func (d Deps) people(ctx context.Context, word string) ([]Hit, error) {
	found, err := d.People.Members(ctx, account.MemberFilter{Mobile: word}, first())
	if err == nil && len(found.Items) == 0 {
		found, err = d.People.Members(ctx, account.MemberFilter{Username: word}, first())
	}
	return wire.Each(found.Items, func(m account.Member) Hit {
		return Hit{Kind: "user", ID: m.ID, Title: m.Username, Note: m.Mobile}
	}), err
}
