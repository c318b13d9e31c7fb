package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// connector opens the connections of the pool. The isolation level is set once per connection: setting it at each BEGIN
// would cost a round trip, and MySQL and MariaDB name the variable differently, so the DSN cannot contain it.
type connector struct {
	driver.Connector
	watch watch
}

// Connect opens a connection whose transactions run at READ COMMITTED.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	d, ok := opened.(driverConn)
	if !ok {
		return nil, errors.Join(errors.New("the driver lacks a method of a connection"), opened.Close())
	}
	const level = "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED"
	if _, err := d.ExecContext(ctx, level, nil); err != nil {
		return nil, errors.Join(fmt.Errorf("set the isolation level: %w", err), d.Close())
	}
	return &conn{driverConn: d, watch: c.watch}, nil
}

// driverConn is what the driver's connections can do.
type driverConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// conn is a connection that sends START TRANSACTION together with the first statement of a transaction, and the
// statements of a batch together: each saves a round trip. The server therefore accepts several statements in one text
// on it; so that injected SQL cannot use that, every text that is not composed by this package must be one statement.
type conn struct {
	driverConn
	// begins is set until START TRANSACTION is sent, committed once a batch that ends with COMMIT was.
	begins, committed bool
	watch             watch
}

// begin stands before the first statement of a transaction.
const begin = "START TRANSACTION; "

// BeginTx begins a transaction with the next statement.
func (c *conn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	if o != (driver.TxOptions{}) {
		return c.driverConn.BeginTx(ctx, o)
	}
	c.begins = true
	return ending{c, ctx}, nil
}

// ExecContext sends a statement, or a batch if ctx has one.
func (c *conn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	b, err := allowed(ctx, text)
	if err != nil {
		return nil, err
	}
	trip := c.watch.start(ctx, text)
	begins := c.begins
	if begins {
		text = begin + text
	}
	res, err := c.driverConn.ExecContext(ctx, text, args)
	c.sent(err)
	trip.end(err)
	if err != nil || b == nil {
		return res, err
	}
	all, ok := res.(mysql.Result)
	if !ok {
		return nil, errors.New("the driver does not report the results of a batch")
	}
	c.committed = b.commits
	b.affected, b.ids = all.AllRowsAffected(), all.AllLastInsertIds()
	if begins {
		b.affected, b.ids = b.affected[1:], b.ids[1:]
	}
	return res, nil
}

// QueryContext sends a query, after a batch of writes if ctx has one.
func (c *conn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if _, err := allowed(ctx, text); err != nil {
		return nil, err
	}
	trip := c.watch.start(ctx, text)
	if c.begins {
		text = begin + text
	}
	rows, err := c.driverConn.QueryContext(ctx, text, args)
	c.sent(err)
	trip.end(err)
	return rows, err
}

// PrepareContext prepares a statement: what the driver cannot interpolate is prepared.
func (c *conn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	if _, err := allowed(ctx, text); err != nil {
		return nil, err
	}
	if c.begins {
		if _, err := c.driverConn.ExecContext(ctx, "START TRANSACTION", nil); err != nil {
			return nil, err
		}
		c.begins = false
	}
	return c.driverConn.PrepareContext(ctx, text)
}

// sent notes that the transaction has begun, unless nothing was sent.
func (c *conn) sent(err error) {
	if !errors.Is(err, driver.ErrSkip) && !errors.Is(err, driver.ErrBadConn) {
		c.begins = false
	}
}

// ResetSession prepares the connection for its next user.
func (c *conn) ResetSession(ctx context.Context) error {
	c.begins, c.committed = false, false
	return c.driverConn.ResetSession(ctx)
}

// ending ends a transaction. One that sent no statement has not begun, and one whose last batch committed has ended.
type ending struct {
	c   *conn
	ctx context.Context
}

// Commit commits the transaction.
func (e ending) Commit() error { return e.end("COMMIT") }

// Rollback rolls the transaction back.
func (e ending) Rollback() error { return e.end("ROLLBACK") }

func (e ending) end(how string) error {
	if e.c.begins || e.c.committed {
		e.c.begins, e.c.committed = false, false
		return nil
	}
	trip := e.c.watch.start(e.ctx, how)
	_, err := e.c.driverConn.ExecContext(context.Background(), how, nil)
	trip.end(err)
	return err
}

// batch is the results of statements that are sent together; commits says that the last of them is COMMIT.
type batch struct {
	affected, ids []int64
	commits       bool
}

type batchKey struct{}

// errSeveral refuses a text of several statements.
var errSeveral = errors.New("the text contains more than one statement")

// allowed returns the batch of ctx, and refuses several statements without one.
func allowed(ctx context.Context, text string) (*batch, error) {
	if b, ok := ctx.Value(batchKey{}).(*batch); ok {
		return b, nil
	}
	if several(text) {
		return nil, errSeveral
	}
	return nil, nil
}

// several reports whether something follows a semicolon outside of literals and line comments, as before the statements
// of a migration. A text with another kind of comment counts as several statements if there is any semicolon in it:
// nobody needs one.
func several(text string) bool {
	if strings.IndexByte(text, ';') < 0 {
		return false
	}
	var quoted byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted != 0:
			if c == '\\' && quoted != '`' {
				i++
			} else if c == quoted {
				quoted = 0 // a doubled quote opens the literal again
			}
		case c == '\'' || c == '"' || c == '`':
			quoted = c
		case c == ';':
			return strings.TrimSpace(text[i+1:]) != ""
		case strings.HasPrefix(text[i:], "-- "):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return false // the rest is a comment
			}
			i += end
		case c == '#', strings.HasPrefix(text[i:], "--"), strings.HasPrefix(text[i:], "/*"):
			return true
		}
	}
	return quoted != 0
}
