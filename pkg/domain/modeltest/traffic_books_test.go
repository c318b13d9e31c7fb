package modeltest_test

import (
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/consistency"
	"shop.internal/pkg/domain/payment"
)

// check compares the books with what is known from outside, after settle.
func (c *crowd) check() {
	c.t.Helper()
	c.checkStock()
	c.checkCoupons()
	c.checkGroups()
	c.checkMoney()
	for _, d := range c.Disagreements() {
		c.t.Error(d.String())
	}
}

// checkStock: what was there and what operators added is on the shelf or in an order that still has it.
func (c *crowd) checkStock() {
	c.t.Helper()
	for _, w := range c.goods {
		sold := c.Int(`SELECT COALESCE(SUM(l.number - COALESCE((SELECT SUM(b.number) FROM aftersale_line b
				JOIN aftersale a ON a.id = b.aftersale_id AND a.status = 3 AND a.type = 2 WHERE b.order_goods_id = l.id), 0)), 0)
			FROM order_goods l JOIN orders o ON o.id = l.order_id
			WHERE l.product_id = ? AND o.order_status NOT IN (102, 103, 203) AND NOT EXISTS (SELECT 1 FROM aftersale a
				WHERE a.order_id = o.id AND a.status = 3 AND a.type = 2 AND a.deleted = 0
					AND NOT EXISTS (SELECT 1 FROM aftersale_line b WHERE b.aftersale_id = a.id))`, w.ProductID)
		if got, want := c.Stock(w), piecesOf+c.edited[w.ProductID]-int(sold); got != want || got < 0 {
			c.t.Errorf("product %d has %d pieces, not %d", w.ProductID, got, want)
		}
	}
}

// checkCoupons: no more than there are, no more than one may have, and each used by the one order that it paid for.
func (c *crowd) checkCoupons() {
	c.t.Helper()
	for what, query := range map[string]string{
		"given out, more than there are": `SELECT GREATEST(0, COUNT(*) - ` + strconv.Itoa(couponTotal) + `) FROM coupon_user
			WHERE coupon_id = ?`,
		"shoppers with too many": `SELECT COUNT(*) FROM (SELECT user_id FROM coupon_user WHERE coupon_id = ?
			GROUP BY user_id HAVING COUNT(*) > ` + strconv.Itoa(couponLimit) + `) many`,
		"used by other than one order": `SELECT COUNT(*) FROM coupon_user u WHERE coupon_id = ? AND (u.status = 1) <>
			(SELECT COUNT(*) FROM orders o WHERE o.coupon_user_id = u.id AND o.order_status NOT IN (102, 103, 203))`,
	} {
		if n := c.Int(query, c.coupon); n != 0 {
			c.t.Errorf("coupons %s: %d", what, n)
		}
	}
}

// checkGroups: a group is whole or has failed, and no member has a seat too many.
func (c *crowd) checkGroups() {
	c.t.Helper()
	for _, of := range c.Texts(`SELECT CONCAT_WS(' ', COUNT(*), MIN(status), MAX(status)) FROM groupon WHERE rules_id = ?
		AND status <> 3 GROUP BY COALESCE(groupon_id, id)`, c.rule) {
		if want := strconv.Itoa(groupOf) + " 2 2"; of != want {
			c.t.Errorf("a group has the members and states %s, not %s", of, want)
		}
	}
}

// checkMoney: of every order the platform has what the database says, and what the state of the order demands.
func (c *crowd) checkMoney() {
	c.t.Helper()
	has := map[string]money.Amount{}
	for _, n := range c.taken {
		has[orderOf(n.OutTradeNo)] += n.Amount
	}
	returned := map[string]payment.RefundRequest{}
	made := []map[string]payment.RefundRequest{c.toy.Refunds()}
	for _, d := range c.processes {
		made = append(made, d.Sandbox.Refunds())
	}
	for _, refunds := range made {
		for number, r := range refunds {
			if before, twice := returned[number]; twice && before != r {
				c.t.Errorf("refund %s was requested as %+v and as %+v", number, before, r)
			}
			returned[number] = r
		}
	}
	for number, r := range returned {
		n, ok := c.taken[r.TransactionID]
		if !ok {
			continue // of another seed
		}
		sn := orderOf(n.OutTradeNo)
		if has[sn] -= r.Amount; has[sn] < 0 {
			c.t.Errorf("refund %s of order %s returns more than was paid", number, sn)
		}
	}
	for _, o := range c.orders {
		stored := c.cents("SELECT COALESCE(SUM(paid_amount - refunded_amount), 0) FROM payment WHERE order_id = ?", o.id)
		due := c.cents(`SELECT IF(order_status NOT IN (101, 102, 103, 203), actual_price - COALESCE((SELECT SUM(amount)
			FROM refund r WHERE r.order_id = o.id AND r.aftersale_id <> 0 AND r.status = 2), 0), 0) FROM orders o WHERE id = ?`, o.id)
		if has[o.sn] != stored || stored != due {
			c.t.Errorf("of order %d in %d the platform has %s, the database says %s, and it should be %s", o.id,
				c.Int("SELECT order_status FROM orders WHERE id = ?", o.id), has[o.sn], stored, due)
		}
	}
}

// orderOf is the number of the order of a payment: later ones have a suffix.
func orderOf(outTradeNo string) string {
	sn, _, _ := strings.Cut(outTradeNo, "-")
	return sn
}

func (c *crowd) cents(query string, args ...any) money.Amount {
	c.t.Helper()
	amount, err := money.Parse(c.Text(query, args...))
	require.NoError(c.t, err, query)
	return amount
}

// whileVerifying verifies the books beside the traffic until the function that it returns is called.
func (c *crowd) whileVerifying() func() {
	var found []consistency.Disagreement
	stop, verified := make(chan struct{}), make(chan int)
	go func() {
		rounds := 0
		found, rounds = c.verifying(stop)
		verified <- rounds
	}()
	return func() {
		close(stop)
		rounds := <-verified
		for _, d := range found {
			c.t.Errorf("under traffic: %s", d)
		}
		c.t.Logf("verified %d times under traffic", rounds)
	}
}

// verifying verifies the books again and again until stop is closed, and returns what it finds. The operators of the
// traffic exist by their numbers alone.
func (c *crowd) verifying(stop <-chan struct{}) (found []consistency.Disagreement, rounds int) {
	for {
		select {
		case <-stop:
			return found, rounds
		default:
		}
		err := c.Consistency.Verify(c.t.Context(), func(d consistency.Disagreement) error {
			if d.Expected != "a row of admin" {
				found = append(found, d)
			}
			return nil
		}, nil)
		if err != nil {
			c.t.Error(err)
			return found, rounds
		}
		rounds++
	}
}
