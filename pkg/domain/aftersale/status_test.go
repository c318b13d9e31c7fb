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
	0: {Request: 1, RequestLines: 1},
	1: {Request: 1, RequestLines: 1, Cancel: 5, Accept: 2, Reject: 4},
	2: {Refund: 3, Exchange: 6, RejectGoods: 4},
	3: {RequestLines: 1},
	4: {Request: 1, RequestLines: 1},
	5: {Request: 1, RequestLines: 1},
	6: {RequestLines: 1},
}

// Tries every event in every state: all transitions that are not listed here are refused.
func TestEveryTransition(t *testing.T) {
	t.Parallel()
	states := []Status{None, Requested, Accepted, Refunded, Rejected, Cancelled, Exchanged, 7, -1}
	events := []Event{Request, RequestLines, Cancel, Accept, Reject, RejectGoods, Refund, Exchange, "", "lose"}
	for _, from := range states {
		for _, e := range events {
			to, ok := from.Next(e)
			wanted, allowed := byContract[from][e]
			require.Equal(t, allowed, ok, "%s in %d", e, from)
			require.Equal(t, wanted, to, "%s in %d", e, from)
		}
		require.Equal(t, from == 1 || from == 2, from.Open(), from)
	}
	require.Len(t, moves.States(), 7, "every state is in the allowed")
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
func TestOptions(t *testing.T) {
	t.Parallel()
	price := order.Price{Actual: 5000, Freight: 800}
	for _, status := range []order.Status{order.Unpaid, order.Paid, order.Shipped, order.Received, order.AutoReceived} {
		for c := None; c <= Exchanged; c++ {
			h := history{cases: []Case{{ID: 1, Status: c, Amount: 1200}}}
			_, request := byContract[c][Request]
			_, lines := byContract[c][RequestLines]
			_, cancel := byContract[c][Cancel]
			received := status == order.Received || status == order.AutoReceived
			want := Options{Submit: received && request, Lines: received && lines, Cancel: cancel, Most: 4200}
			if c == Refunded {
				want.Most = 3000
			}
			held := []Holding{{Line: order.Line{Number: 2}, Refunded: 1}}
			require.Equal(t, want, h.options(order.Order{Status: status, Price: price}, held), "%d, case in %d", status, c)
			want.Lines = false
			held[0].Exchanged = 1
			require.Equal(t, want, h.options(order.Order{Status: status, Price: price}, held), "nothing is left")
		}
	}
	settled := history{cases: []Case{{ID: 1, Status: Refunded}, {ID: 2, Status: Rejected}}}
	held := []Holding{{Line: order.Line{Number: 2}}}
	got := settled.options(order.Order{Status: order.Received, Price: price}, held)
	require.Equal(t, Options{Submit: false, Lines: true, Most: 4200}, got, "a part was refunded already")
	back := history{cases: []Case{{ID: 1, Status: Accepted, Type: Returned}}}
	require.True(t, back.options(order.Order{Status: order.Received}, held).Parcel)
}
