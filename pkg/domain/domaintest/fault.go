package domaintest

import (
	"context"
	"errors"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/db"
)

// ErrInjected is the error of a statement that a test lets fail.
var ErrInjected = errors.New("injected failure")

// FailAt returns a context under which the n-th statement fails. reached reports whether there was one.
func FailAt(ctx context.Context, n int) (failing context.Context, reached func() bool) {
	failing, c := db.WithFault(ctx, func(i int, _ string) error {
		if i == n {
			return ErrInjected
		}
		return nil
	})
	return failing, func() bool { return c.Count() >= n }
}

// Conflict returns a context under which statements that begin with a text always fail with a write conflict.
func Conflict(ctx context.Context, beginning string) (context.Context, func() int) {
	losing, c := db.WithFault(ctx, func(_ int, statement string) error {
		if strings.HasPrefix(statement, beginning) {
			return &mysql.MySQLError{Number: 1213, Message: "Deadlock found when trying to get lock"}
		}
		return nil
	})
	return losing, c.Count
}

// FailEach runs deed repeatedly, each time with its next statement failing, until it succeeds without a failure. After
// each attempt the books must agree; after each failure left checks what is left, for which it gets the number of the
// statement.
func (s *Shop) FailEach(deed func(ctx context.Context) error, left func(statement int)) {
	s.t.Helper()
	const most = 120
	for n := 1; n <= most; n++ {
		ctx, reached := FailAt(s.t.Context(), n)
		err := deed(ctx)
		s.Exec("UPDATE job_failure SET last_error = ''") // names the statement, and says nothing about the books
		s.StillAgree()
		if !reached() {
			require.NoError(s.t, err)
			require.Greater(s.t, n, 5, "the deed writes something")
			return
		}
		require.ErrorIs(s.t, err, ErrInjected, "statement %d", n)
		left(n)
		s.Exec("DELETE FROM job_failure") // a job would set aside what fails repeatedly
	}
	s.t.Fatalf("more than %d statements", most)
}
