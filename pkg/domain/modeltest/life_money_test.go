package modeltest_test

import (
	"fmt"
	"maps"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/payment"
)

// compareMoney compares what the platform has returned with the model: each transaction once and whole, or not at all.
func (b *batch) compareMoney() {
	b.t.Helper()
	back := map[string]money.Amount{}
	for _, made := range []map[string]payment.RefundRequest{b.Sandbox.Refunds(), b.toy.Refunds()} {
		for _, r := range made {
			back[r.TransactionID] += r.Amount
		}
	}
	for _, r := range b.runs {
		for _, transaction := range []string{"one", "two", toy} {
			want := r.life.given(transaction)
			if got := back[r.transaction(transaction)]; got != want {
				b.disagree(r, "the platform has returned %s of transaction %s, not %s", got, transaction, want)
			}
		}
	}
}

// compareMessages compares the messages about each order with the model.
func (b *batch) compareMessages() {
	b.t.Helper()
	told := map[int64]map[string]int{}
	for _, line := range b.Texts(`SELECT CONCAT_WS(' ', aggregate_id, topic, COUNT(*)) FROM outbox_event
		WHERE topic IN ('order.paid', 'order.refund-asked', 'order.shipped', 'order.refunded') GROUP BY aggregate_id, topic`) {
		var order int64
		var topic string
		var n int
		_, err := fmt.Sscan(line, &order, &topic, &n)
		require.NoError(b.t, err)
		if told[order] == nil {
			told[order] = map[string]int{}
		}
		told[order][topic] = n
	}
	for _, r := range b.runs {
		if !maps.Equal(told[r.order], r.life.announced) {
			b.disagree(r, "the messages are %v, not %v", told[r.order], r.life.announced)
		}
	}
}
