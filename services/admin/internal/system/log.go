package system

import (
	"context"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

// logOps declares the operation on the business log.
func logOps(d Deps) []op.Op {
	h := logHandlers{d}
	return []op.Op{
		op.Read[ListLog, wire.List[LogRow]]{
			Path: "/admin/log/list", Title: "List the operation log",
			Access: op.Permit("admin:log:list", menu.Logs(), menu.Query()), Budget: 4, AllowStale: true,
			Columns: op.Columns{
				Names: []string{"admin", "action", "result", "status", "type", "ip", "comment", "addTime"},
			},
			Do: h.list,
		},
	}
}

type logHandlers struct{ Deps }

// ListLog is the query of /admin/log/list.
type ListLog struct {
	wire.Paging
	Name string `json:"name" doc:"Words of the operator's name, in any order."`
}

func (h logHandlers) list(ctx context.Context, r ListLog) (wire.List[LogRow], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[audit.Line], error) {
		return h.Audit.Lines(ctx, r.Name, q)
	}, func(l audit.Line) LogRow { return h.row(l, op.LanguageOf(ctx, text.Chinese)) })
}

// LogRow is an entry of the log.
type LogRow struct {
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

// row renders an entry. The entries are stored in Chinese, in which they are shown to whoever names no language.
func (h logHandlers) row(l audit.Line, language string) LogRow {
	return LogRow{
		ID: l.ID, Admin: text.Recorded(l.Admin, language), IP: l.Address, Type: int(l.Kind),
		Action: text.Recorded(l.Action, language), Status: l.OK, Result: text.Recorded(l.Result, language),
		Comment: text.Recorded(l.Comment, language), Stamps: h.Zone.Stamps(l.AddTime, l.UpdateTime),
	}
}
