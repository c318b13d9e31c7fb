package order

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// NoteKind says what a note is about. Its numbers are stored.
type NoteKind int

// The kinds.
const (
	// Remarked is a text for colleagues, which no shopper sees.
	Remarked NoteKind = iota + 1
	// Printed says that the packing slip was printed.
	Printed
	// Reminded says that the shopper asked for the order to be shipped.
	Reminded
	// Readdressed says that the shopper had the order sent to another address; the text is the recipient before.
	Readdressed
)

// Note is what was noted about an order, by an operator or by its shopper, where AdminID is 0. Notes are never changed.
type Note struct {
	ID, OrderID, AdminID int64
	Kind                 NoteKind
	Content              string
	AddTime              time.Time
}

var notes = table.Of[Note]("order_note",
	table.Refers("order_id", "orders"),
	table.Refers("admin_id", "admin").When("t.kind IN (?, ?)", Remarked, Printed), // shoppers note the others
)

const (
	// maxContent is the number of characters of the longest text.
	maxContent = 511
	// maxNotes bounds the notes and the steps that are read of an order.
	maxNotes = 200
	// MaxPrinted bounds the orders that are marked as printed in one call.
	MaxPrinted = 500
)

// Remark adds a text for colleagues to an order in any state. It fails with errno.Invalid for an unknown order.
func (s *Service) Remark(ctx context.Context, by actor.Actor, id int64, content string) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.Load(ctx, tx, id, by, Unlocked)
		if err != nil {
			return err
		}
		n := Note{ID: 0, OrderID: id, AdminID: by.ID, Kind: Remarked, Content: content, AddTime: s.Now()}
		if n.ID, err = notes.Insert(ctx, tx, n); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{ID: n.ID, Before: nil, After: n, Result: logName(o.SN), Comment: ""})
	})
}

// MarkPrinted notes that the packing slips of orders were printed. It fails with errno.Invalid if there are none,
// more than MaxPrinted, or one of them is unknown.
func (s *Service) MarkPrinted(ctx context.Context, by actor.Actor, of []int64) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		known, err := orders.IDs(ctx, tx, "r.id IN ? AND r.deleted = 0 ORDER BY r.id", of)
		if err != nil {
			return err
		}
		if len(known) == 0 || len(known) != len(of) {
			return fmt.Errorf("%d of %d orders: %w", len(known), len(of), errno.NoSuch(text.FieldOrder))
		}
		printed := make([]Note, len(known))
		for i, id := range known {
			printed[i] = Note{ID: 0, OrderID: id, AdminID: by.ID, Kind: Printed, Content: "", AddTime: s.Now()}
		}
		if err := notes.InsertAll(ctx, tx, printed); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{
			ID: 0, Before: nil, After: map[string]any{"ids": known}, Result: "", Comment: "",
		})
	})
}

// Marks are the notes of an order in short.
type Marks struct {
	// Remarks is the number of texts for colleagues.
	Remarks int64
	// PrintedAt is when the packing slip was printed last, RemindedAt when the shopper last asked for the order to be
	// shipped; zero for never.
	PrintedAt, RemindedAt time.Time
}

// MarksOf returns the marks of orders, in one statement; orders without any are left out.
func (s *Service) MarksOf(ctx context.Context, of []int64) (map[int64]Marks, error) {
	type counted struct {
		OrderID int64
		Kind    NoteKind
		N       int64
		Last    time.Time
	}
	found, err := table.Select[counted](ctx, s.DB, `SELECT order_id, kind, COUNT(*) AS n, MAX(add_time) AS last
		FROM order_note WHERE order_id IN ? GROUP BY order_id, kind`, append(of, 0))
	if err != nil {
		return nil, fmt.Errorf("count the notes of orders: %w", err)
	}
	marks := map[int64]Marks{}
	for _, c := range found {
		m := marks[c.OrderID]
		switch c.Kind {
		case Remarked:
			m.Remarks = c.N
		case Printed:
			m.PrintedAt = c.Last
		case Reminded:
			m.RemindedAt = c.Last
		case Readdressed:
		}
		marks[c.OrderID] = m
	}
	return marks, nil
}

// History returns the newest steps and notes of an order, each the oldest first.
func (s *Service) History(ctx context.Context, id int64) ([]Step, []Note, error) {
	const newest = `r.id IN (SELECT id FROM (SELECT id FROM %s WHERE order_id = ? ORDER BY id DESC LIMIT ?) n)
		ORDER BY r.id`
	logged, err := statusLog.Find(ctx, s.DB, fmt.Sprintf(newest, statusLog.Name()), id, maxNotes)
	if err != nil {
		return nil, nil, err
	}
	steps := make([]Step, len(logged))
	for i, l := range logged {
		steps[i] = l.step()
	}
	noted, err := notes.Find(ctx, s.DB, fmt.Sprintf(newest, notes.Name()), id, maxNotes)
	return steps, noted, err
}
