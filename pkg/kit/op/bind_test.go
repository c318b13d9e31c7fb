package op_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/kit/op"
)

// ruled has a member for each rule of absence and form.
type ruled struct {
	ID       int64        `json:"id" check:"required"`
	Name     string       `json:"name" check:"required,maxLength=5"`
	IDs      []int64      `json:"ids" check:"required,notEmpty,maxItems=3"`
	Count    int          `json:"count" check:"default=7,min=1,max=9"`
	Show     int          `json:"show" check:"default=-1"`
	Mode     *int         `json:"mode" check:"enum=0|1|5"`
	Checked  *int         `json:"checked" check:"boolAsInteger,enum=0|1"`
	Note     *string      `json:"note"`
	Reply    *string      `json:"reply" check:"blank"`
	Mobile   string       `json:"mobile" check:"form=mobile,alias=tel|phone"`
	Pictures []string     `json:"pictures" check:"url,maxItems=2"`
	Tags     []string     `json:"tags" check:"itemMax=3"`
	States   []int        `json:"states" check:"enum=101|102"`
	Price    money.Amount `json:"price" check:"min=0,max=1000"`
	Computed money.Amount `json:"computed" check:"round,min=-5"`
	Trimmed  string       `json:"trimmed" check:"minLength=2,maxBytes=8"`
	Parent   *int64       `json:"parent" check:"nullAsZero"`
	Owner    *int64       `json:"owner" check:"nullAsZero,blankAsZero"`
	On       bool         `json:"on"`
	Person   person       `json:"person"`
	Boss     *person      `json:"boss"`
	Staff    []person     `json:"staff" check:"maxItems=3"`
	Paging
}

// person is an object within a body.
type person struct {
	Name   string `json:"name" check:"maxLength=3,alias=nick"`
	Gender *int   `json:"gender" check:"enum=0|1"`
}

// Paging is embedded.
type Paging struct {
	Page *int `json:"page" check:"min=1"`
}

// body is a valid body with further members.
func body(more string) string { return `{"id":1,"name":"tea","ids":[1]` + more + `}` }

func TestAbsentMembers(t *testing.T) {
	var r ruled
	s := mount(t, nil, echo(&r)...)
	tests := map[string]struct {
		body  string
		want  int
		about string
	}{
		"all there":                        {body(""), 0, ""},
		"nothing":                          {``, 401, "id"},
		"an empty object":                  {`{}`, 401, "id"},
		"required, null":                   {`{"id":null,"name":"tea","ids":[1]}`, 401, "id"},
		"required number, blank text":      {`{"id":" ","name":"tea","ids":[1]}`, 401, "id"},
		"required number, zero":            {`{"id":0,"name":"tea","ids":[1]}`, 0, ""},
		"required text, empty":             {`{"id":1,"name":"","ids":[1]}`, 401, "name"},
		"required text, blank":             {`{"id":1,"name":" \t\u00a0","ids":[1]}`, 401, "name"},
		"required list, absent":            {`{"id":1,"name":"tea"}`, 401, "ids"},
		"required list, empty":             {`{"id":1,"name":"tea","ids":[ ]}`, 401, "ids"},
		"required list, empty text":        {`{"id":1,"name":"tea","ids":""}`, 402, "ids"},
		"missing comes before malformed":   {`{"id":"x","name":"tea"}`, 401, "ids"},
		"malformed in order of the struct": {`{"id":"x","name":"too long","ids":[1]}`, 402, "id"},
		"the last of two counts":           {body(`,"id":"x","id":2`), 0, ""},
		"names are exact":                  {`{"ID":1,"name":"tea","ids":[1]}`, 401, "id"},
		"a name with escapes":              {`{"\u0069d":1,"name":"tea","ids":[1]}`, 0, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := s.post(t, "/echo/body", tt.body)
			require.Equal(t, tt.want, a.Errno)
			if tt.about != "" {
				require.Contains(t, a.Errmsg, tt.about+" ")
			}
		})
	}
}

func TestDefaultsAliasesAndNull(t *testing.T) {
	var r ruled
	s := mount(t, nil, echo(&r)...)
	read := func(more string) ruled {
		t.Helper()
		a := s.post(t, "/echo/body", body(more))
		require.Equal(t, 0, a.Errno, more)
		return r
	}
	got := read("")
	require.Equal(t, 7, got.Count)
	require.Equal(t, -1, got.Show)
	require.Nil(t, got.Note)
	require.Nil(t, got.Parent)
	require.Nil(t, got.Page)
	require.Equal(t, 7, read(`,"count":null`).Count)
	require.Equal(t, 7, read(`,"count":""`).Count)
	require.Empty(t, *read(`,"note":""`).Note, "an empty text is a value")
	require.Empty(t, *read(`,"note":"  "`).Note)
	require.Nil(t, read(`,"reply":" "`).Reply)
	require.Zero(t, *read(`,"parent":null`).Parent, "null that counts as zero is not absent")
	require.Nil(t, read("").Owner)
	require.Zero(t, *read(`,"owner":" "`).Owner, "blank text that counts as zero is not absent")
	require.Zero(t, *read(`,"owner":null`).Owner)
	require.Equal(t, int64(5), *read(`,"owner":"5"`).Owner)
	require.Equal(t, 3, *read(`,"page":"3"`).Page)
	require.Equal(t, "13800138000", read(`,"tel":"13800138000"`).Mobile)
	require.Equal(t, "13800138000", read(`,"mobile":null,"phone":13800138000`).Mobile)
	require.Equal(t, "13800138001", read(`,"tel":"13800138000","mobile":"13800138001"`).Mobile)
	require.Equal(t, "tea", read(`,"trimmed":" tea "`).Trimmed)
	require.Equal(t, []string{"a", "bcd"}, read(`,"tags":[" a ","bcd"]`).Tags)
	require.Equal(t, 1, *read(`,"checked":true`).Checked, "an on-off number also comes as a boolean")
	require.Equal(t, 0, *read(`,"checked":false`).Checked)
	require.True(t, read(`,"on":1`).On)
}

// Terms is embedded, with further rules for its members.
type Terms struct {
	Label *string `json:"label" check:"notBlank,maxLength=3"`
	Count *int    `json:"count" check:"max=9"`
}

func TestRulesForMembersOfAnEmbeddedStruct(t *testing.T) {
	var r struct {
		Terms `check:"label:required,count:default=7"`
	}
	s := mount(t, nil, echo(&r)...)
	for body, want := range map[string]int{
		`{}`: 401, `{"label":" "}`: 401, `{"label":"long"}`: 402, `{"label":"a","count":10}`: 402, `{"label":"a"}`: 0,
	} {
		require.Equal(t, want, s.post(t, "/echo/body", body).Errno, body)
	}
	require.Equal(t, "a", *r.Label)
	require.Equal(t, 7, *r.Count)
	var plain struct{ Terms }
	require.Equal(t, 0, mount(t, nil, echo(&plain)...).post(t, "/echo/body", `{}`).Errno, "elsewhere the rules stay as they are")
}

func TestForms(t *testing.T) {
	var r ruled
	s := mount(t, nil, echo(&r)...)
	for more, want := range map[string]int{
		`"count":0`: 402, `"count":10`: 402, `"count":9`: 0, `"name":"五个字符啊"`: 0, `"name":"六个字符啊啊"`: 402,
		`"mode":5`: 0, `"mode":2`: 402, `"mode":true`: 402, `"checked":"true"`: 402, `"checked":2`: 402,
		`"mobile":"2380013800"`: 402, `"mobile":"1380013800x"`: 402, `"mobile":""`: 0,
		`"pictures":["https://a/b.png"]`: 0, `"pictures":["javascript:alert(1)"]`: 402, `"pictures":["//a/b"]`: 402,
		`"pictures":["http://a","http://b","http://c"]`: 402, `"pictures":["http://` + strings.Repeat("a", 260) + `"]`: 402,
		`"tags":["abcd"]`: 402, `"states":[101,102]`: 0, `"states":[101,103]`: 402, `"ids":[1,2,3,4]`: 402,
		`"price":10.00`: 0, `"price":10.01`: 402, `"price":-0.01`: 402, `"price":1.005`: 402,
		`"computed":1.005`: 0, `"computed":"36.300000000000004"`: 0, `"computed":-0.0549`: 0, `"computed":-0.055`: 402,
		`"computed":1e-9`: 0, `"computed":"1.x"`: 402, `"price":true`: 402,
		`"trimmed":" a "`: 402, `"trimmed":"三个字"`: 402, `"id":true`: 402, `"id":{}`: 402, `"id":[]`: 402, `"note":{}`: 402,
		`"page":0`: 402, `"note":[]`: 402, `"note":true`: 402,
	} {
		require.Equal(t, want, s.post(t, "/echo/body", body(","+more)).Errno, more)
	}
}

func TestAbsentParameters(t *testing.T) {
	type query struct {
		ID    int64         `json:"id" check:"required"`
		Count int           `json:"count" check:"default=7"`
		New   *bool         `json:"isNew"`
		Word  *string       `json:"word"`
		Price *money.Amount `json:"price"`
	}
	var r query
	s := mount(t, nil, echo(&r)...)
	for q, want := range map[string]int{
		"": 401, "id=": 401, "id=%20": 401, "id=undefined": 402, "id=null": 402, "id=NaN": 402, "id=5": 0, "id=%2B5": 0, "id=+5": 0,
		"id=5&id=6": 0, "id=5&count=undefined&isNew=null": 0, "id=5&count=NaN&isNew=": 0, "id=5&isNew=nan": 402,
		"id=5&price=undefined": 402, "id=5&count=%zz": 402, "id=5&unknown=%zz&%zz=1": 0, "id=5&word=%zz": 402,
		"id=5;word=x": 402, "&&id=5&=&": 0, "id=5&count": 0, "%69d=5": 0,
	} {
		r = query{}
		require.Equal(t, want, s.get(t, "/echo?"+q).Errno, q)
		if want == 0 {
			require.Equal(t, query{ID: 5, Count: 7}, r, q)
		}
	}
	require.Equal(t, 0, s.get(t, "/echo?id=5&word=undefined&isNew=TRUE").Errno)
	require.Equal(t, "undefined", *r.Word, "a text is a text")
	require.True(t, *r.New)
	require.Equal(t, 0, s.get(t, "/echo?id=5&word=a;b+c%26").Errno)
	require.Equal(t, "a;b c&", *r.Word)
	require.Equal(t, 0, s.get(t, "/echo?id=5&word=%ff").Errno)
	require.Equal(t, "\uFFFD", *r.Word)
}

func TestBodiesThatAreNoObject(t *testing.T) {
	var r ruled
	s := mount(t, nil, echo(&r)...)
	nested := func(n int) string { return body(`,"x":` + strings.Repeat("[", n) + strings.Repeat("]", n)) }
	for text, want := range map[string]int{
		`[]`: 402, `"x"`: 402, `5`: 402, `null`: 402, `{`: 402, `{}{}`: 402, `{"id":1,}`: 402, `{'id':1}`: 402, "\x00": 402,
		`id=1&name=tea`: 402, `{"id":1} x`: 402, "\ufeff{}": 402, " \r\n\t" + body("") + "\n": 0,
		`{"id":01}`: 402, `{"name":"` + "\n" + `"}`: 402,
		nested(31): 0, nested(32): 402, nested(10_000): 402, nested(100_000): 402, strings.Repeat("[", 10_000): 402,
		body(`,"x":"` + strings.Repeat("[", 100) + `\"]"`): 0,
	} {
		require.Equal(t, want, s.post(t, "/echo/body", text).Errno, "%.60s", text)
	}
}

func TestWrongDeclarationsStopTheStart(t *testing.T) {
	wrong := map[string]func(){
		"no name": func() { planned[struct{ A int }]() },
		"no reading": func() {
			planned[struct {
				A float64 `json:"a"`
			}]()
		},
		"an unknown rule": func() {
			planned[struct {
				A int `json:"a" check:"maximum=5"`
			}]()
		},
		"a bound that is none": func() {
			planned[struct {
				A int `json:"a" check:"max=x"`
			}]()
		},
		"bounds crossed": func() {
			planned[struct {
				A int `json:"a" check:"min=2,max=1"`
			}]()
		},
		"a rule of texts": func() {
			planned[struct {
				A int `json:"a" check:"form=mobile"`
			}]()
		},
		"a rule of lists": func() {
			planned[struct {
				A string `json:"a" check:"notEmpty"`
			}]()
		},
		"members of no list": func() {
			planned[struct {
				A string `json:"a" check:"itemMax=3"`
			}]()
		},
		"required with default": func() {
			planned[struct {
				A int `json:"a" check:"required,default=1"`
			}]()
		},
		"a default out of range": func() {
			planned[struct {
				A int `json:"a" check:"max=3,default=4"`
			}]()
		},
		"a default unreadable": func() {
			planned[struct {
				A bool `json:"a" check:"default=yes"`
			}]()
		},
		"a bound for the members of objects": func() {
			planned[struct {
				A []person `json:"a" check:"itemMax=3"`
			}]()
		},
		"objects with a default": func() {
			planned[struct {
				A []person `json:"a" check:"default=x"`
			}]()
		},
		"a nameless member of objects": func() {
			planned[struct {
				A []struct{ B int } `json:"a"`
			}]()
		},
		"a text that is zero": func() {
			planned[struct {
				A string `json:"a" check:"blankAsZero"`
			}]()
		},
		"a filled number": func() {
			planned[struct {
				A int `json:"a" check:"notBlank"`
			}]()
		},
		"a condition without a flag": func() {
			planned[struct {
				A int    `json:"a" check:"requiredUnless=b"`
				B string `json:"b"`
			}]()
		},
		"a condition of nothing": func() {
			planned[struct {
				A int `json:"a" check:"requiredUnless="`
			}]()
		},
		"an object with a bound": func() {
			planned[struct {
				A person `json:"a" check:"max=1"`
			}]()
		},
		"an object with a default": func() {
			planned[struct {
				A person `json:"a" check:"default=x"`
			}]()
		},
		"a nameless member of an object": func() {
			planned[struct {
				A struct{ B int } `json:"a"`
			}]()
		},
		"a whole number rounded": func() {
			planned[struct {
				A int `json:"a" check:"round"`
			}]()
		},
		"no such cleaning": func() {
			planned[struct {
				A string `json:"a" check:"clean=all"`
			}]()
		},
		"a cleaned number": func() {
			planned[struct {
				A int `json:"a" check:"clean=code"`
			}]()
		},
		"an alias twice": func() {
			planned[struct {
				A int `json:"a" check:"alias=b|b"`
			}]()
		},
		"an alias that is a name": func() {
			planned[struct {
				A int `json:"a"`
				B int `json:"b" check:"alias=a"`
			}]()
		},
		"a rule for a member that an embedded struct lacks": func() {
			planned[struct {
				person `check:"age:required"`
			}]()
		},
		"a rule for a member of an embedded struct that breaks its type": func() {
			planned[struct {
				person `check:"gender:form=mobile"`
			}]()
		},
		"no struct": func() { planned[int]() },
	}
	for name, declare := range wrong {
		require.Panics(t, declare, name)
	}
}

func planned[Req any]() {
	var r Req
	_, _ = op.Specs(echo(&r)...)
}

func TestFieldsTellWhatWasDeclared(t *testing.T) {
	var r ruled
	specs, err := op.Specs(echo(&r)...)
	require.NoError(t, err)
	fields := specs[0].Fields()
	require.Len(t, fields, 23)
	require.Equal(t, op.Field{Name: "id", Label: "id", Kind: op.ID, Required: true}, fields[0])
	require.Equal(t, "7", fields[3].Default)
	require.Equal(t, []string{"tel", "phone"}, fields[9].Aliases)
	require.True(t, fields[10].Item.URL)
	require.Equal(t, int64(3), *fields[11].Item.Max)
	require.Equal(t, []string{"101", "102"}, fields[12].Item.Enum)
	require.True(t, fields[14].Round)
	require.Equal(t, "page", fields[22].Name)
	require.Equal(t, "gender", fields[19].Members[1].Name)
	require.Equal(t, "gender", fields[21].Item.Members[1].Name)
	kinds := map[op.Kind]bool{}
	for _, f := range fields {
		kinds[f.Kind] = true
	}
	require.Len(t, kinds, 7, fmt.Sprint(kinds))
}

// shown has the rules about what clients show to others.
type shown struct {
	Page     string   `json:"page" check:"link,maxLength=255"`
	Pictures []string `json:"pictures" check:"link"`
	Name     string   `json:"name" check:"visible"`
	Tags     []string `json:"tags" check:"visible"`
}
