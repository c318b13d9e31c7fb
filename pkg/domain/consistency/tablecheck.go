package consistency

import (
	"context"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm/clause"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/payment"
)

// tableCheck is a table with what is checked of its rows. It is read in ranges of key, a numeric column; a small table
// without one is read at once.
type tableCheck struct {
	table, key string
	// name is the expression that identifies a row t, if it is not its key.
	name string
	// checks concern one row and the rows that it refers to. rules are statements of their own.
	checks []check
	rules  []rule
	// tablesRead are the tables that all of this reads.
	tablesRead []string
	// mended are the columns that a repair sets to what a rule says, by the rule.
	mended map[string]string
}

// check is a condition on a row t. All checks of a table are one statement as long as the books agree.
type check struct {
	what string
	// wrong is the condition under which the row disagrees; says and should are expressions of what it has and should.
	wrong, says, should string
	// repairs is the column that a repair sets to should, empty for none.
	repairs string
	// joins join other tables; reads is one of them.
	joins []string
	reads string
}

// rule finds the rows of a range of keys that disagree. Its query uses @lo and @hi, the ends of the range, and selects
// row_key, says and should. It may use the names of states.
type rule struct {
	what, query string
}

// holds is the check that a column, or another expression on t, equals should.
func holds(what, should string) check {
	says := "t." + what
	if strings.ContainsAny(what, ".( ") {
		says = what
	}
	return check{what: what, wrong: "NOT (" + says + " <=> " + should + ")", says: says, should: should}
}

// must is the check that a condition holds; should says it in words.
func must(column, ok, should string) check {
	return check{
		what: column, wrong: "NOT COALESCE((" + ok + "), FALSE)", says: "t." + quoted(column),
		should: literal(should),
	}
}

// literal is a text in a statement.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// among is the check that a column has one of some values, which have a name.
func among(column, values string) check {
	return check{
		what: column, wrong: "t." + quoted(column) + " NOT IN @" + values, says: "t." + quoted(column),
		should: "'one of " + values + "'",
	}
}

// repairing is the check of a column that a repair may set to what it should be.
func (c check) repairing() check {
	c.repairs = c.what
	return c
}

// with is the check with other tables joined, each under an alias.
func (c check) with(reads string, joins ...string) check {
	c.joins, c.reads = joins, reads
	return c
}

// openMark is the check that a mark is 0 while a condition on t holds, and the row's id otherwise.
func openMark(column, open string) check {
	return holds(column, "CASE WHEN "+open+" THEN 0 ELSE t.id END")
}

// from is FROM with the joins that some checks need, each once.
func (w tableCheck) from(checks []check) string {
	var joins []string
	for _, c := range checks {
		for _, j := range c.joins {
			if !slices.Contains(joins, j) {
				joins = append(joins, j)
			}
		}
	}
	text := " FROM " + quoted(w.table) + " t " + strings.Join(joins, " ") + " WHERE "
	if w.key == "" {
		return text + "@lo <= @hi AND "
	}
	return text + "t." + w.key + " BETWEEN @lo AND @hi AND "
}

// findings returns what disagrees in a range.
func (w tableCheck) findings(ctx context.Context, q db.Querier, named map[string]any) ([]Disagreement, error) {
	var found []Disagreement
	add := func(what, query, repairs string) error {
		rows, err := disagreeing(ctx, q, query, named)
		if err != nil {
			return fmt.Errorf("compare %s of %s: %w", what, w.table, err)
		}
		for _, row := range rows {
			found = append(found, Disagreement{
				Table: w.table, Key: row.RowKey, What: what, Found: printed(row.Says), Expected: printed(row.Should),
				repair: w.repairing(repairs, query, row.RowKey, named),
			})
		}
		return nil
	}
	wrong, err := w.anyWrong(ctx, q, named)
	if err != nil {
		return nil, err
	}
	name := w.name
	if name == "" {
		name = "t." + w.key
	}
	for _, c := range w.checks {
		if !wrong {
			break
		}
		query := "SELECT " + name + " AS row_key, " + c.says + " AS says, " + c.should + " AS should" +
			w.from([]check{c}) + "(" + c.wrong + ")"
		if err := add(c.what, query, c.repairs); err != nil {
			return nil, err
		}
	}
	for _, r := range w.rules {
		if err := add(r.what, r.query, w.mended[r.what]); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// anyWrong reports whether any check finds a row, in one statement.
func (w tableCheck) anyWrong(ctx context.Context, q db.Querier, named map[string]any) (bool, error) {
	if len(w.checks) == 0 {
		return false, nil
	}
	wrong := make([]string, len(w.checks))
	for i, c := range w.checks {
		wrong[i] = "(" + c.wrong + ")"
	}
	var n []int
	err := table.Scan(ctx, q, &n, "SELECT 1"+w.from(w.checks)+"("+strings.Join(wrong, " OR ")+") LIMIT 1", named)
	if err != nil {
		return false, fmt.Errorf("check the rows of %s: %w", w.table, err)
	}
	return len(n) > 0, nil
}

type violation struct {
	RowKey       string
	Says, Should *string
}

func disagreeing(ctx context.Context, q db.Querier, query string, named map[string]any) ([]violation, error) {
	var rows []violation
	err := table.Scan(ctx, q, &rows, query, named)
	return rows, err
}

// named are the values of a statement: the ends of the range, the time, and the names of states.
func (s *Service) named(lo, hi int64) map[string]any {
	named := maps.Clone(states)
	named["lo"], named["hi"], named["now"] = lo, hi, s.now()
	named["channels"], named["paid_by_platform"] = s.channels()
	return named
}

// channels returns the channels that payments may have, and an expression for how the platform of an order t has
// refunded it.
func (s *Service) channels() (codes []string, way clause.Expr) {
	codes, way.SQL = []string{payment.Free, payment.Offline, "none"}, "CASE t.pay_channel"
	for _, p := range s.providers {
		info := p.Info()
		codes = append(codes, info.Code)
		way.SQL += " WHEN ? THEN ?"
		way.Vars = append(way.Vars, info.Code, info.RefundName.Stored())
	}
	way.SQL += " ELSE '' END"
	return codes, way
}

func printed(s *string) string {
	if s == nil {
		return "nothing"
	}
	return *s
}

// ranges reads the ends of consecutive ranges of keys.
func (s *Service) ranges(ctx context.Context, name, key string, span int, each func(lo, hi int64) error) error {
	after := int64(math.MinInt64)
	if s.at != nil {
		after = s.at.key
	}
	for {
		lo, hi, n, err := next(ctx, s.db, name, key, after, span)
		if err != nil {
			return fmt.Errorf("walk %s: %w", name, err)
		}
		if n == 0 {
			return nil
		}
		if err := each(lo, hi); err != nil {
			return err
		}
		if n < span { // the last range
			return nil
		}
		after = hi
		if s.at != nil && s.now().After(s.at.until) {
			s.at.key = after
			return errPaused
		}
	}
}

// next returns the lowest and the highest key of the span rows after a key, and how many there are.
func next(
	ctx context.Context, q db.Querier, name, key string, after int64, span int,
) (lo, hi int64, n int, err error) {
	var r struct {
		Lo, Hi int64
		N      int
	}
	err = table.Scan(ctx, q, &r, `SELECT COALESCE(MIN(k), 0) AS lo, COALESCE(MAX(k), 0) AS hi, COUNT(*) AS n
		FROM (
			SELECT `+key+` AS k
			FROM `+quoted(name)+`
			WHERE `+key+` > ?
			ORDER BY `+key+`
			LIMIT ?
		) AS part`, after, span)
	return r.Lo, r.Hi, r.N, err
}

// rechecks is how often something must disagree to be reported.
const rechecks = 3

// recheck looks several times, a moment apart, and returns what disagreed each time: the shop may have been at work in
// between the statements of one query.
func (s *Service) recheck(ctx context.Context, query func() ([]Disagreement, error)) ([]Disagreement, error) {
	found, err := query()
	for range rechecks - 1 {
		if err != nil || len(found) == 0 || s.pause == 0 {
			return found, err
		}
		wait := time.NewTimer(s.pause)
		select {
		case <-ctx.Done():
			wait.Stop()
			return nil, ctx.Err()
		case <-wait.C:
		}
		var next []Disagreement
		next, err = query()
		again := map[[3]string]bool{}
		for _, d := range next {
			again[[3]string{d.Table, d.Key, d.What}] = true
		}
		found = slices.DeleteFunc(found, func(d Disagreement) bool { return !again[[3]string{d.Table, d.Key, d.What}] })
	}
	return found, err
}

var named = regexp.MustCompile("(?i)\\b(?:from|join)\\s+`?([a-z_]+)`?")

// tables returns the tables that the check reads.
func (w tableCheck) tables() []string {
	all := []string{w.table}
	for _, c := range w.checks {
		all = append(all, c.reads)
		for _, m := range named.FindAllStringSubmatch(c.wrong+" "+c.should+" "+strings.Join(c.joins, " "), -1) {
			all = append(all, m[1])
		}
	}
	for _, r := range w.rules {
		for _, m := range named.FindAllStringSubmatch(r.query, -1) {
			all = append(all, m[1])
		}
	}
	return all
}

// keyed are the tables without an id: the numeric column by which each is read, if it has one, and the name of a row.
var keyed = map[string][2]string{
	"goods_content":   {"goods_id", ""},
	"goods_term":      {"goods_id", "CONCAT(t.goods_id, '/', t.term)"},
	"stock_bucket":    {"product_id", "CONCAT(t.product_id, '/', t.bucket_no)"},
	"admin_role":      {"admin_id", "CONCAT(t.admin_id, '/', t.role_id)"},
	"job_failure":     {"row_id", "CONCAT(t.job, '/', t.row_id)"},
	"job_lease":       {"", "t.name"},
	"list_counter":    {"", "t.scope"},
	"stat_day":        {"", "t.day"},
	"stat_goods_day":  {"", "CONCAT(t.day, '/', t.goods_id)"},
	"order_recipient": {"", "CONCAT(t.term, '/', t.name)"},
}

// keyOf is the numeric column by which a table is read, and the name of a row, if it is another.
func keyOf(t table.Declared) (key, name string) {
	if own, special := keyed[t.Name]; special {
		return own[0], own[1]
	}
	return "id", ""
}
