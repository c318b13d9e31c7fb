package system_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/system"
)

const (
	checks = "/admin/books/checks"
	check  = "/admin/books/check"
	retry  = "/admin/job/retry"
	resend = "/admin/job/resend"
)

func accountant(w *apitest.Env) *optest.Client {
	return w.Operator("accountant", "admin:books:list", "admin:books:check", "admin:job:list", "admin:job:retry")
}

// run runs a job until it has nothing more to do, and returns how often it had.
func run(t *testing.T, w *apitest.Env, name string) (times int) {
	t.Helper()
	for _, j := range w.Shop.Jobs() {
		if j.Name != name {
			continue
		}
		for n := 1; n > 0; times++ {
			var err error
			n, err = j.Run(t.Context())
			require.NoError(t, err)
		}
	}
	return times - 1
}

// found is what the tests read of a check.
type found struct {
	ID, AdminID          int64
	Running              bool
	Found                int
	PartsDone, PartCount int
	Failure, EndTime     string
	Findings             []system.Finding
	StartTime            *string
}

func booksList(w *apitest.Env) (all []found) {
	accountant(w).GET(checks).Data(&all)
	return all
}

func TestCheck(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Super()
	c := accountant(w)
	require.Empty(t, booksList(w))
	c.POST(check, `{}`).OK().Golden("books/check")
	c.POST(check, `{}`).OK() // joins the one that is asked for
	require.Len(t, booksList(w), 1)
	require.True(t, booksList(w)[0].Running)
	require.EqualValues(t, 2, booksList(w)[0].AdminID)

	w.Shop.Exec("UPDATE role SET enabled = 7 WHERE id = 2")
	run(t, w, "verifyAsked")
	c.GET(checks).OK().Golden("books/checks")
	c.With(op.LanguageHeader, "en").GET(checks).OK().Golden("books/checks_english")
	one := booksList(w)[0]
	require.False(t, one.Running)
	require.Equal(t, one.PartCount, one.PartsDone)
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM outbox_event WHERE event_key LIKE 'notice:books:%'"))

	w.Shop.Exec("UPDATE role SET enabled = 1 WHERE id = 2")
	for range 25 {
		c.POST(check, `{}`).OK()
		run(t, w, "verifyAsked")
	}
	require.Len(t, booksList(w), 20, "old ones are removed")
	require.Zero(t, booksList(w)[0].Found)
	w.Conflict("INSERT INTO audit_log")
	c.POST(check, `{}`).Fails(errno.Stale)
}

// The nightly check and one that was asked for are never under way at once.
func TestOneCheckAtATime(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Super()
	accountant(w).POST(check, `{}`).OK()
	require.Zero(t, run(t, w, "verify"), "the one that was asked for is enough")
	require.Len(t, booksList(w), 1)
	run(t, w, "verifyAsked")
	run(t, w, "verify")
	require.Len(t, booksList(w), 2)
	require.Zero(t, booksList(w)[0].AdminID)
	require.Zero(t, run(t, w, "verifyAsked"))

	// One that nobody runs ends some time, and the next one can be asked for.
	accountant(w).POST(check, `{}`).OK()
	w.Shop.Clock.Move(7 * time.Hour)
	for _, j := range w.Shop.Jobs() {
		if j.Name == "verifyAsked" {
			_, err := j.Run(t.Context())
			require.ErrorContains(t, err, "too long")
		}
	}
	require.Contains(t, booksList(w)[0].Failure, "too long")
	require.False(t, booksList(w)[0].Running)
}

func TestJobs(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Super()
	c := accountant(w)
	w.Shop.Exec("INSERT INTO job_lease (name, holder, fence, lease_until, last_start, last_end, last_note) VALUES " +
		"('purge', 'x', 1, '2020-01-01', '2020-01-01', '2020-01-01 00:00:01', '3 changed'), " +
		"('outbox', 'x', 1, '2099-01-01', '2020-01-01', NULL, '0 changed, then: job outbox: down')")
	w.Shop.Exec("INSERT INTO job_failure (job, row_id, tries, retry_time, last_error, add_time) VALUES " +
		"('expireOrders', 7, 3, '2030-01-02 05:00:00', 'down', '2030-01-02 03:00:00')")
	w.Shop.Exec("INSERT INTO outbox_event (id, topic, event_key, aggregate_id, state, attempts, available_time, add_time) VALUES " +
		"(3, 'mail.send', 'mail:3', 9, 2, 12, '2030-01-02', '2030-01-02'), " +
		"(4, 'mail.send', 'mail:4', 9, 0, 1, '2030-01-02', '2030-01-02')")
	var all []struct {
		Name            string
		Running, Failed bool
		Lag             int64
	}
	var raw []map[string]any
	a := c.GET("/admin/job/states").Data(&all).Data(&raw)
	byName := map[string]int{}
	for i, j := range all {
		byName[j.Name] = i
	}
	var err error
	a.Body, err = json.Marshal(map[string]any{"errno": 0, "errmsg": "成功", "data": raw[byName["outbox"] : byName["outbox"]+1]})
	require.NoError(t, err)
	a.Golden("books/states")
	require.Len(t, all, len(w.Shop.Jobs()))
	require.Positive(t, all[byName["purge"]].Lag)
	require.True(t, all[byName["outbox"]].Running && all[byName["outbox"]].Failed)
	require.Zero(t, all[byName["verify"]].Lag, "it has never run")

	c.GET("/admin/job/failures").OK().Golden("books/failures")
	c.POST(retry, `{"job":"expireOrders","id":7}`).OK().Golden("books/retry")
	c.POST(retry, `{"job":"expireOrders","id":7}`).Fails(errno.Stale)
	c.POST(retry, `{"id":7}`).Fails(errno.Missing)
	var none []struct{}
	c.GET("/admin/job/failures").Data(&none)
	require.Empty(t, none)
	c.GET("/admin/job/letters").OK().Golden("books/letters")
	c.POST(resend, `{"id":3}`).OK().Golden("books/resend")
	c.POST(resend, `{"id":3}`).Fails(errno.Stale)
	c.POST(resend, `{"id":99}`).Fails(errno.Invalid)
	c.GET("/admin/job/letters").Data(&none)
	require.Empty(t, none)
}
