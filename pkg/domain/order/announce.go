package order

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"shop.internal/pkg/base/calendar"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
)

// Topics of the outbox events that report changes of an order after the commit.
const (
	TopicPaid        = "order.paid"
	TopicPaidLater   = "order.paid-later"
	TopicRefundAsked = "order.refund-asked"
	TopicShipped     = "order.shipped"
	TopicReady       = "order.ready"
	TopicRefunded    = "order.refunded"
	TopicAlarm       = "payment.alarm"
)

// Topics returns the topics that send messages to people about orders.
func Topics() []string {
	return []string{TopicPaid, TopicPaidLater, TopicRefundAsked, TopicShipped, TopicReady, TopicRefunded, TopicAlarm}
}

// EventPayload is the payload of those topics: number and amount, never the whole order.
type EventPayload struct {
	SN, Mobile, Amount, Channel, ShipSN string
	// Address and Hours are where and when the order is collected.
	Address, Hours string `json:",omitempty"`
	// Text is the reason of an alarm, in the shop's language.
	Text string
}

func (s *Service) announce(ctx context.Context, tx *db.Tx, topic string, o Order) error {
	// The time distinguishes a second refund request from the first.
	key := topic + ":" + strconv.FormatInt(o.ID, 10) + ":" + strconv.FormatInt(s.Now().UnixMilli(), 10)
	return s.Outbox.Add(ctx, tx, topic, key, o.ID, EventPayload{
		SN: o.SN, Mobile: o.Mobile, Amount: o.Price.Actual.String(), Channel: o.ShipChannel, ShipSN: o.ShipSN,
		Address: o.CollectAddress, Hours: o.CollectHours,
	})
}

// alarm notifies operators of a payment that does not match. Each notification raises one alarm.
func (s *Service) alarm(ctx context.Context, tx *db.Tx, notice string, o Order, why text.Phrase) error {
	return s.Outbox.Add(ctx, tx, TopicAlarm, TopicAlarm+":"+notice, o.ID, EventPayload{SN: o.SN, Text: why.In(s.Language)})
}

// TopicStatistics requests that the statistics of a day are recomputed.
const TopicStatistics = "stat.touch"

// StatisticsChanged is the payload of TopicStatistics.
type StatisticsChanged struct {
	// At is a moment of the day.
	At time.Time
}

// statisticsChanged requests that the statistics of the order's day are recomputed where a transition changes them.
// They count received orders, and the goods of those that are sold, once their money is recorded. The current day is
// recomputed all the time, so that most payments need no event.
func (s *Service) statisticsChanged(ctx context.Context, tx *db.Tx, before, o Order) error {
	counts := func(o Order, all []Status) bool { return slices.Contains(all, o.Status) && !o.Owed() }
	is := func(all []Status) bool { return counts(o, all) != counts(before, all) }
	today := calendar.Date(o.AddTime, s.Zone).Equal(calendar.Date(s.Now(), s.Zone))
	if !is(received) && (!is(sold) || today) {
		return nil
	}
	return s.Outbox.Add(ctx, tx, TopicStatistics, fmt.Sprintf("%s:%d:%d", TopicStatistics, o.ID, o.version), o.ID,
		StatisticsChanged{At: o.AddTime})
}
