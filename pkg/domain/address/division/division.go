// Package division is the official list of administrative divisions of this release: provinces, cities and counties
// with their six-digit codes. It does not use the database; the area address loads it.
//
// The command convert generates the list from the data of the npm package @vant/area-data, whose licence is beside it.
// A later list replaces it as a whole.
package division

import (
	_ "embed" // the list
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed data/divisions.txt
var text string

// Division is a province, a city or a county, with its children in the order of their codes.
type Division struct {
	// Code has six digits, such as 330106: two each for the province, the city and the county.
	Code  int
	Name  string
	Below []Division
}

// Provinces returns the list, parsed once. The slices are shared: the caller must not change them. It fails only if the
// built-in list is malformed.
func Provinces() ([]Division, error) { return provinces() }

var provinces = sync.OnceValues(func() ([]Division, error) { return parse(text) })

// The digits of a code that identify the city in a province and the county in a city.
const (
	inProvince = 10_000
	inCity     = 100
)

// parse parses a division per line, a code and a name, each after its parent; lines that begin with # are comments.
func parse(text string) ([]Division, error) {
	var all []Division
	for n, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		digits, name, _ := strings.Cut(line, " ")
		code, err := strconv.Atoi(digits)
		if err != nil || len(digits) != 6 || name == "" {
			return nil, fmt.Errorf("line %d of the divisions is not a code of six digits and a name", n+1)
		}
		into := &all
		if code%inProvince != 0 {
			into = last(into, code/inProvince*inProvince)
		}
		if code%inCity != 0 && into != nil {
			into = last(into, code/inCity*inCity)
		}
		if into == nil || len(*into) > 0 && (*into)[len(*into)-1].Code >= code {
			return nil, fmt.Errorf("line %d of the divisions: %d does not follow what it lies in", n+1, code)
		}
		*into = append(*into, Division{Code: code, Name: name})
	}
	return all, nil
}

// last returns the children of the newest of some divisions, nil if that has another code.
func last(list *[]Division, code int) *[]Division {
	if n := len(*list); n > 0 && (*list)[n-1].Code == code {
		return &(*list)[n-1].Below
	}
	return nil
}
