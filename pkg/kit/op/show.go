package op

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Show says of a member what its type does not, for documents and for pages that are made from the declarations. It is
// the tag show of a member of a request or an answer; the zero Show says nothing.
type Show struct {
	// As is what the member is.
	As ShowAs
	// Of is the area whose list has the records that an id names, such as brand; only with ShowID.
	Of string
	// One is the table of the names of a value that is one of a few, such as gender; only with ShowChoice.
	One string
}

// ShowAs is what a member is.
type ShowAs string

// What a member may be.
const (
	ShowPicture ShowAs = "picture" // the address of a picture, or a list of them
	ShowLink    ShowAs = "link"    // an address to follow
	ShowLong    ShowAs = "long"    // text of several lines
	ShowRich    ShowAs = "rich"    // HTML
	ShowTime    ShowAs = "time"    // a text of the form YYYY-MM-DD HH:MM:SS in the shop's zone
	ShowNone    ShowAs = "none"    // what no page shows, such as a second name of a member
	ShowSecret  ShowAs = "secret"  // what the screen must not show while it is typed
	ShowID      ShowAs = "of"      // the id of a record of an area, or a list of them
	ShowChoice  ShowAs = "one"     // one of a table of values with names
)

var plainShows = []ShowAs{ShowPicture, ShowLink, ShowLong, ShowRich, ShowTime, ShowSecret}

// ShowOf reads the tag show of a member. It fails for words that are none, and for those that do not fit the type of
// the member.
func ShowOf(f reflect.StructField) (Show, error) {
	tag, given := f.Tag.Lookup("show")
	if !given {
		return Show{}, nil
	}
	word, value, named := strings.Cut(tag, "=")
	s := Show{As: ShowAs(word)}
	switch {
	case s.As == ShowID && value != "":
		s.Of = value
	case s.As == ShowChoice && value != "":
		s.One = value
	case s.As == ShowNone && !named:
		return s, nil
	case named || !slices.Contains(plainShows, s.As):
		return s, fmt.Errorf("show %q: no such word", tag)
	}
	t := f.Type
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if !s.fits(t.Kind()) {
		return s, fmt.Errorf("show %q: %w", tag, errWrongKind)
	}
	return s, nil
}

// fits reports whether values of a kind can be shown so.
func (s Show) fits(k reflect.Kind) bool {
	number := k == reflect.Int || k == reflect.Int64
	if s.As == ShowID {
		return number
	}
	return k == reflect.String || s.As == ShowChoice && (number || k == reflect.Bool)
}

// Columns are the members of a list's rows that a page shows in its table, and what can be done there.
type Columns struct {
	// Names are the members from left to right.
	Names []string
	// Opens is the column that opens the record; empty where the row is all that there is to see.
	Opens string
	// Switches are columns that are changed in place, by the update of the same area; they are booleans.
	Switches []string
}

var errColumns = errors.New("the columns")

// check fails for columns that open or switch what is none of them.
func (c Columns) check() error {
	for _, name := range append(slices.Clone(c.Switches), c.Opens) {
		if name != "" && !slices.Contains(c.Names, name) {
			return fmt.Errorf("%w: %q is none", errColumns, name)
		}
	}
	return nil
}
