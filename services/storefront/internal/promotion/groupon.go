package promotion

import (
	"context"
	"errors"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/catalog"
	"shop.internal/services/storefront/internal/paging"
)

// groupons declares the public operations on group purchases. Those of members belong to the orders.
func (h handlers) groupons() []op.Op {
	return []op.Op{
		op.Read[List, wire.List[Offer]]{
			Path: "/wx/groupon/list", Title: "List goods with a groupon offer", Access: op.Public,
			Budget: 2, AllowStale: true, Do: h.offers,
		},
		op.Read[OffersOf, []catalog.Rule]{
			Path: "/wx/groupon/query", Title: "List the groupon offers on a goods", Access: op.Public,
			Fails: []*errno.Code{errno.GoodsUnknown}, Budget: 2, Do: h.offersOf,
		},
		op.Read[Invited, Invitation]{
			Path: "/wx/groupon/join", Title: "Show a group to somebody who was invited", Access: op.Public,
			Budget: 6, Do: h.invitation,
		},
		op.Read[OffersOf, []OpenGroup]{
			Path: "/wx/groupon/open", Title: "List the groups for a goods that one can join", Access: op.Public,
			Fails: []*errno.Code{errno.GoodsUnknown}, Budget: 4, Do: h.openGroups,
		},
	}
}

// Offer are goods with a group-buy rule. ID is that of the goods; GrouponDiscount is in whole currency units.
type Offer struct {
	ID              int64      `json:"id"`
	Name            string     `json:"name"`
	Brief           string     `json:"brief"`
	PicURL          wire.Link  `json:"picUrl"`
	CounterPrice    wire.Money `json:"counterPrice"`
	RetailPrice     wire.Money `json:"retailPrice" doc:"The price alone."`
	GrouponPrice    wire.Money `json:"grouponPrice" doc:"The price in a group."`
	GrouponDiscount int64      `json:"grouponDiscount"`
	GrouponMember   int        `json:"grouponMember"`
	RulesID         int64      `json:"rulesId" doc:"The offer."`
	ExpireTime      wire.Time  `json:"expireTime"`
}

func (h handlers) offers(ctx context.Context, r List) (wire.List[Offer], error) {
	q, err := paging.Of(r.Paging)
	if err != nil {
		return wire.List[Offer]{}, err
	}
	found, err := h.Promotions.GroupRulesOnSale(ctx, q)
	return wire.ListOf(found, OfferView(h.Zone)), err
}

// OfferView renders goods with a group-buy rule, also for the home page.
func OfferView(zone wire.Zone) func(promotion.GroupRuleOnSale) Offer {
	return func(o promotion.GroupRuleOnSale) Offer {
		return Offer{
			ID: o.GoodsID, Name: o.Goods.Name, Brief: o.Goods.Brief, PicURL: wire.Link(o.Goods.PicURL),
			CounterPrice: wire.Money(o.Goods.CounterPrice), RetailPrice: wire.Money(o.Goods.RetailPrice),
			GrouponPrice:    wire.Money(max(o.Goods.RetailPrice-o.Discount, 0)),
			GrouponDiscount: int64(o.Discount / money.Yuan(1)), GrouponMember: o.Members, RulesID: o.ID,
			ExpireTime: zone.At(o.ExpireTime),
		}
	}
}

// OffersOf is the request of /wx/groupon/query and /wx/groupon/open.
type OffersOf struct {
	GoodsID int64 `json:"goodsId" check:"required"`
}

func (h handlers) offersOf(ctx context.Context, r OffersOf) ([]catalog.Rule, error) {
	if _, err := h.Catalog.Goods(ctx, r.GoodsID); err != nil {
		return nil, err
	}
	rules, err := h.Promotions.LiveGroupRulesOf(ctx, r.GoodsID)
	return wire.Each(rules, catalog.RuleView(h.Zone)), err
}

// Invited is the request of /wx/groupon/join.
type Invited struct {
	ID int64 `json:"grouponId" check:"required" doc:"The opener's record, or a joiner's."`
}

// Group is the public part of a membership in a group. GrouponID is the opener's record, 0 on the opener's own.
type Group struct {
	ID            int64     `json:"id"`
	GrouponID     int64     `json:"grouponId" doc:"The record of the group that it belongs to; 0 for who opened it."`
	RulesID       int64     `json:"rulesId" doc:"The offer."`
	CreatorUserID int64     `json:"creatorUserId"`
	CreatedAt     wire.Time `json:"creatorUserTime,omitzero"`
	ShareURL      wire.Link `json:"shareUrl"`
	Status        int       `json:"status" doc:"0 not paid, 1 gathering, 2 come about, 3 failed."`
	wire.Stamps
}

// GroupView renders a membership; members see more of their own.
func GroupView(zone wire.Zone, p promotion.Member) Group {
	return Group{
		ID: p.ID, GrouponID: p.Joined, RulesID: p.RuleID, CreatorUserID: p.OpenerID, CreatedAt: zone.At(p.OpenedAt),
		ShareURL: wire.Link(p.ShareURL), Status: int(p.Status), Stamps: zone.Stamps(p.AddTime, p.UpdateTime),
	}
}

// Person is a member of a group as shown to others.
type Person struct {
	Nickname string    `json:"nickname"`
	Avatar   wire.Link `json:"avatar"`
}

// PersonView renders a member for others.
func PersonView(p account.Person) Person {
	return Person{Nickname: p.Nickname, Avatar: wire.Link(p.Avatar)}
}

// OpenGroup is a group as shown to people outside it.
type OpenGroup struct {
	Groupon Group        `json:"groupon"`
	Rules   catalog.Rule `json:"rules"`
	Creator Person       `json:"creator"`
	Missing int          `json:"missing" doc:"The places that are free; 0 if the group takes nobody any more."`
}

func (h handlers) openGroup(i order.Invitation) OpenGroup {
	return OpenGroup{
		Groupon: GroupView(h.Zone, i.Member), Rules: catalog.RuleView(h.Zone)(i.Rule), Creator: PersonView(i.Opener),
		Missing: i.Missing(),
	}
}

func (h handlers) openGroups(ctx context.Context, r OffersOf) ([]OpenGroup, error) {
	g, err := h.Catalog.Goods(ctx, r.GoodsID)
	if err != nil {
		return nil, err
	}
	var found []order.Invitation
	if g.OnSale { // otherwise nobody could join
		found, err = h.Orders.OpenGroups(ctx, r.GoodsID)
	}
	return wire.Each(found, h.openGroup), err
}

// Invitation is a group as shown to invited people.
type Invitation struct {
	OpenGroup
	Goods catalog.Info `json:"goods"`
}

func (h handlers) invitation(ctx context.Context, r Invited) (Invitation, error) {
	i, err := h.Orders.Invitation(ctx, r.ID)
	if err != nil {
		return Invitation{}, err
	}
	g, err := h.Catalog.Goods(ctx, i.Rule.GoodsID)
	if errors.Is(err, errno.GoodsUnknown) { // the group has ended with its goods
		return Invitation{}, errno.NoSuch(text.FieldGroup)
	}
	return Invitation{OpenGroup: h.openGroup(i), Goods: catalog.InfoView(h.Zone)(g)}, err
}
