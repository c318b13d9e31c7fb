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
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/text"
)

// Status is the state of a case; the numbers are the contract's.
type Status int

// The states. None is that of an order without a case.
const (
	None Status = iota
	Requested
	Accepted
	Refunded
	Rejected
	Cancelled
)

// Event is what can happen to a case.
type Event string

// The events. Request is the shopper's: it makes a case, and takes the place of one that is not accepted.
const (
	Request Event = "request"
	Cancel  Event = "cancel"
	Accept  Event = "accept"
	Reject  Event = "reject"
	Refund  Event = "refund"
)

// moves is the whole life of a case. What is not in it cannot happen: what an operator has accepted can neither be
// replaced nor withdrawn, and nothing follows a refund.
var moves = life.New(map[Status]map[Event]Status{
	None:      {Request: Requested},
	Requested: {Request: Requested, Cancel: Cancelled, Accept: Accepted, Reject: Rejected},
	Accepted:  {Refund: Refunded},
	Refunded:  {},
	Rejected:  {Request: Requested},
	Cancelled: {Request: Requested},
})

// Next returns the state that an event leads to, and whether it may happen.
func (s Status) Next(e Event) (Status, bool) {
	return moves.Next(s, e)
}

// Open reports whether an operator must still act on a case in the state.
func (s Status) Open() bool { return s == Requested || s == Accepted }

// label is what people call a state.
func (s Status) label() *text.Text {
	return [...]*text.Text{
		text.CaseNone, text.CaseRequested, text.CaseAccepted, text.CaseRefunded, text.CaseRejected, text.CaseCancelled,
	}[s]
}

// WriteLife draws the table of moves as a section of the documentation.
func WriteLife(w io.Writer) error {
	names := map[Status]string{
		None: "No case", Requested: "Requested", Accepted: "Accepted", Refunded: "Refunded", Rejected: "Rejected",
		Cancelled: "Withdrawn",
	}
	return life.Chart[Status, Event]{
		Title: "## The life of an after-sale case",
		Intro: "A received order has at most one case at a time; its state is kept with the order too. A request in place " +
			"of\nanother makes a new case and retires the old one.",
		Starts:  []life.Start[Status]{{To: None, What: "the order is received"}},
		Machine: moves, Languages: []string{"English"},
		Names: func(s Status) []string { return []string{names[s]} },
	}.Write(w)
}

// Submit asks for after-sale service on the shopper's received order and returns the case; one that waits, was rejected
// or withdrawn before gives way to it. It fails with errno.OrderUnknown, with AftersaleNotAllowed before the receipt,
// with AftersaleInvalidAmount for more than was paid for the goods, and with AftersaleInvalidStatus once an operator
// has accepted a case.
func (s *Service) Submit(ctx context.Context, shopper int64, w Submission) (int64, error) {
	return idempotency.InTx(ctx, s.Once, func(tx *db.Tx) (int64, error) {
		o, err := s.Orders.Load(ctx, tx, w.OrderID, order.Shopper(shopper), order.Locked)
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
			return 0, refusal(order.Shopper(shopper), Request, before)
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

// insertNumbered draws numbers until one is free; with ten random digits a day the first nearly always is.
func (s *Service) insertNumbered(ctx context.Context, tx *db.Tx, c *Case) error {
	const draws = 5
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

// Cancel withdraws the shopper's case. It fails with errno.Invalid for one that is not theirs, and with
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
			return fmt.Errorf("order %d has no case: %w", orderID, errno.NoSuch("aftersaleId"))
		}
		return s.cancel(ctx, tx, shopper, c.ID)
	})
}

func (s *Service) cancel(ctx context.Context, tx *db.Tx, shopper, id int64) error {
	o, c, err := s.lock(ctx, tx, id, func(c Case) bool { return c.UserID == shopper })
	if err != nil {
		return err
	}
	return s.apply(ctx, tx, order.Shopper(shopper), &o, &c, Cancel)
}

// lock finds a live case and its order and keeps both for the transaction: every move begins with the order's row. It
// fails with errno.Invalid where either is gone, or allowed says no.
func (s *Service) lock(
	ctx context.Context, tx *db.Tx, id int64, allowed func(Case) bool,
) (o order.Order, c Case, err error) {
	unknown := func() error { return fmt.Errorf("case %d: %w", id, errno.NoSuch("aftersaleId")) }
	if c, err = s.read(ctx, tx, id); err != nil {
		return o, c, err
	}
	if c.ID == 0 || !allowed(c) {
		return o, Case{}, unknown()
	}
	if o, err = s.Orders.Load(ctx, tx, c.OrderID, order.Operator(0), order.Locked); err != nil {
		return o, Case{}, err
	}
	if c, err = s.read(ctx, tx, id); err != nil { // as it is now that the order is ours
		return o, c, err
	}
	if c.ID == 0 {
		return o, c, unknown()
	}
	return o, c, nil
}

// read is the live case of an id, the zero Case for none.
func (s *Service) read(ctx context.Context, q db.Querier, id int64) (Case, error) {
	c, _, err := byID(ctx, q, id)
	if err != nil {
		return c, fmt.Errorf("read case %d: %w", id, err)
	}
	return c, nil
}

// apply moves a case by an event, and its order along with it; both are locked. The update names the state and the
// version that were read.
func (s *Service) apply(ctx context.Context, tx *db.Tx, by order.Actor, o *order.Order, c *Case, e Event) error {
	to, ok := c.Status.Next(e)
	if !ok {
		return refusal(by, e, *c)
	}
	if err := changed(move(ctx, tx, *c, to, operator(by), s.Now())); err != nil {
		return fmt.Errorf("%s case %d: %w", e, c.ID, err)
	}
	c.Status, c.version = to, c.version+1
	if e == Refund {
		return nil // the order learns more than the state
	}
	return s.Orders.MarkAftersale(ctx, tx, o, int(to))
}

// operator is who is to be named as having acted on a case, 0 for a shopper and for a retry.
func operator(by order.Actor) int64 {
	if by.Type == order.ByOperator {
		return by.ID
	}
	return 0
}

// changed makes a failure of a change that has found no row.
func changed(ok bool, err error) error {
	if err == nil && !ok {
		return errno.Stale
	}
	return err
}

// Accept grants a case: its money is to be refunded. It fails with errno.Invalid for no case and with
// errno.OrderConfirmNotAllowed in any state but Requested.
func (s *Service) Accept(ctx context.Context, by order.Actor, id int64) error {
	return s.decide(ctx, by, id, Accept)
}

// Reject refuses a case; the shopper may ask again. It fails as Accept does.
func (s *Service) Reject(ctx context.Context, by order.Actor, id int64) error {
	return s.decide(ctx, by, id, Reject)
}

func (s *Service) decide(ctx context.Context, by order.Actor, id int64, e Event) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		return s.decideIn(ctx, tx, by, id, e, func(before Case) error {
			return s.record(ctx, tx, before, logName(before))
		})
	})
}

// decideIn moves one case and has the move kept.
func (s *Service) decideIn(
	ctx context.Context, tx *db.Tx, by order.Actor, id int64, e Event, keep func(before Case) error,
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

// record keeps what an operator's call did to a case, with the move. The case is read anew, so that the record says
// what the row says.
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
func logName(c Case) string { return "售后编号 " + c.SN }

// AcceptAll grants several cases, each in a transaction of its own. A case that is in another state, or gone, is left
// alone.
func (s *Service) AcceptAll(ctx context.Context, by order.Actor, ids []int64) error {
	return s.decideAll(ctx, by, ids, Accept)
}

// RejectAll refuses several cases as AcceptAll grants them.
func (s *Service) RejectAll(ctx context.Context, by order.Actor, ids []int64) error {
	return s.decideAll(ctx, by, ids, Reject)
}

// decideAll keeps its answer after the last case: until then a repetition does what is left.
func (s *Service) decideAll(ctx context.Context, by order.Actor, ids []int64, e Event) error {
	if _, known, err := idempotency.Known[struct{}](ctx, s.Once); known || err != nil {
		return err
	}
	var recorded bool // the call leaves one record, with the first case that it moves
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
		return errors.Join(record(tx), idempotency.Save(ctx, s.Once, tx, struct{}{}))
	})
}

// batch is what the record of a call says that decides several cases; the business log names those it has moved.
type batch struct {
	IDs   []int64
	Event Event
}
