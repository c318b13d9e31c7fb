package op_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/op"
)

func declared(into *op.Scalars) []op.Op { return echo(into)[1:] }

func TestScalars(t *testing.T) {
	var r op.Scalars
	s := mount(t, nil, declared(&r)...)
	tests := map[string]struct {
		body string
		want op.Scalars
		code int
	}{
		"texts":             {`{"a":"x"," b ":" y "}`, op.Scalars{"a": "x", " b ": "y"}, 0},
		"blank text":        {`{"a":""}`, op.Scalars{"a": ""}, 0},
		"a number":          {`{"a":8.50,"b":-1,"c":1e2}`, op.Scalars{"a": "8.50", "b": "-1", "c": "100"}, 0},
		"a whole number":    {`{"a":5.0,"b":8.00}`, op.Scalars{"a": "5", "b": "8"}, 0},
		"text of a number":  {`{"a":"5.0"}`, op.Scalars{"a": "5.0"}, 0},
		"a boolean":         {`{"a":true,"b":false}`, op.Scalars{"a": "true", "b": "false"}, 0},
		"escapes":           {`{"\u0061\"":"\u4e94\n"}`, op.Scalars{`a"`: "五"}, 0},
		"half a character":  {`{"a":"\ud800"}`, op.Scalars{"a": "\uFFFD"}, 0},
		"the last of two":   {`{"a":null,"\u0061":"x"}`, op.Scalars{"a": "x"}, 0},
		"no body":           {``, nil, 401},
		"an empty object":   {` { } `, nil, 401},
		"null":              {`{"a":null}`, nil, 402},
		"a list":            {`{"a":[]}`, nil, 402},
		"an object":         {`{"a":{}}`, nil, 402},
		"a huge number":     {`{"a":1e400}`, nil, 402},
		"no object":         {`[]`, nil, 402},
		"no JSON":           {`{"a":`, nil, 402},
		"too many":          {"{" + strings.Repeat(`"%d":1,`, 1000) + `"x":1}`, nil, 402},
		"as many as can be": {"{" + strings.Repeat(`"%d":1,`, 999) + `"x":1}`, nil, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r = nil
			body := tt.body
			for i := 0; strings.Contains(body, "%d"); i++ {
				body = strings.Replace(body, "%d", fmt.Sprint(i), 1)
			}
			require.Equal(t, tt.code, s.post(t, "/echo/body", body).Errno)
			if tt.want != nil || tt.code != 0 {
				require.Equal(t, tt.want, r)
			}
		})
	}
}

func TestScalarsAreDeclared(t *testing.T) {
	var r op.Scalars
	specs, err := op.Specs(declared(&r)...)
	require.NoError(t, err)
	require.True(t, specs[0].Free())
	require.Empty(t, specs[0].Fields())
	require.Equal(t, []*errno.Code{errno.OK, errno.Missing, errno.Invalid, errno.Internal}, specs[0].Codes())
	require.Panics(t, func() { _, _ = op.Specs(echo(&r)...) }, "a query has no free members")
	var none op.None
	specs, err = op.Specs(echo(&none)...)
	require.NoError(t, err)
	require.False(t, specs[1].Free())
}

// A name that the request invents may be as long as a body and have any characters.
func TestOnlyAKnownNameBecomesAHeader(t *testing.T) {
	s := mount(t, nil, op.Write[op.Scalars, op.None]{
		Path: "/settings", Title: "Change settings", Access: op.Public, Members: []string{"freight"},
		Do: func(context.Context, op.Scalars) (op.None, error) { return op.None{}, nil },
	})
	for name, want := range map[string]string{
		"freight": "freight", "Freight": "", "": "", strings.Repeat("a", 900): "", `a\u0000\r\nSet-Cookie: x`: "", "运费\u007f": "",
	} {
		a := s.post(t, "/settings", `{"`+name+`":{"x":1}}`)
		require.Equal(t, 402, a.Errno)
		require.Equal(t, want, a.Header.Get("X-Shop-Field"), name)
		require.LessOrEqual(t, len(a.Errmsg), 200)
	}
}

func TestAddressesAndVisibleTexts(t *testing.T) {
	var r shown
	s := mount(t, nil, echo(&r)...)
	for body, want := range map[string]int{
		`{"page":"19","pictures":["/a.png","https://shop.test/b.png"],"name":"茶 😀","tags":["a"]}`: 0,
		`{"page":"","name":""}`:              0,
		`{"page":"javascript:alert(1)"}`:     402,
		`{"page":" javascript:alert(1)"}`:    402,
		`{"pictures":["/a","data:,x"]}`:      402,
		`{"pictures":["//evil.test/a"]}`:     402,
		`{"name":"a\u200b"}`:                 402,
		`{"name":"\u202ea"}`:                 402,
		`{"tags":["a","\u3164"]}`:            402,
		`{"page":"http://a.test@evil.test"}`: 402,
	} {
		require.Equal(t, want, s.post(t, "/echo/body", body).Errno, body)
	}
	fields := op.Write[shown, op.None]{Path: "/x", Title: "X", Access: op.Public}
	specs, err := op.Specs(fields)
	require.NoError(t, err)
	f := specs[0].Fields()
	require.True(t, f[0].Link && f[1].Item.Link && f[2].Visible && f[3].Item.Visible)
}
