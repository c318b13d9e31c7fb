package catalog

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
)

// batchOps change many goods at once. The permission is one of its own, beside those of single goods.
func batchOps(h goodsHandlers) []op.Op {
	const permission = "admin:goodsbatch:update"
	return []op.Op{
		op.Write[Batch, Batched]{
			Path: "/admin/goods/batch", Title: "Change all of several goods or none",
			Access: op.Permit(permission, menu.Goods(), menu.Button("change-many")),
			Fails:  []*errno.Code{errno.Stale}, IdempotencyScope: "admin.goods-batch",
			Audit:  op.Audit{Target: "goods", Action: text.ForAction("goods-batch"), Each: true},
			Budget: 27, Do: h.batch,
		},
		op.Write[Batch, BatchPlan]{
			Path: "/admin/goods/batch/check", Title: "Say what a change of several goods would do, and change nothing",
			Access: op.SharedPermit(permission), Budget: 6, Do: h.checkBatch,
		},
	}
}

// Batch is the body of /admin/goods/batch: members that are absent stay as they are.
type Batch struct {
	IDs        []int64       `json:"ids" check:"required,notEmpty,maxItems=1000" show:"of=goods"`
	OnSale     *bool         `json:"isOnSale"`
	New        *bool         `json:"isNew"`
	Hot        *bool         `json:"isHot"`
	CategoryID *int64        `json:"categoryId" doc:"0 for none." show:"of=category"`
	Amount     *money.Amount `json:"priceAmount" check:"min=-999999999,max=999999999" doc:"Added to each price."`
	Percent    *money.Amount `json:"pricePercent" check:"ratio,min=-10000,max=100000" doc:"Per cent added, rounded."`
	Seen       string        `json:"seen" check:"maxLength=64" doc:"As the check answered; refused if goods have changed."`
}

func (r Batch) change() catalog.Batch {
	return catalog.Batch{
		IDs: r.IDs, OnSale: r.OnSale, New: r.New, Hot: r.Hot, CategoryID: r.CategoryID, Raise: r.Amount,
		Percent: (*int64)(r.Percent), Seen: r.Seen,
	}
}

// Batched is how many goods were changed.
type Batched struct {
	Changed int `json:"changed"`
}

// BatchPlan is what a change of several goods would do.
type BatchPlan struct {
	Batched

	Seen string       `json:"seen"`
	List []BatchGoods `json:"list" doc:"All of the goods, by id."`
}

// BatchGoods is what becomes of one goods.
type BatchGoods struct {
	ID             int64          `json:"id"`
	Name           string         `json:"name" doc:"Empty for unknown goods."`
	Changed        bool           `json:"changed"`
	OldRetailPrice wire.Money     `json:"oldRetailPrice"`
	RetailPrice    wire.Money     `json:"retailPrice"`
	Products       []BatchProduct `json:"products" doc:"Those whose price changes."`
	Problem        string         `json:"problem" doc:"Why the goods cannot be changed so; empty where they can."`
}

// BatchProduct is a product with its old and its new price.
type BatchProduct struct {
	ID             int64      `json:"id"`
	Specifications []string   `json:"specifications"`
	OldPrice       wire.Money `json:"oldPrice"`
	Price          wire.Money `json:"price"`
}

func (h goodsHandlers) batch(ctx context.Context, r Batch) (Batched, error) {
	n, err := h.Catalog.ChangeMany(ctx, r.change())
	return Batched{n}, err
}

func (h goodsHandlers) checkBatch(ctx context.Context, r Batch) (BatchPlan, error) {
	all, seen, err := h.Catalog.CheckBatch(ctx, r.change())
	plan := BatchPlan{Batched: Batched{0}, Seen: seen, List: make([]BatchGoods, len(all))}
	for i, o := range all {
		plan.List[i] = BatchGoods{
			ID: o.Before.ID, Name: o.Before.Name, Changed: o.Changes(), OldRetailPrice: wire.Money(o.Before.RetailPrice),
			RetailPrice: wire.Money(o.After.RetailPrice), Products: wire.Each(o.Products, repriced), Problem: "",
		}
		if o.Refusal != nil {
			plan.List[i].Problem = errno.Text(o.Refusal, op.LanguageOf(ctx, h.Language))
		} else if o.Changes() {
			plan.Changed++
		}
	}
	return plan, err
}

func repriced(p catalog.Repriced) BatchProduct {
	return BatchProduct{p.ID, p.Specifications, wire.Money(p.Price), wire.Money(p.After)}
}
