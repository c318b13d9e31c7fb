package table

import (
	"fmt"
	"strings"
)

// Reference says which row of another table a column names. Verifying the books looks for the rows that columns name.
type Reference struct {
	// Column names a row of Table by its id.
	Column, Table string
	// Where is the condition on the row t under which it does, empty if there is none: `type` decides for a column that
	// names rows of several tables.
	Where string
	// Maybe says that 0 and NULL are allowed, and name no row.
	Maybe bool
	// Why says what the column has instead, if it names no row; Table is empty then.
	Why string
}

// Refers declares that a column names a row of a table, and never none.
func Refers(column, to string) Reference {
	return Reference{Column: column, Table: to, Where: "", Maybe: false, Why: ""}
}

// MayRefer declares that a column names a row of a table, or with 0 or NULL none.
func MayRefer(column, to string) Reference {
	r := Refers(column, to)
	r.Maybe = true
	return r
}

// RefersToNone declares that a column, although it is called an id, names no row of this database.
func RefersToNone(column, why string) Reference {
	r := Refers(column, "")
	r.Why = why
	return r
}

// When restricts a reference to the rows t that meet a condition. Each ? stands for the number of a state or kind.
func (r Reference) When(where string, numbers ...any) Reference {
	r.Where = fmt.Sprintf(strings.ReplaceAll(where, "?", "%d"), numbers...)
	return r
}

func (r Reference) declare(w *writer) { w.references = append(w.references, r) }
