package workload

import (
	"testing"
	"time"

	"shop.internal/pkg/test/reliability/client"
)

// The history of an order permits what the life of orders permits, and nothing else.
func TestHistories(t *testing.T) {
	placed := func() *order { return &order{states: states{client.Unpaid: true}} }
	allowed := map[string]func(o *order) error{
		"cancelled":                  func(o *order) error { return o.succeeded("cancel") },
		"paid without a word":        func(o *order) error { o.prepaid = true; return o.found(client.Paid) },
		"refused after the payment":  func(o *order) error { o.prepaid = true; return o.refused("cancel", 725) },
		"not paid yet":               func(o *order) error { o.prepaid = true; return o.found(client.Unpaid) },
		"cancelled without a word":   func(o *order) error { o.unanswered("cancel"); return o.found(client.Cancelled) },
		"not cancelled after all":    func(o *order) error { o.unanswered("cancel"); return o.found(client.Unpaid) },
		"ended with its group":       func(o *order) error { o.grouped = true; return o.found(client.Expired) },
		"refunded after the payment": func(o *order) error { o.prepaid = true; return last(o, "refund", "pay out") },
		"ended by the time":          func(o *order) error { o.due = time.Now().Add(-time.Second); return o.found(client.Expired) },
		"received": func(o *order) error {
			o.prepaid = true
			if err := last(o, "ship", "confirm"); err != nil {
				return err
			}
			return o.found(client.Received)
		},
	}
	forbidden := map[string]func(o *order) error{
		"paid without a payment":     func(o *order) error { return o.found(client.Paid) },
		"cancelled by nobody":        func(o *order) error { return o.found(client.Cancelled) },
		"ended before the time":      func(o *order) error { o.due = time.Now().Add(time.Hour); return o.found(client.Expired) },
		"cancelled twice":            func(o *order) error { return last(o, "cancel", "cancel") },
		"shipped unpaid":             func(o *order) error { return o.succeeded("ship") },
		"refused without a reason":   func(o *order) error { return o.refused("cancel", 725) },
		"revived":                    func(o *order) error { o.prepaid = true; _ = o.succeeded("cancel"); return o.found(client.Paid) },
		"a cancellation that is off": func(o *order) error { _ = o.succeeded("cancel"); return o.found(client.Unpaid) },
		"refunded after the parcel":  func(o *order) error { o.prepaid = true; return last(o, "ship", "refund") },
	}
	for name, happens := range allowed {
		if err := happens(placed()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, happens := range forbidden {
		if happens(placed()) == nil {
			t.Errorf("%s: it is accepted", name)
		}
	}
}

// last makes calls succeed and returns what the last one says.
func last(o *order, calls ...string) (err error) {
	for _, call := range calls {
		err = o.succeeded(call)
	}
	return err
}

// Two orders may end in the same digits, so that the same words are said of both.
func TestTails(t *testing.T) {
	const text = "mail 新订单已付款: 订单 202611252079079125，金额 239.00\nmail 新订单已付款: 订单 202611254369079125，金额 238.00\n" +
		"mail 退款申请: 订单 202611254369079125，金额 238.00\nmail 新订单已付款: 订单 202611254369079126，金额 1.00\n"
	if got := tails(text); got["079125"] != 2 || got["079126"] != 1 {
		t.Error(got)
	}
	if got := tailOf("sms 13900000005 您的订单（尾号 079125）已付款成功。"); got != "079125" {
		t.Error(got)
	}
}
