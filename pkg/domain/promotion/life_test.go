package promotion_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/promotion"
)

// partTable is the life of a part as the contract writes it: all that can happen.
var partTable = map[promotion.PartStatus]map[promotion.PartEvent]promotion.PartStatus{
	0: {promotion.PartPay: 1, promotion.PartPayLate: 3, promotion.PartCancel: 3, promotion.PartDissolve: 3},
	1: {promotion.PartComplete: 2, promotion.PartLeave: 3, promotion.PartDissolve: 3},
	2: {}, 3: {},
}

func TestPartTable(t *testing.T) {
	for status := promotion.PartStatus(-1); status < 10; status++ {
		for _, e := range []promotion.PartEvent{
			promotion.PartPay, promotion.PartPayLate, promotion.PartCancel, promotion.PartComplete, promotion.PartLeave,
			promotion.PartDissolve, "",
		} {
			to, ok := status.Next(e)
			want, allowed := partTable[status][e]
			require.Equal(t, allowed, ok, "%s in %d", e, status)
			require.Equal(t, want, to, "%s in %d", e, status)
		}
		require.Equal(t, status == 0 || status == 1, status.Open(), status)
	}
}
