package order

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/text"
)

// Topics of the outbox events that report changes of an order after the commit.
const (
	TopicPaid        = "order.paid"
	TopicRefundAsked = "order.refund-asked"
	TopicShipped     = "order.shipped"
	TopicRefunded    = "order.refunded"
	TopicAlarm       = "payment.alarm"
)

// Topics returns the topics that send messages to people about orders.
func Topics() []string {
	return []string{TopicPaid, TopicRefundAsked, TopicShipped, TopicRefunded, TopicAlarm}
}

// EventPayload is the payload of those topics: number and amount, never the whole order.
type EventPayload struct {
	SN, Mobile, Amount, Channel, ShipSN string
	// Text is the reason of an alarm, in the shop's language.
	Text string
}

func (s *Service) announce(ctx context.Context, tx *db.Tx, topic string, o Order) error {
	// The time distinguishes a second refund request from the first.
	key := topic + ":" + strconv.FormatInt(o.ID, 10) + ":" + strconv.FormatInt(s.Now().UnixMilli(), 10)
	return s.Outbox.Add(ctx, tx, topic, key, o.ID, EventPayload{
		SN: o.SN, Mobile: o.Mobile, Amount: o.Price.Actual.String(), Channel: o.ShipChannel, ShipSN: o.ShipSN,
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

// statisticsChanged requests that the statistics of the order's day are recomputed. They count received orders, so only
// transitions to that state need it.
func (s *Service) statisticsChanged(ctx context.Context, tx *db.Tx, o Order) error {
	return s.Outbox.Add(ctx, tx, TopicStatistics, fmt.Sprintf("%s:%d:%d", TopicStatistics, o.ID, o.Status), o.ID,
		StatisticsChanged{At: o.AddTime})
}
