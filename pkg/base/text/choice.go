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

// choices are the values that a page offers and names, by the names of their tables. States of records that have a
// machine are named there.
var choices = map[string][]Choice{
	"ad-position":       choose("ad-position", "1"),
	"case-type":         choose("case-type", "0", "1", "2", "3"),
	"category-level":    choose("category-level", "L1", "L2"),
	"commented":         choose("commented", "0", "1"),
	"coupon-scope":      choose("coupon-scope", "0", "1", "2"),
	"coupon-state":      choose("coupon-state", "0", "1", "2"),
	"coupon-type":       choose("coupon-type", "0", "1", "2"),
	"coupon-validity":   choose("coupon-validity", "0", "1"),
	"delivery":          choose("delivery", "parcel", "collect", "courier"),
	"freight-charge":    choose("freight-charge", "1", "2"),
	"gender":            choose("gender", "0", "1", "2"),
	"group-rule-state":  choose("group-rule-state", "0", "1", "2"),
	"group-state":       choose("group-state", "0", "1", "2", "3"),
	"log-type":          choose("log-type", "0", "1", "2", "3"),
	"stock-level":       choose("stock-level", "low", "out"),
	"message-channel":   choose("message-channel", "sms", "mail"),
	"success":           choose("success", "false", "true"),
	"user-level":        choose("user-level", "0", "1", "2"),
	"user-state":        choose("user-state", "0", "1", "2"),
	"user-coupon-state": choose("user-coupon-state", "0", "1", "2", "3"),
}

func choose(table string, values ...string) []Choice {
	list := make([]Choice, len(values))
	for i, v := range values {
		list[i] = Choice{Value: v, Name: entry("choice." + table + "." + strings.ToLower(v))}
	}
	return list
}

// Choices returns the values of a table in their order, none for an unknown one.
func Choices(table string) []Choice { return slices.Clone(choices[table]) }

// ChoicesOf returns states with their names, by number.
func ChoicesOf[S ~int](names map[S]*Text) []Choice {
	list := make([]Choice, 0, len(names))
	for _, s := range slices.Sorted(maps.Keys(names)) {
		list = append(list, Choice{Value: strconv.Itoa(int(s)), Name: names[s]})
	}
	return list
}
