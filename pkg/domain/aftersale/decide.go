package aftersale

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Accept accepts a case, to be refunded or exchanged. The answer is for the shopper and may be empty. It fails with
// errno.Invalid for no case and with errno.OrderConfirmNotAllowed in any state but Requested.
func (s *Service) Accept(ctx context.Context, by actor.Actor, id int64, answer string) error {
	return s.decide(ctx, by, id, decision{event: Accept, answer: answer})
}

// Reject rejects a case; the shopper may submit another one. It fails as Accept does. A case about lines is rejected
// after it was accepted too, if its goods did not come back as they should: then with errno.Missing without an answer,
// and with errno.Stale while its refund waits for the platform.
func (s *Service) Reject(ctx context.Context, by actor.Actor, id int64, answer string) error {
	return s.decide(ctx, by, id, decision{event: Reject, answer: answer, late: true})
}

// decision is what an operator decides about a case.
type decision struct {
	event  Event
	answer string
	// late says that a case about lines may be rejected once it is accepted.
	late bool
}

func (s *Service) decide(ctx context.Context, by actor.Actor, id int64, d decision) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		return s.decideIn(ctx, tx, by, id, d, func(before Case) error {
			return s.record(ctx, tx, before, logName(before))
		})
	})
}

// decideIn moves one case and records it.
func (s *Service) decideIn(
	ctx context.Context, tx *db.Tx, by actor.Actor, id int64, d decision, keep func(before Case) error,
) error {
	o, c, err := s.lock(ctx, tx, id, func(Case) bool { return true })
	if err != nil {
		return err
	}
	before := c
	if d.late && c.Status == Accepted {
		if d.event, err = s.lateRejection(ctx, tx, by, c, d.answer); err != nil {
			return err
		}
	}
	set := table.Set{}
	if d.answer != "" {
		set["answer"] = d.answer
	}
	if err := s.apply(ctx, tx, by, &o, &c, d.event, set); err != nil {
		return err
	}
	return keep(before)
}

// lateRejection returns the event that rejects an accepted case, and gives up a refund of it that the platform refuses.
func (s *Service) lateRejection(ctx context.Context, tx *db.Tx, by actor.Actor, c Case, answer string) (Event, error) {
	lines, err := linesOf(ctx, tx, c.ID)
	if err != nil || len(lines[c.ID]) == 0 {
		return Reject, err // which the state does not allow
	}
	if answer == "" {
		return Reject, fmt.Errorf("reject the goods of case %d: %w", c.ID, errno.Missing.About(text.FieldDecision))
	}
	return RejectGoods, s.Payments.DropCompensation(ctx, tx, c.OrderID, c.ID, by.ID)
}

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
			return s.decideIn(ctx, tx, by, id, decision{event: e}, func(before Case) error {
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
