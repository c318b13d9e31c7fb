package op_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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

// What an object must have is missing from the body, and the declaration says so.
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
		require.True(t, strings.HasSuffix(a.Errmsg, ": "+want), a.Errmsg)
	}
	require.Zero(t, s.post(t, "/echo/body", `{"person":{"name":"lin"}}`).Errno)
	specs, err := op.Specs(echo(&r)...)
	require.NoError(t, err)
	require.Equal(t, op.Object, specs[0].Fields()[0].Kind)
}
