package modeltest_test

import (
	"context"
	"errors"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/sandbox"
)

// channel is that of a provider, mostly the first.
func (p player) channel() string {
	if p.IntN(3) == 0 {
		return toy
	}
	return sandbox.Code
}

func (p player) prepay(o bought, channel string) error {
	_, err := p.on.Orders.Prepay(p.ctx, o.buyer.id, o.id, "192.0.2.1", channel, "")
	return err
}

// pay prepays and is taken by the platform, which sends its notification now, twice, or later.
func (p player) pay(o bought) error {
	channel := p.channel()
	if err := p.prepay(o, channel); err != nil {
		return err
	}
	return p.notice(o, channel, "one", 0)
}

// notice is a transaction at the platform of a channel and, mostly, its notification.
func (p player) notice(o bought, channel, name string, more money.Amount) error {
	if o.amount == 0 {
		return nil // no platform takes nothing
	}
	number := p.Text(`SELECT COALESCE((SELECT out_trade_no FROM payment WHERE order_id = ? AND channel = ?
		AND out_trade_no NOT LIKE '%~%' ORDER BY id DESC LIMIT 1), ?)`, o.id, channel, o.sn)
	n := payment.Notification{
		Channel: channel, ID: name + number, OutTradeNo: number, TransactionID: channel + name + "-" + number,
		Amount: o.amount + more, Currency: "CNY", Time: p.Clock.Now(),
	}
	if more == 0 {
		p.mu.Lock()
		p.taken[n.TransactionID] = n
		p.mu.Unlock()
	}
	var err error
	for range p.IntN(3) {
		err = errors.Join(err, p.deliver(p.ctx, n))
	}
	return err
}

func (p player) deliver(ctx context.Context, n payment.Notification) error {
	if n.Channel == toy {
		header, body := p.toy.Compose(n)
		return p.on.Orders.HandleNotification(ctx, "", header, body)
	}
	header, body, err := p.on.Sandbox.Compose(ctx, n)
	if err != nil {
		return err
	}
	return p.on.Orders.HandleNotification(ctx, "", header.Get, body)
}
