package order

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/text"
)

// What the world learns about an order after the commit.
const (
	TopicPaid        = "order.paid"
	TopicRefundAsked = "order.refund-asked"
	TopicShipped     = "order.shipped"
	TopicRefunded    = "order.refunded"
	TopicAlarm       = "payment.alarm"
)

// Topics returns the topics of the outbox that tell people about orders.
func Topics() []string {
	return []string{TopicPaid, TopicRefundAsked, TopicShipped, TopicRefunded, TopicAlarm}
}

// EventPayload is the payload of those topics: number and amount, never the whole order.
type EventPayload struct {
	SN, Mobile, Amount, Channel, ShipSN string
	// Text says what is wrong, for alarms, in the shop's language.
	Text string
}

func (s *Service) announce(ctx context.Context, tx *db.Tx, topic string, o Order) error {
	// The time tells a second request for a refund from the first.
	key := topic + ":" + strconv.FormatInt(o.ID, 10) + ":" + strconv.FormatInt(s.Now().UnixMilli(), 10)
	return s.Outbox.Add(ctx, tx, topic, key, o.ID, EventPayload{
		SN: o.SN, Mobile: o.Mobile, Amount: o.Price.Actual.String(), Channel: o.ShipChannel, ShipSN: o.ShipSN,
	})
}

// alarm tells operators about money that does not fit. One notice raises one alarm.
func (s *Service) alarm(ctx context.Context, tx *db.Tx, notice string, o Order, why text.Phrase) error {
	return s.Outbox.Add(ctx, tx, TopicAlarm, TopicAlarm+":"+notice, o.ID, EventPayload{SN: o.SN, Text: why.In(s.Language)})
}

// TopicStatistics says that the statistics of a day must be added up again.
const TopicStatistics = "stat.touch"

// StatisticsChanged is the payload of TopicStatistics.
type StatisticsChanged struct {
	// At is a moment of the day.
	At time.Time
}

// statisticsChanged has the day of an order added up again. The statistics count received orders, so only the moves to
// that state need it.
func (s *Service) statisticsChanged(ctx context.Context, tx *db.Tx, o Order) error {
	return s.Outbox.Add(ctx, tx, TopicStatistics, fmt.Sprintf("%s:%d:%d", TopicStatistics, o.ID, o.Status), o.ID,
		StatisticsChanged{At: o.AddTime})
}
