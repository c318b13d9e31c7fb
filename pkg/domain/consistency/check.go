package consistency

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
)

// Check is a verification of the books that everybody can follow: one at a time is live, which is asked for or runs.
type Check struct {
	ID int64
	// AdminID is the operator who asked for it, 0 for the nightly one.
	AdminID int64
	Live    bool `table:"null"`
	// Part is the table that it reads, PartsDone of PartCount are done.
	Part                 string
	PartsDone, PartCount int
	// Found is the number of disagreements, Findings the first of them as JSON.
	Found    int
	Findings string `table:"null"`
	// Failure says why it ended before all was verified.
	Failure            string
	StartTime, EndTime time.Time `table:"null"`
	AddTime            time.Time
}

var checks = table.Of[Check]("book_check", table.MayRefer("admin_id", "admin"))

const (
	// keptChecks is how many checks are kept.
	keptChecks = 20
	// CheckTime is how long a check may take: one that no process runs must not hold up others for ever.
	CheckTime = 6 * time.Hour
	maxPart   = 63
	maxReason = 255
)

// Disagreements returns the findings of a check.
func (c Check) Disagreements() ([]Disagreement, error) {
	var found []Disagreement
	if c.Findings == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(c.Findings), &found); err != nil {
		return nil, fmt.Errorf("read the findings of check %d: %w", c.ID, err)
	}
	return found, nil
}

// Request requests a check on behalf of an operator, unless one is live already. Either way it returns the live one.
func (s *Service) Request(ctx context.Context, operator int64) (Check, error) {
	var live Check
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if live, err = s.ask(ctx, tx, operator); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{ID: live.ID})
	})
	return live, err
}

// ask inserts a check unless one is live, and returns the live one.
func (s *Service) ask(ctx context.Context, tx *db.Tx, operator int64) (Check, error) {
	requested := Check{AdminID: operator, Live: true, AddTime: s.now()}
	if _, err := checks.Upsert(ctx, tx, requested, "live = VALUES(live)"); err != nil {
		return Check{}, err
	}
	live, found, err := checks.One(ctx, tx, "r.live = 1")
	if err == nil && !found {
		err = errors.New("no check of the books is live after it was asked for")
	}
	if err != nil {
		return Check{}, err
	}
	_, err = checks.Delete(ctx, tx, "id <= ?", live.ID-keptChecks)
	return live, err
}

// Next returns the live check to run: the nightly one, which it makes unless an operator has asked for one, or one that
// an operator has asked for. It reports false for none.
func (s *Service) Next(ctx context.Context, nightly bool) (live Check, mine bool, err error) {
	if !nightly {
		return checks.One(ctx, s.db, "r.live = 1 AND r.admin_id <> 0")
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		live, err = s.ask(ctx, tx, 0)
		return err
	})
	return live, live.AdminID == 0, err
}

// Late reports whether a check has taken longer than it may.
func (s *Service) Late(c Check) bool { return s.now().Sub(c.AddTime) > CheckTime }

// Note stores how far the round of a live check is; over ends the check, because of failure if that is not nil.
func (s *Service) Note(ctx context.Context, c Check, r *Run, over bool, failure error) error {
	set := table.Set{"found": r.Found, "start_time": r.began}
	set["part"], set["parts_done"], set["part_count"] = r.place()
	if len(r.First) > 0 {
		findings, err := json.Marshal(r.First)
		if err != nil {
			return fmt.Errorf("encode the findings of check %d: %w", c.ID, err)
		}
		set["findings"] = string(findings)
	}
	if over {
		set["live"], set["end_time"] = nil, s.now()
	}
	if failure != nil {
		set["failure"] = form.Truncate(failure.Error(), maxReason)
	}
	_, err := checks.Update(ctx, s.db, set, "id = ? AND live = 1", c.ID)
	if err != nil {
		return fmt.Errorf("note how far check %d is: %w", c.ID, err)
	}
	return nil
}

// Checks returns the checks that are kept, the newest first.
func (s *Service) Checks(ctx context.Context) ([]Check, error) {
	return checks.Find(ctx, s.db, "TRUE ORDER BY r.id DESC LIMIT ?", keptChecks)
}

// Verdict is what the last check that came to a conclusion has found in the chain of audit records.
type Verdict struct {
	// At is the end of the check, the zero time if there was none.
	At time.Time
	// Faults is the number of faults of the chain that it has found.
	Faults int
}

// ChainVerdict returns the newest verdict on the chain of audit records. A check that broke off has none, nor has one
// that found more than it has listed, unless a fault of the chain is among that.
func (s *Service) ChainVerdict(ctx context.Context) (Verdict, error) {
	all, err := s.Checks(ctx)
	if err != nil {
		return Verdict{}, err
	}
	for _, c := range all {
		found, err := c.Disagreements()
		if err != nil {
			return Verdict{}, err
		}
		faults := 0
		for _, d := range found {
			if d.Table == "audit_log" {
				faults++
			}
		}
		whole := !c.Live && c.Failure == "" && c.Found == len(found)
		if faults > 0 || whole {
			return Verdict{At: c.EndTime, Faults: faults}, nil
		}
	}
	return Verdict{}, nil
}
