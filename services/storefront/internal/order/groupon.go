package order

import (
	"context"
	"time"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/order"
	domainpromotion "shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/catalog"
	"shop.internal/services/storefront/internal/express"
	"shop.internal/services/storefront/internal/promotion"
)

// groupons declares the operations of members on their groups.
func (h handlers) groupons() []op.Op {
	return []op.Op{
		op.Read[GroupRef, GroupDetail]{
			Path: "/wx/groupon/detail", Title: "Show a group of mine with my order", Access: op.SignedIn,
			Budget: 8, Do: h.group,
		},
		op.Read[MyGroups, wire.List[MyGroup]]{
			Path: "/wx/groupon/my", Title: "List the groups that I have opened or joined", Access: op.SignedIn,
			Budget: 8, Do: h.groups,
		},
	}
}

// GroupRef identifies a group by any of its members.
type GroupRef struct {
	ID int64 `json:"grouponId" check:"required"`
}

// Groupon is the caller's membership in a group.
type Groupon struct {
	promotion.Group
	OrderID int64 `json:"orderId"`
	UserID  int64 `json:"userId"`
}

func (h handlers) groupon(p domainpromotion.Member) Groupon {
	return Groupon{Group: promotion.GroupView(h.Zone, p), OrderID: p.OrderID, UserID: p.UserID}
}

// GroupDetail is a group with the caller's own order in it.
type GroupDetail struct {
	Groupon       Groupon            `json:"groupon"`
	Rules         catalog.Rule       `json:"rules"`
	LinkGrouponID int64              `json:"linkGrouponId" doc:"The opener's record."`
	Creator       promotion.Person   `json:"creator"`
	Joiners       []promotion.Person `json:"joiners" doc:"The opener, then who has paid, the oldest first."`
	OrderInfo     Info               `json:"orderInfo"`
	OrderGoods    []GroupLine        `json:"orderGoods"`
	ExpressInfo   express.Info       `json:"expressInfo"`
}

// GroupLine is a line of the caller's order. Clients read price and specifications under either name.
type GroupLine struct {
	ID                  int64      `json:"id"`
	OrderID             int64      `json:"orderId"`
	GoodsID             int64      `json:"goodsId"`
	GoodsName           string     `json:"goodsName"`
	Number              int        `json:"number"`
	RetailPrice         wire.Money `json:"retailPrice"`
	Price               wire.Money `json:"price"`
	PicURL              wire.Link  `json:"picUrl"`
	SpecificationValues []string   `json:"goodsSpecificationValues"`
	Specifications      []string   `json:"specifications"`
}

func groupLine(l order.Line) GroupLine {
	return GroupLine{
		ID: l.ID, OrderID: l.OrderID, GoodsID: l.GoodsID, GoodsName: l.GoodsName, Number: l.Number,
		RetailPrice: wire.Money(l.Price), Price: wire.Money(l.Price), PicURL: wire.Link(l.PicURL),
		SpecificationValues: wire.OrEmpty(l.Specifications), Specifications: wire.OrEmpty(l.Specifications),
	}
}

func (h handlers) group(ctx context.Context, r GroupRef) (GroupDetail, error) {
	m, err := h.Orders.Group(ctx, auth.ID(ctx), r.ID)
	if err != nil {
		return GroupDetail{}, err
	}
	v, err := h.Settings.Now(ctx)
	if err != nil {
		return GroupDetail{}, err
	}
	d := h.detailView(ctx, m.Detail, v)
	return GroupDetail{
		Groupon: h.groupon(m.Member), Rules: catalog.RuleView(h.Zone)(m.Rule), LinkGrouponID: m.Member.Group(),
		Creator: promotion.PersonView(m.Opener()), Joiners: wire.Each(m.Members, promotion.PersonView),
		OrderInfo: d.OrderInfo, OrderGoods: wire.Each(m.Lines, groupLine), ExpressInfo: d.ExpressInfo,
	}, nil
}

// MyGroups is the request of /wx/groupon/my.
type MyGroups struct {
	ShowType int `json:"showType" doc:"0 the groups that I have opened, else those that I have joined."`
}

// MyGroup is a group in a list.
type MyGroup struct {
	ID              int64        `json:"id"`
	Groupon         Groupon      `json:"groupon"`
	Rules           catalog.Rule `json:"rules"`
	Creator         string       `json:"creator"`
	IsCreator       bool         `json:"isCreator"`
	JoinerCount     int          `json:"joinerCount" doc:"The opener included."`
	OrderID         int64        `json:"orderId"`
	OrderSN         string       `json:"orderSn"`
	ActualPrice     wire.Money   `json:"actualPrice"`
	OrderStatus     int          `json:"orderStatus"`
	OrderStatusText string       `json:"orderStatusText"`
	HandleOption    Options      `json:"handleOption"`
	GoodsList       []MyGoods    `json:"goodsList"`
}

// MyGoods is a line of an order in the list of groups.
type MyGoods struct {
	ID        int64     `json:"id"`
	GoodsName string    `json:"goodsName"`
	Number    int       `json:"number"`
	PicURL    wire.Link `json:"picUrl"`
}

func (h handlers) groups(ctx context.Context, r MyGroups) (wire.List[MyGroup], error) {
	found, err := h.Orders.Groups(ctx, auth.ID(ctx), r.ShowType != 0)
	if err != nil {
		return wire.List[MyGroup]{}, err
	}
	v, err := h.Settings.Now(ctx)
	return wire.ListOf(page.Whole(found), func(m order.Membership) MyGroup { return h.myGroup(m, v.CommentFor) }), err
}

func (h handlers) myGroup(m order.Membership, commentFor time.Duration) MyGroup {
	return MyGroup{
		ID: m.Member.ID, Groupon: h.groupon(m.Member), Rules: catalog.RuleView(h.Zone)(m.Rule), Creator: m.Opener().Nickname,
		IsCreator: m.Member.IsOpener(), JoinerCount: len(m.Members), OrderID: m.ID, OrderSN: m.SN,
		ActualPrice: wire.Money(m.Price.Actual), OrderStatus: int(m.Status), OrderStatusText: m.Text(h.Language),
		HandleOption: Options(m.Options(h.Now(), commentFor)),
		GoodsList: wire.Each(m.Lines, func(l order.Line) MyGoods {
			return MyGoods{ID: l.ID, GoodsName: l.GoodsName, Number: l.Number, PicURL: wire.Link(l.PicURL)}
		}),
	}
}
