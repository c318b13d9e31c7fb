package payment

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
)

// noon is the first time of the clock in these tests.
var noon = time.Date(2030, 1, 2, 4, 0, 0, 0, time.UTC)

func number(t *testing.T, d *db.DB, query string) (n int64) {
	t.Helper()
	require.NoError(t, table.Scan(t.Context(), d, &n, query))
	return n
}

func notice(t *testing.T, d *db.DB, id int64, signed bool, body any, at time.Time) {
	t.Helper()
	require.NoError(t, dbtest.Exec(t.Context(), d, "INSERT INTO payment_notify (id, channel, notify_id, kind, signature_ok, body, "+
		"add_time) VALUES (?, 'x', ?, 1, ?, ?, ?)", id, fmt.Sprint(id), signed, body, at))
}

// However many notifications were emptied, the search for the first full one reads a few of them.
func TestFirstFull(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	first := func() int64 {
		ctx, c := db.WithCounter(t.Context())
		id, err := firstUnpurged(ctx, d)
		require.NoError(t, err)
		require.LessOrEqual(t, c.Count(), 40)
		return id
	}
	require.Zero(t, first())
	ids := []int64{3, 4, 5, 9, 17, 18, 40, 1_000_000, 1_000_001, 5_000_000_000}
	for _, id := range ids {
		notice(t, d, id, true, "b", noon)
	}
	require.LessOrEqual(t, first(), ids[0])
	for i, id := range ids[:len(ids)-1] {
		require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE payment_notify SET body = NULL WHERE id = ?", id))
		require.Greater(t, first(), id)
		require.LessOrEqual(t, first(), ids[i+1], "nothing that is full is left out")
	}
}

func TestEmptiedNotifications(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	old, before := noon.Add(-notificationRetention-time.Second), noon.Add(-notificationRetention)
	far := int64(10 * maxIDDisorder)
	for id := range int64(8) {
		notice(t, d, id+1, true, nil, old) // emptied long ago
	}
	for id := range int64(12) {
		notice(t, d, far+id, id%3 != 0, "b", old)
	}
	notice(t, d, far+12, true, "b", noon)              // recent
	notice(t, d, far+13, true, "b", old)               // numbered by another server
	notice(t, d, far+14, false, "b", noon)             // forged and recent
	notice(t, d, far-maxIDDisorder/2, true, "b", old)  // numbered by another server
	notice(t, d, far-maxIDDisorder/3, true, "b", noon) // and recent
	total := 0
	for n := -1; n != 0; total += n {
		var err error
		n, err = purgeNotifications(t.Context(), d, before, 5)
		require.NoError(t, err)
		require.LessOrEqual(t, n, 5, "one batch")
	}
	require.Equal(t, 12+2, total)
	require.EqualValues(t, 3, number(t, d, "SELECT COUNT(*) FROM payment_notify WHERE body IS NOT NULL"))
	require.EqualValues(t, 3, number(t, d, "SELECT COUNT(*) FROM payment_notify WHERE add_time = '2030-01-02 04:00:00' AND body = 'b'"))
	require.EqualValues(t, 1, number(t, d, "SELECT COUNT(*) FROM payment_notify WHERE signature_ok = 0"), "old forged ones have gone")
	require.EqualValues(t, 8+8+5, number(t, d, "SELECT COUNT(*) FROM payment_notify"), "the rows of real ones stay")
}

// Forged notifications all day long do not fill the table, and most of them cost no statement.
func TestForgedNotificationsAreBounded(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	at := noon
	service := &Service{db: d, channels: &Channels{}, now: func() time.Time { return at }}
	ctx, c := db.WithCounter(t.Context())
	send := func(n int) {
		for i := range n {
			require.NoError(t, service.RecordForged(ctx, unsigned, fmt.Appendf(make([]byte, 0), "%d %s %070000d", i, at, 0)))
		}
	}
	more := func(hour string) int64 {
		return number(t, d, "SELECT COALESCE(MAX(CAST(body AS UNSIGNED)), 0) FROM payment_notify WHERE notify_id = 'bad-more-"+hour+"'")
	}
	send(maxForged)
	require.EqualValues(t, maxForged, number(t, d, "SELECT COUNT(*) FROM payment_notify WHERE signature_ok = 0"))
	require.Equal(t, maxForged, c.Count())
	send(1)
	require.EqualValues(t, 1, more("20300102T04"))
	send(1000 - 1)
	require.EqualValues(t, maxForged+1, number(t, d, "SELECT COUNT(*) FROM payment_notify"))
	require.EqualValues(t, 512, more("20300102T04"))
	require.LessOrEqual(t, c.Count(), maxForged+10)
	require.EqualValues(t, forgedBody, number(t, d, "SELECT MAX(LENGTH(body)) FROM payment_notify"))

	at = at.Add(59*time.Minute + 59*time.Second)
	send(1)
	require.EqualValues(t, maxForged+1, number(t, d, "SELECT COUNT(*) FROM payment_notify"))
	at = at.Add(time.Second)
	send(1)
	require.EqualValues(t, 1001, more("20300102T04"), "what was left to count is counted in the end")
	require.EqualValues(t, maxForged+2, number(t, d, "SELECT COUNT(*) FROM payment_notify"))

	// Another process counts in the same row.
	twin := &Service{db: d, channels: &Channels{}, now: service.now}
	service, twin = twin, service
	send(maxForged + 2)
	service = twin
	send(maxForged + 1)
	require.EqualValues(t, 4, more("20300102T05"))
}
