package consistency_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/consistency"
	"shop.internal/pkg/domain/order"
)

// Every state of orders has a row in the table of facts, which agrees with what package order takes for ended, done and
// sold.
func TestEveryStateOfOrdersHasItsFacts(t *testing.T) {
	t.Parallel()
	const where = "pkg/domain/consistency/states.go"
	known := consistency.Facts()
	var ended []order.Status
	for _, s := range order.Life().States() {
		require.Contains(t, known, s, "state %d of orders is new: say in facts, %s, what holds of an order in it", s, where)
		if s.Ended() {
			ended = append(ended, s)
		}
	}
	require.Len(t, known, len(order.Life().States()), "a row of facts, %s, is of no state", where)
	require.ElementsMatch(t, ended, consistency.StatesOf("order_free"))
	require.ElementsMatch(t, order.Done(), consistency.StatesOf("order_received"))
	require.ElementsMatch(t, order.Sold(), consistency.StatesOf("order_sold"))
}
