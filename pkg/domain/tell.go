package domain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/outbox"
)

// tellPeople names who learns of what happens to orders: shoppers by SMS, operators by mail. A shop without a sender
// tells nobody and is content with that.
func (d *Domain) tellPeople() {
	for _, topic := range order.Topics() {
		d.Outbox.Handle(topic, d.tell)
	}
	d.Outbox.OnGiveUp(func(ctx context.Context, e outbox.Event, cause error) {
		d.log.ErrorContext(ctx, "outbox event given up", "topic", e.Topic, "key", e.Key, "err", cause.Error())
		text := fmt.Sprintf("%s 未能送达，已停止重试；可用 shopctl outbox 查看并重试。", e.Key)
		if err := d.Access.Notify(ctx, "后台任务失败", text); err != nil {
			d.log.ErrorContext(ctx, "notice to operators", "err", err.Error())
		}
	})
}

// tell sends what one event has to say. The number's last six digits are enough for a shopper to know his order by.
func (d *Domain) tell(ctx context.Context, e outbox.Event) error {
	var n order.News
	if err := json.Unmarshal([]byte(e.Payload), &n); err != nil {
		return fmt.Errorf("read the event: %w: %w", outbox.ErrNever, err)
	}
	tail := n.SN[max(0, len(n.SN)-6):]
	var err error
	switch e.Topic {
	case order.TopicPaid:
		err = errors.Join(
			d.sender.Mail(ctx, "新订单已付款", "订单 "+n.SN+"，金额 "+n.Amount),
			d.sender.SMS(ctx, n.Mobile, "您的订单（尾号 "+tail+"）已付款成功。"))
	case order.TopicRefundAsked:
		err = d.sender.Mail(ctx, "退款申请", "订单 "+n.SN+"，金额 "+n.Amount)
	case order.TopicShipped:
		err = d.sender.SMS(ctx, n.Mobile, "您的订单（尾号 "+tail+"）已发货："+n.Channel+" "+n.ShipSN)
	case order.TopicRefunded:
		err = d.sender.SMS(ctx, n.Mobile, "您的订单（尾号 "+tail+"）已退款。")
	case order.TopicAlarm:
		if err := d.Access.Notify(ctx, "支付异常", n.SN+" "+n.Text); err != nil {
			return err
		}
		err = d.sender.Mail(ctx, "支付异常", n.SN+" "+n.Text)
	}
	if errors.Is(err, notify.ErrUnsupported) {
		return nil
	}
	return err
}
