package op_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/kit/op"
)

// every has a member of each kind.
type every struct {
	Whole   *int           `json:"whole"`
	ID      *int64         `json:"id"`
	Flag    *bool          `json:"flag"`
	Text    *string        `json:"text"`
	Amount  *money.Amount  `json:"amount"`
	Wholes  []int          `json:"wholes"`
	IDs     []int64        `json:"ids"`
	Texts   []string       `json:"texts"`
	Amounts []money.Amount `json:"amounts"`
}

// reading is the expected result for one spelling of one kind.
type reading struct {
	absent, good bool
	value        any
}

// The oracle: the contract's tables, written a second time as patterns, independently of the binder.
var (
	numberForm  = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
	integerText = regexp.MustCompile(`^[+-]?[0-9]+$`)
	decimalText = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$`)
)

// exact returns a number times 100 if that is an integer.
func exact(number string) (hundredths int64, ok bool) {
	x, ok := new(big.Rat).SetString(number)
	if !ok {
		return 0, false
	}
	x.Mul(x, big.NewRat(100, 1))
	return x.Num().Int64(), x.IsInt() && x.Num().IsInt64()
}

func integerReading(t string, quoted bool, least, most int64) reading {
	var n int64
	switch {
	case quoted && integerText.MatchString(t):
		var err error
		if n, err = strconv.ParseInt(t, 10, 64); err != nil {
			return reading{}
		}
	case !quoted && numberForm.MatchString(t):
		cents, ok := exact(t)
		if !ok || cents%100 != 0 {
			return reading{}
		}
		n = cents / 100
	default:
		return reading{}
	}
	return reading{good: n >= least && n <= most, value: n}
}

func amountReading(t string, quoted bool) reading {
	if quoted && !decimalText.MatchString(t) || !quoted && !numberForm.MatchString(t) {
		return reading{}
	}
	cents, ok := exact(t)
	return reading{good: ok && cents <= int64(money.Max) && cents >= -int64(money.Max), value: money.Amount(cents)}
}

// inBody returns what the contract says about a JSON value for a kind.
func inBody(kind op.Kind, raw string) reading {
	if raw == "null" {
		return reading{absent: true}
	}
	var t string
	quoted := json.Unmarshal([]byte(raw), &t) == nil
	if !quoted {
		t = raw
	}
	if kind == op.Text {
		return reading{good: quoted || numberForm.MatchString(raw), value: form.Clean(t)}
	}
	if t = strings.TrimSpace(t); quoted && t == "" {
		return reading{absent: true}
	}
	switch kind {
	case op.Integer:
		return integerReading(t, quoted, math.MinInt32, math.MaxInt32)
	case op.ID:
		return integerReading(t, quoted, -op.MaxID, op.MaxID)
	case op.Decimal:
		return amountReading(t, quoted)
	case op.Boolean, op.Text, op.List:
	}
	return reading{good: t == "true" || t == "false" || t == "0" || t == "1", value: t == "true" || t == "1"}
}

// inQuery returns what the contract says about a text in a query for an optional member of a kind.
func inQuery(kind op.Kind, t string) reading {
	if t == "" {
		return reading{absent: true}
	}
	if kind == op.Text {
		return reading{good: true, value: form.Clean(strings.ToValidUTF8(t, "\uFFFD"))}
	}
	if strings.TrimSpace(t) == "" {
		return reading{absent: true}
	}
	if kind != op.Decimal && (t == "undefined" || t == "null" || t == "NaN") {
		return reading{absent: true}
	}
	if t = strings.TrimSpace(t); kind == op.Boolean {
		t = strings.ToLower(t)
	}
	quoted, _ := json.Marshal(t)
	return inBody(kind, string(quoted))
}

var names = map[op.Kind]string{op.Integer: "whole", op.ID: "id", op.Boolean: "flag", op.Text: "text", op.Decimal: "amount"}

// got returns the member of a kind, nil if it is absent.
func got(e every, kind op.Kind) any {
	switch {
	case kind == op.Integer && e.Whole != nil:
		return int64(*e.Whole)
	case kind == op.ID && e.ID != nil:
		return *e.ID
	case kind == op.Boolean && e.Flag != nil:
		return *e.Flag
	case kind == op.Text && e.Text != nil:
		return *e.Text
	case kind == op.Decimal && e.Amount != nil:
		return *e.Amount
	}
	return nil
}

// spellings are texts near the border between valid and invalid.
func spellings() *rapid.Generator[string] {
	number := rapid.Custom(func(t *rapid.T) string {
		n := rapid.OneOf(
			rapid.Int64Range(-20, 20), rapid.Int64(), rapid.Int64Range(math.MinInt32-2, math.MinInt32+2),
			rapid.Int64Range(math.MaxInt32-2, math.MaxInt32+2), rapid.Int64Range(op.MaxID-2, op.MaxID+2),
			rapid.Int64Range(-op.MaxID-2, -op.MaxID+2), rapid.Int64Range(99_999_998, 100_000_001),
		).Draw(t, "n")
		return strconv.FormatInt(n, 10) + rapid.SampledFrom([]string{
			"", "", "", ".0", ".00", ".5", ".25", ".250", ".125", ".", "e0", "e1", "E+2", "e-1", "e-2", "x", " ", "e",
		}).Draw(t, "tail")
	})
	return rapid.OneOf(number,
		rapid.Map(number, func(s string) string { return "+" + s }),
		rapid.Map(number, func(s string) string { return " " + s + "\t" }),
		rapid.SampledFrom([]string{
			"true", "false", "True", "TRUE", "fAlse", "0", "1", "-0", "00", "007", "yes", "undefined", "null", "NaN",
			"Infinity", "", " ", "0x10", "1_000", "1,5", "١", ".5", "5.", "-", "+", "--1", "+-1", "1e3", "1e400", "1e-400",
		}),
		rapid.StringN(0, 6, -1))
}

func TestEverySpellingInABody(t *testing.T) {
	var e every
	s := mount(t, nil, echo(&e)...)
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]op.Kind{op.Integer, op.ID, op.Boolean, op.Text, op.Decimal}).Draw(t, "kind")
		raw := spellings().Draw(t, "spelling")
		if rapid.Bool().Draw(t, "as text") || !json.Valid([]byte(raw)) {
			quoted, err := json.Marshal(raw)
			require.NoError(t, err)
			raw = string(quoted)
		}
		raw = strings.TrimSpace(raw)
		want := inBody(kind, raw)
		e = every{}
		a := s.post(t, "/echo/body", fmt.Sprintf(`{ "%s" : %s , "other":[{"x":"]"}]}`, names[kind], raw))
		judge(t, kind, raw, want, a, e)
	})
}

func TestEverySpellingInAQuery(t *testing.T) {
	var e every
	s := mount(t, nil, echo(&e)...)
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]op.Kind{op.Integer, op.ID, op.Boolean, op.Text, op.Decimal}).Draw(t, "kind")
		text := spellings().Draw(t, "spelling")
		want := inQuery(kind, text)
		e = every{}
		judge(t, kind, text, want, s.get(t, "/echo?other=1&"+names[kind]+"="+url.QueryEscape(text)), e)
	})
}

func judge(t *rapid.T, kind op.Kind, spelling string, want reading, a reply, e every) {
	t.Helper()
	switch {
	case want.absent:
		require.Equal(t, 0, a.Errno, "%s %s", kind, spelling)
		require.Nil(t, got(e, kind), "%s %s", kind, spelling)
	case !want.good:
		require.Equal(t, 402, a.Errno, "%s %s", kind, spelling)
		require.Contains(t, a.Errmsg, names[kind])
		require.Nil(t, got(e, kind))
	case kind == op.Text && !strings.HasPrefix(spelling, `"`) && strings.ContainsAny(spelling, "eE"):
		require.Contains(t, []int{0, 402}, a.Errno, "a number with an exponent as text: %s", spelling)
	default:
		require.Equal(t, 0, a.Errno, "%s %s", kind, spelling)
		require.Equal(t, want.value, got(e, kind), "%s %s", kind, spelling)
	}
}

func TestListsFollowTheirMembers(t *testing.T) {
	var e every
	s := mount(t, nil, echo(&e)...)
	kinds := map[string]op.Kind{"wholes": op.Integer, "ids": op.ID, "texts": op.Text, "amounts": op.Decimal}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"wholes", "ids", "texts", "amounts"}).Draw(t, "name")
		texts := rapid.SliceOfN(spellings(), 0, 4).Draw(t, "members")
		raws := make([]string, len(texts))
		good := true
		for i, text := range texts {
			quoted, err := json.Marshal(text)
			require.NoError(t, err)
			raws[i] = string(quoted)
			r := inBody(kinds[name], raws[i])
			good = good && r.good // an absent member of a list is no member
		}
		e = every{}
		a := s.post(t, "/echo/body", fmt.Sprintf(`{"%s":[ %s ]}`, name, strings.Join(raws, " , ")))
		if !good {
			require.Equal(t, 402, a.Errno)
			return
		}
		require.Equal(t, 0, a.Errno)
		require.Equal(t, len(texts), len(e.Wholes)+len(e.IDs)+len(e.Texts)+len(e.Amounts))
	})
}

func TestListsInTheirSpellings(t *testing.T) {
	var e every
	s := mount(t, nil, echo(&e)...)
	for _, query := range []string{
		"ids=1&ids=2&ids=3", "ids=1,2,3", "ids[]=1&ids[]=2&ids[]=3", "ids=1,2&ids[]=3", "ids%5B%5D=1&ids%5b%5d=2,3", "ids=,1,,2, 3,",
		"ids=1%2C2&x=7&ids=3",
	} {
		e = every{}
		require.Equal(t, 0, s.get(t, "/echo?"+query).Errno, query)
		require.Equal(t, []int64{1, 2, 3}, e.IDs, query)
	}
	for body, want := range map[string]int{
		`{"ids":[]}`: 0, `{"ids":null}`: 0, `{"ids":[1,"2",3.0]}`: 0, `{"ids":1}`: 402, `{"ids":"1"}`: 402, `{"ids":""}`: 402,
		`{"ids":{}}`: 402, `{"ids":[null]}`: 402, `{"ids":[[1]]}`: 402, `{"ids":[true]}`: 402, `{"ids":[1.5]}`: 402,
		`{"ids":[` + strings.TrimSuffix(strings.Repeat("1,", 1000), ",") + `]}`: 0,
		`{"ids":[` + strings.TrimSuffix(strings.Repeat("1,", 1001), ",") + `]}`: 402,
	} {
		require.Equal(t, want, s.post(t, "/echo/body", body).Errno, body)
	}
}

func TestATextTakesABooleanOnlyWhereTheServiceSaysSo(t *testing.T) {
	var e every
	require.Equal(t, errno.Invalid.Num, mount(t, nil, echo(&e)...).post(t, "/echo/body", `{"text":true}`).Errno)
	lenient := mount(t, func(h *op.Hooks) { h.BoolAsText = true }, echo(&e)...)
	require.Equal(t, 0, lenient.post(t, "/echo/body", `{"text":true,"texts":[false]}`).Errno)
	require.Equal(t, "true", *e.Text)
	require.Equal(t, []string{"false"}, e.Texts)
}

// Amounts in bodies are multiples of the unit, which is asked for where it matters; a ratio and a filter are no amounts.
func TestAmountsInUnits(t *testing.T) {
	asked := 0
	unit := func(h *op.Hooks) {
		h.Unit = func(context.Context) (money.Amount, error) { asked++; return 100, nil }
	}
	type priced struct {
		Price   money.Amount `json:"price"`
		Percent money.Amount `json:"percent" check:"ratio"`
	}
	do := func(context.Context, priced) (op.None, error) { return op.None{}, nil }
	s := mount(t, unit, append(echo(new(every)),
		op.Write[priced, op.None]{Path: "/price", Title: "Price", Access: op.Public, Do: do},
		op.Read[priced, op.None]{Path: "/priced", Title: "Find by price", Access: op.Public, Do: do})...)
	for body, want := range map[string]int{
		`{"price":10}`: 0, `{"price":"10.00"}`: 0, `{"price":10.5}`: 402, `{"price":"-0.01"}`: 402,
		`{"price":1,"percent":3.33}`: 0,
	} {
		require.Equal(t, want, s.post(t, "/price", body).Errno, body)
	}
	require.Equal(t, 2, asked)
	require.Equal(t, 0, s.post(t, "/echo/body", `{"amounts":[1,2]}`).Errno)
	require.Equal(t, 402, s.post(t, "/echo/body", `{"amounts":[1,2.5]}`).Errno)
	require.Equal(t, 0, s.get(t, "/priced?price=9.5").Errno)
}

func TestANumberAsTextKeepsItsDigits(t *testing.T) {
	var e every
	s := mount(t, nil, echo(&e)...)
	for raw, want := range map[string]string{
		"13800138000": "13800138000", "12.50": "12.50", "-7": "-7", "1.38e10": "13800000000", "1e-2": "0.01", "12.5e1": "125",
		"123456789012345678901234567890": "123456789012345678901234567890",
	} {
		require.Equal(t, 0, s.post(t, "/echo/body", `{"text":`+raw+`}`).Errno)
		require.Equal(t, want, *e.Text)
	}
	require.Equal(t, 402, s.post(t, "/echo/body", `{"text":1e65}`).Errno)
}
