// Package aftersale serves operators the after-sale cases.
package aftersale

import (
	"context"
	"maps"
	"slices"

	"shop.internal/pkg/contract"

	"shop.internal/pkg/domain/aftersale"
	auditing "shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

// Deps are what the operations need.
type Deps struct {
	Cases *aftersale.Service
	Zone  wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operations on after-sale cases.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Read[List, wire.List[Row]]{
			Path: "/admin/aftersale/list", Title: "List after-sale cases",
			Access: op.Permit("admin:aftersale:list", menu.Aftersales(), menu.Query()), Budget: 3,
			Columns: op.Columns{
				Names: []string{"aftersaleSn", "orderId", "type", "amount", "reason", "pictures", "status", "addTime"},
				Opens: "aftersaleSn",
			},
			Do: h.list,
		},
		op.Read[wire.Ref, Row]{
			Path: "/admin/aftersale/read", Title: "Show an after-sale case",
			Access: op.SharedPermit("admin:aftersale:list"), Budget: 2, Do: h.read,
		},
		op.Read[op.None, []Count]{
			Path: "/admin/aftersale/counts", Title: "Count the after-sale cases of each state",
			Access: op.SharedPermit("admin:aftersale:list"), Budget: 2, Do: h.counts,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/aftersale/recept", Title: "Accept an after-sale case",
			Access:           op.Permit("admin:aftersale:recept", menu.Aftersales(), menu.Button("Approve", "审核通过")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.recept", Audit: audit("售后通过"), Budget: 11, Do: h.accept,
		},
		op.Write[wire.Refs, op.None]{
			Path: "/admin/aftersale/batch-recept", Title: "Accept several after-sale cases",
			Access:           op.Permit("admin:aftersale:batch-recept", menu.Aftersales(), menu.Button("Approve many", "批量通过")),
			Fails:            []*errno.Code{errno.Stale},
			IdempotencyScope: "admin.batch-recept", Audit: audit("售后通过"), Budget: op.PerItem, Do: h.acceptAll,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/aftersale/reject", Title: "Reject an after-sale case",
			Access:           op.Permit("admin:aftersale:reject", menu.Aftersales(), menu.Button("Reject", "审核拒绝")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.aftersale-reject", Audit: audit("售后拒绝"), Budget: 9, Do: h.reject,
		},
		op.Write[wire.Refs, op.None]{
			Path: "/admin/aftersale/batch-reject", Title: "Reject several after-sale cases",
			Access:           op.Permit("admin:aftersale:batch-reject", menu.Aftersales(), menu.Button("Reject many", "批量拒绝")),
			Fails:            []*errno.Code{errno.Stale},
			IdempotencyScope: "admin.batch-reject", Audit: audit("售后拒绝"), Budget: op.PerItem, Do: h.rejectAll,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/aftersale/refund", Title: "Refund an accepted after-sale case",
			Access:           op.Permit("admin:aftersale:refund", menu.Aftersales(), menu.Button("Refund", "退款")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.OrderRefundFailed, errno.Stale},
			IdempotencyScope: "admin.aftersale-refund", Audit: audit("退款"), Budget: 23, Do: h.refund,
		},
	}
}

func audit(action string) op.Audit {
	return op.Audit{Target: "aftersale", Kind: int(auditing.Ordering), Action: action}
}

// List is the query of /admin/aftersale/list.
type List struct {
	wire.Paging
	OrderID     int64  `json:"orderId" show:"of=order"`
	AftersaleSN string `json:"aftersaleSn" doc:"The whole number of the case."`
	Status      *int   `json:"status" show:"one=case-state"`
}

func (h handlers) list(ctx context.Context, r List) (wire.List[Row], error) {
	f := aftersale.Filter{OrderID: r.OrderID, SN: r.AftersaleSN, Status: nil}
	if r.Status != nil {
		s := aftersale.Status(*r.Status)
		f.Status = &s
	}
	return paging.Page(r.Paging, func(q page.Query) (page.List[aftersale.Case], error) {
		return h.Cases.AdminList(ctx, f, q)
	}, h.row)
}

// Count is how many cases are in a state.
type Count struct {
	Status int   `json:"status" show:"one=case-state"`
	Total  int64 `json:"total" doc:"1000 for so many or more."`
}

func (h handlers) read(ctx context.Context, r wire.Ref) (Row, error) {
	c, err := h.Cases.AdminFind(ctx, r.ID)
	if err != nil {
		return Row{}, err
	}
	return h.row(c), nil
}

func (h handlers) counts(ctx context.Context, _ op.None) ([]Count, error) {
	counted, err := h.Cases.CountByState(ctx)
	if err != nil {
		return nil, err
	}
	return wire.Each(slices.Sorted(maps.Keys(counted)), func(s aftersale.Status) Count {
		return Count{Status: int(s), Total: counted[s]}
	}), nil
}

func (h handlers) accept(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Cases.Accept(ctx, auth.Actor(ctx), r.ID)
}

func (h handlers) acceptAll(ctx context.Context, r wire.Refs) (op.None, error) {
	return op.None{}, h.Cases.AcceptAll(ctx, auth.Actor(ctx), r.IDs)
}

func (h handlers) reject(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Cases.Reject(ctx, auth.Actor(ctx), r.ID)
}

func (h handlers) rejectAll(ctx context.Context, r wire.Refs) (op.None, error) {
	return op.None{}, h.Cases.RejectAll(ctx, auth.Actor(ctx), r.IDs)
}

func (h handlers) refund(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Cases.Refund(ctx, auth.Actor(ctx), r.ID)
}

// Row is a case of the list.
type Row struct {
	contract.Aftersale
	HandleTime wire.Time `json:"handleTime"`
	wire.Stamps
}

func (h handlers) row(c aftersale.Case) Row {
	return Row{
		Aftersale: contract.AftersaleOf(c), HandleTime: h.Zone.At(c.HandleTime),
		Stamps: h.Zone.Stamps(c.AddTime, c.UpdateTime),
	}
}
