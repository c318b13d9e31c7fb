package audit

import (
	"context"

	"shop.internal/pkg/domain/internal/store/db"
)

// Taken is what taking back a change does to one row.
type Taken struct {
	ID   int64
	Name string
	// Before and After are JSON objects, as in records: what the row has now of the change, and what it has after it is
	// taken back.
	Before, After string
	// Refusal says why the row keeps the change, nil if it does not.
	Refusal error
	// Effect is what becomes of the row as a whole.
	Effect Effect
}

// Effect is what taking back does to a row as a whole.
type Effect string

// The effects on a row. It is changed unless the change that is taken back has added or deleted it.
const (
	Changed  Effect = ""
	Deleted  Effect = "deleted"
	Restored Effect = "restored"
)

// Encode returns the members that differ between two states of a row as records have them, "-" for a state that cannot
// be recorded.
func Encode(before, after any) (b, a string) {
	was, is, err := difference(before, after)
	if err != nil {
		return "-", "-"
	}
	return jsonOrNil(was), jsonOrNil(is)
}

// maxTogether is the maximum number of records of one call that are read together.
const maxTogether = 10_000

// Together returns the records of the call that a record is of, oldest first; none for an unknown one.
func (s *Service) Together(ctx context.Context, id int64) ([]Stored, error) {
	return together(ctx, s.db, id)
}

func together(ctx context.Context, q db.Querier, id int64) ([]Stored, error) {
	one, found, err := records.One(ctx, q, "r.id = ?", id)
	if err != nil || !found {
		return nil, err
	}
	if one.RequestID == "" {
		return []Stored{one.stored()}, nil
	}
	rows, err := records.Find(ctx, q, "r.request_id = ? AND r.method_path = ? ORDER BY r.id LIMIT ?",
		one.RequestID, one.MethodPath, maxTogether)
	if err != nil {
		return nil, err
	}
	all := make([]Stored, len(rows))
	for i, r := range rows {
		all[i] = r.stored()
	}
	return all, nil
}
