package freight

import (
	"strconv"
	"strings"
	"sync"

	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/address/division"
)

// Region is where a parcel goes: the codes of its province, city and county, 0 for what is not known.
type Region struct{ Province, City, County int }

// RegionOf returns the region of an address. Its names decide, since they are on the parcel; what they do not say
// follows from the area code, if that lies in what they do say.
func RegionOf(a address.Address) Region {
	named := within([]string{a.Province, a.City, a.County}, func(d division.Division, name string) (string, bool) {
		return "", d.Name == name
	})
	if named.County != 0 {
		return named
	}
	code, err := strconv.Atoi(a.AreaCode)
	if err != nil {
		return named // one of another shop, from before a code was required
	}
	coded := regionOfCode(code)
	agrees := named.Province == coded.Province && (named.City == 0 || named.City == coded.City)
	if named.Province == 0 || agrees {
		return coded
	}
	return named
}

// RegionIn returns the region that an address begins with which is one line, as orders store it.
func RegionIn(line string) Region {
	in := func(once bool) Region {
		above := ""
		return within([]string{line, "", ""}, func(d division.Division, line string) (string, bool) {
			rest, found := strings.CutPrefix(line, d.Name)
			found = found || once && d.Name == above
			if found {
				above = d.Name
			}
			return strings.TrimLeft(rest, ", "), found
		})
	}
	r := in(false)
	if r.County != 0 {
		return r
	}
	// English lines name a division once that is called like the one above it.
	if deeper := in(true); deeper.County != 0 {
		return deeper
	}
	return r
}

// within goes down the levels while one of the divisions fits the text of the level. What fits returns of the text is
// put before that of the next level.
func within(texts []string, fits func(division.Division, string) (string, bool)) (r Region) {
	all, err := division.Provinces()
	if err != nil {
		return r // a test makes sure that the built-in list is well-formed
	}
	rest := ""
	for i, code := range []*int{&r.Province, &r.City, &r.County} {
		found := false
		for _, d := range all {
			if left, fit := fits(d, rest+texts[i]); fit {
				*code, all, rest, found = d.Code, d.Below, left, true
				break
			}
		}
		if !found {
			return r
		}
	}
	return r
}

// The digits of a code that stand for the city in a province and for the county in a city.
const (
	inProvince = 10_000
	inCity     = 100
)

// regionOfCode returns the region that a code names, as far as the list has it.
func regionOfCode(code int) (r Region) {
	for _, level := range []struct {
		of   *int
		code int
	}{
		{&r.Province, code / inProvince * inProvince}, {&r.City, code / inCity * inCity}, {&r.County, code},
	} {
		if _, known := NameOf(level.code); known {
			*level.of = level.code
		}
	}
	if r.City == r.Province {
		r.City = 0
	}
	if r.County == r.City || r.County == r.Province {
		r.County = 0
	}
	return r
}

// NameOf returns the name of the division with a code, after those that it lies in.
func NameOf(code int) (string, bool) {
	name, known := namesOnce()[code]
	return name, known
}

var namesOnce = sync.OnceValue(func() map[int]string {
	names := map[int]string{}
	provinces, err := division.Provinces()
	if err != nil {
		return names
	}
	var add func(above string, all []division.Division)
	add = func(above string, all []division.Division) {
		for _, d := range all {
			name := strings.TrimPrefix(d.Name, above)
			names[d.Code] = above + name
			add(names[d.Code], d.Below)
		}
	}
	add("", provinces)
	return names
})

// Name returns the region in words, as far as it is known.
func (r Region) Name() string {
	for _, code := range []int{r.County, r.City, r.Province} {
		if name, known := NameOf(code); known {
			return name
		}
	}
	return ""
}
