package promotion

import (
	"context"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

func (h handlers) grouponOps() []op.Op {
	audit := func(action string) op.Audit { return op.Audit{Target: "groupon_rules", Action: action} }
	return []op.Op{
		op.Read[ListRules, wire.List[Rule]]{
			Path: "/admin/groupon/list", Title: "List groupon offers",
			Access: op.Permit("admin:groupon:list", menu.Groupons(), menu.Query()), Budget: 3, MayLag: true,
			Columns: op.Columns{
				Names: []string{"picUrl", "goodsName", "goodsId", "discount", "discountMember", "expireTime", "status"},
				Opens: "goodsName",
			},
			Do: h.listRules,
		},
		op.Read[ListGroups, wire.List[Group]]{
			Path: "/admin/groupon/listRecord", Title: "List group purchases",
			Access: op.Permit("admin:groupon:read", menu.Groupons(), menu.Detail()), Budget: 6, MayLag: true, Do: h.listGroups,
		},
		op.Write[CreateGroupRule, Rule]{
			Path: "/admin/groupon/create", Title: "Add a groupon offer",
			Access:           op.Permit("admin:groupon:create", menu.Groupons(), menu.Add()),
			Fails:            []*errno.Code{errno.Stale},
			IdempotencyScope: "admin.groupon-create", Audit: audit("添加团购规则"), Budget: 8, Do: h.createRule,
		},
		op.Write[UpdateRule, Rule]{
			Path: "/admin/groupon/update", Title: "Change a running groupon offer",
			Access:           op.Permit("admin:groupon:update", menu.Groupons(), menu.Edit()),
			Fails:            []*errno.Code{errno.UpdateFailed, errno.Stale},
			IdempotencyScope: "admin.groupon-update", Audit: audit("编辑团购规则"), Budget: 13,
			Do: wire.Expecting(h.Zone, h.updateRule),
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/groupon/delete", Title: "Take a groupon offer down and end its groups",
			Access:           op.Permit("admin:groupon:delete", menu.Groupons(), menu.Delete()),
			Fails:            []*errno.Code{errno.Stale},
			IdempotencyScope: "admin.groupon-delete", Audit: audit("删除团购规则"), Budget: op.PerItem, Do: h.deleteRule,
		},
	}
}

// ListRules is the query of /admin/groupon/list.
type ListRules struct {
	wire.Paging
	ID      *int64 `json:"id" doc:"Only the offer of this id." show:"none"`
	GoodsID *int64 `json:"goodsId" show:"of=goods"`
}

func (h handlers) listRules(ctx context.Context, r ListRules) (wire.List[Rule], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[promotion.GroupRule], error) {
		return h.Promotions.AllGroupRules(ctx, promotion.GroupRuleFilter{ID: r.ID, Goods: r.GoodsID}, q)
	}, h.rule)
}

// ListGroups is the query of /admin/groupon/listRecord.
type ListGroups struct {
	wire.Paging
	GrouponRuleID *int64 `json:"grouponRuleId" show:"of=groupon"`
}

func (h handlers) listGroups(ctx context.Context, r ListGroups) (wire.List[Group], error) {
	q, err := paging.Of(r.Paging)
	if err != nil {
		return wire.List[Group]{}, err
	}
	found, err := h.Promotions.Groups(ctx, r.GrouponRuleID, q)
	if err != nil {
		return wire.List[Group]{}, err
	}
	var ids []int64
	for _, g := range found.Items {
		if g.Rule != nil {
			ids = append(ids, g.Rule.GoodsID)
		}
	}
	offered, err := h.Goods.Remembered(ctx, ids)
	if err != nil {
		return wire.List[Group]{}, err
	}
	return paging.List(found, func(g promotion.Group) Group { return h.group(g, offered) }), nil
}

// CreateGroupRule is the body of /admin/groupon/create.
type CreateGroupRule struct {
	GoodsID        int64  `json:"goodsId" check:"required" show:"of=goods"`
	Discount       int    `json:"discount" check:"required,range=group-discount" doc:"In whole units, below each price."`
	DiscountMember int    `json:"discountMember" check:"required,range=group-members" doc:"Group size, with the opener."`
	ExpireTime     string `json:"expireTime" check:"required" doc:"In the future." show:"time"`
}

func (h handlers) createRule(ctx context.Context, r CreateGroupRule) (Rule, error) {
	end, err := h.moment(text.FieldExpiryTime, r.ExpireTime)
	if err != nil {
		return Rule{}, err
	}
	off := money.Yuan(int64(r.Discount))
	rule, err := h.Promotions.AddGroupRule(ctx, promotion.GroupRuleChange{
		GoodsID: &r.GoodsID, Discount: &off, Members: &r.DiscountMember, ExpireTime: end,
	})
	return h.rule(rule), err
}

// UpdateRule is the body of /admin/groupon/update; absent members stay unchanged.
type UpdateRule struct {
	wire.Ref
	wire.Expected
	GoodsID        *int64 `json:"goodsId" doc:"Other goods only while nobody has opened a group." show:"of=goods"`
	Discount       *int   `json:"discount" check:"range=group-discount"`
	DiscountMember *int   `json:"discountMember" check:"range=group-members"`
	ExpireTime     string `json:"expireTime" show:"time"`
}

func (h handlers) updateRule(ctx context.Context, r UpdateRule) (Rule, error) {
	change := promotion.GroupRuleChange{GoodsID: r.GoodsID, Discount: nil, Members: r.DiscountMember, ExpireTime: nil}
	if r.Discount != nil {
		off := money.Yuan(int64(*r.Discount))
		change.Discount = &off
	}
	var err error
	if change.ExpireTime, err = h.moment(text.FieldExpiryTime, r.ExpireTime); err != nil {
		return Rule{}, err
	}
	rule, err := h.Promotions.EditGroupRule(ctx, r.ID, change)
	return h.rule(rule), err
}

func (h handlers) deleteRule(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Orders.DropGroupRule(ctx, r.ID)
}
