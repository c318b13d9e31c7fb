// Package oplog serves operators the business log, which is read-only.
package oplog

import (
	"context"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

// Ops declares the operation on the business log.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Read[List, wire.List[Row]]{
			Path: "/admin/log/list", Title: "List the operation log",
			Access: op.Permit("admin:log:list", menu.Logs(), menu.Query()), Budget: 4, MayLag: true,
			Columns: op.Columns{
				Names: []string{"admin", "action", "result", "status", "type", "ip", "comment", "addTime"},
			},
			Do: h.list,
		},
	}
}

// Deps are what the operations need.
type Deps struct {
	Audit *audit.Service
	Zone  wire.Zone
}

type handlers struct{ Deps }

// List is the query of /admin/log/list.
type List struct {
	wire.Paging
	ID   *int64 `json:"id" doc:"Only the entry of this id." show:"none"`
	Name string `json:"name" doc:"Words of the operator's name, in any order."`
}

func (h handlers) list(ctx context.Context, r List) (wire.List[Row], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[audit.Line], error) {
		return h.Audit.Lines(ctx, audit.LineFilter{ID: r.ID, Name: r.Name}, q)
	}, h.row)
}

// Row is an entry of the log.
type Row struct {
	ID      int64  `json:"id"`
	Admin   string `json:"admin"`
	IP      string `json:"ip"`
	Type    int    `json:"type" show:"one=log-type"`
	Action  string `json:"action"`
	Status  bool   `json:"status" show:"one=success"`
	Result  string `json:"result" show:"long"`
	Comment string `json:"comment" show:"long"`
	wire.Stamps
}

func (h handlers) row(l audit.Line) Row {
	return Row{
		ID: l.ID, Admin: l.Admin, IP: l.Address, Type: int(l.Kind), Action: l.Action, Status: l.OK, Result: l.Result,
		Comment: l.Comment, Stamps: h.Zone.Stamps(l.AddTime, l.UpdateTime),
	}
}
