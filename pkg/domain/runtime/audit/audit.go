// Package audit records what operators did, twice: an audit record of every change with the values before and after, in
// a hash chain that reveals tampering, and the business log in words. Both are written in the transaction of the
// change. It owns the tables audit_log and log.
package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/logkind"
	"shop.internal/pkg/domain/internal/store/db"
)

// Call is an operator's call that may change something.
type Call struct {
	// By is the caller, Name the username and Address the client's address.
	By            actor.Actor
	Name, Address string
	// Request is the request id of the request log.
	Request string
	// Permission is the value that authorized the caller; Operation the method and path, as in "POST /admin/order/ship".
	Permission, Operation string
	// Target is the table that the operation changes.
	Target string
	// Kind and Action are the entry of the business log; an empty Action is none.
	Kind   logkind.Kind
	Action string
	// At is the time of the call.
	At time.Time
}

type callKey struct{}

// With returns a context whose changes are recorded for this call.
func With(ctx context.Context, c Call) context.Context { return context.WithValue(ctx, callKey{}, c) }

// From returns the call of a context, false outside an operator's call.
func From(ctx context.Context) (Call, bool) {
	c, ok := ctx.Value(callKey{}).(Call)
	return c, ok
}

// Change is what a call did to a row.
type Change struct {
	// ID is the row, 0 if the call changed several.
	ID int64
	// Before and After are the row before and after: any value that encodes as a JSON object, nil for no row. Only
	// members that differ are stored, and no secrets.
	Before, After any
	// Result names what was changed, in the business log; it comes from the database, never from the request.
	Result, Comment string
}

// Record writes the audit record of the call's change and, if the operation has one, its entry in the business log. A
// call has exactly one record, even if nothing had to change, or with RecordAll one of each row. Outside an operator's
// call nothing is written.
func Record(ctx context.Context, tx *db.Tx, c Change) error {
	if err := RecordOnly(ctx, tx, c); err != nil {
		return err
	}
	return Note(ctx, tx, c.Result, c.Comment)
}

// RecordOnly writes the audit record without an entry in the business log, for calls that change several things and
// note each.
func RecordOnly(ctx context.Context, tx *db.Tx, c Change) error {
	_, err := RecordID(ctx, tx, c)
	return err
}

// RecordID is RecordOnly for changes that other rows refer to: it returns the id of the record, 0 outside an operator's
// call.
func RecordID(ctx context.Context, tx *db.Tx, c Change) (int64, error) {
	call, ok := From(ctx)
	if !ok {
		return 0, nil
	}
	r, err := call.record(c)
	if err != nil {
		return 0, err
	}
	id, err := records.Insert(ctx, tx, r)
	if err != nil {
		return 0, fmt.Errorf("record the change of %s %d: %w", call.Target, c.ID, err)
	}
	return id, nil
}

// RecordAll is RecordOnly for calls that change many rows, each with a record of its own, a thousand per statement.
func RecordAll(ctx context.Context, tx *db.Tx, changes []Change) error {
	call, ok := From(ctx)
	if !ok {
		return nil
	}
	rows := make([]row, len(changes))
	for i, c := range changes {
		var err error
		if rows[i], err = call.record(c); err != nil {
			return err
		}
	}
	return records.InsertAll(ctx, tx, rows)
}

// record is the audit record of a change by the call.
func (c Call) record(of Change) (row, error) {
	before, after, err := difference(of.Before, of.After)
	return row{
		AdminID: c.By.ID, AdminName: form.Truncate(c.Name, maxAdmin), IP: form.Truncate(c.Address, maxAddress),
		Permission: c.Permission, MethodPath: c.Operation, TargetType: c.Target, TargetID: of.ID,
		BeforeJSON: before, AfterJSON: after, RequestID: form.Truncate(c.Request, maxRequest), AddTime: c.At,
	}, err
}

// Note writes an entry of the call into the business log, if the operation has one.
func Note(ctx context.Context, tx *db.Tx, result, comment string) error {
	call, ok := From(ctx)
	if !ok || call.Action == "" {
		return nil
	}
	e := call.entry(result, comment)
	e.OK = true
	return Log(ctx, tx, e, call.At)
}

// NoteFailure writes an entry about the refusal of the call, outside the transaction that was rolled back.
func NoteFailure(ctx context.Context, d *db.DB, result, comment string) error {
	call, ok := From(ctx)
	if !ok || call.Action == "" {
		return nil
	}
	return Log(ctx, d, call.entry(result, comment), call.At)
}

func (c Call) entry(result, comment string) Entry {
	return Entry{
		Admin: c.Name, Address: c.Address, Kind: c.Kind, Action: c.Action, Result: result, Comment: comment, OK: false,
	}
}

// Packed encodes the call of a context as text, for work that another process may finish; it is empty outside an
// operator's call.
func Packed(ctx context.Context) (string, error) {
	call, ok := From(ctx)
	if !ok {
		return "", nil
	}
	text, err := json.Marshal(call)
	if err != nil {
		return "", fmt.Errorf("pack an operator's call: %w", err)
	}
	return string(text), nil
}

// Unpacked returns a context whose changes are recorded for a packed call, as of now. An empty text returns the context
// unchanged.
func Unpacked(ctx context.Context, packed string, now time.Time) (context.Context, error) {
	if packed == "" {
		return ctx, nil
	}
	var call Call
	if err := json.Unmarshal([]byte(packed), &call); err != nil {
		return ctx, fmt.Errorf("unpack an operator's call: %w", err)
	}
	call.At = now
	return With(ctx, call), nil
}
