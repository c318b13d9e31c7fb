package optest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/op"
)

// CallsVariable is the environment variable with the number of calls of each operation by Fuzz, for a longer search
// than in every test run.
const CallsVariable = "FUZZ_CALLS"

// Fuzz sends random requests to each operation with a query or a JSON body, half of them valid by its declaration and
// half not, and fails for an internal error. As always, answers are checked against the API document. client returns
// the caller; Fuzz returns the number of requests, and logs how many of them succeeded. Equal numbers of calls make
// equal requests.
func Fuzz(t testing.TB, specs []op.Spec, calls int, client func(op.Spec) *Client) int {
	t.Helper()
	if more := os.Getenv(CallsVariable); more != "" {
		n, err := strconv.Atoi(more)
		if err != nil || n < calls {
			t.Fatalf("%s is %q, want a number from %d", CallsVariable, more, calls)
		}
		calls = n
	}
	f := fuzzer{Rand: rand.New(rand.NewPCG(1, 2))} // the same requests in each run
	sent, succeeded, reached := 0, 0, map[string]bool{}
	for _, s := range specs {
		if s.IsRaw() || s.FilePart() != "" {
			continue
		}
		takes := Sample(s.Key())
		for i := range calls {
			if !takes() {
				continue
			}
			f.wrong = i%2 == 1
			a := f.call(t, client(s), s)
			sent++
			if a.Code() == errno.OK {
				succeeded++
				reached[s.Key()] = true
			}
		}
	}
	t.Logf("%d calls, %d with success at %d operations", sent, succeeded, len(reached))
	return sent
}

// fuzzer generates random requests.
type fuzzer struct {
	*rand.Rand

	// wrong allows members that the declaration refuses.
	wrong bool
}

// call sends one request.
func (f fuzzer) call(t testing.TB, c *Client, s op.Spec) *Answer {
	t.Helper()
	if s.Method == http.MethodGet {
		a := c.Send(s.Method, s.Path+"?"+f.query(s.Fields()).Encode(), nil)
		a.expect(a.Code() != errno.Internal, "an internal error")
		return a
	}
	return send(t, c, s, f.members(s.Fields()))
}

// spoils is true once in eight times if wrong is set.
func (f fuzzer) spoils() bool { return f.wrong && f.IntN(8) == 0 }

// members returns those of an object; optional ones are sometimes absent.
func (f fuzzer) members(fields []op.Field) map[string]any {
	out := map[string]any{}
	for _, m := range fields {
		if f.spoils() || !m.Required && f.IntN(8) == 0 {
			continue
		}
		out[m.Name] = f.value(m)
	}
	return out
}

func (f fuzzer) query(fields []op.Field) url.Values {
	out := url.Values{}
	for _, m := range fields {
		if m.Kind == op.Object || f.spoils() || !m.Required && f.IntN(3) == 0 {
			continue
		}
		of, times := m, 1
		if m.Kind == op.List {
			of, times = *m.Item, 1+f.IntN(2)
		}
		if f.spoils() {
			times++
		}
		for range times {
			out.Add(m.Name, fmt.Sprint(f.value(of)))
		}
	}
	return out
}

// value returns a value for a member.
func (f fuzzer) value(m op.Field) any {
	if f.spoils() {
		return []any{nil, "", " ", "x", -1, 1.5, true, []int{1}, map[string]int{"a": 1}, "2147483648", 1e300}[f.IntN(11)]
	}
	if len(m.Enum) > 0 && !f.spoils() {
		return oneOf(m, m.Enum[f.IntN(len(m.Enum))])
	}
	switch m.Kind {
	case op.Integer, op.ID:
		return f.number(m)
	case op.Boolean:
		return f.IntN(2) == 0
	case op.Decimal:
		return json.Number(fmt.Sprintf("%d.%02d", f.number(m), f.IntN(100)))
	case op.List:
		list := make([]any, f.length(m))
		for i := range list {
			list[i] = f.value(*m.Item)
		}
		return list
	case op.Object:
		return f.members(m.Members)
	case op.Text:
	}
	return f.text(m)
}

// oneOf converts an allowed value to its kind.
func oneOf(m op.Field, value string) any {
	if m.Kind == op.Text {
		return value
	}
	return json.Number(value)
}

func (f fuzzer) length(m op.Field) int {
	n := f.IntN(4)
	if (m.NotEmpty || m.Required) && n == 0 && !f.spoils() {
		n = 1
	}
	return n
}

// number is mostly small, like the ids in a test, or near a bound.
func (f fuzzer) number(m op.Field) int64 {
	some := []int64{0, 1, 1, 1, 2, 3, 10}
	if f.wrong {
		some = append(some, -1, 1<<31-1, 1<<31, op.MaxID, op.MaxID+1)
	}
	for _, bound := range []*int64{m.Min, m.Max} {
		if bound != nil {
			some = append(some, *bound-1, *bound, *bound+1)
		}
	}
	if !f.wrong {
		some = slices.DeleteFunc(some, func(n int64) bool {
			return m.Min != nil && n < *m.Min || m.Max != nil && n > *m.Max
		})
	}
	return some[f.IntN(len(some))]
}

func (f fuzzer) text(m op.Field) string {
	if !f.spoils() {
		switch {
		case m.Form != nil:
			return m.Form.Example(f.IntN(100))
		case m.URL || m.Link:
			return "https://img.example.com/1.png"
		case strings.HasSuffix(m.Name, "Time"):
			return "2026-12-31 08:00:00"
		}
	}
	some := []string{"tea", "1", "茶", "a'\"\\%_", "teatime7", "2026-01-31 08:00:00", "2026-12-31"}
	if m.Max != nil && *m.Max < 1<<12 {
		some = append(some, strings.Repeat("茶", int(*m.Max)))
	}
	if f.wrong {
		some = append(some, "13800000000", "https://img.example.com/1.png", "\u202e")
		if m.Max != nil && *m.Max < 1<<12 {
			some = append(some, strings.Repeat("a", int(*m.Max)+1))
		}
	}
	return some[f.IntN(len(some))]
}
