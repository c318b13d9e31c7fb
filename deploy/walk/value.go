package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// value is a piece of an answer that knows where it came from. Its methods end the step where it is of another kind.
type value struct {
	s      *step
	ex     *exchange
	path   string
	v      any
	absent bool
}

// at gives the member under names joined by dots. A member that is not there is an absent value.
func (v value) at(names string) value {
	for name := range strings.SplitSeq(names, ".") {
		members, ok := v.v.(map[string]any)
		if !ok && !v.absent {
			v.s.fatalf(v.ex, "%s: expected an object, got %s", v.path, kind(v))
		}
		child, has := members[name]
		v = value{s: v.s, ex: v.ex, path: join(v.path, name), v: child, absent: !has}
	}
	return v
}

// has tells whether an object has the member.
func (v value) has(name string) bool {
	return !v.at(name).absent
}

// object gives the members of an object.
func (v value) object() map[string]any {
	members, ok := v.v.(map[string]any)
	if !ok {
		v.s.fatalf(v.ex, "%s: expected an object, got %s", v.path, kind(v))
	}
	return members
}

// list gives the members of an array.
func (v value) list() []value {
	items, ok := v.v.([]any)
	if !ok {
		v.s.fatalf(v.ex, "%s: expected an array, got %s", v.path, kind(v))
	}
	out := make([]value, len(items))
	for i, item := range items {
		out[i] = value{s: v.s, ex: v.ex, path: fmt.Sprintf("%s[%d]", v.path, i), v: item}
	}
	return out
}

// text gives a text.
func (v value) text() string {
	text, ok := v.v.(string)
	if !ok {
		v.s.fatalf(v.ex, "%s: expected a text, got %s", v.path, kind(v))
	}
	return text
}

// truth gives a boolean.
func (v value) truth() bool {
	truth, ok := v.v.(bool)
	if !ok {
		v.s.fatalf(v.ex, "%s: expected true or false, got %s", v.path, kind(v))
	}
	return truth
}

// integer gives a number that is written without a fraction.
func (v value) integer() int64 {
	number, ok := v.v.(json.Number)
	if !ok {
		v.s.fatalf(v.ex, "%s: expected an integer, got %s", v.path, kind(v))
	}
	n, err := strconv.ParseInt(number.String(), 10, 64)
	if err != nil {
		v.s.fatalf(v.ex, "%s: expected an integer, got %s", v.path, number)
	}
	return n
}

// money gives an amount, read from the number as it is written.
func (v value) money() cents {
	number, ok := v.v.(json.Number)
	if !ok {
		v.s.fatalf(v.ex, "%s: expected an amount as a number, got %s", v.path, kind(v))
	}
	return v.amount(number.String())
}

// moneyText gives an amount that is sent as text.
func (v value) moneyText() cents {
	return v.amount(v.text())
}

func (v value) amount(literal string) cents {
	c, err := parseMoney(literal)
	if err != nil {
		v.s.fatalf(v.ex, "%s: %v", v.path, err)
	}
	return c
}

// texts gives an array of texts.
func (v value) texts() []string {
	out := []string{}
	for _, item := range v.list() {
		out = append(out, item.text())
	}
	return out
}

var moment = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$`)

// time checks a time.
func (v value) time() {
	text := v.text()
	if !moment.MatchString(text) {
		v.s.fatalf(v.ex, "%s: %q is not a time as YYYY-MM-DD HH:MM:SS", v.path, text)
	}
}

// shape checks the members of a record against a list such as "id int, name text, startTime time?".
// A question mark marks a member that may be left out, a bar one that may be null (administration).
func (v value) shape(shape string) value {
	v.object()
	for entry := range strings.SplitSeq(shape, ",") {
		name, want, _ := strings.Cut(strings.TrimSpace(entry), " ")
		member := v.at(name)
		want, optional := strings.CutSuffix(want, "?")
		if optional && member.absent {
			continue
		}
		want, nullable := strings.CutSuffix(want, "|null")
		if nullable && !member.absent && member.v == nil {
			continue
		}
		member.is(want)
	}
	return v
}

// is checks that the value is of a kind of the shape language.
func (v value) is(want string) {
	switch want {
	case "int":
		v.integer()
	case "text":
		v.text()
	case "bool":
		v.truth()
	case "money":
		v.money()
	case "moneytext":
		v.moneyText()
	case "time":
		v.time()
	case "texts":
		v.texts()
	case "list":
		v.list()
	case "object":
		v.object()
	default:
		v.s.fatalf(nil, "the walk has a mistake: no kind %q", want)
	}
}

// each checks every record of an array and gives them.
func (v value) each(shape string) []value {
	items := v.list()
	for _, item := range items {
		item.shape(shape)
	}
	return items
}

// window is a checked array envelope.
type window struct {
	list                      []value
	total, page, limit, pages int64
	ex                        *exchange
}

// page expects an array envelope whose numbers agree with each other.
func (a answer) page() window {
	data := a.ok()
	w := window{
		list: data.at("list").list(), ex: a.ex, total: data.at("total").integer(), page: data.at("page").integer(),
		limit: data.at("limit").integer(), pages: data.at("pages").integer(),
	}
	pages := int64(0)
	if w.total > 0 && w.limit > 0 {
		pages = (w.total + w.limit - 1) / w.limit
	}
	equal(a.s, a.ex, "pages", pages, w.pages)
	rows := int64(0)
	if w.page <= w.pages {
		rows = min(w.limit, w.total-(w.page-1)*w.limit)
	}
	equal(a.s, a.ex, "rows of this page", rows, int64(len(w.list)))
	return w
}

// each checks every record of the page and gives them.
func (w window) each(shape string) []value {
	for _, item := range w.list {
		item.shape(shape)
	}
	return w.list
}

// all walks a list of the storefront from the first page to behind the last and gives every row.
func (s *step) all(a agent, path string, limit int, query ...any) []value {
	rows := []value{}
	seen := map[int64]bool{}
	for page := 1; ; page++ {
		q := append([]any{"page", page, "limit", limit}, query...)
		w := s.get(a, path, q...).page()
		equal(s, w.ex, "page", int64(page), w.page)
		equal(s, w.ex, "limit", int64(limit), w.limit)
		if len(w.list) == 0 {
			equal(s, w.ex, "total against the rows counted", int64(len(rows)), w.total)
			return rows
		}
		for _, row := range w.list {
			id := row.at("id").integer()
			if seen[id] {
				s.failf(w.ex, "the row %d comes on two pages", id)
			}
			seen[id] = true
		}
		rows = append(rows, w.list...)
		if page > 2000 {
			s.fatalf(w.ex, "the list does not end")
		}
	}
}

const nullText = "null"

// Members that are money wherever they stand, and members that are times.
var (
	moneyMember = regexp.MustCompile(`^((counter|retail|floor|goods|coupon|freight|integral|order|actual|groupon)?` +
		`[pP]rice|goodsTotalPrice|orderTotalPrice|goodsAmount|checkedGoodsAmount|refundAmount)$`)
	timeMember = regexp.MustCompile(`(^time|Time)$`)
)

// checkTree checks what holds for every member of every answer: money, times, no null at the storefront.
func (s *step) checkTree(v value, wx bool) {
	switch inner := v.v.(type) {
	case nil:
		if wx {
			s.failf(v.ex, "%s: %s is never sent", v.path, nullText)
		}
	case []any:
		for _, item := range v.list() {
			s.checkTree(item, wx)
		}
	case map[string]any:
		for name, member := range inner {
			child := v.at(name)
			switch {
			case member == nil && !wx:
			case moneyMember.MatchString(name):
				child.money()
			case timeMember.MatchString(name):
				child.time()
			case name == "deleted" && wx:
				equal(s, v.ex, child.path, false, child.truth())
			case strings.EqualFold(name, "password"):
				s.failf(v.ex, "%s: a password is never sent", child.path)
			default:
				s.checkTree(child, wx)
			}
		}
	}
}

// same expects two answers that cannot be told apart.
func (s *step) same(what string, one, other answer) {
	if one.ex.status != other.ex.status || one.errno != other.errno || one.errmsg != other.errmsg ||
		!reflect.DeepEqual(one.data.v, other.data.v) {
		s.failf(one.ex, "%s: expected the answer %d %s, got %d %s (or other data)", what,
			other.errno, other.errmsg, one.errno, one.errmsg)
	}
}

// kind says in a word what came instead.
func kind(v value) string {
	switch inner := v.v.(type) {
	case nil:
		if v.absent {
			return "nothing"
		}
		return nullText
	case bool:
		return strconv.FormatBool(inner)
	case json.Number:
		return "the number " + inner.String()
	case string:
		return strconv.Quote(inner)
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprintf("%T", v.v)
}

// join puts a name behind a path.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
