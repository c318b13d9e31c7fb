package idempotency

import (
	"context"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

type row struct {
	RequestHash, Response string
	ExpireTime            time.Time
	State                 int
}

// A key is claimed by a request whose work is under way, and then answered.
const (
	claimed = iota
	answered
)

func find(ctx context.Context, q db.Querier, r Request) (row, bool, error) {
	var rows []row
	err := q.G(ctx).Raw("SELECT request_hash, COALESCE(response, '') AS response, expire_time, state FROM idempotency "+
		"WHERE scope = ? AND owner_id = ? AND idem_key = ?", r.Scope, r.Owner, r.Key).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return row{}, false, err
	}
	return rows[0], true, nil
}

// forget removes an answer whose time is over.
func forget(ctx context.Context, q db.Querier, r Request, now time.Time) error {
	return q.G(ctx).Exec("DELETE FROM idempotency WHERE scope = ? AND owner_id = ? AND idem_key = ? AND expire_time <= ?",
		r.Scope, r.Owner, r.Key, now).Error
}

// claim inserts the row of a request. An equal request that runs at the same time waits here for the end of the first.
func (s *Store) claim(ctx context.Context, tx *db.Tx, r Request) error {
	now := s.now()
	return tx.G(ctx).Exec("INSERT INTO idempotency (scope, owner_id, idem_key, request_hash, state, expire_time, "+
		"add_time) VALUES (?, ?, ?, ?, 0, ?, ?)", r.Scope, r.Owner, r.Key, s.keyed(r), now.Add(keep), now).Error
}

func finish(ctx context.Context, tx *db.Tx, r Request, response string) error {
	return tx.G(ctx).Exec("UPDATE idempotency SET state = 1, response = ? WHERE scope = ? AND owner_id = ? AND "+
		"idem_key = ?",
		response, r.Scope, r.Owner, r.Key).Error
}
