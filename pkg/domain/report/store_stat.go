package report

import (
	"context"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/outbox"
)

// waiting returns the payloads of the undelivered events of a topic.
func waiting(ctx context.Context, q db.Querier, topic string) (payloads []string, err error) {
	err = q.G(ctx).Raw(`SELECT payload FROM outbox_event
		WHERE state = ? AND topic = ? AND payload IS NOT NULL`, outbox.Pending, topic).
		Scan(&payloads).Error
	return payloads, err
}

func readDays(ctx context.Context, q db.Querier) (days []Day, err error) {
	err = q.G(ctx).Raw("SELECT CAST(day AS CHAR) AS name, users, orders, customers, amount, goods_orders AS ordered, " +
		"goods_products AS products, goods_amount AS ordered_amount FROM stat_day " +
		"WHERE users > 0 OR orders > 0 OR goods_orders > 0 ORDER BY stat_day.day").Scan(&days).Error
	return days, err
}
