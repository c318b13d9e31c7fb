package app_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/runtime/outbox"
)

// news queues an event about an order like the order area.
func news(s *domaintest.Shop, topic, key string, n order.EventPayload) {
	s.InTx(func(tx *db.Tx) error { return s.Outbox.Add(context.Background(), tx, topic, key, 7, n) })
}

// deliver runs both deliverers once.
func deliver(t *testing.T, s *domaintest.Shop) {
	t.Helper()
	for range 2 { // the first round queues the messages of an event
		_, err := s.Outbox.Deliver(t.Context())
		require.NoError(t, err)
		_, err = s.Outbox.DeliverAside(t.Context())
		require.NoError(t, err)
	}
}

var paid = order.EventPayload{SN: "203001021234567890", Mobile: "13900000001", Amount: "36.00"}

// The mail to operators and the text message to the shopper are separate effects: the one that fails is retried alone,
// and neither is repeated or lost because of the other.
func TestOneFailingSenderNeitherRepeatsNorHidesAnother(t *testing.T) {
	t.Parallel()
	mail, sms := "mail 新订单已付款 订单 203001021234567890，金额 36.00", "sms 13900000001 您的订单（尾号 567890）已付款成功。"
	for name, failing := range map[string]notify.Kind{"mail": notify.ByMail, "text messages": notify.ByPhone} {
		t.Run(name+" fail", func(t *testing.T) {
			s := domaintest.Open(t)
			s.Messages.FailBy(failing, errors.New("down"))
			news(s, order.TopicPaid, "order.paid:7:1", paid)
			deliver(t, s)
			reached := []string{mail}
			if failing == notify.ByMail {
				reached = []string{sms}
			}
			require.Equal(t, reached, s.Messages.All(), "the other one has gone out")
			require.Equal(t, 1, s.Messages.Tried(failing))
			for range 3 {
				s.Clock.Move(time.Minute)
				deliver(t, s)
			}
			require.Equal(t, reached, s.Messages.All(), "and only once")
			require.Greater(t, s.Messages.Tried(failing), 3)
			s.Messages.FailBy(failing, nil)
			s.Clock.Move(time.Hour)
			deliver(t, s)
			require.ElementsMatch(t, []string{mail, sms}, s.Messages.All())
			s.Clock.Move(time.Hour)
			deliver(t, s)
			require.Len(t, s.Messages.All(), 2)
		})
	}
}

// An alarm is a notice and a mail; the notice is delivered once, whatever happens to the mail.
func TestAnAlarmIsNoticedOnce(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Operator("keeper")
	s.Messages.FailBy(notify.ByMail, errors.New("down"))
	news(s, order.TopicAlarm, "payment.alarm:1", order.EventPayload{SN: paid.SN, Text: "多收了钱"})
	for range 20 {
		deliver(t, s)
		s.Clock.Move(time.Hour)
	}
	require.Equal(t, []string{"支付异常", "后台任务失败"}, s.Texts("SELECT title FROM notice ORDER BY id"))
	require.Equal(t, "订单 203001021234567890：多收了钱", s.Text("SELECT content FROM notice ORDER BY id LIMIT 1"))
	id := s.Text("SELECT id FROM outbox_event WHERE topic = 'mail.send'")
	require.Equal(t, "mail:payment.alarm:1 多次未能完成，已停止重试。用 shopctl outbox list 查看，用 shopctl outbox retry "+id+" 重试。",
		s.Text("SELECT content FROM notice ORDER BY id DESC LIMIT 1"))
}

// The reason of an alarm, and the description for the payer, are in the shop's language.
func TestAlarmsInTheShopsLanguage(t *testing.T) {
	t.Parallel()
	for language, want := range map[string][2]string{
		"zh": {"支付异常", "：订单已不在等待付款，却收到了款项；正在原路退回"},
		"en": {"A payment needs attention", ": money arrived for an order that no longer awaits payment; it is being refunded"},
	} {
		s := domaintest.Open(t)
		s.Operator("keeper")
		d := s.Speaking(language)
		lin := s.Shopper("lin")
		id := s.Order(lin, s.Product("tea", 10000, 10))
		_, err := d.Orders.Prepay(t.Context(), lin, id, "192.0.2.1", "", "")
		require.NoError(t, err)
		header, body, err := s.Sandbox.Compose(t.Context(), s.Notification(id))
		require.NoError(t, err)
		require.NoError(t, d.Orders.Cancel(t.Context(), lin, id))
		require.NoError(t, d.Orders.HandleNotification(t.Context(), "", header.Get, body))
		for range 2 {
			_, err := d.Outbox.Deliver(t.Context())
			require.NoError(t, err)
		}
		require.Equal(t, want[0], s.Text("SELECT title FROM notice"))
		require.Contains(t, s.Text("SELECT content FROM notice"), want[1])
	}
}

// Without a sender, notifications are dropped.
func TestAShopWithoutSenders(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Messages.Fail(notify.ErrUnsupported)
	news(s, order.TopicPaid, "order.paid:7:1", paid)
	news(s, order.TopicShipped, "order.shipped:7:1", paid)
	deliver(t, s)
	require.Zero(t, s.Int("SELECT COUNT(*) FROM outbox_event WHERE state <> 1"))
	require.Zero(t, s.Messages.Tried(notify.ByPhone)+s.Messages.Tried(notify.ByMail))
}

// An unreadable message is given up at once; a notice that cannot be delivered causes no further notice.
func TestUnreadableMessages(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.InTx(func(tx *db.Tx) error {
		return errors.Join(
			s.Outbox.Add(t.Context(), tx, order.TopicPaid, "a", 7, "none"),
			s.Outbox.Add(t.Context(), tx, "sms.send", "b", 7, map[string]string{"Message": "sms.unknown"}),
			s.Outbox.Add(t.Context(), tx, "notice.send", "c", 7, map[string]string{"Message": "notice.unknown"}))
	})
	for range 3 {
		deliver(t, s)
	}
	keys := func(events []outbox.Event, err error) string {
		require.NoError(t, err)
		all := make([]string, len(events))
		for i, e := range events {
			all[i] = e.Key
		}
		return strings.Join(all, " ")
	}
	require.Equal(t, "a b c", keys(s.Outbox.Pending(t.Context(), true, 10)))
	require.Empty(t, keys(s.Outbox.Pending(t.Context(), false, 10)))
	require.EqualValues(t, 2, s.Int("SELECT COUNT(*) FROM notice"))
}
