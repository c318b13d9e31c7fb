package op_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/op"
)

func TestStream(t *testing.T) {
	type query struct {
		ID   int64 `json:"id" check:"required"`
		Late bool  `json:"late"`
		Soon bool  `json:"soon"`
	}
	s := mount(t, nil, op.Stream[query]{
		Path: "/file", Title: "Send a file", Access: op.Public,
		Do: func(_ context.Context, q query, w http.ResponseWriter) error {
			if q.Soon {
				return errors.New("boom")
			}
			w.Header().Set("Content-Type", "text/csv")
			_, err := io.WriteString(w, "a,b")
			if q.Late {
				return errors.New("boom")
			}
			return err
		},
	})
	send := func(query string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.g.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/file?"+query, nil))
		return w
	}
	require.Equal(t, "a,b", send("id=1").Body.String())
	require.Equal(t, 401, s.get(t, "/file").Errno)
	require.Equal(t, 402, s.get(t, "/file?id=x").Errno)
	require.Equal(t, 402, s.get(t, "/file?id=%zz").Errno)
	require.Equal(t, 502, s.get(t, "/file?id=1&soon=1").Errno)
	require.PanicsWithValue(t, http.ErrAbortHandler, func() { send("id=1&late=1") }, "half a file is not taken for a whole one")
	require.Equal(t, 502, s.last().Errno)
}
