package db_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
)

const raise = "UPDATE job_lease SET fence = fence + ? WHERE name IN ?"

// leases returns a database with two leases, and a function that reads their fences in the order of their names.
func leases(t *testing.T) (*db.DB, func(q db.Querier) []int) {
	t.Helper()
	d := dbtest.Open(t)
	for _, name := range []string{"a", "b"} {
		_, err := db.Exec(t.Context(), d, "INSERT INTO job_lease (name, lease_until) VALUES (?, UTC_TIMESTAMP(3))", name)
		require.NoError(t, err)
	}
	return d, func(q db.Querier) (fences []int) {
		rows, err := db.Query(t.Context(), q, "SELECT fence FROM job_lease ORDER BY name")
		require.NoError(t, err)
		defer func() { require.NoError(t, rows.Close()) }()
		for rows.Next() {
			fences = append(fences, 0)
			require.NoError(t, rows.Scan(&fences[len(fences)-1]))
		}
		require.NoError(t, rows.Err())
		return fences
	}
}

// expecting returns a check of the number of changed rows, and how often it ran.
func expecting(want int64) (check func(int64) error, ran *int) {
	ran = new(int)
	return func(changed int64) error {
		if *ran++; changed != want {
			return errLost
		}
		return nil
	}, ran
}

var errLost = errors.New("another number of rows")

// Queued writes are sent before a query, a write of GORM, and the commit, each with its own count.
func TestQueuedWrites(t *testing.T) {
	t.Parallel()
	d, fences := leases(t)
	ctx := t.Context()
	both, ran := expecting(2)
	one, ranOne := expecting(1)
	require.NoError(t, d.InTx(ctx, func(tx *db.Tx) error {
		require.NoError(t, dbtest.Exec(ctx, tx.Later(both), raise, 1, []string{"a", "b"}))
		require.NoError(t, dbtest.Exec(ctx, tx.Later(nil), raise, 10, []string{"b"}))
		require.NoError(t, dbtest.Exec(ctx, tx.Later(one), raise, 100, []string{"a", "x;y'"}))
		require.Zero(t, *ran)
		require.Equal(t, []int{101, 11}, fences(tx))
		require.NoError(t, dbtest.Exec(ctx, tx.Later(both), raise, 1, []string{"a", "b"}))
		res, err := db.Exec(ctx, tx, raise, 1, []string{"b"})
		require.NoError(t, err)
		require.EqualValues(t, 1, res.Affected)
		require.NoError(t, dbtest.Exec(ctx, tx.Later(one), raise, 1, []string{"b"}))
		require.NoError(t, dbtest.Exec(ctx, tx.Later(both), raise, 1, []string{"a", "b"}))
		return nil
	}))
	require.Equal(t, []int{103, 15}, fences(d))
	require.Equal(t, 3, *ran)
	require.Equal(t, 2, *ranOne)
}

// A queued write that did not change what it must change ends the transaction, even if the caller ignores the error.
func TestAQueuedWriteThatFails(t *testing.T) {
	t.Parallel()
	d, fences := leases(t)
	ctx := t.Context()
	for name, send := range map[string]func(tx *db.Tx) error{
		"with a query": func(tx *db.Tx) error {
			rows, err := db.Query(ctx, tx, "SELECT 1")
			if err == nil {
				require.NoError(t, rows.Err())
				require.NoError(t, rows.Close()) //nolint:sqlclosecheck // before the next statement
			}
			return err
		},
		"with a write": func(tx *db.Tx) error { _, err := db.Exec(ctx, tx, raise, 1, []string{"a"}); return err },
		"with the end": func(*db.Tx) error { return nil },
	} {
		two, _ := expecting(2)
		for text, want := range map[string]string{raise: errLost.Error(), "UPDATE nothing SET a = ? WHERE b IN ?": "nothing"} {
			err := d.InTx(ctx, func(tx *db.Tx) error {
				require.NoError(t, dbtest.Exec(ctx, tx.Later(nil), raise, 1, []string{"b"}))
				require.NoError(t, dbtest.Exec(ctx, tx.Later(two), text, 1, []string{"a"}))
				_ = send(tx)
				return nil
			})
			require.ErrorContains(t, err, want, name)
			require.Equal(t, []int{0, 0}, fences(d), name)
		}
	}
}

// Only a batch may contain several statements, also if a text is composed of what a client has sent.
func TestSeveralStatements(t *testing.T) {
	t.Parallel()
	d, fences := leases(t)
	ctx := t.Context()
	for _, text := range []string{
		"SELECT 1; UPDATE job_lease SET fence = 7",
		"SELECT ';' ; UPDATE job_lease SET fence = 7",
		`SELECT "\";", ';'';' ; UPDATE job_lease SET fence = 7`,
		"SELECT 1 AS `;`; UPDATE job_lease SET fence = 7",
		"SELECT 1 -- '\n; UPDATE job_lease SET fence = 7 -- '",
		"SELECT 1 # '\n; UPDATE job_lease SET fence = 7 -- '",
		"SELECT 1 /* ' */; UPDATE job_lease SET fence = 7 /* ' */",
		"SELECT 1 /*! ; UPDATE job_lease SET fence = 7 */",
		"SELECT ';",
	} {
		in := func(run func(q db.Querier) error) {
			require.ErrorContains(t, run(d), "more than one statement", text)
			require.ErrorContains(t, d.InTx(ctx, func(tx *db.Tx) error { return run(tx) }), "more than one statement", text)
		}
		in(func(q db.Querier) error { _, err := db.Exec(ctx, q, text); return err })
		in(func(q db.Querier) error { return dbtest.Exec(ctx, q, text) })
		in(func(q db.Querier) error {
			rows, err := db.Query(ctx, q, text)
			if err == nil {
				err = errors.Join(rows.Err(), rows.Close()) //nolint:sqlclosecheck // before the next statement
			}
			return err
		})
		_, err := d.SQL().PrepareContext(ctx, text) //nolint:sqlclosecheck // it is refused
		require.ErrorContains(t, err, "more than one statement", text)
	}
	require.Equal(t, []int{0, 0}, fences(d))
	_, err := db.Exec(ctx, d, `UPDATE job_lease SET holder = 'a;"b', last_note = "it's; \" `+"`"+`", fence = 1;  `)
	require.NoError(t, err)
	require.Equal(t, []int{1, 1}, fences(d))
	_, err = db.Exec(ctx, d, "-- as in a migration; it's one\nUPDATE job_lease SET fence = 2;\n")
	require.NoError(t, err)
	require.Equal(t, []int{2, 2}, fences(d))
}

// A transaction begins with its first statement, of whatever kind, and one without any leaves nothing behind.
func TestTheBeginningOfATransaction(t *testing.T) {
	t.Parallel()
	d, fences := leases(t)
	ctx := t.Context()
	d.SQL().SetMaxOpenConns(1)
	require.NoError(t, d.InTx(ctx, func(*db.Tx) error { return nil }))
	undone := errors.New("undone")
	for _, first := range []func(tx *sql.Tx) error{
		func(*sql.Tx) error { return nil },
		func(tx *sql.Tx) error {
			var n int
			return tx.QueryRowContext(ctx, "SELECT 1").Scan(&n)
		},
		func(tx *sql.Tx) error {
			s, err := tx.PrepareContext(ctx, "UPDATE job_lease SET fence = fence + ?")
			if err != nil {
				return err
			}
			_, err = s.ExecContext(ctx, 1)
			return errors.Join(err, s.Close()) //nolint:sqlclosecheck // before the next statement
		},
	} {
		tx, err := d.SQL().BeginTx(ctx, nil)
		require.NoError(t, err)
		require.NoError(t, first(tx))
		_, err = tx.ExecContext(ctx, "UPDATE job_lease SET fence = fence + 1")
		require.NoError(t, err)
		require.NoError(t, tx.Rollback())
		require.Equal(t, []int{0, 0}, fences(d))
	}
	require.ErrorIs(t, d.InTx(ctx, func(tx *db.Tx) error {
		_, err := db.Exec(ctx, tx, raise, 1, []string{"a"})
		return errors.Join(err, undone)
	}), undone)
	require.Equal(t, []int{0, 0}, fences(d))
	tx, err := d.SQL().BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	require.NoError(t, err)
	_, err = tx.ExecContext(ctx, "UPDATE job_lease SET fence = fence + 1")
	require.ErrorContains(t, err, "bad connection", "the driver drops it")
	_ = tx.Rollback()
	require.Equal(t, []int{0, 0}, fences(d))
}

// What is no single value is filled into the text.
func TestParameters(t *testing.T) {
	t.Parallel()
	d, _ := leases(t)
	for _, c := range []struct {
		text string
		args []any
		want string
	}{
		{"a = ? AND b = ?", []any{1, "x"}, "a = 1 AND b = 'x'"},
		{"a IN ?", []any{[]int64{1, 2}}, "a IN (1,2)"},
		{"a IN (?)", []any{[]int64{1, 2}}, "a IN (1,2)"},
		{"a IN ?", []any{[]string{}}, "a IN (NULL)"},
		{"(a, b) IN ?", []any{[][]any{{1, "x"}, {2, "y"}}}, "(a, b) IN ((1,'x'),(2,'y'))"},
		{"a = ?", []any{[]byte("x")}, "a = 'x'"},
		{
			"a = ? AND ? AND b IN ?",
			[]any{nil, gorm.Expr("c = ? OR d IN ? OR ?", 1, []int{2}, gorm.Expr("TRUE")), []int{3}},
			"a = NULL AND c = 1 OR d IN (2) OR TRUE AND b IN (3)",
		},
		{
			"a = @a AND b IN @b",
			[]any{map[string]any{"a": gorm.Expr("x + ?", 1), "b": []int{1, 2}}},
			"a = x + 1 AND b IN (1,2)",
		},
		{"a = @a", []any{sql.Named("a", 1)}, "a = 1"},
	} {
		var sent string
		counted, counter := db.WithListener(context.Background(), func(text string) { sent = text })
		_, err := db.Exec(counted, d, c.text, c.args...)
		require.Error(t, err, "no statement")
		require.Equal(t, c.want, sent)
		require.Equal(t, 1, counter.Count())
	}
}

// Queued queries are answered before a query, a write, which still reports its own result, and the commit.
func TestQueuedQueries(t *testing.T) {
	t.Parallel()
	d, fences := leases(t)
	ctx := t.Context()
	var got []int
	read := func(rows *sql.Rows) error {
		for rows.Next() {
			got = append(got, 0)
			if err := rows.Scan(&got[len(got)-1]); err != nil {
				return err
			}
		}
		return rows.Err()
	}
	const query = "SELECT fence FROM job_lease WHERE name = ?"
	require.NoError(t, d.InTx(ctx, func(tx *db.Tx) error {
		require.NoError(t, db.QueryLater(ctx, tx, read, query, "none"))
		require.NoError(t, dbtest.Exec(ctx, tx.Later(nil), raise, 1, []string{"a"}))
		require.NoError(t, db.QueryLater(ctx, tx, read, query, "a"))
		require.Empty(t, got)
		require.Equal(t, []int{1, 0}, fences(tx))
		require.Equal(t, []int{1}, got)
		one, ran := expecting(1)
		require.NoError(t, dbtest.Exec(ctx, tx.Later(one), raise, 1, []string{"a"}))
		require.NoError(t, db.QueryLater(ctx, tx, read, query, "a"))
		r, err := db.Exec(ctx, tx, raise, 5, []string{"a", "b"})
		require.NoError(t, err)
		require.EqualValues(t, 2, r.Affected)
		require.Equal(t, 1, *ran)
		require.Equal(t, []int{1, 2}, got)
		require.NoError(t, db.QueryLater(ctx, tx, read, query, "b"))
		added, err := db.Exec(ctx, tx, "INSERT INTO region (pid, name, type, code) VALUES (0, 'x', 1, 1)")
		require.NoError(t, err)
		require.Positive(t, added.ID)
		require.NoError(t, dbtest.Exec(ctx, tx.Later(nil), raise, 1, []string{"b"}))
		require.NoError(t, db.QueryLater(ctx, tx, read, query, "b"))
		return nil
	}))
	require.Equal(t, []int{1, 2, 5, 6}, got)
	require.Equal(t, []int{7, 6}, fences(d))
	err := d.InTx(ctx, func(tx *db.Tx) error {
		require.NoError(t, dbtest.Exec(ctx, tx.Later(nil), raise, 1, []string{"a"}))
		return db.QueryLater(ctx, tx, func(*sql.Rows) error { return errLost }, query, "a")
	})
	require.ErrorIs(t, err, errLost)
	require.Equal(t, []int{7, 6}, fences(d))
}
