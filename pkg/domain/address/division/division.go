// Package division is the official list of administrative divisions that this release brings: provinces, cities and
// counties with their six-digit codes. It knows no database; the area address loads it.
//
// The list is made by the program convert from the data of the npm package @vant/area-data, whose licence lies beside
// it. A later list takes its place as a whole.
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

// Division is a province, a city or a county, with the divisions below it in the order of their codes.
type Division struct {
	// Code has six digits, such as 330106: two each of the province, the city and the county.
	Code  int
	Name  string
	Below []Division
}

// Provinces returns the list, read once. The slices are shared: the caller must not change them. It fails only where
// the list that was built in is broken.
func Provinces() ([]Division, error) { return provinces() }

var provinces = sync.OnceValues(func() ([]Division, error) { return parse(text) })

// The part of a code that tells the cities of a province and the counties of a city apart.
const (
	inProvince = 10_000
	inCity     = 100
)

// parse reads a line a division, a code and a name, each behind the one that it lies in; lines that begin with # are
// for people.
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

// last returns what lies below the newest of some divisions, nil where that has another code.
func last(list *[]Division, code int) *[]Division {
	if n := len(*list); n > 0 && (*list)[n-1].Code == code {
		return &(*list)[n-1].Below
	}
	return nil
}
