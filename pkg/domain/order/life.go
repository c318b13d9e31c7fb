package order

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/life"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/meter"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/text"
)

// Status is the state of an order, with the numbers of the contract.
type Status int

// The states.
const (
	Unpaid       Status = 101
	Cancelled    Status = 102
	Expired      Status = 103
	Dropped      Status = 104
	Paid         Status = 201
	RefundAsked  Status = 202
	Refunded     Status = 203
	GroupFailed  Status = 204
	Shipped      Status = 301
	Received     Status = 401
	AutoReceived Status = 402
)

// Event is an event in the life of an order.
type Event string

// The events, named after what the actor does.
const (
	Pay          Event = "pay"
	Cancel       Event = "cancel"
	Expire       Event = "expire"
	Ship         Event = "ship"
	AskRefund    Event = "ask for refund"
	RejectRefund Event = "reject refund"
	Refund       Event = "refund"
	Receive      Event = "receive"
	AutoReceive  Event = "receive by time"
)

// moves are all transitions of orders; any other is impossible: a cancelled order is never paid, a shipped one never
// cancelled.
var moves = life.New(map[Status]map[Event]Status{
	Unpaid:       {Pay: Paid, Cancel: Cancelled, Expire: Expired},
	Paid:         {Ship: Shipped, AskRefund: RefundAsked},
	RefundAsked:  {RejectRefund: Paid, Refund: Refunded},
	Shipped:      {Receive: Received, AutoReceive: AutoReceived},
	Received:     {},
	AutoReceived: {},
	Cancelled:    {},
	Expired:      {},
	Dropped:      {}, // only in imported data
	Refunded:     {},
	GroupFailed:  {}, // only in imported data
})

// Life returns the state machine of orders, for verifying the books.
func Life() life.Machine[Status, Event] { return moves }

// Next returns the state after an event, and whether the event is allowed.
func (s Status) Next(e Event) (Status, bool) {
	return moves.Next(s, e)
}

// Ended reports whether the order ended without a sale, with stock and coupon released.
func (s Status) Ended() bool {
	return slices.Contains([]Status{Cancelled, Expired, Dropped, Refunded}, s)
}

// received are the states of orders whose goods have been received.
var received = []Status{moves.To(Receive), moves.To(AutoReceive)}

// Done reports whether the goods have been received.
func (s Status) Done() bool { return slices.Contains(received, s) }

// Text returns the label that a shopper sees, empty for an unknown state.
func (s Status) Text(language string) string {
	if label := labels[s]; label != nil {
		return label.In(language)
	}
	return ""
}

// Choices returns every state with its label.
func Choices() []text.Choice { return text.ChoicesOf(labels) }

// labels are the catalogue's entries of the states.
var labels = map[Status]*text.Text{
	Unpaid:       text.OrderUnpaid,
	Cancelled:    text.OrderCancelled,
	Expired:      text.OrderExpired,
	Dropped:      text.OrderDropped,
	Paid:         text.OrderPaid,
	RefundAsked:  text.OrderRefundAsked,
	Refunded:     text.OrderRefunded,
	GroupFailed:  text.OrderGroupExpired,
	Shipped:      text.OrderShipped,
	Received:     text.OrderReceived,
	AutoReceived: text.OrderAutoReceived,
}

// Options are the operations that a shopper is offered for an order.
type Options struct {
	Cancel, Delete, Pay, Comment, Confirm, Refund, Rebuy, Aftersale bool
}

// Options returns the operations that are allowed now; commentFor is the comment period after the receipt. All but
// Comment follow from the state machine and from whether an after-sale case is pending.
func (o Order) Options(now time.Time, commentFor time.Duration) Options {
	can := func(e Event) bool { _, ok := o.Status.Next(e); return ok }
	return Options{
		Cancel: can(Cancel), Pay: can(Pay), Refund: can(AskRefund), Confirm: can(Receive),
		Delete:    o.deletable(),
		Comment:   o.Status.Done() && o.Comments > 0 && o.Commentable(now, commentFor),
		Rebuy:     o.Status.Done(),
		Aftersale: o.Status.Done(),
	}
}

// Commentable reports whether the comment period, which starts with the receipt, is still open.
func (o Order) Commentable(now time.Time, commentFor time.Duration) bool {
	return !now.After(o.ConfirmTime.Add(commentFor))
}

// The states of an after-sale case that an operator must still handle.
const (
	aftersaleAsked    = 1
	aftersaleAccepted = 2
)

func (o Order) deletable() bool { return o.Status.Ended() || o.Status.Done() && !o.pending() }

// pending reports whether an operator must still handle the order's after-sale case.
func (o Order) pending() bool {
	return o.Aftersale == aftersaleAsked || o.Aftersale == aftersaleAccepted
}

// WriteLife writes the chart of the state machine as a page of the documentation.
func WriteLife(w io.Writer) error {
	return life.Chart[Status, Event]{
		Title:   "# The life of an order",
		Intro:   "Generated from the state machine in the code: any other transition is impossible.",
		Note:    "States 104 and 204 are read from imported data and never produced.",
		Starts:  []life.Start[Status]{{To: Unpaid, What: "submit"}, {To: Paid, What: "submit with nothing to pay"}},
		Machine: moves, Languages: []string{"English", "Chinese"},
		Names: func(s Status) []string { return []string{s.Text("en"), s.Text("zh")} },
	}.Write(w)
}

// apply moves an order by an event together with everything that the transition implies, whoever requests it: it
// releases what an ended order holds, requests the refund, records the transition and announces it.
func (s *Service) apply(ctx context.Context, tx *db.Tx, o *Order, e Event, by actor.Actor, set table.Set) error {
	before := *o
	if err := s.move(ctx, tx, o, e, by, set); err != nil {
		return err
	}
	switch e {
	case Cancel, Expire:
		return s.release(ctx, tx, *o, e, by)
	case AskRefund:
		if err := s.Payments.AskRefund(ctx, tx, o.due()); err != nil {
			return err
		}
		return s.announce(ctx, tx, TopicRefundAsked, *o)
	case RejectRefund:
		if err := s.record(ctx, tx, before, ""); err != nil {
			return err
		}
		return s.Payments.Reject(ctx, tx, o.ID, by.ID)
	case Refund:
		if err := s.record(ctx, tx, before, ""); err != nil {
			return err
		}
		if err := s.release(ctx, tx, *o, e, by); err != nil {
			return err
		}
		return s.announce(ctx, tx, TopicRefunded, *o)
	case Receive, AutoReceive:
		return s.statisticsChanged(ctx, tx, *o)
	case Ship:
		return s.record(ctx, tx, before, "")
	case Pay: // pay records the money
	}
	return nil
}

// move is the only place that writes a status. The update is conditional on the state in which the order was read, so
// that of two concurrent moves one matches no row; it then fails with the code of a move that is not allowed, or with
// errno.Stale if the current state would still allow it.
func (s *Service) move(ctx context.Context, tx *db.Tx, o *Order, e Event, by actor.Actor, set table.Set) error {
	to, ok := o.Status.Next(e)
	if !ok {
		return refusal(by, o.Status, fmt.Errorf("%s order %d in %d", e, o.ID, o.Status))
	}
	moved, err := update(ctx, tx, *o, to, s.columns(e, set))
	if err != nil {
		return fmt.Errorf("%s order %d: %w", e, o.ID, err)
	}
	if !moved {
		now, _, err := byID(ctx, tx, o.ID, Unlocked)
		if err != nil {
			return fmt.Errorf("read order %d again: %w", o.ID, err)
		}
		if _, ok := now.Status.Next(e); ok && now.gone(by) == o.gone(by) {
			return fmt.Errorf("%s order %d: %w", e, o.ID, errno.Stale)
		}
		return refusal(by, now.Status, fmt.Errorf("%s order %d in %d", e, o.ID, now.Status))
	}
	from := o.Status
	o.Status, o.version = to, o.version+1
	db.Count(tx, meter.Orders, 1, string(e))
	return s.logMove(ctx, tx, *o, from, by, string(e))
}

// columns returns the columns that a transition sets beside the status: those of the event, and those of the caller.
func (s *Service) columns(e Event, of table.Set) table.Set {
	now := s.Now()
	set := table.Set{"update_time": now}
	switch e {
	case Pay:
		set["pay_time"] = now
	case Ship:
		set["ship_time"] = now
	case Receive, AutoReceive:
		set["confirm_time"], set["comments"] = now, linesToComment
	case Refund:
		set["refund_time"], set["end_time"] = now, now
	case Cancel, Expire:
		set["end_time"] = now
	case AskRefund, RejectRefund:
	}
	maps.Copy(set, of)
	return set
}

// update writes a status with its columns, if the state and version of the order are still those that were read.
func update(ctx context.Context, tx *db.Tx, o Order, to Status, set table.Set) (bool, error) {
	set["order_status"] = to
	return orders.Moved(ctx, tx, set, "id = ? AND order_status = ? AND version = ? AND user_id = ? AND deleted = 0",
		o.ID, o.Status, o.version, o.UserID)
}

// returned maps an event that ends an order to the reason in the stock ledger.
var returned = map[Event]catalog.Reason{
	Cancel: catalog.CancelledByShopper, Expire: catalog.CancelledByTimeout, Refund: catalog.Refunded,
}

// release gives back what an ended order holds, in the global lock order: payment, coupon, place in a group, stock. It
// is part of the transition and so happens once per order.
func (s *Service) release(ctx context.Context, tx *db.Tx, o Order, e Event, by actor.Actor) error {
	back, err := s.releaseAllButStock(ctx, tx, o, e)
	if err != nil {
		return err
	}
	if err := s.Promotions.ReleaseMember(ctx, tx, o.ID); err != nil {
		return err
	}
	return s.Stock.GiveBack(ctx, tx, by, returned[e], back)
}

// releaseAllButStock is release without the place in a group, for orders whose group ends too. It returns the stock
// lines to give back: the stock of several orders is returned in one step, by product.
func (s *Service) releaseAllButStock(ctx context.Context, tx *db.Tx, o Order, e Event) ([]catalog.StockLine, error) {
	if e != Refund { // what was paid is already closed
		if err := s.Payments.CloseOpen(ctx, tx, o.ID); err != nil {
			return nil, err
		}
	}
	if err := s.Promotions.GiveBack(ctx, tx, o.ID); err != nil {
		return nil, err
	}
	return pieces(ctx, tx, o.ID)
}

// logEntry is one transition in the status log.
type logEntry struct {
	ID, OrderID          int64
	FromStatus, ToStatus Status
	ActorType            actor.Kind
	ActorID              int64
	Reason               string
	// Amount is what is to be paid, of the step that places the order.
	Amount  money.Amount `table:"null"`
	AddTime time.Time
}

var statusLog = table.Of[logEntry]("order_status_log",
	table.Refers("order_id", "orders"),
	table.MayRefer("actor_id", "user").When("t.actor_type = ?", actor.KindShopper),
	table.MayRefer("actor_id", "admin").When("t.actor_type = ?", actor.KindOperator),
)

func (s *Service) logMove(ctx context.Context, tx *db.Tx, o Order, from Status, by actor.Actor, reason string) error {
	return statusLog.InsertLater(ctx, tx, s.moveOf(o, from, by, reason))
}

func (s *Service) moveOf(o Order, from Status, by actor.Actor, reason string) logEntry {
	step := logEntry{
		OrderID: o.ID, FromStatus: from, ToStatus: o.Status, ActorType: by.Kind, ActorID: by.ID, Reason: reason,
		AddTime: s.Now(),
	}
	if from == 0 {
		step.Amount = o.Price.Total
	}
	return step
}

// refusal is the error for a move that the state does not allow, with the code for this actor.
func refusal(by actor.Actor, in Status, cause error) error {
	return refused(by, text.OrderState, cause, labels[in])
}

// refused is the error for a move that is not allowed for another reason. Its code comes first, since the cause may
// carry one too.
func refused(by actor.Actor, why *text.Text, cause error, args ...any) error {
	code := errno.OrderInvalidOperation
	if by.Kind == actor.KindOperator {
		code = errno.OrderConfirmNotAllowed
	}
	return fmt.Errorf("%w: %w", code.Because(why, args...), cause)
}

// record writes the audit record of an operator's call, with the transition. The order is read again, so that the
// record shows the stored row.
func (s *Service) record(ctx context.Context, tx *db.Tx, before Order, comment string) error {
	if _, byOperator := audit.From(ctx); !byOperator {
		return nil
	}
	after, _, err := byID(ctx, tx, before.ID, Unlocked)
	if err != nil {
		return fmt.Errorf("read order %d again: %w", before.ID, err)
	}
	return audit.Record(ctx, tx, audit.Change{
		ID: before.ID, Before: before, After: after, Result: logName(before.SN), Comment: comment,
	})
}

// logName is how the business log names an order.
func logName(sn string) string { return text.LogOrder.Stored(sn) }
