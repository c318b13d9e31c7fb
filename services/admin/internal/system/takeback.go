package system

import (
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/logkind"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/menu"
)

// Taker takes back changes of the rows of one table, by their audit records.
type Taker interface {
	// Takes reports whether records such as this one can be taken back.
	Takes(record audit.Stored) bool
	// CheckTakeBack returns what would become of each row, and what seen has to be to do just that.
	CheckTakeBack(ctx context.Context, changes []audit.Stored) (rows []audit.Taken, seen string, err error)
	// TakeBack does it, once for a repeated request, and returns of how many rows. It fails with errno.Stale if rows were
	// changed since seen, unless that is empty.
	TakeBack(ctx context.Context, changes []audit.Stored, seen string) (int, error)
}

// takeBackOps are the operations that take back what a call has changed.
func (h auditHandlers) takeBackOps() []op.Op {
	const permission = "admin:audit:takeback"
	return []op.Op{
		op.Read[wire.Ref, TakeBack]{
			Path: "/admin/audit/takeback", Title: "Say what taking back the call of an audit record would do",
			Access: op.SharedPermit(permission), Budget: 14, Do: h.check,
		},
		op.Write[Taking, TakenBack]{
			Path: "/admin/audit/takeback", Title: "Take back the call of an audit record",
			Access:           op.Permit(permission, menu.Audit(), menu.Button("take-back")),
			Fails:            []*errno.Code{errno.Stale},
			IdempotencyScope: "admin.audit-takeback",
			Audit:            op.Audit{Target: "audit_log", Kind: logkind.Other, Action: text.ForAction("takeback"), Each: true},
			Budget:           24,
			Do:               h.takeBack,
		},
	}
}

// TakeBack is what taking back a call does.
type TakeBack struct {
	Taken int           `json:"taken" doc:"Rows whose change is taken back."`
	Kept  int           `json:"kept" doc:"Rows that keep the change."`
	Seen  string        `json:"seen" doc:"What the change has to name to do just that."`
	Rows  []TakeBackRow `json:"rows"`
}

// TakeBackRow is what becomes of one row.
type TakeBackRow struct {
	ID      int64    `json:"id"`
	Name    string   `json:"name"`
	Reason  string   `json:"reason" doc:"Why it keeps the change, in the caller's language; empty if it does not."`
	Effect  string   `json:"effect" doc:"deleted or restored where the whole row is, otherwise empty."`
	Changes []Change `json:"changes"`
}

// together returns the records of the call of a record, and who takes it back. The caller needs the permission of that
// call, too.
func (h auditHandlers) together(ctx context.Context, id int64) (Taker, []audit.Stored, error) {
	all, err := h.Audit.Together(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	if len(all) == 0 {
		return nil, nil, errno.NoSuch(text.FieldID)
	}
	held, err := auth.Held(ctx, h.Access)
	if err != nil {
		return nil, nil, err
	}
	needs := all[0].Permission
	if !slices.Contains(held.Values, access.Super) && !slices.Contains(held.Values, needs) {
		return nil, nil, fmt.Errorf("take back what takes %s: %w", needs, errno.NoPermission)
	}
	if slices.ContainsFunc(all, func(s audit.Stored) bool { return !h.takes(s) }) {
		return nil, nil, errno.Invalid.Because(text.TakeBackNot)
	}
	return h.Takers[all[0].Table], all, nil
}

// takes reports whether a record can be taken back, as far as its rows allow it.
func (h auditHandlers) takes(record audit.Stored) bool {
	taker := h.Takers[record.Table]
	return taker != nil && taker.Takes(record)
}

func (h auditHandlers) check(ctx context.Context, r wire.Ref) (TakeBack, error) {
	taker, changes, err := h.together(ctx, r.ID)
	if err != nil {
		return TakeBack{}, err
	}
	rows, seen, err := taker.CheckTakeBack(ctx, changes)
	language := op.LanguageOf(ctx, h.Language)
	out := TakeBack{Taken: 0, Kept: 0, Seen: seen, Rows: wire.Each(rows, func(t audit.Taken) TakeBackRow {
		return h.row(t, language)
	})}
	for _, row := range rows {
		if row.Refusal == nil {
			out.Taken++
		} else {
			out.Kept++
		}
	}
	return out, err
}

func (h auditHandlers) row(t audit.Taken, language string) TakeBackRow {
	r := TakeBackRow{ID: t.ID, Name: t.Name, Reason: "", Effect: string(t.Effect), Changes: nil}
	if t.Refusal != nil {
		r.Reason = errno.Text(t.Refusal, language)
	}
	r.Changes, _ = recordChanges(t.Before, t.After, language, h.Zone)
	return r
}

// Taking is the body of POST /admin/audit/takeback.
type Taking struct {
	ID   int64  `json:"id" check:"required" doc:"A record of the call."`
	Seen string `json:"seen" check:"maxLength=64,clean=none" doc:"From the check; refused if rows changed since."`
}

// TakenBack is the answer of POST /admin/audit/takeback.
type TakenBack struct {
	Taken int `json:"taken"`
}

func (h auditHandlers) takeBack(ctx context.Context, r Taking) (TakenBack, error) {
	taker, changes, err := h.together(ctx, r.ID)
	if err != nil {
		return TakenBack{}, err
	}
	if call, known := audit.From(ctx); known {
		call.Target = changes[0].Table // the rows that are changed back
		ctx = audit.With(ctx, call)
	}
	n, err := taker.TakeBack(ctx, changes, r.Seen)
	return TakenBack{Taken: n}, err
}
