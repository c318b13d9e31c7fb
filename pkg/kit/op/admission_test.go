package op_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/admission"
	"shop.internal/pkg/kit/op"
)

func specOf(t *testing.T, o op.Op) op.Spec {
	t.Helper()
	specs, err := op.Specs(o)
	require.NoError(t, err)
	return specs[0]
}

// The class of an operation follows from its declaration.
func TestClass(t *testing.T) {
	none := func(context.Context, op.None) (op.None, error) { return op.None{}, nil }
	raw := func(http.ResponseWriter, *http.Request) error { return nil }
	for want, all := range map[admission.Class][]op.Op{
		admission.Read: {
			op.Read[op.None, op.None]{Path: "/x", Title: "X", Access: op.Public, Do: none},
			op.Raw{Method: "GET", Path: "/x", Title: "X", Access: op.Public, Serve: raw},
		},
		admission.Write: {
			op.Write[op.None, op.None]{Path: "/x", Title: "X", Access: op.Public, Do: none},
			op.Raw{Method: "POST", Path: "/x", Title: "X", Access: op.Public, Serve: raw},
			op.Upload[op.None]{Path: "/x", Title: "X", Access: op.Public, Part: "file", Limit: 1},
		},
		admission.Login:  {op.Write[op.None, op.None]{Path: "/x", Title: "X", Access: op.Public, Passwords: true, Do: none}},
		admission.Export: {op.Stream[op.None]{Path: "/x", Title: "X", Access: op.Public}},
	} {
		for _, o := range all {
			require.Equal(t, want, specOf(t, o).Class(), "%T", o)
		}
	}
}

// While every place to read is taken, what needs none is answered, and the others are refused with a sign to try again.
func TestRefusedWork(t *testing.T) {
	c := admission.New(map[admission.Class]admission.Limits{admission.Read: {Places: 1, Queue: 1, Wait: time.Millisecond}})
	read := func(path string, database bool) op.Op {
		return op.Read[op.None, op.None]{
			Path: path, Title: path, Access: op.Public,
			Do: func(ctx context.Context, _ op.None) (op.None, error) {
				if database {
					return op.None{}, admission.Use(ctx)
				}
				return op.None{}, nil
			},
		}
	}
	s := mount(t, func(h *op.Hooks) { h.Admission = c }, read("/memory", false), read("/database", true))
	var holder admission.Ticket
	c.Issue(&holder, admission.Read)
	require.NoError(t, admission.Use(context.WithValue(t.Context(), admission.Key{}, &holder)))

	require.Equal(t, 200, s.get(t, "/memory").Status)
	refused := s.get(t, "/database")
	require.Equal(t, 503, refused.Status)
	require.Equal(t, "1", refused.Header.Get("Retry-After"))
	require.Equal(t, "no-store", refused.Header.Get("Cache-Control"))
	require.EqualValues(t, 1, c.State(admission.Read).Refused)
	holder.End()
	require.Equal(t, 200, s.get(t, "/database").Status)
	require.Equal(t, admission.State{Places: 1, Refused: 1}, c.State(admission.Read), "places are given back")
	require.Equal(t, admission.State{}, c.State(admission.Memory))
}
