package db_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
)

// with adds a setting to a DSN.
func with(dsn, setting string) string {
	if strings.Contains(dsn, "?") {
		return dsn + "&" + setting
	}
	return dsn + "?" + setting
}

// impatient returns a pool with a lock timeout of one second, and a row that is locked.
func impatient(t *testing.T) (d *db.DB, release func()) {
	t.Helper()
	d, err := db.Open(db.Options{DSN: with(dbtest.DSN(t), "innodb_lock_wait_timeout=1")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	require.NoError(t, insertLease(t.Context(), d))
	holder, err := d.SQL().BeginTx(t.Context(), &sql.TxOptions{})
	require.NoError(t, err)
	_, err = holder.ExecContext(t.Context(), "UPDATE job_lease SET fence = 7")
	require.NoError(t, err)
	return d, func() { require.NoError(t, holder.Rollback()) }
}

func touch(ctx context.Context, d *db.DB, attempts *int) error {
	return d.InTx(ctx, func(tx *db.Tx) error {
		*attempts++
		return dbtest.Exec(ctx, tx, "UPDATE job_lease SET fence = fence + 1")
	})
}

// A lock that is held for longer than the call may take: the call fails with a conflict instead of waiting until its
// deadline, which would look like an internal error.
func TestALockThatCannotBeHad(t *testing.T) {
	t.Parallel()
	d, release := impatient(t)
	defer release()
	attempts := 0
	ctx, cancel := context.WithTimeout(t.Context(), 3200*time.Millisecond)
	defer cancel()
	err := touch(ctx, d, &attempts)
	require.ErrorIs(t, err, errno.Stale)
	require.Equal(t, errno.Stale, errno.Of(err))
	require.Less(t, attempts, 4)
	// Without a deadline it gives up after three retries.
	attempts = 0
	require.ErrorIs(t, touch(t.Context(), d, &attempts), errno.Stale)
	require.Equal(t, 4, attempts)
}

func TestALockThatIsGivenBack(t *testing.T) {
	t.Parallel()
	d, release := impatient(t)
	go func() {
		time.Sleep(2200 * time.Millisecond) // lasts: MySQL looks for locks that waited too long once a second
		release()
	}()
	attempts := 0
	require.NoError(t, touch(t.Context(), d, &attempts))
	require.GreaterOrEqual(t, attempts, 2)
	var fence int64
	require.NoError(t, table.Scan(t.Context(), d, &fence, "SELECT fence FROM job_lease"))
	require.EqualValues(t, 1, fence)
}

// An attempt that is cut off after a lost one counts as a conflict too; one without a conflict, or whose caller is
// gone, does not.
func TestEndsOfAttempts(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	conflict := &mysql.MySQLError{Number: 1213, Message: "deadlock"}
	for name, tt := range map[string]struct {
		errs  []error
		left  time.Duration
		stale bool
		calls int
	}{
		"lost, then cut off":            {[]error{conflict, context.DeadlineExceeded}, time.Hour, true, 2},
		"lost, then given up":           {[]error{conflict, context.Canceled}, time.Hour, false, 2},
		"cut off at once":               {[]error{context.DeadlineExceeded}, time.Hour, false, 1},
		"lost with no time left":        {[]error{conflict}, 400 * time.Millisecond, true, 1},
		"lost to a lock with some left": {[]error{&mysql.MySQLError{Number: 1205}}, 5 * time.Second, true, 1},
		"lost to a counter":             {[]error{&mysql.MySQLError{Number: 1467}}, 5 * time.Second, true, 1},
		"lost to a lock with more left": {[]error{&mysql.MySQLError{Number: 1205}, nil}, time.Minute, false, 2},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), tt.left)
		calls := 0
		err := d.InTx(ctx, func(*db.Tx) error { calls++; return tt.errs[calls-1] })
		cancel()
		require.Equal(t, tt.stale, errors.Is(err, errno.Stale), "%s: %v", name, err)
		require.Equal(t, tt.calls, calls, name)
		if last := tt.errs[len(tt.errs)-1]; last != nil {
			require.ErrorIs(t, err, last, name)
		}
	}
}

func TestTheWaitOfTheAddress(t *testing.T) {
	t.Parallel()
	_, err := db.Open(db.Options{DSN: "shop@tcp(127.0.0.1:1)/shop?innodb_lock_wait_timeout=soon"})
	require.ErrorContains(t, err, "innodb_lock_wait_timeout")
}
