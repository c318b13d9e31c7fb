package aftersale

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/order"
)

// byContract is the life of a case as the contract describes it.
var byContract = map[Status]map[Event]Status{
	0: {Request: 1},
	1: {Request: 1, Cancel: 5, Accept: 2, Reject: 4},
	2: {Refund: 3},
	4: {Request: 1},
	5: {Request: 1},
}

// Tries every event in every state: all transitions that are not listed here are refused.
func TestEveryTransition(t *testing.T) {
	t.Parallel()
	states := []Status{None, Requested, Accepted, Refunded, Rejected, Cancelled, 6, -1}
	events := []Event{Request, Cancel, Accept, Reject, Refund, "", "lose"}
	for _, from := range states {
		for _, e := range events {
			to, ok := from.Next(e)
			wanted, allowed := byContract[from][e]
			require.Equal(t, allowed, ok, "%s in %d", e, from)
			require.Equal(t, wanted, to, "%s in %d", e, from)
		}
		require.Equal(t, from == 1 || from == 2, from.Open(), from)
	}
	require.Len(t, moves.States(), 6, "every state is in the allowed")
}

// The section of the documentation contains every transition and no other.
func TestWriteLife(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	require.NoError(t, WriteLife(&page))
	drawn := 1 // the initial transition
	for from, to := range byContract {
		for e, status := range to {
			drawn++
			require.Contains(t, page.String(), fmt.Sprintf("    %d --> %d: %s\n", from, status, e))
		}
	}
	require.Equal(t, drawn, strings.Count(page.String(), "-->"))
}

// What shoppers are offered is what a request or a withdrawal would be granted.
func TestOptionsOf(t *testing.T) {
	t.Parallel()
	price := order.Price{Actual: 5000, Freight: 800}
	for _, status := range []order.Status{order.Unpaid, order.Paid, order.Shipped, order.Received, order.AutoReceived} {
		for c := None; c <= Cancelled; c++ {
			got := OptionsOf(order.Order{Status: status, Price: price}, Case{Status: c})
			_, request := byContract[c][Request]
			_, cancel := byContract[c][Cancel]
			received := status == order.Received || status == order.AutoReceived
			require.Equal(t, Options{Submit: received && request, Cancel: cancel, Most: 4200}, got, "%d, case in %d", status, c)
		}
	}
}
