package outbox

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
)

// Tries every step in every state: the event moves as the machine says, otherwise it stays.
func TestEveryTransition(t *testing.T) {
	t.Parallel()
	d, ctx, now := dbtest.Open(t), t.Context(), time.Date(2030, 1, 2, 4, 0, 0, 0, time.UTC)
	require.NoError(t, d.InTx(ctx, func(tx *db.Tx) error {
		return insert(ctx, tx, Event{Topic: "sms", Key: "a", Payload: "null"}, now, 0)
	}))
	e, found, err := rows.One(ctx, d, "r.event_key = 'a'")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, Pending, e.State)
	attempts := 0
	statements := map[Step][]func() (bool, error){
		Claim:    {func() (bool, error) { return claim(ctx, d, e.ID, now, time.Minute) }},
		Postpone: {func() (bool, error) { return postpone(ctx, d, e.ID, attempts, now.Add(time.Hour)) }},
		Deliver: {
			func() (bool, error) { return finish(ctx, d, e.ID, Deliver, attempts) },
			func() (bool, error) { return done(ctx, d, e.Key) },
		},
		GiveUp:  {func() (bool, error) { return finish(ctx, d, e.ID, GiveUp, attempts) }},
		Retry:   {func() (bool, error) { return revive(ctx, d, e.ID, now) }},
		Dismiss: {func() (bool, error) { return dismiss(ctx, d, e.ID, now) }},
	}
	used := map[Step]bool{}
	for _, from := range transitions.States() {
		for _, step := range transitions.Events(from) {
			used[step] = true
		}
		for step, ways := range statements {
			for _, way := range ways {
				attempts++ // so that each statement that may write has something to write
				require.NoError(t, dbtest.Exec(ctx, d, `UPDATE outbox_event SET state = ?, attempts = 0, available_time = ?,
					locked_until = NULL WHERE id = ?`, from, now, e.ID))
				moved, err := way()
				require.NoError(t, err)
				want, allowed := transitions.Next(from, step)
				if !allowed {
					want = from
				}
				after, _, err := rows.Get(ctx, d, e.ID)
				require.NoError(t, err)
				require.Equal(t, want, after.State, "%s in %d", step, from)
				require.Equal(t, allowed, moved, "%s in %d", step, from)
			}
		}
	}
	require.Len(t, used, len(statements), "each step may happen in some state")
}

// Every state has a name in the chart, and every step an arrow.
func TestLifeChart(t *testing.T) {
	t.Parallel()
	var w strings.Builder
	require.NoError(t, WriteLife(&w))
	require.NotRegexp(t, `(?m)^    \d: \d $`, w.String())
	require.Contains(t, w.String(), "2 --> 0: retry")
}
