package idempotency

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// state is the state of a key: claimed while its request runs, then answered.
type state int

const (
	claimed  state = 0
	answered state = 1
)

// answer is a key with the first answer to its request.
type answer struct {
	ID          int64
	Scope       string
	OwnerID     int64
	IdemKey     string
	RequestHash string
	State       state
	// Response is JSON, empty until there is one; Subject is the work that the key waits for.
	Response            string `table:"null"`
	Subject             string `table:"null"`
	ExpireTime, AddTime time.Time
}

var answers = table.Of[answer]("idempotency",
	table.RefersToNone("owner_id", "the caller, a shopper or an operator by the operation"),
)

// ofRequest is the condition that finds the row of a request.
const ofRequest = `scope = ? AND owner_id = ? AND idem_key = ?`

func find(ctx context.Context, q db.Querier, r Request) (answer, bool, error) {
	return answers.One(ctx, q, ofRequest, r.Scope, r.Owner, r.Key)
}

// forget deletes an expired answer.
func forget(ctx context.Context, q db.Querier, r Request, now time.Time) error {
	_, err := answers.Delete(ctx, q, ofRequest+" AND expire_time <= ?", r.Scope, r.Owner, r.Key, now)
	return err
}

// claim inserts the row of a request. A concurrent equal request waits here for the end of the first.
func (s *Store) claim(ctx context.Context, tx *db.Tx, r Request) error {
	_, err := answers.Insert(ctx, tx, s.row(r, claimed, ""))
	return err
}

// row is the row of a request.
func (s *Store) row(r Request, in state, response string) answer {
	now := s.now()
	return answer{
		Scope: r.Scope, OwnerID: r.Owner, IdemKey: r.Key, RequestHash: s.keyed(r), State: in, Response: response,
		ExpireTime: now.Add(retention), AddTime: now,
	}
}

// finish stores the answer to a request whose key was claimed in this transaction.
func finish(ctx context.Context, tx *db.Tx, r Request, response string) error {
	_, err := answers.Update(ctx, tx, table.Set{"state": answered, "response": response}, ofRequest,
		r.Scope, r.Owner, r.Key)
	return err
}

func bind(ctx context.Context, tx *db.Tx, r Request, subject string) error {
	_, err := answers.Update(ctx, tx, table.Set{"subject": subject}, ofRequest+" AND state = ?",
		r.Scope, r.Owner, r.Key, claimed)
	return err
}

func pendingKeys(ctx context.Context, tx *db.Tx, subject string) ([]int64, error) {
	return answers.IDs(ctx, tx, "r.subject = ? AND r.state = ? ORDER BY r.id", subject, claimed)
}

func settle(ctx context.Context, tx *db.Tx, ids []int64, response string) error {
	_, err := answers.Update(ctx, tx, table.Set{"state": answered, "response": response}, "id IN ? AND state = ?",
		ids, claimed)
	return err
}

func release(ctx context.Context, tx *db.Tx, ids []int64) error {
	_, err := answers.Delete(ctx, tx, "id IN ? AND state = ?", ids, claimed)
	return err
}

// purged bounds the answers that one batch removes.
const purged = 5000

// Purge deletes a batch of expired answers, and returns how many.
func (s *Store) Purge(ctx context.Context) (int, error) {
	n, err := purge(ctx, s.db, s.now(), purged)
	if err != nil {
		return n, fmt.Errorf("purge answers: %w", err)
	}
	return n, nil
}

// purge reads the ids first, so that it locks rows by key.
func purge(ctx context.Context, q db.Querier, now time.Time, limit int) (int, error) {
	ids, err := answers.IDs(ctx, q, "r.expire_time <= ? ORDER BY r.expire_time LIMIT ?", now, limit)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	n, err := answers.Delete(ctx, q, "id IN ? AND expire_time <= ?", ids, now)
	return int(n), err
}
