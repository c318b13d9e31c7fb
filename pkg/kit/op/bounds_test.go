package op_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/kit/op"
)

func TestNumbersWithoutBoundsAreNamed(t *testing.T) {
	type child struct {
		Number int `json:"number" check:"range=stock"`
		Place  int `json:"place"`
	}
	type request struct {
		ID    int64        `json:"id"`
		Kind  int          `json:"kind" check:"enum=0|1"`
		Days  int          `json:"days" check:"range=coupon-days"`
		Least int          `json:"least" check:"min=1"`
		Price money.Amount `json:"price"`
		Marks []int        `json:"marks" check:"maxItems=3"`
		One   child        `json:"one"`
		All   []child      `json:"all"`
	}
	specs, err := op.Specs(
		op.Write[request, op.None]{Path: "/write", Title: "W", Access: op.Public, Do: nothing[request]},
		op.Write[op.None, op.None]{Path: "/none", Title: "N", Access: op.Public, Do: nothing[op.None]},
		op.Read[struct {
			Page int `json:"page"`
		}, op.None]{Path: "/read", Title: "R", Access: op.Public, Do: nothing[struct {
			Page int `json:"page"`
		}]},
	)
	require.NoError(t, err)
	err = op.Bounded(specs)
	require.Error(t, err)
	var named []string
	for line := range strings.SplitSeq(err.Error(), "\n") {
		named = append(named, strings.TrimSuffix(strings.TrimPrefix(line, "POST /write: the number "), " has no range"))
	}
	require.Equal(t, []string{"least", "price", "marks", "one.place", "all.place"}, named)
	require.Equal(t, int64(3650), *specs[0].Fields()[2].Max)
	require.Equal(t, int64(0), *specs[0].Fields()[2].Min)
	require.Panics(t, func() {
		planned[struct {
			A int `json:"a" check:"range=nothing"`
		}]()
	})
}
