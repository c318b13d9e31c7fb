package report

import (
	"fmt"

	"shop.internal/pkg/domain/order"
)

// steps are the transitions of orders as the log shows them, in pairs.
func steps() [][]any {
	all := [][]any{{0, order.Unpaid}, {0, order.Paid}, {order.Shipped, order.Shipped}} // the last corrects a parcel
	for _, s := range order.Life().Steps() {
		all = append(all, []any{s.From, s.To})
	}
	return all
}

// reasons is the event of a step t: the machine has one between two states, and none places an order.
func reasons() string {
	text := "CASE"
	life := order.Life()
	for _, from := range life.States() {
		for _, e := range life.Events(from) {
			to, _ := from.Next(e)
			text += fmt.Sprintf(" WHEN t.from_status = %d AND t.to_status = %d THEN %s", from, to, literal(string(e)))
		}
	}
	return text + " ELSE '' END"
}

// replay is the log of a range of orders, with the step before each.
const replay = `(
		SELECT h.*, LAG(h.to_status) OVER w AS state, LAG(h.add_time) OVER w AS since,
			ROW_NUMBER() OVER (PARTITION BY h.order_id ORDER BY h.add_time DESC, h.id DESC) AS n
		FROM order_status_log h
		WHERE h.order_id BETWEEN @lo AND @hi
		WINDOW w AS (PARTITION BY h.order_id ORDER BY h.add_time, h.id)) s`

// historyRules replay the state machine of orders over their log: it begins with the order, each step continues the one
// before and is a transition of the machine, and the last one leads to the state of the order. Orders of another shop
// begin with its last state.
func historyRules() []rule {
	return []rule{
		{"order_status (against order_status_log)", `
			SELECT t.id AS row_key, t.order_status AS says, s.to_status AS should
			FROM orders t
			LEFT JOIN ` + replay + ` ON s.order_id = t.id AND s.n = 1
			WHERE t.id BETWEEN @lo AND @hi AND NOT (s.to_status <=> t.order_status)`},
		{"order_status_log (replayed)", `
			SELECT s.order_id AS row_key, CONCAT(s.from_status, ' to ', s.to_status) AS says,
				CONCAT('a transition of ', COALESCE(s.state, 0)) AS should
			FROM ` + replay + `
			WHERE s.actor_type <> @by_import
				AND (s.from_status <> COALESCE(s.state, 0) OR (s.from_status, s.to_status) NOT IN @order_steps)`},
		{"times (against order_status_log)", `
			SELECT t.id AS row_key, CONCAT_WS(' ', t.add_time, t.pay_time, t.ship_time, t.confirm_time, t.end_time,
				IF(t.order_status = @order_refunded, t.refund_time, NULL))
				AS says, CONCAT_WS(' ', s.placed, s.paid, s.shipped, s.received, s.ended) AS should
			FROM orders t
			JOIN (
				SELECT h.order_id, MIN(IF(h.from_status = @order_none, h.add_time, NULL)) AS placed,
					MAX(IF(h.to_status = @order_paid AND h.from_status <> @order_refund_asked, h.add_time, NULL)) AS paid,
					MIN(IF(h.to_status = @order_sent, h.add_time, NULL)) AS shipped,
					MAX(IF(h.to_status IN @order_received, h.add_time, NULL)) AS received,
					MAX(IF(h.to_status IN @order_free, h.add_time, NULL)) AS ended,
					MAX(h.actor_type = @by_import) AS foreigner
				FROM order_status_log h
				WHERE h.order_id BETWEEN @lo AND @hi
				GROUP BY h.order_id) s ON s.order_id = t.id AND s.foreigner = 0
			WHERE t.id BETWEEN @lo AND @hi AND (` + apart("t.add_time", "s.placed") + ` OR ` + apart("t.pay_time", "s.paid") +
			` OR ` + apart("t.ship_time", "s.shipped") + ` OR ` + apart("t.confirm_time", "s.received") +
			` OR ` + apart("t.end_time", "s.ended") +
			` OR t.order_status = @order_refunded AND ` + apart("t.refund_time", "s.ended") + `)`},
	}
}

// near is the condition that two times of one event are equal, but for the clocks of processes and a transaction that
// waits: they are at most two hours apart.
func near(a, b string) string { return "ABS(TIMESTAMPDIFF(SECOND, " + a + ", " + b + ")) <= 7200" }

// apart is the condition that one of two times is missing, or that they are not near.
func apart(a, b string) string {
	return "((" + a + " IS NULL) <> (" + b + " IS NULL) OR NOT " + near(a, b) + ")"
}

// historyChecks compare the steps of orders with who may make them. They demand no audit record of an operator's step:
// programs that use the domain without a call leave none.
func historyChecks() []check {
	const order = "LEFT JOIN orders o ON o.id = t.order_id"
	by := func(steps, who, should string) check {
		return must("actor_type", "NOT ("+steps+") OR t.actor_type IN ("+who+", @by_import)", should)
	}
	return []check{
		must("reason", "t.from_status = t.to_status OR t.reason = "+reasons()+" OR NOT "+placedHere("t.order_id"),
			"the event of the step"),
		must("add_time", "t.to_status <> @order_refund_asked OR NOT "+placedHere("t.order_id")+" OR EXISTS (SELECT 1 "+
			"FROM refund r WHERE r.order_id = t.order_id AND r.aftersale_id = 0 AND "+near("r.add_time", "t.add_time")+")",
			"when the refund was asked for"),
		must("add_time", "t.from_status <> @order_refund_asked OR t.to_status <> @order_paid OR NOT "+
			placedHere("t.order_id")+" OR EXISTS (SELECT 1 FROM refund r WHERE r.order_id = t.order_id AND r.aftersale_id = 0 "+
			"AND r.status = @refund_rejected AND "+near("r.update_time", "t.add_time")+")", "when the refund was rejected"),
		among("actor_type", "actors"),
		must("to_status", "t.to_status IN @order_states OR t.actor_type = @by_import", "a state of orders"),
		must("actor_id", "t.actor_type <> @by_shopper OR t.actor_id = o.user_id", "the shopper of the order").
			with("orders", order),
		must("actor_id", "t.actor_type IN @people OR t.actor_id = 0", "0 for what is no person"),
		by("t.from_status = @order_none", "@by_shopper", "the shopper who orders"),
		by("t.to_status = @order_cancelled", "@by_shopper", "the shopper who cancels"),
		by("t.to_status = @order_confirmed", "@by_shopper", "the shopper who receives"),
		by("t.to_status = @order_sent", "@by_operator", "an operator who ships"),
		by("t.to_status IN @order_by_time", "@by_system", "the shop by time"),
	}
}
