package aftersale

import (
	"context"
	"errors"
	"fmt"
	"io"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/life"
	"shop.internal/pkg/domain/internal/upload"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/text"
)

// Status is the state of a case, with the numbers of the contract.
type Status int

// The states. None means that the order has no case.
const (
	None Status = iota
	Requested
	Accepted
	Refunded
	Rejected
	Cancelled
)

// Event is an event in the life of a case.
type Event string

// The events. Request is the shopper's: it creates a case, and replaces one that is not accepted.
const (
	Request Event = "request"
	Cancel  Event = "cancel"
	Accept  Event = "accept"
	Reject  Event = "reject"
	Refund  Event = "refund"
)

// moves are all transitions of cases; any other is impossible: an accepted case can neither be replaced nor withdrawn,
// and a refund is final.
var moves = life.New(map[Status]map[Event]Status{
	None:      {Request: Requested},
	Requested: {Request: Requested, Cancel: Cancelled, Accept: Accepted, Reject: Rejected},
	Accepted:  {Refund: Refunded},
	Refunded:  {},
	Rejected:  {Request: Requested},
	Cancelled: {Request: Requested},
})

// Life returns the state machine of cases, for verifying the books.
func Life() life.Machine[Status, Event] { return moves }

// Next returns the state after an event, and whether the event is allowed.
func (s Status) Next(e Event) (Status, bool) {
	return moves.Next(s, e)
}

// Open reports whether an operator must still handle a case in this state.
func (s Status) Open() bool { return s == Requested || s == Accepted }

// Choices returns every state with its label.
func Choices() []text.Choice { return text.ChoicesOf(labels) }

// labels are the catalogue's entries of the states.
var labels = map[Status]*text.Text{
	None:      text.CaseNone,
	Requested: text.CaseRequested,
	Accepted:  text.CaseAccepted,
	Refunded:  text.CaseRefunded,
	Rejected:  text.CaseRejected,
	Cancelled: text.CaseCancelled,
}

// WriteLife writes the chart of the state machine as a section of the documentation.
func WriteLife(w io.Writer) error {
	names := map[Status]string{
		None: "No case", Requested: "Requested", Accepted: "Accepted", Refunded: "Refunded", Rejected: "Rejected",
		Cancelled: "Withdrawn",
	}
	return life.Chart[Status, Event]{
		Title: "## The life of an after-sale case",
		Intro: "A received order has at most one case at a time; the order shows its state. A request that replaces " +
			"another\ncreates a new case and deletes the old one.",
		Starts:  []life.Start[Status]{{To: None, What: "the order is received"}},
		Machine: moves, Languages: []string{"English"},
		Names: func(s Status) []string { return []string{names[s]} },
	}.Write(w)
}

// Submit opens a case on the shopper's received order and returns its id; a case that is open, rejected or withdrawn is
// replaced. It fails with errno.OrderUnknown, with AftersaleNotAllowed before the receipt, with AftersaleInvalidAmount
// for more than was paid for the goods, and with AftersaleInvalidStatus once an operator has accepted a case.
func (s *Service) Submit(ctx context.Context, shopper int64, w Submission) (int64, error) {
	return idempotency.InTx(ctx, s.Once, func(tx *db.Tx) (int64, error) {
		o, err := s.Orders.Load(ctx, tx, w.OrderID, actor.Shopper(shopper), order.Locked)
		if err != nil {
			return 0, err
		}
		if !o.Status.Done() {
			return 0, fmt.Errorf("after-sale of order %d in %d: %w", o.ID, o.Status, errno.AftersaleNotAllowed)
		}
		if w.Amount < 0 || w.Amount > most(o) {
			return 0, fmt.Errorf("%s back of order %d: %w", w.Amount, o.ID,
				errno.AftersaleInvalidAmount.Because(text.CaseAmount, most(o)))
		}
		before, found, err := liveOf(ctx, tx, o.ID)
		if err != nil {
			return 0, fmt.Errorf("read the case of order %d: %w", o.ID, err)
		}
		to, ok := before.Status.Next(Request)
		if !ok {
			return 0, refusal(actor.Shopper(shopper), Request, before)
		}
		if found {
			if err := changed(retire(ctx, tx, before, s.Now())); err != nil {
				return 0, fmt.Errorf("replace case %d: %w", before.ID, err)
			}
		}
		c := Case{
			OrderID: o.ID, UserID: shopper, Type: w.Type, Reason: w.Reason, Comment: w.Comment, Amount: w.Amount,
			Pictures: w.Pictures, Status: to, AddTime: s.Now(), UpdateTime: s.Now(),
		}
		if err := s.insertNumbered(ctx, tx, &c); err != nil {
			return 0, err
		}
		if err := s.Orders.MarkAftersale(ctx, tx, &o, int(to)); err != nil {
			return 0, err
		}
		return c.ID, upload.Use(ctx, tx, c.Pictures)
	})
}

// insertNumbered generates numbers until one is free; with ten random digits a day the first almost always is.
func (s *Service) insertNumbered(ctx context.Context, tx *db.Tx, c *Case) error {
	const draws = 5
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	var err error
	for range draws {
		c.SN = s.Orders.NewNumber()
		if c.ID, err = cases.Insert(ctx, tx, row{Case: *c}); err == nil {
			return nil
		}
		if !db.Duplicate(err, "uk_as_sn") {
			break
		}
	}
	return fmt.Errorf("write a case of order %d: %w", c.OrderID, err)
}

// Cancel withdraws the shopper's case. It fails with errno.Invalid for another shopper's, and with
// errno.AftersaleInvalidStatus once an operator has acted.
func (s *Service) Cancel(ctx context.Context, shopper, id int64) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		return s.cancel(ctx, tx, shopper, id)
	})
}

// CancelOf withdraws the case of one of the shopper's orders. It fails as Cancel does.
func (s *Service) CancelOf(ctx context.Context, shopper, orderID int64) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		c, found, err := liveOf(ctx, tx, orderID)
		if err != nil {
			return fmt.Errorf("read the case of order %d: %w", orderID, err)
		}
		if !found {
			return fmt.Errorf("order %d has no case: %w", orderID, errno.NoSuch(text.FieldCase))
		}
		return s.cancel(ctx, tx, shopper, c.ID)
	})
}

func (s *Service) cancel(ctx context.Context, tx *db.Tx, shopper, id int64) error {
	o, c, err := s.lock(ctx, tx, id, func(c Case) bool { return c.UserID == shopper })
	if err != nil {
		return err
	}
	return s.apply(ctx, tx, actor.Shopper(shopper), &o, &c, Cancel)
}

// lock loads a live case and locks its order and then the case, as every transition must. It fails with errno.Invalid
// if either is deleted, or if allowed returns false.
func (s *Service) lock(
	ctx context.Context, tx *db.Tx, id int64, allowed func(Case) bool,
) (o order.Order, c Case, err error) {
	unknown := func() error { return fmt.Errorf("case %d: %w", id, errno.NoSuch(text.FieldCase)) }
	if c, err = s.read(ctx, tx, id); err != nil {
		return o, c, err
	}
	if c.ID == 0 || !allowed(c) {
		return o, Case{}, unknown()
	}
	if o, err = s.Orders.Load(ctx, tx, c.OrderID, actor.Operator(0), order.Locked); err != nil {
		return o, Case{}, err
	}
	if c, err = s.read(ctx, tx, id); err != nil { // read again, now that the order is locked
		return o, c, err
	}
	if c.ID == 0 {
		return o, c, unknown()
	}
	return o, c, nil
}

// read loads a live case by id, a zero Case for none.
func (s *Service) read(ctx context.Context, q db.Querier, id int64) (Case, error) {
	c, _, err := byID(ctx, q, id)
	if err != nil {
		return c, fmt.Errorf("read case %d: %w", id, err)
	}
	return c, nil
}

// apply moves a case by an event, and sets the state on its order; both are locked. The update is conditional on the
// state and the version that were read.
func (s *Service) apply(ctx context.Context, tx *db.Tx, by actor.Actor, o *order.Order, c *Case, e Event) error {
	to, ok := c.Status.Next(e)
	if !ok {
		return refusal(by, e, *c)
	}
	if err := changed(move(ctx, tx, *c, to, operator(by), s.Now())); err != nil {
		return fmt.Errorf("%s case %d: %w", e, c.ID, err)
	}
	c.Status, c.version = to, c.version+1
	if e == Refund {
		return nil // Compensated sets more than the state
	}
	return s.Orders.MarkAftersale(ctx, tx, o, int(to))
}

// operator returns the id to store as the handler of a case, 0 for a shopper and for a retry.
func operator(by actor.Actor) int64 {
	if by.Kind == actor.KindOperator {
		return by.ID
	}
	return 0
}

// changed turns an update that matched no row into an error.
func changed(ok bool, err error) error {
	if err == nil && !ok {
		return errno.Stale
	}
	return err
}

// Accept accepts a case, to be refunded. It fails with errno.Invalid for no case and with errno.OrderConfirmNotAllowed
// in any state but Requested.
func (s *Service) Accept(ctx context.Context, by actor.Actor, id int64) error {
	return s.decide(ctx, by, id, Accept)
}

// Reject rejects a case; the shopper may submit another one. It fails as Accept does.
func (s *Service) Reject(ctx context.Context, by actor.Actor, id int64) error {
	return s.decide(ctx, by, id, Reject)
}

func (s *Service) decide(ctx context.Context, by actor.Actor, id int64, e Event) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		return s.decideIn(ctx, tx, by, id, e, func(before Case) error {
			return s.record(ctx, tx, before, logName(before))
		})
	})
}

// decideIn moves one case and records it.
func (s *Service) decideIn(
	ctx context.Context, tx *db.Tx, by actor.Actor, id int64, e Event, keep func(before Case) error,
) error {
	o, c, err := s.lock(ctx, tx, id, func(Case) bool { return true })
	if err != nil {
		return err
	}
	before := c
	if err := s.apply(ctx, tx, by, &o, &c, e); err != nil {
		return err
	}
	return keep(before)
}

// record writes the audit record of an operator's call, with the transition. The case is read again, so that the record
// shows the stored row.
func (s *Service) record(ctx context.Context, tx *db.Tx, before Case, result string) error {
	if _, byOperator := audit.From(ctx); !byOperator {
		return nil
	}
	after, err := s.read(ctx, tx, before.ID)
	if err != nil {
		return err
	}
	return audit.Record(ctx, tx, audit.Change{ID: before.ID, Before: before, After: after, Result: result, Comment: ""})
}

// logName is how the business log names a case.
func logName(c Case) string { return text.LogCase.Stored(c.SN) }

// AcceptAll accepts several cases, each in a transaction of its own. Cases in another state, or deleted, are skipped.
func (s *Service) AcceptAll(ctx context.Context, by actor.Actor, ids []int64) error {
	return s.decideAll(ctx, by, ids, Accept)
}

// RejectAll rejects several cases in the same way.
func (s *Service) RejectAll(ctx context.Context, by actor.Actor, ids []int64) error {
	return s.decideAll(ctx, by, ids, Reject)
}

// decideAll stores its answer after the last case, so that a repetition before that handles the rest.
func (s *Service) decideAll(ctx context.Context, by actor.Actor, ids []int64, e Event) error {
	if done, err := idempotency.Done(ctx, s.Once); done || err != nil {
		return err
	}
	var recorded bool // a call has one audit record, written with the first case that it moves
	record := func(tx *db.Tx) error {
		if recorded {
			return nil
		}
		return audit.RecordOnly(ctx, tx, audit.Change{After: batch{ids, e}})
	}
	for _, id := range ids {
		err := s.DB.InTx(ctx, func(tx *db.Tx) error {
			return s.decideIn(ctx, tx, by, id, e, func(before Case) error {
				return errors.Join(record(tx), audit.Note(ctx, tx, logName(before), ""))
			})
		})
		if err != nil && !errors.Is(err, errno.Invalid) && !errors.Is(err, errno.OrderConfirmNotAllowed) {
			return err
		}
		recorded = recorded || err == nil
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		return errors.Join(record(tx), idempotency.SaveDone(ctx, s.Once, tx))
	})
}

// batch is the audit record of a call that decides several cases; the business log names each of them.
type batch struct {
	IDs   []int64
	Event Event
}
