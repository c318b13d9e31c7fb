package workload

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/tidwall/gjson"
)

// Check waits until nobody has a call under way and compares the books with what everybody was told.
func (w *World) Check(ctx context.Context) {
	w.t.Helper()
	w.gate.Lock()
	defer w.gate.Unlock()
	w.CheckBooks(ctx)
	w.checkRepeats(ctx)
}

// CheckBooks compares the books with what everybody was told, while nobody has a call under way. It needs no service.
func (w *World) CheckBooks(ctx context.Context) {
	w.t.Helper()
	if err := w.Stack.Verify(ctx); err != nil {
		w.Complain(err)
	}
	w.checkOrders(ctx)
	w.checkPayments(ctx)
	w.checkRefunds(ctx)
}

// checkOrders finds each acknowledged order in a state that its history allows, no other order of ours, and the stock
// and the coupons that follow from them.
func (w *World) checkOrders(ctx context.Context) {
	found := map[int64]int64{}
	rows, err := w.DB.QueryContext(ctx, "SELECT id, order_status FROM orders WHERE id > ?", w.beforeFirst)
	must(w.t, err)
	defer rows.Close()
	for rows.Next() {
		var id, state int64
		must(w.t, rows.Scan(&id, &state))
		found[id] = state
	}
	must(w.t, rows.Err())
	taken := map[int64]int64{}
	for _, o := range w.orders {
		state, exists := found[o.id]
		if !exists {
			w.Complain(fmt.Errorf("order %d was acknowledged and does not exist; %q", o.id, o.history))
			continue
		}
		if err := o.found(state); err != nil {
			w.Complain(err)
		}
		if !ended(state) {
			taken[o.goods.Product]++
		}
	}
	more := len(found) - len(w.orders)
	if more < 0 || more > w.uncertain.orders {
		w.Complain(fmt.Errorf("%d orders exist that nobody was told of, at most %d submissions have no answer",
			more, w.uncertain.orders))
	}
	for product, before := range w.stock {
		left := w.Number(ctx, "SELECT number FROM goods_product WHERE id = ?", product)
		if missing := before - taken[product] - left; missing < 0 || missing > int64(w.uncertain.orders) {
			w.Complain(fmt.Errorf("product %d: %d pieces of %d are left and %d sold", product, left, before, taken[product]))
		}
	}
	coupons := w.Number(ctx, "SELECT COUNT(*) FROM coupon_user WHERE coupon_id = ?", w.coupon)
	if more := coupons - int64(w.received); more < 0 || more > int64(w.uncertain.coupons) {
		w.Complain(fmt.Errorf("%d coupons exist, %d were acknowledged", coupons, w.received))
	}
}

func ended(state int64) bool { return state == 102 || state == 103 || state == 203 }

// records are what the platforms have collected by our numbers, or have returned.
func (w *World) records(ctx context.Context, returned bool) map[string]gjson.Result {
	prefix := "sandbox:paid:"
	if returned {
		prefix = "sandbox:refunded:"
	}
	all := map[string]gjson.Result{}
	for _, key := range w.keys(ctx, prefix+"*") {
		text, err := w.Redis.Get(ctx, key).Result()
		must(w.t, err)
		all[strings.TrimPrefix(key, prefix)] = gjson.Parse(text)
	}
	if p := w.Stack.Platform; p != nil {
		others := p.Collected()
		if returned {
			others = p.Returned()
		}
		for number, text := range others {
			all[number] = gjson.Parse(text)
		}
	}
	return all
}

// checkPayments compares the payments with the platforms' own records: what the shop has collected was paid there, once
// and with this amount.
func (w *World) checkPayments(ctx context.Context) {
	records := w.records(ctx, false)
	rows, err := w.DB.QueryContext(ctx, `SELECT p.out_trade_no, p.transaction_id, p.paid_amount,
			COUNT(*) OVER (PARTITION BY p.order_id)
		FROM payment p WHERE p.order_id > ? AND p.status = 2 AND p.channel IN ('sandbox', 'stripe')`, w.beforeFirst)
	must(w.t, err)
	defer rows.Close()
	for rows.Next() {
		var number, transaction, amount string
		var payments int
		must(w.t, rows.Scan(&number, &transaction, &amount, &payments))
		record, known := records[number]
		if !known {
			w.Complain(fmt.Errorf("payment %s is collected, the platform knows nothing of it", number))
			continue
		}
		if record.Get("TransactionID").String() != transaction || payments != 1 || !sameAmount(record.Get("Amount"), amount) {
			w.Complain(fmt.Errorf("payment %s of %s, one of %d of its order; the platform's record: %s",
				number, amount, payments, record.Raw))
		}
	}
	must(w.t, rows.Err())
}

// checkRefunds compares the refunds likewise: each one that is done was paid back by the platform, once and with this
// amount.
func (w *World) checkRefunds(ctx context.Context) {
	records := w.records(ctx, true)
	rows, err := w.DB.QueryContext(ctx, `SELECT r.out_refund_no, r.amount FROM refund r
		JOIN payment p ON p.id = r.payment_id
		WHERE r.order_id > ? AND r.status = 2 AND p.channel IN ('sandbox', 'stripe')`, w.beforeFirst)
	must(w.t, err)
	defer rows.Close()
	for rows.Next() {
		var number, amount string
		must(w.t, rows.Scan(&number, &amount))
		if record := records[number]; !sameAmount(record.Get("Amount"), amount) {
			w.Complain(fmt.Errorf("refund %s of %s is done; the platform's record: %s", number, amount, record.Raw))
		}
	}
	must(w.t, rows.Err())
	// One whose answer is lost is still released, until the outbox has asked again.
	known := w.Number(ctx, "SELECT COUNT(*) FROM refund WHERE order_id > ? AND status IN (1, 2)", w.beforeFirst)
	if int64(len(records)) > known {
		w.Complain(fmt.Errorf("the platforms have made %d refunds, the shop has or awaits %d", len(records), known))
	}
}

// found is how long the shop may need to find a payment whose notification is lost: the job asks for those older than a
// minute every half a minute.
const found = 2 * time.Minute

// checkRecord finds everything that was paid at the platform collected by the shop, or returned to the shopper.
func (w *World) checkRecord(ctx context.Context) {
	records := w.records(ctx, false)
	for _, record := range records {
		if time.Since(record.Get("Time").Time()) < found {
			continue
		}
		settled := w.Number(ctx, "SELECT COUNT(*) FROM payment WHERE out_trade_no = ? AND status IN (2, 5)",
			record.Get("OutTradeNo").String())
		if settled != 1 {
			w.Complain(fmt.Errorf("%s was paid at the platform, and the shop knows nothing of it", record.Raw))
		}
	}
	if len(records) == 0 {
		w.Complain(errors.New("the platform has no payment"))
	}
}

// keys finds keys on every server that has some.
func (w *World) keys(ctx context.Context, pattern string) []string {
	cluster, ok := w.Redis.(*redis.ClusterClient)
	if !ok {
		keys, err := w.Redis.Keys(ctx, pattern).Result()
		must(w.t, err)
		return keys
	}
	var mu sync.Mutex
	var all []string
	must(w.t, cluster.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error {
		keys, err := node.Keys(ctx, pattern).Result()
		mu.Lock()
		defer mu.Unlock()
		all = append(all, keys...)
		return err
	}))
	return all
}

// sameAmount compares the platform's amount, cents or yuan, with that of a column.
func sameAmount(record gjson.Result, column string) bool {
	cents := strings.Replace(column, ".", "", 1)
	return strings.Trim(record.Raw, `"`) == strings.TrimLeft(cents, "0") || strings.Trim(record.Raw, `"`) == column
}

// checkRepeats repeats calls under their keys: each gives its first answer.
func (w *World) checkRepeats(ctx context.Context) {
	for _, k := range w.kept {
		a, err := w.send(ctx, k.who.Now(), k.path, k.body, k.key)
		if err != nil || a.Errno != k.errno || !bytes.Equal([]byte(a.Data.Raw), []byte(k.data)) {
			w.Complain(fmt.Errorf("%s %s is repeated: %d %s (%w); the first answer: %d %s",
				k.path, k.body, a.Errno, a.Data.Raw, err, k.errno, k.data))
		}
	}
	w.kept = nil
}

// checkMessages finds the messages of each order in the sender's file. A message whose sender is killed between sending
// it and noting so is sent again, so one disturbance may double one message of each of the two workers.
func (w *World) checkMessages(ctx context.Context) {
	text, err := os.ReadFile(w.Stack.Messages)
	must(w.t, err)
	times := map[string]int{}
	for line := range strings.Lines(string(text)) {
		if _, message, ok := strings.Cut(line, " "); ok { // behind the time
			times[message]++
		}
	}
	doubled := 0
	orders := tails(string(text))
	for message, n := range times {
		if !causedAgain(message) {
			doubled += max(0, n-max(1, orders[tailOf(message)]))
		}
	}
	if most := 2 * int(w.Disturbed.Load()); doubled > most {
		w.Complain(fmt.Errorf("%d messages were sent more than once, %d disturbances explain %d", doubled,
			w.Disturbed.Load(), most))
	}
	rows, err := w.DB.QueryContext(ctx, "SELECT order_sn FROM orders WHERE id > ? AND pay_id <> '' AND order_status = 201",
		w.beforeFirst)
	must(w.t, err)
	defer rows.Close()
	for rows.Next() {
		var number string
		must(w.t, rows.Scan(&number))
		if !strings.Contains(string(text), number) {
			w.Complain(fmt.Errorf("order %s is paid, no message says so", number))
		}
	}
	must(w.t, rows.Err())
}

// A text message names the end of an order's number, a mail the whole number.
var (
	wholeNumber = regexp.MustCompile(`订单 (\d+(\d{6}))`)
	endOfNumber = regexp.MustCompile(`尾号 (\d{6})`)
)

// tails counts the orders whose numbers have the same end.
func tails(text string) map[string]int {
	known, count := map[string]bool{}, map[string]int{}
	for _, found := range wholeNumber.FindAllStringSubmatch(text, -1) {
		if number, tail := found[1], found[2]; !known[number] {
			known[number] = true
			count[tail]++
		}
	}
	return count
}

// tailOf is the end of the number that a text message names, if any.
func tailOf(message string) string {
	if found := endOfNumber.FindStringSubmatch(message); found != nil {
		return found[1]
	}
	return ""
}

// causedAgain reports that an order may cause a message with the same words more than once: a refund that is asked for
// again after a rejection, and a second payment that comes too late.
func causedAgain(message string) bool {
	return strings.HasPrefix(message, "mail 退款申请:") || strings.HasPrefix(message, "mail 支付异常:")
}

// Settle sends everybody home and checks again once the jobs have had time to finish what was left.
func (w *World) Settle(ctx context.Context) {
	w.t.Helper()
	w.Leave()
	w.Drain(ctx)
	w.Check(ctx)
	w.checkMessages(ctx)
	w.checkRecord(ctx)
}

// Drain waits until the outbox has nothing to deliver. An event that failed while something was disturbed is tried
// again after a pause.
func (w *World) Drain(ctx context.Context) {
	const timeout = 2 * time.Minute
	for end := time.Now().Add(timeout); w.Number(ctx, "SELECT COUNT(*) FROM outbox_event WHERE state = 0") > 0; {
		if time.Now().After(end) {
			w.Complain(fmt.Errorf("the outbox is not empty after %s", timeout))
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}
