package audit_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/dbtest"
	"shop.internal/pkg/domain/platform/actor"
)

// noon is the time of the calls in these tests.
var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

// book is a database with audit records.
type book struct {
	*audit.Service
	d *db.DB
}

// written returns a book with n unsealed records.
func written(t *testing.T, n int) book {
	t.Helper()
	d := dbtest.Open(t)
	b := book{audit.New(d, func() time.Time { return noon }), d}
	for i := range n {
		b.record(t, i+1)
	}
	return b
}

func (b book) record(t *testing.T, i int) {
	t.Helper()
	ctx := audit.With(t.Context(), audit.Call{
		By: actor.Operator(1), Name: "clerk", Address: "192.0.2.1", Request: fmt.Sprint("r", i), Permission: "admin:brand:update",
		Operation: "POST /admin/brand/update", Target: "brand", Action: "编辑", At: noon.Add(time.Duration(i) * time.Hour),
	})
	require.NoError(t, b.d.InTx(ctx, func(tx *db.Tx) error {
		return audit.Record(ctx, tx, audit.Change{
			ID: int64(i), Before: map[string]any{"name": "a"}, After: map[string]any{"name": "b"}, Result: "b",
		})
	}))
}

func (b book) seal(t *testing.T) {
	t.Helper()
	_, err := b.Seal(t.Context())
	require.NoError(t, err)
}

func (b book) exec(t *testing.T, statement string) {
	t.Helper()
	require.NoError(t, b.d.G(t.Context()).Exec(statement).Error)
}

// count is the number of sealed records.
func (b book) count(t *testing.T) (n int) {
	t.Helper()
	require.NoError(t, b.d.G(t.Context()).Raw("SELECT COUNT(*) FROM audit_log WHERE seal_no IS NOT NULL").Scan(&n).Error)
	return n
}

func (b book) faults(t *testing.T) []string {
	t.Helper()
	var all []string
	require.NoError(t, audit.Verify(t.Context(), b.d, audit.Unkept, func(f audit.Fault) error {
		all = append(all, f.Key+": "+f.What)
		return nil
	}))
	return all
}

func TestAChainThatHoldsIsSilent(t *testing.T) {
	t.Parallel()
	b := written(t, 3)
	require.Empty(t, b.faults(t), "nothing is sealed yet")
	n, err := b.Seal(t.Context())
	require.NoError(t, err)
	require.Equal(t, 3, n)
	n, err = b.Seal(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	b.record(t, 4)
	require.Empty(t, b.faults(t), "the fourth waits for its seal")
	b.seal(t)
	require.Empty(t, b.faults(t))
	h, err := b.Head(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 4, h.Number)
}

// The second of five records is altered in every column, and records are removed and inserted at every position.
func TestEveryFaultIsNamed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		done string
		want []string
	}{
		"another operator":   {"UPDATE audit_log SET admin_id = 2 WHERE id = 2", []string{"2: seal of the record"}},
		"another name":       {"UPDATE audit_log SET admin_name = 'x' WHERE id = 2", []string{"2: seal of the record"}},
		"another address":    {"UPDATE audit_log SET ip = 'x' WHERE id = 2", []string{"2: seal of the record"}},
		"another permission": {"UPDATE audit_log SET permission = 'x' WHERE id = 2", []string{"2: seal of the record"}},
		"another operation":  {"UPDATE audit_log SET method_path = 'x' WHERE id = 2", []string{"2: seal of the record"}},
		"another table":      {"UPDATE audit_log SET target_type = 'x' WHERE id = 2", []string{"2: seal of the record"}},
		"another row":        {"UPDATE audit_log SET target_id = 7 WHERE id = 2", []string{"2: seal of the record"}},
		"another past":       {"UPDATE audit_log SET before_json = '{}' WHERE id = 2", []string{"2: seal of the record"}},
		"another present":    {"UPDATE audit_log SET after_json = NULL WHERE id = 2", []string{"2: seal of the record"}},
		"another answer":     {"UPDATE audit_log SET errno = 1 WHERE id = 2", []string{"2: seal of the record"}},
		"another request":    {"UPDATE audit_log SET request_id = 'x' WHERE id = 2", []string{"2: seal of the record"}},
		"another time": {
			"UPDATE audit_log SET add_time = add_time + INTERVAL 1 SECOND WHERE id = 2", []string{"2: seal of the record"},
		},
		"another id": {"UPDATE audit_log SET id = 99 WHERE id = 2", []string{"99: seal of the record"}},
		"another seal": {
			"UPDATE audit_log SET seal_hash = REPEAT('a', 64) WHERE id = 2",
			[]string{"2: seal of the record", "3: seal of the record before it"},
		},
		"another seal before it": {
			"UPDATE audit_log SET seal_prev = REPEAT('a', 64) WHERE id = 1",
			[]string{"1: seal of the record", "1: seal of the record before it"},
		},
		"removed":           {"DELETE FROM audit_log WHERE id = 2", []string{"seal 2: record"}},
		"removed, several":  {"DELETE FROM audit_log WHERE id IN (2, 3)", []string{"seal 2 to 3: records"}},
		"removed at first":  {"DELETE FROM audit_log WHERE id = 1", []string{"seal 1: record"}},
		"removed at last":   {"DELETE FROM audit_log WHERE id >= 4", []string{"seal 4 to 5: records"}},
		"removed, every":    {"DELETE FROM audit_log", []string{"seal 1 to 5: records"}},
		"taken out of line": {"UPDATE audit_log SET seal_no = NULL WHERE id = 2", []string{"seal 2: record"}},
		"two changed places": {
			"UPDATE audit_log SET seal_no = CASE id WHEN 2 THEN 13 ELSE 12 END WHERE id IN (2, 3)",
			[]string{"seal 2 to 3: records", "seal 6 to 11: records", "3: seal of the record", "2: seal of the record", "2: seal of the record before it"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := written(t, 5)
			b.seal(t)
			b.exec(t, tt.done)
			require.Equal(t, tt.want, b.faults(t))
		})
	}
}

func TestWhatIsMissingStaysMissing(t *testing.T) {
	t.Parallel()
	b := written(t, 3)
	b.seal(t)
	b.exec(t, "DELETE FROM audit_log WHERE id = 3")
	b.record(t, 4)
	b.seal(t)
	require.Equal(t, []string{"seal 3: record"}, b.faults(t), "its place is given to no other")
}

func TestTheHeadProvesTheChainUpToIt(t *testing.T) {
	t.Parallel()
	b := written(t, 3)
	b.seal(t)
	noted, err := b.Head(t.Context())
	require.NoError(t, err)
	same, err := audit.ParseHead(noted.String())
	require.NoError(t, err)
	require.Equal(t, noted, same)
	b.record(t, 4)
	b.seal(t)
	holds, err := b.Holds(t.Context(), noted)
	require.NoError(t, err)
	require.True(t, holds)

	// Somebody alters the first record and recomputes the whole chain.
	b.exec(t, "UPDATE audit_log SET admin_id = 2 WHERE id = 1")
	b.exec(t, "UPDATE audit_log SET seal_no = NULL, seal_prev = NULL, seal_hash = NULL")
	b.exec(t, "DELETE FROM list_counter")
	b.seal(t)
	require.Empty(t, b.faults(t))
	holds, err = b.Holds(t.Context(), noted)
	require.NoError(t, err)
	require.False(t, holds)

	for _, bad := range []string{"", "1", "1:", "x:" + noted.Seal, "0:" + noted.Seal, "1:abc"} {
		_, err := audit.ParseHead(bad)
		require.Error(t, err, bad)
	}
}

func TestSealersAtOnceGiveEachPlaceOnce(t *testing.T) {
	t.Parallel()
	b := written(t, 40)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { assert.NoError(t, b.SealAll(context.WithoutCancel(t.Context()))) })
	}
	wg.Wait()
	require.Empty(t, b.faults(t))
	h, err := b.Head(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 40, h.Number)
}

func TestWhatIsLoggedIsCut(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	long := ""
	for range 300 {
		long += "长"
	}
	require.NoError(t, audit.Log(t.Context(), d, audit.Entry{
		Admin: long, Address: long, Kind: audit.Ordering, Action: long, OK: true, Result: long, Comment: long,
	}, noon))
	var got string
	require.NoError(t, d.G(t.Context()).Raw("SELECT CONCAT_WS(',', CHAR_LENGTH(admin), CHAR_LENGTH(ip), type, "+
		"CHAR_LENGTH(action), status, CHAR_LENGTH(result), CHAR_LENGTH(comment)) FROM log").Scan(&got).Error)
	require.Equal(t, "63,63,2,45,1,127,255", got)
}

func TestOutsideACallNothingIsRecorded(t *testing.T) {
	t.Parallel()
	b := written(t, 0)
	require.NoError(t, b.d.InTx(t.Context(), func(tx *db.Tx) error {
		return audit.Record(t.Context(), tx, audit.Change{ID: 1, Result: "x"})
	}))
	require.NoError(t, audit.NoteFailure(t.Context(), b.d, "x", ""))
	var n int
	require.NoError(t, b.d.G(t.Context()).Raw("SELECT (SELECT COUNT(*) FROM audit_log) + (SELECT COUNT(*) FROM log)").
		Scan(&n).Error)
	require.Zero(t, n)
}

func TestFind(t *testing.T) {
	t.Parallel()
	b := written(t, 3)
	tests := map[string]struct {
		filter audit.Filter
		want   []int64
	}{
		"all":           {audit.Filter{Limit: 10}, []int64{3, 2, 1}},
		"two":           {audit.Filter{Limit: 2}, []int64{3, 2}},
		"a row":         {audit.Filter{Table: "brand", Row: 2, Limit: 10}, []int64{2}},
		"another table": {audit.Filter{Table: "goods", Limit: 10}, nil},
		"an operator":   {audit.Filter{Operator: "clerk", Limit: 1}, []int64{3}},
		"another":       {audit.Filter{Operator: "cl", Limit: 1}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			found, err := b.Find(t.Context(), tt.filter)
			require.NoError(t, err)
			var rows []int64
			for _, r := range found {
				rows = append(rows, r.Row)
				require.JSONEq(t, `{"name":"a"}`, r.Before)
				require.JSONEq(t, `{"name":"b"}`, r.After)
			}
			require.Equal(t, tt.want, rows)
		})
	}
}
