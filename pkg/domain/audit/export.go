package audit

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// Act records something that an operator's call does outside of a change of rows.
func (s *Service) Act(ctx context.Context, c Change) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error { return RecordOnly(ctx, tx, c) })
	if err != nil {
		return fmt.Errorf("record an act: %w", err)
	}
	return nil
}

// BeginExport records that the call writes rows of its target down into a file, and which: filter is what chooses them,
// as the caller gave it. It is recorded before the first row, so that there is a record however the file ends.
func (s *Service) BeginExport(ctx context.Context, filter any) error {
	return s.Act(ctx, Change{After: map[string]any{"filter": filter}})
}

// Conclude is Act for what an act has come to: it is recorded also where the act was ended by its context.
func (s *Service) Conclude(ctx context.Context, c Change) error {
	ctx, cancel := s.closing(ctx)
	defer cancel()
	return s.Act(ctx, c)
}

// longestClosing is the longest that the end of an act may take to be recorded.
const longestClosing = 5 * time.Second

// closing returns the context in which the end of an act is recorded, as of now: the reader of an export may be gone,
// and a command interrupted.
func (s *Service) closing(ctx context.Context) (context.Context, context.CancelFunc) {
	if call, ok := From(ctx); ok {
		call.At = s.now()
		ctx = With(ctx, call)
	}
	return context.WithTimeout(context.WithoutCancel(ctx), longestClosing)
}

// EndExport records how many rows of the table were written, and whether that was all of them, and notes it in the
// business log.
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
