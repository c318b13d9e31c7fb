package optest

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/op"
)

// Bounds sends to each operation with a JSON body, for each member, the least, the greatest and odd values that may be
// accepted, in a request that otherwise succeeds. It returns how many were accepted, and the operations of which no
// request succeeded. client returns the caller; samples make bodies of
// operations that random ones do not reach, by path, each for one call.
func Bounds(
	t testing.TB, specs []op.Spec, samples map[string]func() string, client func(op.Spec) *Client,
) (accepted int, unreached []string) {
	t.Helper()
	f := fuzzer{Rand: rand.New(rand.NewPCG(3, 4))}
	count := 0
	for _, s := range specs {
		if s.IsRaw() || s.FilePart() != "" || s.Method == http.MethodGet || len(s.Fields()) == 0 {
			continue
		}
		sample := samples[s.Path]
		var base map[string]any
		if sample == nil {
			base = f.accepted(t, client(s), s)
		} else {
			base = decoded(t, sample())
			send(t, client(s), s, base).OK()
		}
		if base == nil {
			unreached = append(unreached, s.Path)
			continue
		}
		for _, edit := range edits(s.Fields(), func(body map[string]any) map[string]any { return body }) {
			// A name may be taken, so the texts of each request are its own, unless that is refused.
			for _, renamed := range []bool{true, false} {
				body := copied(base)
				if sample != nil {
					body = decoded(t, sample())
				} else if renamed {
					count++
					rename(s.Fields(), body, count)
				}
				edit(body)
				if a := send(t, client(s), s, body); a.Code() == errno.OK {
					accepted++
					break
				}
			}
		}
	}
	return accepted, unreached
}

// Accepted returns a random body that an operation accepts, which it has just done; it is empty if none is found. Equal
// states of the shop give equal bodies.
func Accepted(t testing.TB, c *Client, s op.Spec) string {
	t.Helper()
	body := fuzzer{Rand: rand.New(rand.NewPCG(5, 6))}.accepted(t, c, s)
	if body == nil {
		return ""
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// accepted returns a random body that the operation accepts, nil if none is found.
func (f fuzzer) accepted(t testing.TB, c *Client, s op.Spec) map[string]any {
	t.Helper()
	const tries = 60
	for range tries {
		body := f.members(s.Fields())
		delete(body, "expectedUpdateTime") // no random time is that of the record
		if send(t, c, s, body).Code() == errno.OK {
			return copied(body)
		}
	}
	return nil
}

func send(t testing.TB, c *Client, s op.Spec, body map[string]any) *Answer {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	a := c.Send(s.Method, s.Path, strings.NewReader(string(data)))
	a.Request += " " + string(data)
	a.expect(a.Code() != errno.Internal, "an internal error")
	return a
}

func decoded(t testing.TB, text string) (body map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &body); err != nil {
		t.Fatal(err, text)
	}
	return body
}

// copied is a deep copy of a body, with the types that JSON has.
func copied(body map[string]any) map[string]any {
	data, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	var out map[string]any
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		panic(err)
	}
	return out
}

// rename replaces the texts of a body that have no form by one of its own.
func rename(fields []op.Field, body map[string]any, n int) {
	for _, m := range fields {
		old, there := body[m.Name].(string)
		free := m.Form == nil && len(m.Enum) == 0 && !m.URL && !m.Link && !strings.HasSuffix(m.Name, "Time")
		if there && old != "" && m.Kind == op.Text && free {
			body[m.Name] = fmt.Sprintf("own%d", n)
		}
		if inner, ok := body[m.Name].(map[string]any); ok {
			rename(m.Members, inner, n)
		}
	}
}

// edits are the changes of a body, one for each value of each member. The object with the members is found by at; it
// is nil where the body has none.
func edits(fields []op.Field, at func(body map[string]any) map[string]any) (all []func(map[string]any)) {
	for _, m := range fields {
		for _, v := range extremes(m) {
			all = append(all, func(body map[string]any) {
				if o := at(body); o != nil {
					o[m.Name] = v
				}
			})
		}
		switch {
		case m.Kind == op.Object:
			all = append(all, edits(m.Members, func(body map[string]any) map[string]any {
				inner, _ := at(body)[m.Name].(map[string]any)
				return inner
			})...)
		case m.Kind == op.List && m.Item.Kind == op.Object:
			all = append(all, edits(m.Item.Members, func(body map[string]any) map[string]any {
				list, _ := at(body)[m.Name].([]any)
				if len(list) == 0 {
					return nil
				}
				inner, _ := list[0].(map[string]any)
				return inner
			})...)
		}
	}
	return all
}

// extremes are the values of a member at its bounds, and odd ones.
func extremes(m op.Field) []any {
	var out []any
	for _, value := range m.Enum {
		out = append(out, oneOf(m, value))
	}
	if len(out) > 0 {
		return out
	}
	least, greatest := int64(0), int64(math.MaxInt32)
	if m.Min != nil {
		least = *m.Min
	}
	if m.Max != nil {
		greatest = *m.Max
	}
	switch m.Kind {
	case op.Integer, op.ID:
		return []any{least, least + 1, greatest}
	case op.Decimal:
		cent, almost := fmt.Sprintf("%d.01", least), fmt.Sprintf("%d.99", max(greatest-1, 0))
		return []any{least, json.Number(cent), greatest, json.Number(almost)}
	case op.Boolean:
		return []any{false, true}
	case op.List:
		if m.Item.Kind == op.Object {
			return []any{[]any{}}
		}
		out = append(out, []any{})
		for _, v := range extremes(*m.Item) {
			out = append(out, []any{v}, []any{v, v})
		}
		return out
	case op.Object:
		return nil
	case op.Text:
	}
	return oddTexts(m)
}

// oddTexts are the shortest and the longest text of a member, and texts of which programs like to make others.
func oddTexts(m op.Field) []any {
	switch {
	case strings.HasSuffix(m.Name, "Time"):
		return []any{"1970-01-02 00:00:00", "2038-01-19 11:14:08", "9999-12-30 23:59:59"}
	case m.URL || m.Link:
		long := "https://img.example.com/" + strings.Repeat("a", 200)
		return []any{"", "/", "/a b", long, "http://例子.测试/茶?a=1&b='\"#x"}
	}
	out := []any{
		"", " ", "0", "茶", "🍵", "\u3000茶 ", "\u200b", "a\u0301", "a'\"\\%_*", "-1", "null", "<b>茶</b>", "茶\n壶\t",
	}
	if m.Max != nil && *m.Max < 1<<12 {
		for _, r := range []string{"茶", "🍵", "9"} {
			out = append(out, strings.Repeat(r, int(*m.Max)))
		}
	}
	return out
}
