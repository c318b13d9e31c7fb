package system

import (
	"context"
	"maps"
	"slices"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
)

type auditHandlers struct{ Deps }

// auditOps declares the operations.
func auditOps(d Deps) []op.Op {
	h := auditHandlers{d}
	return append([]op.Op{
		op.Read[RecordFilter, Records]{
			Path: "/admin/audit/records", Title: "List audit records, the newest first",
			Access: op.Permit("admin:audit:list", menu.Audit(), menu.Query()), Budget: 3, Do: h.records,
		},
		op.Read[op.None, ChainState]{
			Path: "/admin/audit/state", Title: "Show the state of the chain of audit records",
			Access: op.SharedPermit("admin:audit:list"), Budget: 5, Do: h.state,
		},
	}, h.takeBackOps()...)
}

// RecordFilter is the query of /admin/audit/records.
type RecordFilter struct {
	AdminID int64  `json:"adminId" show:"of=admin" doc:"Only changes by this operator."`
	Target  string `json:"target" check:"maxLength=32" doc:"Only changes of rows of this table, such as orders."`
	ID      int64  `json:"id" doc:"Only changes of the row of this id; with target."`
	Start   string `json:"start" doc:"Earliest time." show:"time"`
	End     string `json:"end" doc:"Only records before this time." show:"time"`
	Before  int64  `json:"before" label:"id" doc:"Only records older than that of this id, the last of the page before."`
	Limit   int    `json:"limit" check:"default=20,min=1,max=100"`
}

// Records is a page of records.
type Records struct {
	List []Record `json:"list"`
	More bool     `json:"more" doc:"Whether there are older ones."`
}

// Record is an audit record.
type Record struct {
	ID       int64  `json:"id"`
	AdminID  int64  `json:"adminId" show:"of=admin" doc:"0 for a command."`
	Username string `json:"username" doc:"The username at that time."`
	IP       string `json:"ip"`
	// Action says what was done in the caller's language, Operation by method and path.
	Action    string    `json:"action" doc:"What was done, in the caller's language."`
	Operation string    `json:"operation"`
	Target    string    `json:"target" doc:"The table of the row."`
	TargetID  int64     `json:"targetId" doc:"The row; 0 where several were changed."`
	Area      string    `json:"area" doc:"The area of the console that the table belongs to; empty for none."`
	Changes   []Change  `json:"changes"`
	Omitted   int       `json:"omitted" doc:"How many changed members are not among them."`
	Sealed    bool      `json:"sealed" doc:"Whether the record is part of the chain yet."`
	Takeable  bool      `json:"takeable" doc:"Whether its call can be taken back, as far as its rows allow it."`
	Request   string    `json:"request" doc:"The number of the request in the logs."`
	AddTime   wire.Time `json:"addTime"`
}

func (h auditHandlers) records(ctx context.Context, f RecordFilter) (Records, error) {
	from, err := h.Zone.Moment(text.FieldStartTime, f.Start)
	if err != nil {
		return Records{}, err
	}
	until, err := h.Zone.Moment(text.FieldEndTime, f.End)
	if err != nil {
		return Records{}, err
	}
	found, more, err := h.Audit.Browse(ctx, audit.Browsed{
		Operator: f.AdminID, Table: f.Target, Row: f.ID, From: from, Until: until, Before: f.Before, Limit: f.Limit,
	})
	language, areas := op.LanguageOf(ctx, h.Language), h.Registry().Targets()
	return Records{More: more, List: wire.Each(found, func(s audit.Stored) Record {
		r := Record{
			ID: s.ID, AdminID: s.OperatorID, Username: s.Operator, IP: s.Address, Operation: s.Operation,
			Action: h.Registry().Action(s.Operation, language), Target: s.Table, TargetID: s.Row, Area: areas[s.Table],
			Changes: nil, Omitted: 0, Sealed: s.Sealed, Takeable: h.takes(s), Request: s.Request,
			AddTime: h.Zone.At(s.At),
		}
		r.Changes, r.Omitted = recordChanges(s.Before, s.After, language, h.Zone)
		return r
	})}, err
}

// ChainState is the answer of /admin/audit/state.
type ChainState struct {
	Head         int64     `json:"head" doc:"The number of the newest record of the chain."`
	Seal         string    `json:"seal" doc:"Its seal."`
	First        wire.Time `json:"first" doc:"The time of the oldest record of the chain that was not purged."`
	Last         wire.Time `json:"last" doc:"The time of the newest record of the chain."`
	Waiting      int64     `json:"waiting" doc:"Records that are not sealed yet, counted up to a thousand."`
	WaitingSince wire.Time `json:"waitingSince" doc:"The time of the oldest of them."`
	Verified     wire.Time `json:"verified" doc:"When a check of the books has last verified the chain, null if none has."`
	Faults       int       `json:"faults" doc:"How many faults of the chain it has found."`
	Targets      []Target  `json:"targets" doc:"The tables that records may be about."`
}

// Target is a table that records may be about.
type Target struct {
	Target string `json:"target"`
	Area   string `json:"area" doc:"The area of the console that the table belongs to."`
}

func (h auditHandlers) state(ctx context.Context, _ op.None) (ChainState, error) {
	c, err := h.Audit.Chain(ctx)
	if err != nil {
		return ChainState{}, err
	}
	verdict, err := h.Report.ChainVerdict(ctx)
	areas := h.Registry().Targets()
	return ChainState{
		Head: c.Head.Number, Seal: c.Head.Seal, First: h.Zone.At(c.First), Last: h.Zone.At(c.Last),
		Waiting: c.Unsealed, WaitingSince: h.Zone.At(c.UnsealedSince),
		Verified: h.Zone.At(verdict.At), Faults: verdict.Faults,
		Targets: wire.Each(slices.Sorted(maps.Keys(areas)), func(t string) Target {
			return Target{Target: t, Area: areas[t]}
		}),
	}, err
}
