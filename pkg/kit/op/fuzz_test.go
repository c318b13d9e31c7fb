package op_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/op"
)

// FuzzBody sends arbitrary bytes as a body. The answer is always an envelope with one of the codes of binding, and a
// body is accepted exactly if it is a JSON object (or empty) with valid members.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `[]`, `null`, body(""), body(`,"count":"5","mode":1e0,"checked":true`), body(`,"tags":[" a ",1,null]`),
		body(`,"price":"12.340","trimmed":"\u00e9\ud800x"`), `{"id":1e400}`, `{"\u0069d":1}`, `{"id":1,"id":{}}`,
		body(`,"staff":[{"name":"a","gender":1},{"x":[{}]},null]`), body(`,"staff":[[{}],{"nick":"\u0061"}],"person":{"gender":{}}`),
		`{"a":{"b":[{"c":"]}\"\\"}]},"id":` + "\xff" + `}`, `{"ids":[[[[[[1]]]]]]}`, `{"id":-0,"name":"\\","ids":[0]}`,
	} {
		f.Add([]byte(seed))
	}
	var r ruled
	s := mount(f, nil, echo(&r)...)
	f.Fuzz(func(t *testing.T, data []byte) {
		a := s.post(t, "/echo/body", string(data))
		require.Equal(t, http.StatusOK, a.Status)
		require.Contains(t, []int{0, 401, 402}, a.Errno, "%v", s.last().Err)
		var object map[string]json.RawMessage
		if err := json.Unmarshal(data, &object); len(data) > 0 && (err != nil || object == nil) && a.Errno == 0 {
			t.Fatalf("no object was read: %q", data)
		}
		s.results = nil
	})
}

// FuzzQuery sends arbitrary bytes as a query string.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"", "id=1&name=a&ids=1,2", "id=1&name=%zz&ids[]=1", "id=+1&name=a;b&ids%5B%5D=5&count=undefined", "&&&=&id", "ids=,,,",
	} {
		f.Add(seed)
	}
	var r ruled
	s := mount(f, nil, echo(&r)...)
	f.Fuzz(func(t *testing.T, query string) {
		request := httptest.NewRequest(http.MethodGet, "/echo", nil)
		request.URL.RawQuery = query
		a := s.send(t, request)
		require.Contains(t, []int{0, 401, 402}, a.Errno, "%v", s.last().Err)
		if a.Errno == 0 {
			require.NotEmpty(t, r.Name)
			require.LessOrEqual(t, len(r.IDs), 3)
			require.LessOrEqual(t, r.ID, int64(op.MaxID))
		}
		s.results = nil
	})
}
