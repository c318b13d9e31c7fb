package optest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/kit/op"
)

// Fuzz sends each operation that reads a query or a JSON body a number of requests by chance, half right and half
// wrong, and fails where one is an internal error. That the answer is one that the API document allows is checked as
// always. client is who asks; it returns the number of requests. Equal seeds make equal requests.
func Fuzz(t testing.TB, specs []op.Spec, calls int, client func(op.Spec) *Client) int {
	t.Helper()
	f := fuzzer{rand.New(rand.NewPCG(1, 2))} // the same requests in each run
	sent := 0
	for _, s := range specs {
		if s.IsBare() || s.FilePart() != "" {
			continue
		}
		for range calls {
			c := client(s)
			var a *Answer
			if s.Method == http.MethodGet {
				a = c.Send(s.Method, s.Path+"?"+f.query(s.Fields()).Encode(), nil)
			} else {
				body, err := json.Marshal(f.members(s.Fields()))
				if err != nil {
					t.Fatal(err)
				}
				a = c.Send(s.Method, s.Path, strings.NewReader(string(body)))
				a.Request += " " + string(body)
			}
			sent++
			a.expect(a.Code() != errno.Internal, "an internal error")
		}
	}
	return sent
}

type fuzzer struct{ *rand.Rand }

// members are those of an object: most of them, sometimes wrong.
func (f fuzzer) members(fields []op.Field) map[string]any {
	out := map[string]any{}
	for _, m := range fields {
		if f.IntN(8) > 0 {
			out[m.Name] = f.value(m)
		}
	}
	return out
}

func (f fuzzer) query(fields []op.Field) url.Values {
	out := url.Values{}
	for _, m := range fields {
		if m.Kind == op.Object || f.IntN(3) == 0 {
			continue
		}
		of := m
		if m.Kind == op.List {
			of = *m.Item
		}
		for range 1 + f.IntN(2) {
			out.Add(m.Name, fmt.Sprint(f.value(of)))
		}
	}
	return out
}

// value is one for a member, wrong once in eight times.
func (f fuzzer) value(m op.Field) any {
	if f.IntN(8) == 0 {
		return []any{nil, "", " ", "x", -1, 1.5, true, []int{1}, map[string]int{"a": 1}, "2147483648", 1e300}[f.IntN(11)]
	}
	if len(m.OneOf) > 0 && f.IntN(4) > 0 {
		return m.OneOf[f.IntN(len(m.OneOf))]
	}
	switch m.Kind {
	case op.Integer, op.ID:
		return f.number(m)
	case op.Boolean:
		return f.IntN(2) == 0
	case op.Decimal:
		return json.Number(fmt.Sprintf("%d.%02d", f.IntN(1000), f.IntN(100)))
	case op.List:
		list := make([]any, f.IntN(4))
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

func (f fuzzer) number(m op.Field) int64 {
	some := []int64{0, 1, 2, 3, 10, -1, 1<<31 - 1, 1 << 31, op.MaxID, op.MaxID + 1}
	for _, bound := range []*int64{m.Min, m.Max} {
		if bound != nil {
			some = append(some, *bound-1, *bound, *bound+1)
		}
	}
	return some[f.IntN(len(some))]
}

func (f fuzzer) text(m op.Field) string {
	some := []string{
		"tea", "1", "茶", "13800000000", "https://img.example.com/1.png", "2026-01-31 08:00:00", "a'\"\\%_",
		"\u202e",
	}
	if m.Max != nil && *m.Max < 1<<12 {
		some = append(some, strings.Repeat("茶", int(*m.Max)), strings.Repeat("a", int(*m.Max)+1))
	}
	return some[f.IntN(len(some))]
}
