package domain_test

import (
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
