package promotion_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/promotion"
)

// memberTable is the life of a group member according to the contract: all transitions.
var memberTable = map[promotion.MemberStatus]map[promotion.MemberEvent]promotion.MemberStatus{
	0: {promotion.MemberPay: 1, promotion.MemberPayLate: 3, promotion.MemberCancel: 3, promotion.MemberDissolve: 3},
	1: {promotion.MemberComplete: 2, promotion.MemberLeave: 3, promotion.MemberDissolve: 3},
	2: {}, 3: {},
}

func TestMemberTable(t *testing.T) {
	t.Parallel()
	for status := promotion.MemberStatus(-1); status < 10; status++ {
		for _, e := range []promotion.MemberEvent{
			promotion.MemberPay, promotion.MemberPayLate, promotion.MemberCancel, promotion.MemberComplete, promotion.MemberLeave,
			promotion.MemberDissolve, "",
		} {
			to, ok := status.Next(e)
			want, allowed := memberTable[status][e]
			require.Equal(t, allowed, ok, "%s in %d", e, status)
			require.Equal(t, want, to, "%s in %d", e, status)
		}
		require.Equal(t, status == 0 || status == 1, status.Open(), status)
	}
}
