package pagecache_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/services/storefront/internal/pagecache"
)

// asked is a request with an optional member, whose pointers differ from call to call.
type asked struct {
	Word string `json:"word"`
	Page *int   `json:"page"`
}

func TestAnswers(t *testing.T) {
	now := time.Unix(1000, 0)
	a := pagecache.NewAnswers(pagecache.Options{Now: func() time.Time { return now }})
	var loads []string
	echo := func(name string) func(context.Context, asked) (view, error) {
		return func(_ context.Context, r asked) (view, error) {
			loads = append(loads, name+" "+r.Word)
			if r.Word == "" {
				return view{}, errBroken
			}
			return view{Name: r.Word, Mine: []int{*r.Page}}, nil
		}
	}
	first, second := pagecache.Same(a, echo("first")), pagecache.Same(a, echo("second"))
	ask := func(word string, page int) asked { return asked{word, &page} }
	for range 2 {
		said, err := first(t.Context(), ask("tea", 1))
		require.NoError(t, err)
		require.JSONEq(t, `{"name":"tea","mine":[1]}`, string(said.Encoded()))
		said, err = first(t.Context(), ask("tea", 2))
		require.NoError(t, err)
		require.JSONEq(t, `{"name":"tea","mine":[2]}`, string(said.Encoded()))
		_, err = second(t.Context(), ask("tea", 1))
		require.NoError(t, err)
	}
	require.Equal(t, []string{"first tea", "first tea", "second tea"}, loads, "by operation and request")
	for range 2 {
		_, err := first(t.Context(), ask("", 1))
		require.ErrorIs(t, err, errBroken)
	}
	require.Len(t, loads, 5, "failures are not kept")
	a.InvalidateAll()
	_, err := first(t.Context(), ask("tea", 1))
	require.NoError(t, err)
	require.Len(t, loads, 6)
}

func TestNoAnswers(t *testing.T) {
	n := 0
	do := pagecache.Same(nil, func(context.Context, asked) (view, error) {
		if n++; n > 1 {
			return view{}, errors.ErrUnsupported
		}
		return view{"tea", nil}, nil
	})
	said, err := do(t.Context(), asked{})
	require.NoError(t, err)
	require.JSONEq(t, `{"name":"tea","mine":null}`, string(said.Encoded()))
	_, err = do(t.Context(), asked{})
	require.ErrorIs(t, err, errors.ErrUnsupported)
}
