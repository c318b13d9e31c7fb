package order

import (
	"context"
	"strings"
	"time"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

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

// Step is a transition of an order, or a correction of its parcel, where the states are equal.
type Step struct {
	// From is 0 for the step that placed the order.
	From, To Status
	By       actor.Actor
	// Event is what moved the order, an Event, or "reship" for a correction, whose Parcel is the carrier and the number
	// before.
	Event, Parcel string
	At            time.Time
}

// step is the entry as operators see it.
func (l logEntry) step() Step {
	s := Step{
		From: l.FromStatus, To: l.ToStatus, By: actor.Actor{Kind: l.ActorType, ID: l.ActorID}, Event: l.Reason,
		Parcel: "", At: l.AddTime,
	}
	if l.FromStatus == 0 {
		s.Event = "" // the reason is the way of delivery
	}
	if parcel, corrected := strings.CutPrefix(l.Reason, reshipped); corrected {
		s.Event, s.Parcel = "reship", parcel
	}
	return s
}

var statusLog = table.Of[logEntry]("order_status_log",
	table.Refers("order_id", "orders"),
	table.MayRefer("actor_id", "user").When("t.actor_type = ?", actor.KindShopper),
	table.MayRefer("actor_id", "admin").When("t.actor_type = ?", actor.KindOperator),
)

func (s *Service) logMove(ctx context.Context, tx *db.Tx, o Order, from Status, by actor.Actor, reason string) error {
	_, err := statusLog.Insert(ctx, tx.Later(nil), s.moveOf(o, from, by, reason))
	return err
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
