package text

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Choice is one of the values of a member that knows only some, with its name.
type Choice struct {
	// Value is as in JSON: a number or a word.
	Value string
	Name  *Text
}

// choices are the values by the names of their tables.
var choices = map[string][]Choice{} // filled while the package is initialised, then only read

func choose(table string, values ...string) []Choice {
	for _, v := range values {
		choices[table] = append(choices[table], Choice{Value: v, Name: entry("choice." + table + "." + strings.ToLower(v))})
	}
	return choices[table]
}

// Choices returns the values of a table in their order, none for an unknown one.
func Choices(table string) []Choice { return slices.Clone(choices[table]) }

// ChoicesOf returns states with their names, by number.
func ChoicesOf[S ~int](names map[S]*Text) []Choice {
	var list []Choice
	for _, s := range slices.Sorted(maps.Keys(names)) {
		list = append(list, Choice{Value: strconv.Itoa(int(s)), Name: names[s]})
	}
	return list
}

// The tables of values that a page offers and names. States of records that have a machine are named there.
var (
	_ = choose("ad-position", "1")
	_ = choose("case-type", "0", "1", "2")
	_ = choose("category-level", "L1", "L2")
	_ = choose("commented", "0", "1")
	_ = choose("coupon-scope", "0", "1", "2")
	_ = choose("coupon-state", "0", "1", "2")
	_ = choose("coupon-type", "0", "1", "2")
	_ = choose("coupon-validity", "0", "1")
	_ = choose("gender", "0", "1", "2")
	_ = choose("group-rule-state", "0", "1", "2")
	_ = choose("log-type", "0", "1", "2", "3")
	_ = choose("success", "false", "true")
	_ = choose("user-level", "0", "1", "2")
	_ = choose("user-state", "0", "1", "2")
)
