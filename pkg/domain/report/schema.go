package report

import (
	"reflect"
	"strings"
	"time"

	"gorm.io/gorm/schema"

	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/money"
)

// declared are the checks that follow from the declaration of a table alone: what its columns refer to, and which
// values their types allow.
func declared(t table.Declared) []check {
	checks := references(t)
	if has(t, "id") {
		checks = append(checks, must("id", "t.id > 0", "more than 0"))
	}
	for _, f := range t.Fields {
		checks = append(checks, typed(t, f)...)
	}
	if t.Marked {
		checks = append(checks, openMark("del_mark", "t.deleted = 0"))
	}
	if t.Marked || removable[t.Name] {
		checks = append(checks, must("deleted", "t.deleted IN (0, 1)", "0 or 1"))
	}
	if _, staffs := staffOwned[t.Name]; staffs && t.Versioned {
		checks = append(checks, proven(t.Name))
	}
	// The clocks of processes differ a little, and one may change what another has just added.
	if has(t, "add_time") && has(t, "update_time") {
		checks = append(checks, must("update_time", "t.update_time >= t.add_time - INTERVAL 1 SECOND", "add_time or later"))
	}
	return checks
}

// references are the checks that the rows exist which columns name.
func references(t table.Declared) []check {
	var checks []check
	for i, r := range t.References {
		if r.Table == "" {
			continue
		}
		p := "p" + string(rune('a'+i))
		column := "t." + r.Column
		wrong := p + ".id IS NULL"
		if r.Maybe {
			wrong += " AND COALESCE(" + column + ", 0) <> 0"
		}
		if r.Where != "" {
			wrong = "(" + r.Where + ") AND " + wrong
		}
		checks = append(checks, check{
			what: r.Column, wrong: wrong, says: column, should: "'a row of " + r.Table + "'",
			joins: []string{"LEFT JOIN " + quoted(r.Table) + " " + p + " ON " + p + ".id = " + column}, reads: r.Table,
		})
	}
	return checks
}

// typed are the checks that follow from the type of a column.
func typed(t table.Declared, f *schema.Field) []check {
	column := "t." + quoted(f.DBName)
	filled := f.Tag.Get("table") != "null" && !emptied[t.Name+"."+f.DBName]
	if filled && f.FieldType.Kind() == reflect.String {
		return []check{{what: f.DBName, wrong: column + " IS NULL", says: column, should: "'a text, if an empty one'"}}
	}
	maybe := "TRUE"
	if f.Tag.Get("table") == "null" {
		maybe = column + " IS NOT NULL"
	}
	is := func(ok, should string) []check {
		return []check{{
			what: f.DBName, wrong: maybe + " AND NOT COALESCE(" + ok + ", FALSE)", says: column,
			should: literal(should),
		}}
	}
	switch {
	case f.Tag.Get("table") == "null" && f.FieldType.Kind() == reflect.Slice:
		return is("JSON_VALID("+column+") AND LEFT("+column+", 1) = '['", "a JSON array")
	case f.Tag.Get("gorm") != "" && strings.Contains(f.Tag.Get("gorm"), "serializer:list"):
		return []check{{
			what: f.DBName, wrong: column + " IS NULL OR NOT JSON_VALID(" + column + ") OR LEFT(" + column + ", 1) <> '['",
			says: column, should: "'a JSON array'",
		}}
	case f.FieldType.Kind() == reflect.Bool:
		return is(column+" IN (0, 1)", "0 or 1")
	case f.FieldType == reflect.TypeFor[money.Amount]():
		return is(column+" >= 0", "0.00 or more")
	case f.FieldType == reflect.TypeFor[time.Time]() && !timeless[t.Name+"."+f.DBName]:
		return is(column+" >= '2000-01-01'", "a time of this century")
	}
	return nil
}

// removable are the tables with deleted rows and no mark of them, whose row types lack the column.
var removable = map[string]bool{
	"cart": true, "collect": true, "comment": true, "feedback": true, "footprint": true, "log": true, "permission": true,
	"search_history": true,
}

// emptied are texts that are cleared when they are old, or that only some rows have.
var emptied = map[string]bool{"payment_notify.body": true}

// timeless are times that may lie before the shop: a day that must be added up again has none, people are old, and an
// operator may enter any.
var timeless = map[string]bool{
	"stat_day.refresh_time": true, "user.birthday": true, "ad.start_time": true, "ad.end_time": true,
	"coupon.start_time": true, "coupon.end_time": true, "coupon_user.start_time": true, "coupon_user.end_time": true,
}

func has(t table.Declared, column string) bool {
	for _, f := range t.Fields {
		if f.DBName == column {
			return true
		}
	}
	return false
}

// quoted quotes a name that is a keyword of SQL.
func quoted(name string) string { return "`" + name + "`" }

// parsed is a column of JSON, NULL where it holds anything else: MySQL fails where it must parse that.
func parsed(column string) string {
	return "CASE WHEN JSON_VALID(" + column + ") THEN " + column + " END"
}
