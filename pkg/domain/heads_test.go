package domain_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/report"
)

// recorded is a shop with sealed audit records.
func recorded(t *testing.T) *domaintest.Shop {
	t.Helper()
	s := domaintest.Open(t)
	s.Fill()
	require.NoError(t, s.Audit.SealAll(t.Context()))
	require.Empty(t, s.Disagreements())
	return s
}

// purged purges the older half of the audit records in a process with a retention, which is set for this alone.
func purged(t *testing.T, s *domaintest.Shop) (last int64) {
	t.Helper()
	require.Positive(t, purge(t, s.WithRetention(domain.Retention{Audit: half(t, s)})))
	require.NoError(t, s.Audit.SealAll(t.Context()))
	last = s.Int("SELECT total FROM list_counter WHERE scope = 'audit:purged'")
	require.Positive(t, last)
	require.Positive(t, s.Int("SELECT COUNT(*) FROM audit_log WHERE method_path <> 'purge'"))
	return last
}

// changed adds audit records.
func changed(t *testing.T, s *domaintest.Shop) {
	t.Helper()
	for range 4 {
		require.NoError(t, s.Audit.Conclude(audit.With(t.Context(), audit.Call{
			By: actor.Operator(1), Name: "clerk", Operation: "shopctl demo", Target: "audit_log", At: s.Clock.Now(),
		}), audit.Change{After: map[string]any{"a": 1}}))
	}
	require.NoError(t, s.Audit.SealAll(t.Context()))
	s.Clock.Move(time.Hour)
}

// purgeFails is the error of a purge.
func purgeFails(t *testing.T, d *domain.Domain) (err error) {
	t.Helper()
	for _, j := range d.Jobs() {
		if j.Name == "purge" {
			_, err = j.Run(t.Context())
		}
	}
	return err
}

// half is the retention for which the older half of the audit records is too old.
func half(t *testing.T, s *domaintest.Shop) time.Duration {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s.Text(`SELECT add_time FROM audit_log WHERE seal_no IS NOT NULL ORDER BY add_time
		LIMIT 1 OFFSET ?`, s.Int("SELECT COUNT(*) FROM audit_log")/2))
	require.NoError(t, err)
	require.True(t, at.Before(s.Clock.Now()), "a retention of 0 would be for ever")
	return s.Clock.Now().Sub(at)
}

// chainFaults are the lines of a verification about the chain.
func chainFaults(s *domaintest.Shop) (lines []string) {
	for _, d := range s.Disagreements() {
		if d.Table == "audit_log" {
			lines = append(lines, d.String())
		}
	}
	return lines
}

// forged removes all audit records and makes it look like a purge of them.
func forged(t *testing.T, s *domaintest.Shop) {
	t.Helper()
	s.Exec("INSERT INTO list_counter (scope, total, refresh_time) SELECT 'audit:purged', MAX(seal_no), '2030-01-01' " +
		"FROM audit_log ON DUPLICATE KEY UPDATE total = VALUES(total)")
	s.Exec("DELETE FROM audit_log")
	s.Exec("DELETE FROM list_counter WHERE scope = 'audit:sealed'")
	s.Exec("INSERT INTO audit_log (admin_id, method_path, target_type, target_id, after_json, add_time) " +
		"SELECT 0, 'purge', 'audit_log', total, CONCAT('{\"purged\":', total, '}'), '2030-01-01' " +
		"FROM list_counter WHERE scope = 'audit:purged'")
	require.NoError(t, s.Audit.SealAll(t.Context()))
}

// A log that was emptied is no purge, whatever its rows say: a purge keeps in the object store what it will remove.
func TestAForgedPurgeIsSeen(t *testing.T) {
	t.Parallel()
	for _, first := range []bool{false, true} {
		t.Run(fmt.Sprintf("after another purge %t", first), func(t *testing.T) {
			t.Parallel()
			s := recorded(t)
			runs(t, verifier(t, s))
			kept := int64(0)
			if first {
				kept = purged(t, s)
			}
			last := s.Int("SELECT MAX(seal_no) FROM audit_log")
			forged(t, s)
			want := fmt.Sprintf("audit_log the purge: last number purged is %d, should be %d", last, kept)
			for range 2 { // the job has kept nothing
				require.Equal(t, []string{want}, chainFaults(s))
				runs(t, verifier(t, s))
			}
			lost, some, err := s.LostRecords(t.Context())
			require.NoError(t, err)
			require.True(t, some)
			require.Zero(t, lost.Common, "a record that is gone agrees with nothing")
			changed(t, s)
			err = purgeFails(t, s.WithRetention(domain.Retention{Audit: half(t, s)}))
			require.ErrorIs(t, err, audit.ErrBroken, "no purge makes it a true one")
			require.Equal(t, []string{want}, chainFaults(s))
		})
	}
}

// What was removed after the verification has read it is not kept as purged.
func TestAPurgeForgedDuringAVerification(t *testing.T) {
	t.Parallel()
	first := func(s *domaintest.Shop) {
		s.Exec("DELETE FROM audit_log WHERE seal_no <= 5")
		s.Exec("INSERT INTO list_counter (scope, total, refresh_time) VALUES ('audit:purged', 5, '2030-01-01')")
		s.Exec("INSERT INTO audit_log (admin_id, method_path, target_type, target_id, add_time) " +
			"VALUES (0, 'purge', 'audit_log', 5, '2030-01-01')")
	}
	all := func(s *domaintest.Shop) { forged(t, s) }
	another := func(s *domaintest.Shop) {
		s.Exec("UPDATE audit_log SET seal_prev = REPEAT('a', 64) WHERE seal_no = 1")
	}
	for name, forge := range map[string]func(*domaintest.Shop){
		"the first records": first, "all": all, "another seal before the first": another,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := recorded(t)
			verify := verifier(t, s)
			runs(t, verify)
			done := false
			ctx, _ := db.WithFault(t.Context(), func(_ int, statement string) error {
				if strings.Contains(statement, "r.seal_no IS NOT NULL ORDER BY r.seal_no LIMIT") && !done {
					done = true
					forge(s)
				}
				return nil
			})
			var err error
			for n := 1; n > 0 && err == nil; {
				n, err = verify.Run(ctx)
			}
			require.True(t, done)
			require.ErrorIs(t, err, audit.ErrBroken)
			found := chainFaults(s)
			require.NotEmpty(t, found)
			runs(t, verify)
			require.Equal(t, found, chainFaults(s), "it stays")
		})
	}
}

// Whatever retention was in force, and whenever a head was kept, a purge is no fault.
func TestARetentionThatWasSetAndSetBack(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	verify := verifier(t, s)
	purged(t, s)
	require.Empty(t, s.Disagreements(), "before the first head")
	runs(t, verify)
	for range 2 {
		changed(t, s)
		purged(t, s)
		require.Empty(t, s.Disagreements(), "before the next head")
		runs(t, verify)
		require.Empty(t, s.Disagreements())
	}
}

// A purge keeps up to which record before it says so in the database, where a verification looks first.
func TestAPurgeDuringAVerification(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	runs(t, verifier(t, s))
	for at, all := 1, 1; at <= all; at++ {
		changed(t, s)
		all = 0
		ctx, _ := db.WithFault(t.Context(), func(_ int, statement string) error {
			if strings.Contains(statement, "FROM list_counter r") || strings.Contains(statement, "FROM audit_log r") {
				if all++; all == at {
					purged(t, s)
				}
			}
			return nil
		})
		require.NoError(t, s.Report.Verify(ctx, func(d report.Disagreement) error { return errors.New(d.String()) }, nil))
		require.Greater(t, all, 5)
	}
}

// A verification that has looked before a purge may keep what it saw after it.
func TestAnOlderNumberThatIsKeptLater(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	runs(t, verifier(t, s))
	purged(t, s)
	older := "purged=0:" + strings.Repeat("0", 64) + " head=0: retention=0s"
	require.NoError(t, s.Storage.Keep(t.Context(), "audit-purge", older))
	require.Empty(t, s.Disagreements())
	forged(t, s)
	require.Len(t, chainFaults(s), 1, "the text of the newest head still counts")
}

// purgedEarly purges as an earlier release does.
func purgedEarly(t *testing.T, s *domaintest.Shop) {
	t.Helper()
	changed(t, s)
	unannounced := func(context.Context, audit.Kept, audit.Head) error { return nil }
	n, err := s.Audit.Purge(t.Context(), s.Clock.Now().Add(-half(t, s)), audit.Unkept, unannounced)
	require.NoError(t, err)
	require.Positive(t, n)
	require.NoError(t, s.Audit.SealAll(t.Context()))
}

// An earlier release keeps heads, and does not keep what it purges.
func TestAPurgeOfAnEarlierRelease(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	early := func() {
		purgedEarly(t, s)
		head, err := s.Audit.Head(t.Context())
		require.NoError(t, err)
		require.NoError(t, s.Storage.Keep(t.Context(), "audit-head", head.String()))
	}
	early()
	require.Empty(t, s.Disagreements(), "after the upgrade")
	purged(t, s)
	purgedEarly(t, s)
	require.Empty(t, s.Disagreements(), "while replicas of both run, before the first head of this release")
	runs(t, verifier(t, s))
	early()
	require.Empty(t, s.Disagreements(), "after the upgrade was taken back")
	runs(t, verifier(t, s))
	forged(t, s)
	require.Len(t, chainFaults(s), 1, "from the first head of this release on")
}

// sealedAnew computes all seals anew, except those of records from a number on. It returns what restores a seal.
func sealedAnew(t *testing.T, s *domaintest.Shop, from int64) (restore func(number int64)) {
	t.Helper()
	original := map[int64][]string{}
	for n := int64(1); n <= s.Int("SELECT MAX(seal_no) FROM audit_log"); n++ {
		original[n] = strings.Split(s.Text("SELECT CONCAT_WS(',', seal_prev, seal_hash) FROM audit_log WHERE seal_no = ?", n), ",")
	}
	s.Exec("UPDATE audit_log SET seal_no = NULL, seal_prev = NULL, seal_hash = NULL")
	s.Exec("DELETE FROM list_counter WHERE scope = 'audit:sealed'")
	require.NoError(t, s.Audit.SealAll(t.Context()))
	restore = func(n int64) {
		s.Exec("UPDATE audit_log SET seal_prev = ?, seal_hash = ? WHERE seal_no = ?", original[n][0], original[n][1], n)
	}
	for n := from; n <= int64(len(original)); n++ {
		restore(n)
	}
	return restore
}

// Records whose time was changed stay, although a purge would remove them for their new time.
func TestRecordsMadeOlderAreNotPurged(t *testing.T) {
	t.Parallel()
	for _, anew := range []bool{false, true} {
		t.Run(fmt.Sprintf("seals computed anew %t", anew), func(t *testing.T) {
			t.Parallel()
			s := recorded(t)
			runs(t, verifier(t, s))
			s.Exec("UPDATE audit_log SET add_time = add_time - INTERVAL 10 YEAR")
			if anew {
				sealedAnew(t, s, 1<<30)
			}
			all := s.Int("SELECT COUNT(*) FROM audit_log")
			found := chainFaults(s)
			require.NotEmpty(t, found)
			err := purgeFails(t, s.WithRetention(domain.Retention{Audit: 365 * 24 * time.Hour}))
			require.ErrorIs(t, err, audit.ErrBroken)
			require.Equal(t, all, s.Int("SELECT COUNT(*) FROM audit_log"))
			require.Equal(t, found, chainFaults(s))
		})
	}
}

// Whoever has records purged that were made older and sealed anew cannot make the next one fit what was kept.
func TestAPurgeOfRecordsMadeOlderIsSeen(t *testing.T) {
	t.Parallel()
	for _, upgraded := range []bool{false, true} {
		t.Run(fmt.Sprintf("just after the upgrade %t", upgraded), func(t *testing.T) {
			t.Parallel()
			s := recorded(t)
			head, err := s.Audit.Head(t.Context())
			require.NoError(t, err)
			if upgraded {
				require.NoError(t, s.Storage.Keep(t.Context(), "audit-head", head.String()))
			} else {
				runs(t, verifier(t, s))
			}
			last := head.Number / 2
			s.Exec("UPDATE audit_log SET add_time = add_time - INTERVAL 10 YEAR WHERE seal_no <= ?", last)
			restore := sealedAnew(t, s, last+2)
			purge(t, s.WithRetention(domain.Retention{Audit: 365 * 24 * time.Hour}))
			require.Equal(t, last+1, s.Int("SELECT MIN(seal_no) FROM audit_log"))
			restore(last + 1)
			require.NoError(t, s.Audit.SealAll(t.Context()))
			found := chainFaults(s)
			require.Len(t, found, 1)
			require.Contains(t, found[0], "seal of the record before it")
			runs(t, verifier(t, s))
			require.Equal(t, found, chainFaults(s), "it stays")
		})
	}
}

// A text of the object store that cannot be read stops the verification and the purge.
func TestAnUnreadablePurge(t *testing.T) {
	t.Parallel()
	s := recorded(t)
	runs(t, verifier(t, s))
	require.NoError(t, s.Storage.Keep(t.Context(), "audit-purge", "no purge"))
	all := s.Int("SELECT COUNT(*) FROM audit_log")
	err := purgeFails(t, s.WithRetention(domain.Retention{Audit: half(t, s)}))
	require.ErrorContains(t, err, "read up to which audit record is purged")
	require.Equal(t, all, s.Int("SELECT COUNT(*) FROM audit_log"))
	err = s.Report.Verify(t.Context(), func(d report.Disagreement) error { return fmt.Errorf("found %s", d) }, nil)
	require.ErrorContains(t, err, "read up to which audit record is purged")
}
