package op_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/op"
)

func TestObjects(t *testing.T) {
	one := 1
	tests := map[string]struct {
		more string
		want person
		code int
	}{
		"absent":           {``, person{}, 0},
		"null":             {`,"person":null`, person{}, 0},
		"blank":            {`,"person":" "`, person{}, 0},
		"empty":            {`,"person":{}`, person{}, 0},
		"full":             {`,"person":{"name":"lin","gender":1}`, person{"lin", &one}, 0},
		"lenient":          {`,"person": { "nick" : 5 , "gender" : "1" }`, person{"5", &one}, 0},
		"further members":  {`,"person":{"city":["x",{"y":"}"}],"name":"lin"}`, person{Name: "lin"}, 0},
		"the last of two":  {`,"person":{"name":"a"},"person":{"gender":1}`, person{Gender: &one}, 0},
		"a member's rules": {`,"person":{"name":"long"}`, person{}, 402},
		"a member's kind":  {`,"person":{"gender":{}}`, person{}, 402},
		"a list":           {`,"person":[]`, person{}, 402},
		"a number":         {`,"person":1`, person{}, 402},
		"a text":           {`,"person":"{}"`, person{}, 402},
		"a boolean":        {`,"person":true`, person{}, 402},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var r ruled
			s := mount(t, nil, echo(&r)...)
			a := s.post(t, "/echo/body", body(tt.more))
			require.Equal(t, tt.code, a.Errno, a.Errmsg)
			if tt.code == 0 {
				require.Equal(t, tt.want, r.Person)
			}
			require.Nil(t, r.Boss)
		})
	}
	var r ruled
	s := mount(t, nil, echo(&r)...)
	require.Zero(t, s.post(t, "/echo/body", body(`,"boss":{"name":"mei"}`)).Errno)
	require.Equal(t, &person{Name: "mei"}, r.Boss)
	require.Equal(t, 402, s.get(t, "/echo?id=1&name=tea&ids=1&person={}").Errno)
}

// A missing required member of an object is reported for the body, and the declaration says that it is required.
func TestObjectsThatAreRequired(t *testing.T) {
	var r struct {
		Person struct {
			Name string `json:"name" check:"required"`
		} `json:"person" check:"required"`
	}
	s := mount(t, nil, echo(&r)...)
	for body, want := range map[string]string{
		``: "person", `{"person":null}`: "person", `{"person":{}}`: "name", `{"person":{"name":" "}}`: "name",
	} {
		a := s.post(t, "/echo/body", body)
		require.Equal(t, 401, a.Errno)
		require.Contains(t, a.Errmsg, want+" ")
	}
	require.Zero(t, s.post(t, "/echo/body", `{"person":{"name":"lin"}}`).Errno)
	specs, err := op.Specs(echo(&r)...)
	require.NoError(t, err)
	require.Equal(t, op.Object, specs[0].Fields()[0].Kind)
}

func TestListsOfObjects(t *testing.T) {
	one := 1
	tests := map[string]struct {
		more string
		want []person
		code int
	}{
		"absent":             {``, nil, 0},
		"null":               {`,"staff":null`, nil, 0},
		"empty":              {`,"staff":[ ]`, []person{}, 0},
		"some":               {`,"staff":[{"name":"lin","gender":1},{},{"name":"mei"}]`, []person{{"lin", &one}, {}, {Name: "mei"}}, 0},
		"lenient":            {`,"staff" : [ { "nick" : 5 , "gender" : "1" } ]`, []person{{"5", &one}}, 0},
		"further members":    {`,"staff":[{"x":[{"name":"]}"}],"name":"a"}]`, []person{{Name: "a"}}, 0},
		"too many":           {`,"staff":[{},{},{},{}]`, nil, 402},
		"a member's rules":   {`,"staff":[{"name":"a"},{"name":"long"}]`, nil, 402},
		"a member's kind":    {`,"staff":[{"gender":[]}]`, nil, 402},
		"null within":        {`,"staff":[{},null]`, nil, 402},
		"a number within":    {`,"staff":[1]`, nil, 402},
		"a list within":      {`,"staff":[[]]`, nil, 402},
		"an object":          {`,"staff":{}`, nil, 402},
		"a text":             {`,"staff":"[]"`, nil, 402},
		"blank text":         {`,"staff":""`, nil, 402},
		"the last of two":    {`,"staff":[{"name":"a"}],"staff":[]`, []person{}, 0},
		"the last name wins": {`,"staff":[{"name":"a","name":"b"}]`, []person{{Name: "b"}}, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var r ruled
			s := mount(t, nil, echo(&r)...)
			a := s.post(t, "/echo/body", body(tt.more))
			require.Equal(t, tt.code, a.Errno, a.Errmsg)
			if tt.code == 0 {
				require.Equal(t, tt.want, r.Staff)
			}
		})
	}
	var r ruled
	s := mount(t, nil, echo(&r)...)
	require.Equal(t, 402, s.get(t, "/echo?id=1&name=tea&ids=1&staff={}").Errno)
}

// Missing members at any depth are reported before malformed ones.
func TestWhatIsMissingComesFirst(t *testing.T) {
	var r struct {
		Count int     `json:"count"`
		Note  *string `json:"note" check:"notBlank"`
		Lines []struct {
			Name   string `json:"name" check:"requiredUnless=gone"`
			Number *int   `json:"number" check:"required"`
			Gone   *bool  `json:"gone"`
		} `json:"lines" check:"required,notEmpty,maxItems=2"`
	}
	s := mount(t, nil, echo(&r)...)
	for body, want := range map[string]struct {
		code  int
		about string
	}{
		`{"lines":[{"name":"a","number":0}]}`:  {0, ""},
		`{}`:                                   {401, "lines"},
		`{"lines":[]}`:                         {401, "lines"},
		`{"count":"x","lines":[{"name":"a"}]}`: {401, "number"},
		`{"count":"x","lines":[{"name":"a","number":0}]}`:             {402, "count"},
		`{"lines":[{"name":"a","number":"x"},{"name":" "}]}`:          {401, "name"},
		`{"lines":[1,{"name":"a"}]}`:                                  {401, "number"},
		`{"lines":[{},{},{}]}`:                                        {402, "lines"},
		`{"lines":[{"number":1,"gone":true}]}`:                        {0, ""},
		`{"lines":[{"number":1,"name":"","gone":"1"}]}`:               {0, ""},
		`{"lines":[{"number":1,"gone":false}]}`:                       {401, "name"},
		`{"lines":[{"number":1,"gone":null}]}`:                        {401, "name"},
		`{"lines":[{"number":1,"gone":"maybe"}]}`:                     {401, "name"},
		`{"lines":[{"number":1,"gone":{}}]}`:                          {401, "name"},
		`{"lines":[{"name":"a","number":0}],"note":"\t"}`:             {401, "note"},
		`{"lines":[{"name":"a","number":0}],"note":null,"count":"5"}`: {0, ""},
	} {
		a := s.post(t, "/echo/body", body)
		require.Equal(t, want.code, a.Errno, body)
		if want.about != "" {
			require.Contains(t, a.Errmsg, want.about+" ", body)
		}
	}
	specs, err := op.Specs(echo(&r)...)
	require.NoError(t, err)
	require.Contains(t, specs[0].Codes(), errno.Missing)
	require.Equal(t, "gone", specs[0].Fields()[2].Item.Members[0].Unless)
}
