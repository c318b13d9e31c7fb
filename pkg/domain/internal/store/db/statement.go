package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"reflect"
	"time"

	gormmysql "gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"

	"shop.internal/pkg/base/admission"
)

// Result is the result of a write. Affected is the number of rows that it changed, ID the first generated id.
type Result struct{ Affected, ID int64 }

// LastInsertId returns the first generated id.
func (r Result) LastInsertId() (int64, error) { return r.ID, nil }

// RowsAffected returns the number of changed rows.
func (r Result) RowsAffected() (int64, error) { return r.Affected, nil }

func resultOf(r sql.Result, err error) (Result, error) {
	if err != nil {
		return Result{}, err
	}
	var all Result
	if all.Affected, err = r.RowsAffected(); err == nil {
		all.ID, err = r.LastInsertId()
	}
	return all, err
}

// Exec runs a write. Parameters are those of GORM: a slice stands for a list in parentheses, a clause.Expr for its
// text, and a map for parameters by name.
func Exec(ctx context.Context, q Querier, text string, args ...any) (Result, error) {
	text, args, err := prepare(ctx, text, args)
	if err != nil {
		return Result{}, err
	}
	return q.exec(ctx, text, args)
}

// Query runs a query; the caller closes the rows. Parameters are those of Exec.
func Query(ctx context.Context, q Querier, text string, args ...any) (*sql.Rows, error) {
	text, args, err := prepare(ctx, text, args)
	if err != nil {
		return nil, err
	}
	return q.query(ctx, text, args)
}

// Later returns a querier on the transaction that does not send a write, but has it sent with the next statement or
// before the commit, which saves a round trip; it reports no result. check, which may be nil, decides by the number of
// changed rows whether the transaction may go on; after an error, every further statement and the commit fail with it.
// If what is sent together fails, it is not known which statement did, so Flush must precede a write whose failure the
// caller handles.
func (t *Tx) Later(check func(changed int64) error) Querier { return deferred{t, check} }

// deferred is the querier of Tx.Later.
type deferred struct {
	*Tx
	check func(changed int64) error
}

func (d deferred) exec(_ context.Context, text string, args []any) (Result, error) {
	d.later = append(d.later, queued{text, args, d.check, nil})
	return Result{}, nil
}

// QueryLater queues a query that is sent with the next statement of a transaction, or with the other Reads; read gets
// its rows then, and must not close them. Reads that are sent again call it again.
func QueryLater(ctx context.Context, q Queue, read func(*sql.Rows) error, text string, args ...any) error {
	text, args, err := prepare(ctx, text, args)
	if err != nil {
		return err
	}
	q.add(queued{text, args, nil, read})
	return nil
}

// prepare asks for the place of the request, fills lists and expressions into the text and counts the statement.
func prepare(ctx context.Context, text string, args []any) (string, []any, error) {
	if err := admission.Use(ctx); err != nil {
		return "", nil, err
	}
	text, args = fill(text, args)
	c, ok := ctx.Value(counterKey{}).(*Counter)
	if !ok {
		return text, args, nil
	}
	if c.see != nil {
		c.see(logger.ExplainSQL(text, nil, `'`, args...))
	}
	return text, args, counted(ctx, text)
}

// fill has GORM fill the parameters that are no single values into a text: lists, expressions, and those with names.
func fill(text string, args []any) (string, []any) {
	var e clause.Expression = clause.Expr{SQL: text, Vars: args}
	plain := true
	for _, a := range args {
		switch a.(type) {
		case nil, int64, int, string, bool, []byte, time.Time, driver.Valuer:
		case sql.NamedArg, map[string]any:
			e, plain = clause.NamedExpr{SQL: text, Vars: args}, false
		case clause.Expression:
			plain = false
		default:
			kind := reflect.TypeOf(a).Kind()
			plain = plain && kind != reflect.Slice && kind != reflect.Array
		}
	}
	if plain {
		return text, args // as nearly every statement
	}
	return Render(e)
}

// Render has GORM build a statement of parts.
func Render(parts ...clause.Expression) (text string, args []any) {
	s := &gorm.Statement{DB: builder}
	for _, p := range parts {
		p.Build(s)
	}
	return s.SQL.String(), s.Vars
}

// builder is GORM for MySQL, for building statements alone: it has no connection.
var builder = func() *gorm.DB {
	mysql := gormmysql.Dialector{Config: &gormmysql.Config{}}
	return &gorm.DB{Config: &gorm.Config{Dialector: mysql, ClauseBuilders: mysql.ClauseBuilders()}}
}()
