package audit

import (
	"context"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
)

// Line is an entry of the business log as it is kept.
type Line struct {
	ID int64
	Entry
	AddTime, UpdateTime time.Time
}

// Lines lists the business log, of operators whose name contains a text. Sort is add_time or id.
func (s *Service) Lines(ctx context.Context, name string, q page.Query) (page.List[Line], error) {
	return listLines(ctx, s.db, name, q)
}

type lineRow struct {
	ID                                 int64
	Admin, IP, Action, Result, Comment *string
	Type                               *int
	Status                             *bool
	AddTime, UpdateTime                time.Time
}

func listLines(ctx context.Context, q db.Querier, name string, w page.Query) (page.List[Line], error) {
	l := listing.Of("log", "r.id, r.admin, r.ip, r.type, r.action, r.status, r.result, r.comment, r.add_time, "+
		"r.update_time").Timed("ix_log_list").Contains("admin", name)
	rows, err := listing.Fetch[lineRow](ctx, q, l, w)
	return page.Map(rows, lineRow.line), err
}

func (r lineRow) line() Line {
	return Line{
		ID: r.ID, AddTime: r.AddTime, UpdateTime: r.UpdateTime,
		Entry: Entry{
			Admin: or(r.Admin), Address: or(r.IP), Kind: Kind(or(r.Type)), Action: or(r.Action), OK: or(r.Status),
			Result: or(r.Result), Comment: or(r.Comment),
		},
	}
}

// or returns what a column holds, the zero value for NULL.
func or[T any](v *T) (value T) {
	if v != nil {
		value = *v
	}
	return value
}
