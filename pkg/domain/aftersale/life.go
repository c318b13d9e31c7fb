package aftersale

import (
	"context"
	"fmt"
	"io"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/statemachine"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/internal/store/upload"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
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
	Exchanged
)

// Event is an event in the life of a case.
type Event string

// The events. Request and RequestLines are the shopper's: they create a case, about the whole order or about lines of
// it, and replace one that is not accepted. RejectGoods rejects a case about lines whose goods did not come back as
// they should.
const (
	Request      Event = "request"
	RequestLines Event = "request lines"
	Cancel       Event = "cancel"
	Accept       Event = "accept"
	Reject       Event = "reject"
	RejectGoods  Event = "reject goods"
	Refund       Event = "refund"
	Exchange     Event = "exchange"
)

// moves are all transitions of cases; any other is impossible: an accepted case can neither be replaced nor withdrawn,
// and a refund of the whole order is final. A request about lines after a refund or an exchange leaves that case as it
// is: it creates the next case of the order.
var moves = statemachine.New(map[Status]map[Event]Status{
	None:      {Request: Requested, RequestLines: Requested},
	Requested: {Request: Requested, RequestLines: Requested, Cancel: Cancelled, Accept: Accepted, Reject: Rejected},
	Accepted:  {Refund: Refunded, Exchange: Exchanged, RejectGoods: Rejected},
	Refunded:  {RequestLines: Requested},
	Rejected:  {Request: Requested, RequestLines: Requested},
	Cancelled: {Request: Requested, RequestLines: Requested},
	Exchanged: {RequestLines: Requested},
})

// Life returns the state machine of cases, for verifying the books.
func Life() statemachine.Machine[Status, Event] { return moves }

// Next returns the state after an event, and whether the event is allowed.
func (s Status) Next(e Event) (Status, bool) {
	return moves.Next(s, e)
}

// Open reports whether an operator must still handle a case in this state.
func (s Status) Open() bool { return s == Requested || s == Accepted }

// Settled reports whether a case in this state has ended with a refund or an exchange, which stay.
func (s Status) Settled() bool { return s == Refunded || s == Exchanged }

// awaitsGoods reports whether the goods of the case are to come back, and have not arrived.
func (c Case) awaitsGoods() bool {
	return c.Status == Accepted && c.Type.SentBack() && c.ArriveTime.IsZero()
}

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
	Exchanged: text.CaseExchanged,
}

// WriteLife writes the chart of the state machine as a section of the documentation.
func WriteLife(w io.Writer) error {
	names := map[Status]string{
		None: "No case", Requested: "Requested", Accepted: "Accepted", Refunded: "Refunded", Rejected: "Rejected",
		Cancelled: "Withdrawn", Exchanged: "Exchanged",
	}
	return statemachine.Chart[Status, Event]{
		Title: "## The life of an after-sale case",
		Intro: "A received order has at most one open case; the order shows the state of its newest. A request that " +
			"replaces another\ncreates a new case and deletes the old one, unless that ended with a refund or an exchange. " +
			"After one of these\nonly lines of the order can be requested, those that are left.",
		Starts:  []statemachine.Start[Status]{{To: None, What: "the order is received"}},
		Machine: moves, Languages: []string{"English"},
		Names: func(s Status) []string { return []string{names[s]} },
	}.Write(w)
}

// Submit opens a case on the shopper's received order and returns its id; a case that is open, rejected or withdrawn is
// replaced. It fails with errno.OrderUnknown, with AftersaleNotAllowed before the receipt, with AftersaleInvalidAmount
// for more than was paid for the goods, and with AftersaleInvalidStatus once an operator has accepted a case, or has
// settled one and the request is about the whole order. A request about lines also fails with AftersaleNotAllowed for
// an order that is not paid yet, with errno.Invalid for lines, pieces or products that it cannot be about, and with
// errno.GoodsUnshelved or GoodsInvalid for a product that cannot be sent in exchange.
func (s *Service) Submit(ctx context.Context, shopper int64, w Submission) (int64, error) {
	return idempotency.InTxAfter(ctx, s.Once, func() (func(*db.Tx) (int64, error), error) {
		v, err := s.Orders.Settings.Now(ctx)
		return func(tx *db.Tx) (int64, error) { return s.submit(ctx, tx, shopper, w, v.Currency) }, err
	})
}

func (s *Service) submit(
	ctx context.Context, tx *db.Tx, shopper int64, w Submission, in money.Currency,
) (int64, error) {
	o, err := s.Orders.Load(ctx, tx, w.OrderID, actor.Shopper(shopper), order.Locked)
	if err != nil {
		return 0, err
	}
	if !o.Status.Done() {
		return 0, fmt.Errorf("after-sale of order %d in %d: %w", o.ID, o.Status, errno.AftersaleNotAllowed)
	}
	c := Case{
		OrderID: o.ID, UserID: shopper, Type: w.Type, Reason: w.Reason, Comment: w.Comment, Pictures: w.Pictures,
		AddTime: s.Now(), UpdateTime: s.Now(),
	}
	var lines []Line
	h := history{}
	if w.event() == Request {
		c.Amount, err = w.whole(o, in)
	}
	if err == nil {
		h, err = historyOf(ctx, tx, o.ID, w.event() == RequestLines)
	}
	if err != nil {
		return 0, err
	}
	if c.Status, err = h.next(w.event(), shopper); err != nil {
		return 0, err
	}
	if w.event() == RequestLines {
		if lines, c.Amount, err = s.byLines(ctx, tx, o, h, w, in); err != nil {
			return 0, err
		}
	}
	if before := h.newest(); before.ID != 0 && !before.Status.Settled() {
		if err := changed(retire(ctx, tx, before, s.Now())); err != nil {
			return 0, fmt.Errorf("replace case %d: %w", before.ID, err)
		}
	}
	if err := s.insert(ctx, tx, &c, lines); err != nil {
		return 0, err
	}
	if err := s.Orders.MarkAftersale(ctx, tx, &o, int(c.Status)); err != nil {
		return 0, err
	}
	return c.ID, upload.Use(ctx, tx, c.Pictures)
}

// next returns the state of the case that a request creates.
func (h history) next(e Event, shopper int64) (Status, error) {
	before := h.newest()
	if done, ok := h.settled(); ok && e == Request {
		before = done
	}
	to, ok := before.Status.Next(e)
	if !ok {
		return 0, refusal(actor.Shopper(shopper), e, before)
	}
	return to, nil
}

// insert writes a case with its lines.
func (s *Service) insert(ctx context.Context, tx *db.Tx, c *Case, lines []Line) error {
	if err := s.insertNumbered(ctx, tx, c); err != nil {
		return err
	}
	for i := range lines {
		lines[i].CaseID = c.ID
	}
	if err := caseLines.InsertAll(ctx, tx.Later(nil), lines); err != nil {
		return fmt.Errorf("write the lines of case %d: %w", c.ID, err)
	}
	return nil
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
		h, err := historyOf(ctx, tx, orderID, false)
		if err != nil {
			return err
		}
		c := h.newest()
		if c.ID == 0 {
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
	return s.apply(ctx, tx, actor.Shopper(shopper), &o, &c, Cancel, nil)
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
// state and the version that were read, and sets other columns too.
func (s *Service) apply(
	ctx context.Context, tx *db.Tx, by actor.Actor, o *order.Order, c *Case, e Event, set table.Set,
) error {
	to, ok := c.Status.Next(e)
	if !ok {
		return refusal(by, e, *c)
	}
	if err := changed(move(ctx, tx, *c, to, operator(by), s.Now(), set)); err != nil {
		return fmt.Errorf("%s case %d: %w", e, c.ID, err)
	}
	c.Status, c.version = to, c.version+1
	if to.Settled() {
		return nil // Compensated and Exchanged set more than the state
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
