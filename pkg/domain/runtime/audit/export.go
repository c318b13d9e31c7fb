package audit

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"shop.internal/pkg/domain/internal/store/db"
)

// Act records an action of an operator's call that changes no row.
func (s *Service) Act(ctx context.Context, c Change) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error { return RecordOnly(ctx, tx, c) })
	if err != nil {
		return fmt.Errorf("record an act: %w", err)
	}
	return nil
}

// BeginExport records that the call exports rows of its target, and the filter as the caller gave it. It is written
// before the first row, so that there is a record even if the export fails.
func (s *Service) BeginExport(ctx context.Context, filter any) error {
	return s.Act(ctx, Change{After: map[string]any{"filter": filter}})
}

// Conclude is Act for the end of an action; it is recorded even if the context was cancelled.
func (s *Service) Conclude(ctx context.Context, c Change) error {
	ctx, cancel := s.closing(ctx)
	defer cancel()
	return s.Act(ctx, c)
}

// closingTimeout is the timeout for recording the end of an action.
const closingTimeout = 5 * time.Second

// closing returns the context for recording the end of an action, independent of the cancelled one: the client may have
// disconnected, or the command been interrupted.
func (s *Service) closing(ctx context.Context) (context.Context, context.CancelFunc) {
	if call, ok := From(ctx); ok {
		call.At = s.now()
		ctx = With(ctx, call)
	}
	return context.WithTimeout(context.WithoutCancel(ctx), closingTimeout)
}

// EndExport records how many rows of the table were exported and whether those were all, and notes it in the business
// log.
func (s *Service) EndExport(ctx context.Context, rows int, whole bool) error {
	ctx, cancel := s.closing(ctx)
	defer cancel()
	call, ok := From(ctx)
	if !ok {
		return nil
	}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := RecordOnly(ctx, tx, Change{After: map[string]any{"rows": rows, "whole": whole}}); err != nil {
			return err
		}
		e := call.entry(strconv.Itoa(rows), "")
		e.OK = whole
		return Log(ctx, tx, e, call.At)
	})
	if err != nil {
		return fmt.Errorf("record the end of an export: %w", err)
	}
	return nil
}
