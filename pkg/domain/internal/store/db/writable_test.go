package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"
)

// servers report whether they are read-only. A connection stays with its server; a new one goes to the server that the
// address points to by then.
type servers struct{ now string }

func (s *servers) Connect(context.Context) (driver.Conn, error) { return &fixed{s.now}, nil }
func (s *servers) Driver() driver.Driver                        { return nil }

type fixed struct{ readOnly string }

func (c *fixed) Prepare(string) (driver.Stmt, error) { return nil, errors.New("not here") }
func (c *fixed) Close() error                        { return nil }
func (c *fixed) Begin() (driver.Tx, error)           { return nil, errors.New("not here") }
func (c *fixed) QueryContext(context.Context, string, []driver.NamedValue) (driver.Rows, error) {
	return &answer{c.readOnly, false}, nil
}

type answer struct {
	text string
	done bool
}

func (a *answer) Columns() []string { return []string{"@@global.read_only"} }
func (a *answer) Close() error      { return nil }
func (a *answer) Next(row []driver.Value) error {
	if a.done {
		return io.EOF
	}
	row[0], a.done = a.text, true
	return nil
}

func TestWritable(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		before, now string
		want        error
	}{
		"a primary":                              {"0", "0", nil},
		"in words":                               {"OFF", "OFF", nil},
		"a replica":                              {"1", "1", ErrReadOnly},
		"in words, of a replica":                 {"ON", "ON", ErrReadOnly},
		"connected to what was the primary once": {"1", "0", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := &servers{now: tt.before}
			d := &DB{sql: sql.OpenDB(s), idle: 4}
			t.Cleanup(func() { require.NoError(t, d.Close()) })
			require.NoError(t, d.sql.PingContext(t.Context())) // an older connection
			s.now = tt.now
			require.ErrorIs(t, d.Writable(t.Context()), tt.want)
		})
	}
}

func TestConflicts(t *testing.T) {
	t.Parallel()
	for _, number := range []uint16{1213, 1205, 1467, 1020, 3101, 1180, 8002, 8022, 9007} {
		require.True(t, conflict(&mysql.MySQLError{Number: number}), number)
	}
	for _, number := range []uint16{1062, 1290, 1064, 3819} {
		require.False(t, conflict(&mysql.MySQLError{Number: number}), number)
	}
}
