package audit_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
)

// purge purges a batch of the records of calls up to some hours after noon.
func (b book) purge(t *testing.T, hours int) (int, error) {
	t.Helper()
	return b.Purge(t.Context(), noon.Add(time.Duration(hours)*time.Hour), audit.Unkept, unannounced)
}

func unannounced(context.Context, audit.Kept, audit.Head) error { return nil }

func TestPurge(t *testing.T) {
	t.Parallel()
	b := written(t, 5)
	n, err := b.purge(t, 2)
	require.NoError(t, err)
	require.Zero(t, n, "nothing goes that is not sealed")
	b.seal(t)
	noted, err := b.Head(t.Context())
	require.NoError(t, err)
	n, err = b.purge(t, 2)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Empty(t, b.faults(t), "the chain begins later")
	n, err = b.purge(t, 100)
	require.NoError(t, err)
	require.Equal(t, 2, n, "the newest stays")
	b.record(t, 6)
	b.seal(t)
	require.Empty(t, b.faults(t))
	holds, err := b.Holds(t.Context(), noted)
	require.NoError(t, err)
	require.True(t, holds)
	b.exec(t, "DELETE FROM audit_log WHERE seal_no = 5")
	require.Equal(t, []string{"seal 5: record"}, b.faults(t), "the first one after the purge")
}

// A purge before any statement of a verification removes records that the walk has not reached, the last one all.
func TestAPurgeDuringTheVerificationIsNoFault(t *testing.T) {
	t.Parallel()
	const all = 700 // two batches
	b := written(t, all)
	require.NoError(t, b.SealAll(t.Context()))
	for statement, hours := range []int{20, 40, 60, 80, all} {
		ctx, _ := db.WithFault(t.Context(), func(i int, _ string) error {
			for removed := 1; i == statement+1 && removed > 0; {
				var err error
				removed, err = b.purge(t, hours)
				require.NoError(t, err)
			}
			return nil
		})
		require.NoError(t, audit.Verify(ctx, b.d, audit.Unkept, func(f audit.Fault) error {
			return fmt.Errorf("a purge before statement %d: %+v", statement+1, f)
		}))
		require.Equal(t, max(all-hours, 1), b.count(t), "sealed records are left")
	}
}

// Nothing is deleted before its end was announced.
func TestAPurgeIsAnnounced(t *testing.T) {
	t.Parallel()
	b := written(t, 5)
	b.seal(t)
	var announced []int64
	refused := errors.New("refused")
	for _, step := range []struct {
		hours, left int
		err         error
	}{{2, 5, refused}, {2, 3, nil}, {2, 3, nil}, {4, 1, nil}} {
		announce := func(_ context.Context, _ audit.Kept, last audit.Head) error {
			require.Len(t, last.Seal, 64)
			announced = append(announced, last.Number)
			return step.err
		}
		_, err := b.Purge(t.Context(), noon.Add(time.Duration(step.hours)*time.Hour), audit.Unkept, announce)
		require.ErrorIs(t, err, step.err)
		require.Equal(t, step.left, b.count(t))
	}
	require.Equal(t, []int64{2, 2, 4}, announced)
}

// Of two purges at once one removes the records.
func TestTwoPurgesAtOnce(t *testing.T) {
	t.Parallel()
	b := written(t, 5)
	b.seal(t)
	between := func(context.Context, audit.Kept, audit.Head) error {
		for _, hours := range []int{2, 4} {
			n, err := b.purge(t, hours)
			require.NoError(t, err)
			require.Equal(t, 2, n)
		}
		return nil
	}
	n, err := b.Purge(t.Context(), noon.Add(2*time.Hour), audit.Unkept, between)
	require.NoError(t, err)
	require.Zero(t, n)
	require.Empty(t, b.faults(t))
}

// Whoever changes a record, or inserts one with another time, cannot have it purged together with those before it.
func TestAPurgeOfAlteredRecords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		statement   string
		hours, gone int
	}{
		"all made older":            {"UPDATE audit_log SET add_time = '2020-01-01'", 0, 0},
		"one made older":            {"UPDATE audit_log SET add_time = '2020-01-01' WHERE id = 4", 2, 2},
		"made older, after one":     {"UPDATE audit_log SET add_time = '2020-01-01' WHERE id > 1", 1, 0},
		"altered":                   {"UPDATE audit_log SET ip = 'x' WHERE id = 2", 3, 0},
		"removed":                   {"DELETE FROM audit_log WHERE id = 2", 3, 0},
		"removed before an old one": {"DELETE FROM audit_log WHERE id < 4", 4, 0},
		"another seal before it":    {"UPDATE audit_log SET seal_prev = REPEAT('a', 64) WHERE id = 3", 3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := written(t, 6)
			b.seal(t)
			b.exec(t, c.statement)
			left := b.count(t)
			n, err := b.purge(t, c.hours)
			require.Equal(t, c.gone == 0, errors.Is(err, audit.ErrBroken), "%v", err)
			require.Equal(t, c.gone, n)
			require.Equal(t, left-c.gone, b.count(t))
		})
	}
}

// A purge that does not agree with what was kept is refused.
func TestAPurgeOfABrokenChain(t *testing.T) {
	t.Parallel()
	b := written(t, 5)
	b.seal(t)
	newest, err := b.Head(t.Context())
	require.NoError(t, err)
	for _, c := range []struct {
		kept audit.Kept
		err  error
		left int
	}{
		{audit.Kept{Newest: audit.Head{Number: 5, Seal: "another"}}, audit.ErrBroken, 5},
		{audit.Kept{Newest: newest, Purged: audit.Head{Number: 1}}, audit.ErrBroken, 5},
		{audit.Kept{Newest: newest}, nil, 3},
	} {
		kept := func(context.Context, int64) (audit.Kept, error) { return c.kept, nil }
		_, err := b.Purge(t.Context(), noon.Add(2*time.Hour), kept, unannounced)
		require.ErrorIs(t, err, c.err, "%+v", c.kept)
		require.Equal(t, c.left, b.count(t), "%+v", c.kept)
	}
}

// The head is compared with the records that were read: afterwards its seal may be put back.
func TestAHeadThatIsPutBackDuringAPurge(t *testing.T) {
	t.Parallel()
	b := written(t, 5)
	b.seal(t)
	var newest audit.Head
	require.NoError(t, b.d.G(t.Context()).Raw("SELECT seal_no AS number, seal_hash AS seal FROM audit_log WHERE seal_no = 3").
		Row().Scan(&newest.Number, &newest.Seal))
	b.exec(t, "UPDATE audit_log SET ip = 'x', seal_no = NULL, seal_prev = NULL, seal_hash = NULL")
	b.exec(t, "DELETE FROM list_counter")
	b.seal(t)
	kept := func(context.Context, int64) (audit.Kept, error) {
		b.exec(t, "UPDATE audit_log SET seal_hash = '"+newest.Seal+"' WHERE seal_no = 3")
		return audit.Kept{Newest: newest}, nil
	}
	_, err := b.Purge(t.Context(), noon.Add(4*time.Hour), kept, unannounced)
	require.ErrorIs(t, err, audit.ErrBroken)
	require.Equal(t, 5, b.count(t))
}

// A batch leaves its last record to the next one.
func TestBatchesOfAPurge(t *testing.T) {
	t.Parallel()
	const all = 1200
	b := written(t, all)
	require.NoError(t, b.SealAll(t.Context()))
	var batches []int
	for removed := 1; removed > 0; {
		var err error
		removed, err = b.purge(t, all)
		require.NoError(t, err)
		batches = append(batches, removed)
	}
	require.Equal(t, []int{499, 499, 201, 0}, batches)
	require.Equal(t, 1, b.count(t))
}
