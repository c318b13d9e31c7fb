package payment

import (
	"context"
	"time"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// transitionRefund moves a refund if its state allows the event and a further condition holds.
func transitionRefund(
	ctx context.Context, tx *db.Tx, id int64, event RefundEvent, set table.Set, now time.Time,
) (bool, error) {
	set["status"], set["update_time"] = refundTransitions.To(event), now
	moved, err := refunds.Moved(ctx, tx, set, "id = ? AND status IN ?", id, refundTransitions.From(event))
	return counted(tx, event, moved, err)
}

// release is conditional on the number of attempts that was read, so that one of two operators wins.
func release(ctx context.Context, tx *db.Tx, r Refund, operator int64, call string, now time.Time) (bool, error) {
	if _, ok := refundTransitions.Next(r.Status, ReleaseRefund); !ok {
		return false, nil
	}
	set := table.Set{
		"status": refundTransitions.To(ReleaseRefund), "attempts": r.Attempts + 1, "operator_id": operator,
		"ordered_by": call, "update_time": now,
	}
	waiting(set, r, now)
	moved, err := refunds.Moved(ctx, tx, set, "id = ? AND status = ? AND attempts = ?", r.ID, r.Status, r.Attempts)
	return counted(tx, ReleaseRefund, moved, err)
}

// takeUp is a release by the shop itself, conditional also on the time of the previous one.
func takeUp(ctx context.Context, tx *db.Tx, r Refund, now time.Time) (bool, error) {
	set := table.Set{
		"status": refundTransitions.To(ReleaseRefund), "attempts": r.Attempts + 1, "update_time": now,
	}
	waiting(set, r, now)
	moved, err := refunds.Moved(ctx, tx, set, "id = ? AND status = ? AND attempts = ? AND update_time = ?",
		r.ID, r.Status, r.Attempts, r.UpdateTime)
	return counted(tx, ReleaseRefund, moved, err)
}

// waiting sets since when a refund waits for the platform; a repeated release does not change it.
func waiting(set table.Set, r Refund, now time.Time) {
	if r.Status != RefundReleased {
		set["released_time"] = now
	}
}

func rejectRow(ctx context.Context, tx *db.Tx, r Refund, operator int64, now time.Time) (bool, error) {
	set := table.Set{"active_mark": r.ID, "operator_id": operator, "ordered_by": ""}
	return transitionRefund(ctx, tx, r.ID, RejectRefund, set, now)
}

func doneRow(ctx context.Context, tx *db.Tx, id int64, platformID string, now time.Time) (bool, error) {
	return transitionRefund(ctx, tx, id, FinishRefund, table.Set{
		"channel_refund_id": platformID, "done_time": now, "last_error": "", "ordered_by": "",
	}, now)
}

func failRow(ctx context.Context, tx *db.Tx, id int64, cause string, now time.Time) (bool, error) {
	return transitionRefund(ctx, tx, id, FailRefund, table.Set{"last_error": form.Truncate(cause, 255)}, now)
}

// saveError stores the platform's error for a refund that it had accepted.
func saveError(ctx context.Context, tx *db.Tx, id int64, cause string, now time.Time) error {
	_, err := refunds.Update(ctx, tx, table.Set{"last_error": form.Truncate(cause, 255), "update_time": now}, "id = ?", id)
	return err
}

// counted counts a transition that was made.
func counted(tx *db.Tx, event RefundEvent, moved bool, err error) (bool, error) {
	if moved && err == nil {
		db.Count(tx, meter.Refunds, 1, string(event))
	}
	return moved, err
}
