package idempotency

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"shop.internal/pkg/domain/internal/store/db"
)

// Requests of several callers may share a transaction, which then claims all their keys at its beginning and stores all
// answers at its end. Each caller must have looked for a known answer before (Known).

// Of returns the request of a context, and false if it has no key.
func Of(ctx context.Context) (Request, bool) {
	r, keyed := ctx.Value(contextKey{}).(Request)
	return r, keyed
}

// ClaimAll claims the keys of requests by different callers. It reports true if an equal request has claimed one of
// them meanwhile; the transaction must then be rolled back.
func (s *Store) ClaimAll(ctx context.Context, tx *db.Tx, all []Request) (repeated bool, err error) {
	if err := answers.InsertAll(ctx, tx, s.rows(all, func(int) (state, string) { return claimed, "" })); err != nil {
		if db.Duplicate(err, "uk_idem") {
			return true, nil
		}
		return false, fmt.Errorf("claim %d idempotency keys: %w", len(all), err)
	}
	return false, nil
}

// AnswerAll stores the answers to requests whose keys were claimed in this transaction, with its next statement. The
// results belong to the requests in their order.
func AnswerAll[T any](ctx context.Context, s *Store, tx *db.Tx, all []Request, results []T) error {
	responses := make([]string, len(all))
	for i, result := range results {
		text, err := json.Marshal(result)
		if err != nil {
			return fmt.Errorf("store the answer: %w", err)
		}
		responses[i] = string(text)
	}
	rows := s.rows(all, func(i int) (state, string) { return answered, responses[i] })
	return answers.UpsertAll(ctx, tx.Later(nil), rows, "state = VALUES(state), response = VALUES(response)")
}

// rows are the rows of requests in the order of their keys, in which all transactions lock them.
func (s *Store) rows(all []Request, content func(i int) (state, string)) []answer {
	rows := make([]answer, len(all))
	for i, r := range all {
		in, response := content(i)
		rows[i] = s.row(r, in, response)
	}
	slices.SortFunc(rows, func(a, b answer) int {
		return cmp.Or(cmp.Compare(a.OwnerID, b.OwnerID), cmp.Compare(a.IdemKey, b.IdemKey))
	})
	return rows
}
