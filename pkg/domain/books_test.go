package domain_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/platform/job"
)

func verifier(t *testing.T, s *domaintest.Shop) job.Job {
	t.Helper()
	for _, j := range s.Jobs() {
		if j.Name == "verify" {
			return j
		}
	}
	t.Fatal("there is no verify")
	return job.Job{}
}

// The job raises one notice for all that disagrees in a round, and shows the figures of its last one.
func TestTheNightlyVerificationRaisesANotice(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Fill()
	j := verifier(t, s)
	notices := func() int64 {
		return s.Int("SELECT COUNT(*) FROM outbox_event WHERE event_key LIKE 'notice:books:%'")
	}
	_, at := s.Books()
	require.True(t, at.IsZero(), "before the first")
	runs(t, j)
	found, at := s.Books()
	require.Zero(t, found)
	require.Equal(t, s.Clock.Now(), at)
	require.Zero(t, notices())

	s.Exec("UPDATE orders SET comments = 99")
	runs(t, j)
	found, _ = s.Books()
	require.EqualValues(t, s.Int("SELECT COUNT(*) FROM orders"), found)
	require.EqualValues(t, 1, notices())
	require.Contains(t, s.Text("SELECT payload FROM outbox_event WHERE event_key LIKE 'notice:books:%'"), "comments is 99")
}

// The head that a verification keeps in the object store contradicts a log that was emptied without a trace, and is
// followed by no other while the books disagree.
func TestTheKeptHeadShowsThatRecordsWereRemoved(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Fill()
	for n := 1; n > 0; {
		var err error
		n, err = s.Audit.Seal(t.Context())
		require.NoError(t, err)
	}
	kept, err := s.HeadKept(t.Context())
	require.NoError(t, err)
	require.False(t, kept)
	j := verifier(t, s)
	runs(t, j)
	kept, err = s.HeadKept(t.Context())
	require.NoError(t, err)
	require.True(t, kept)
	head, err := s.Audit.Head(t.Context())
	require.NoError(t, err)

	for _, trace := range []string{"audit_log", "log", "stock_log"} {
		s.Exec("DELETE FROM " + trace)
	}
	s.Exec("DELETE FROM list_counter WHERE scope LIKE 'audit:%'")
	for range 2 { // the first one has not kept the head of what is left
		var found []string
		for _, d := range s.Disagreements() {
			found = append(found, d.String())
		}
		require.Contains(t, found, "audit_log seal "+strconv.FormatInt(head.Number, 10)+
			": the head that was kept is missing, should be "+head.String())
		runs(t, j)
	}
}

// What a round has found is reported although the rest could not be verified, such as a head that cannot be read.
func TestWhatWasFoundIsReportedInSpiteOfAFailure(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Fill()
	s.Exec("UPDATE orders SET comments = 99")
	require.NoError(t, s.Storage.Keep(t.Context(), "audit-head", "no head"))
	var err error
	for n := 1; n > 0 && err == nil; {
		n, err = verifier(t, s).Run(t.Context())
	}
	require.ErrorContains(t, err, "no head")
	found, at := s.Books()
	require.EqualValues(t, s.Int("SELECT COUNT(*) FROM orders"), found)
	require.Equal(t, s.Clock.Now(), at)
	require.EqualValues(t, 1, s.Int("SELECT COUNT(*) FROM outbox_event WHERE event_key LIKE 'notice:books:%'"))
}
