package opencases_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/opencases"
)

// Each kind of open cases reads a range of an index, among many settled rows and a few open ones.
func TestCasesReadIndexes(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	now := time.Date(2030, 1, 2, 4, 0, 0, 0, time.UTC)
	exec := func(statement string, args ...any) {
		t.Helper()
		require.NoError(t, dbtest.Exec(t.Context(), d, statement, args...))
	}
	const ten = "(SELECT 0 AS a UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL " +
		"SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9) AS "
	const from = " FROM " + ten + "n, " + ten + "m, " + ten + "l, " + ten + "k"
	// One in 333 of ten thousand rows is open.
	few := func(open, settled string) string {
		return "IF(n.a = 0 AND m.a = 0 AND l.a < 3, " + open + ", " + settled + ")"
	}
	before := now.Add(-time.Hour)
	exec("INSERT INTO payment_notify (channel, notify_id, kind, signature_ok, result, add_time) SELECT 'x', UUID(), 1, 1, "+
		few("IF(k.a = 0, 5, 3)", "1")+", ?"+from, before)
	exec("INSERT INTO outbox_event (topic, event_key, state, available_time, add_time) SELECT 'x', UUID(), "+few("2", "1")+
		", ?, ?"+from, before, before)
	exec("INSERT INTO refund (out_refund_no, order_id, payment_id, user_id, amount, status, add_time, update_time) "+
		"SELECT UUID(), n.a * 1000 + m.a * 100 + l.a * 10 + k.a, 0, 1, 1, "+few("k.a MOD 4", "2")+", ?, ?"+from, before, before)
	exec("INSERT INTO groupon (order_id, rules_id, user_id, creator_user_id, status, add_time, update_time) "+
		"SELECT n.a * 1000 + m.a * 100 + l.a * 10 + k.a, 1, 1, 1, 3, ?, ?"+from, before, before)
	exec("ANALYZE TABLE payment_notify, outbox_event, refund, groupon")
	cases := opencases.New(d, func() time.Time { return now })
	for kind, explain := range opencases.Plans() {
		var plan []struct{ Table, Type, Rows string } // rows is a number, with a share behind it if a filter helps
		require.NoError(t, table.Scan(t.Context(), d, &plan, explain, opencases.Names(cases)))
		require.NotEmpty(t, plan)
		for _, p := range plan {
			require.NotContains(t, []string{"ALL", "index"}, p.Type, "%s scans %s: %+v", kind, p.Table, plan)
			digits, _, _ := strings.Cut(p.Rows, " ")
			rows, err := strconv.Atoi(digits)
			require.NoError(t, err)
			require.Less(t, rows, 200, "%s reads %s: %+v", kind, p.Table, plan)
		}
	}
	counts, err := cases.Count(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 30, counts[opencases.DeadLetter].N)
	require.Equal(t, now.Add(-time.Hour), counts[opencases.DeadLetter].Oldest)
	all, err := cases.List(t.Context(), "", page.Query{Page: 2, Limit: 20})
	require.NoError(t, err)
	require.Len(t, all.Items, 20)
	for _, c := range all.Items {
		for _, language := range text.Languages() {
			require.NotContains(t, c.What(language)+c.Next(language), "%!")
		}
	}
}
