package app_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/runtime/job"
)

func purge(t *testing.T, d *app.Domain) int {
	t.Helper()
	for _, j := range d.Jobs() {
		if j.Name == "purge" {
			return runs(t, j)
		}
	}
	t.Fatal("there is no purge")
	return 0
}

// runs runs a job until it has nothing left to do.
func runs(t *testing.T, j job.Job) (total int) {
	t.Helper()
	for {
		n, err := j.Run(t.Context())
		require.NoError(t, err)
		require.LessOrEqual(t, n, 5000, "one batch")
		if n == 0 {
			return total
		}
		total += n
	}
}

// The contract names eleven jobs and their longest periods; outboxAside is for work that is not urgent, indexRecipients
// for a search, verify and verifyAsked for the books, fileKeys for rows of earlier releases.
func TestDeclaredJobs(t *testing.T) {
	t.Parallel()
	most := map[string]time.Duration{
		"checkOrderUnpaid": time.Minute, "checkOrderUnconfirm": time.Hour, "checkOrderComment": time.Hour,
		"checkCouponExpired": time.Hour, "checkGrouponExpired": time.Minute, "purge": time.Hour, "outbox": time.Minute,
		"paymentQuery": time.Minute, "refundRetry": time.Minute, "rollup": time.Minute, "auditSeal": time.Minute,
		"outboxAside": 10 * time.Minute, "indexRecipients": time.Minute, "verify": 7 * 24 * time.Hour,
		"fileKeys": 24 * time.Hour, "verifyAsked": time.Minute,
	}
	jobs := domaintest.Open(t).Jobs()
	require.ElementsMatch(t, slices.Collect(maps.Keys(most)), job.Names(jobs))
	for _, j := range jobs {
		require.Equal(t, most[j.Name], j.MaxEvery, j.Name)
		require.LessOrEqual(t, j.Every, j.MaxEvery, j.Name)
		require.GreaterOrEqual(t, j.Every, job.MinEvery, j.Name)
	}
	require.ErrorContains(t, app.CheckPeriods(job.Periods{"outbox": time.Hour}), "outbox is not within")
	_, err := app.Open(app.Config{Jobs: app.JobsConfig{Periods: job.Periods{"dance": time.Second}}})
	require.ErrorContains(t, err, `there is no job "dance"`)
}

func TestPurge(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	day := func(n int) time.Time { return s.Clock.Now().Add(-time.Duration(n)*24*time.Hour - time.Second) }
	for _, days := range []int{400, 91, 8, 0} {
		at := day(days)
		s.Exec("INSERT INTO idempotency (scope, owner_id, idem_key, request_hash, state, expire_time, add_time) "+
			"VALUES ('x', ?, 'k', '', 1, ?, ?)", days, at.Add(24*time.Hour), at)
		for state := range 3 {
			s.Exec("INSERT INTO outbox_event (topic, event_key, state, available_time, add_time) VALUES ('x', ?, ?, ?, ?)",
				time.Duration(days*10+state).String(), state, at, at)
		}
		s.Exec("INSERT INTO payment_notify (channel, notify_id, kind, signature_ok, body, add_time) VALUES ('x', ?, 1, 1, 'b', ?)",
			days, at)
		s.Exec("INSERT INTO footprint (user_id, goods_id, view_time, add_time, update_time) VALUES (1, ?, ?, ?, ?)",
			days+1, at, day(500), at)
		s.Exec("INSERT INTO search_history (user_id, keyword, add_time, update_time) VALUES (1, ?, ?, ?)", days, day(500), at)
		s.Exec("INSERT INTO audit_log (admin_id, method_path, add_time) VALUES (1, 'x', ?)", at)
		s.Exec("INSERT INTO feedback (user_id, username, mobile, feed_type, content, status, has_picture, add_time, "+
			"update_time) VALUES (1, '', '', '', '', 0, 0, ?, ?)", at, at)
		s.Exec("INSERT INTO log (admin, ip, type, action, status, result, comment, add_time, update_time) "+
			"VALUES ('x', '', 1, 'x', 0, '', '', ?, ?)", at, at)
		s.Exec("INSERT INTO notice (id, title, content, admin_id, add_time, update_time) VALUES (?, 'x', '', 0, ?, ?)",
			days+1, at, at)
		s.Exec("INSERT INTO notice_admin (notice_id, notice_title, admin_id, add_time, update_time) VALUES (?, 'x', 1, ?, ?)",
			days+1, at, at)
	}
	_, err := s.Audit.Seal(t.Context())
	require.NoError(t, err)
	kept := func() [11]int64 {
		return [11]int64{
			s.Int("SELECT COUNT(*) FROM idempotency"), s.Int("SELECT COUNT(*) FROM outbox_event"),
			s.Int("SELECT COUNT(*) FROM payment_notify"), s.Int("SELECT COUNT(*) FROM payment_notify WHERE body IS NOT NULL"),
			s.Int("SELECT COUNT(*) FROM footprint"), s.Int("SELECT COUNT(*) FROM search_history"),
			s.Int("SELECT COUNT(*) FROM audit_log"), s.Int("SELECT COUNT(*) FROM feedback"),
			s.Int("SELECT COUNT(*) FROM log"), s.Int("SELECT COUNT(*) FROM notice"), s.Int("SELECT COUNT(*) FROM notice_admin"),
		}
	}
	require.Equal(t, 3+3+2, purge(t, s.Domain))
	require.Equal(t, [11]int64{1, 9, 4, 2, 4, 4, 4, 4, 4, 4, 4}, kept(), "traces of people stay for ever unless it is said how long")
	year := 365 * 24 * time.Hour
	all := app.Retention{Footprints: year, Searches: year, Feedback: year, Audit: year, Log: year, Notices: year}
	require.Equal(t, 6, purge(t, s.WithRetention(all)))
	require.Equal(t, [11]int64{1, 9, 4, 2, 3, 3, 3 + 1, 3, 3, 3, 3}, kept(), "a record tells of the purged one")
	for _, d := range s.Disagreements() {
		require.NotEqual(t, "audit_log", d.Table, "the chain goes on after what was purged: %s", d)
	}
}
