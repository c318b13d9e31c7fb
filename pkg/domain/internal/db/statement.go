package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"reflect"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"

	"shop.internal/pkg/domain/platform/admission"
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
// text. It does the same as q.G(ctx).Exec for a fraction of the time.
func Exec(ctx context.Context, q Querier, text string, args ...any) (Result, error) {
	text, args, err := prepare(ctx, q, text, args)
	if err != nil {
		return Result{}, err
	}
	return q.exec(ctx, text, args)
}

// Query runs a query; the caller closes the rows. Parameters are those of Exec.
func Query(ctx context.Context, q Querier, text string, args ...any) (*sql.Rows, error) {
	text, args, err := prepare(ctx, q, text, args)
	if err != nil {
		return nil, err
	}
	return q.query(ctx, text, args)
}

// Insert runs an INSERT of one row and returns the generated id.
func Insert(ctx context.Context, q Querier, text string, args ...any) (int64, error) {
	r, err := Exec(ctx, q, text, args...)
	return r.ID, err
}

// Later queues a write that is sent with the next statement of the transaction, or before the commit, which saves a
// round trip. check, which may be nil, decides by its result whether the transaction may go on; after an error, every
// further statement and the commit fail with it. In check, Result.ID is not set. If a batch fails, it is not known
// which of its statements did, so Flush must precede a write whose failure the caller handles.
func Later(ctx context.Context, tx *Tx, check func(Result) error, text string, args ...any) error {
	text, args, err := prepare(ctx, tx, text, args)
	if err != nil {
		return err
	}
	tx.later = append(tx.later, queued{text, args, check, nil})
	return nil
}

// QueryLater queues a query that is sent with the next statement of a transaction, or with the other Reads; read gets
// its rows then, and must not close them. Reads that are sent again call it again.
func QueryLater(ctx context.Context, q Queue, read func(*sql.Rows) error, text string, args ...any) error {
	text, args, err := prepare(ctx, q.querier(), text, args)
	if err != nil {
		return err
	}
	q.add(queued{text, args, nil, read})
	return nil
}

// prepare asks for the place of the request, expands the parameters of a statement and counts it.
func prepare(ctx context.Context, q Querier, text string, args []any) (string, []any, error) {
	if err := admission.Use(ctx); err != nil {
		return "", nil, err
	}
	text, args = expand(ctx, q, text, args)
	c, ok := ctx.Value(counterKey{}).(*Counter)
	if !ok {
		return text, args, nil
	}
	if c.see != nil {
		c.see(logger.ExplainSQL(text, nil, `'`, args...))
	}
	return text, args, counted(ctx, text)
}

// expand replaces lists and expressions among the parameters by their texts and values.
func expand(ctx context.Context, q Querier, text string, args []any) (string, []any) {
	simple := true
	for _, a := range args {
		switch kindOf(a) {
		case named:
			s := &gorm.Statement{DB: q.G(ctx), Context: ctx, Clauses: map[string]clause.Clause{}}
			clause.NamedExpr{SQL: text, Vars: args}.Build(s)
			return s.SQL.String(), s.Vars
		case value:
		case list, expression:
			simple = false
		}
	}
	if simple {
		return text, args
	}
	var x expansion
	x.values = make([]any, 0, 2*len(args))
	x.text.Grow(len(text) + 16*len(args))
	x.add(text, args, false)
	return x.text.String(), x.values
}

// kind is how a parameter is expanded.
type kind int

const (
	value kind = iota
	list
	expression
	named
)

func kindOf(a any) kind {
	switch a.(type) {
	case nil, int64, int, string, bool, []byte, time.Time, driver.Valuer:
		return value
	case clause.Expr:
		return expression
	case sql.NamedArg, map[string]any, clause.Expression:
		return named
	}
	if k := reflect.TypeOf(a).Kind(); k == reflect.Slice || k == reflect.Array {
		return list
	}
	return value
}

// expansion is a statement whose parameters are all single values.
type expansion struct {
	text   strings.Builder
	values []any
}

// add appends a text with its parameters. A list is put in parentheses unless it stands in some.
func (x *expansion) add(text string, args []any, bare bool) {
	for len(args) > 0 {
		i := strings.IndexByte(text, '?')
		if i < 0 {
			break
		}
		x.text.WriteString(text[:i])
		x.value(args[0], bare || i > 0 && text[i-1] == '(')
		text, args = text[i+1:], args[1:]
	}
	x.text.WriteString(text)
	x.values = append(x.values, args...) // too many: the driver complains
}

func (x *expansion) value(a any, bare bool) {
	switch kindOf(a) {
	case expression:
		e, _ := a.(clause.Expr)
		x.add(e.SQL, e.Vars, e.WithoutParentheses)
	case list:
		x.list(reflect.ValueOf(a), bare)
	case value, named:
		x.text.WriteByte('?')
		x.values = append(x.values, a)
	}
}

func (x *expansion) list(all reflect.Value, bare bool) {
	if all.Len() == 0 {
		x.text.WriteString(map[bool]string{false: "(NULL)", true: "NULL"}[bare])
		return
	}
	if !bare {
		x.text.WriteByte('(')
	}
	for i := range all.Len() {
		if i > 0 {
			x.text.WriteByte(',')
		}
		x.value(all.Index(i).Interface(), false)
	}
	if !bare {
		x.text.WriteByte(')')
	}
}

// exec runs a write on the pool.
func (d *DB) exec(ctx context.Context, text string, args []any) (Result, error) {
	return resultOf(pool{d.sql, d}.ExecContext(ctx, text, args...))
}

func (d *DB) query(ctx context.Context, text string, args []any) (*sql.Rows, error) {
	return d.read(ctx, text, args)
}
