package app

import (
	"context"
	"strconv"
	"time"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/runtime/outbox"
)

// topicWelcome gives a new shopper the gifts of a registration.
const topicWelcome = "coupon.welcome"

const (
	// welcomeWithin bounds the time that a registration waits for its gifts.
	welcomeWithin = time.Second
	// welcomeLater is the delay after which the outbox gives gifts that the registration has not given.
	welcomeLater = 15 * time.Second
)

// welcome gives a new shopper the registration gifts. The registration's transaction only queues an event; the gifts
// are given right after the commit, and by the outbox if that fails or takes too long. So gifts neither fail nor delay
// a registration, and operators are notified of a dead letter.
func (d *Domain) welcome(ctx context.Context, tx *db.Tx, shopper int64) error {
	owed, err := d.Promotions.Gifts(ctx, tx)
	if err != nil || !owed {
		return err
	}
	key := topicWelcome + ":" + strconv.FormatInt(shopper, 10)
	if err := d.Outbox.AddAfter(ctx, tx, topicWelcome, key, shopper, nil, welcomeLater); err != nil {
		return err
	}
	tx.OnCommit(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), welcomeWithin)
		defer cancel()
		err := d.Promotions.Welcome(ctx, shopper)
		if err == nil {
			err = d.Outbox.Done(ctx, key)
		}
		if err != nil {
			d.log.WarnContext(ctx, "the gift of a registration is left to the outbox", "shopper", shopper, "err", err.Error())
		}
	})
	return nil
}

// giveWelcome is the handler of topicWelcome.
func (d *Domain) giveWelcome(ctx context.Context, e outbox.Event) error {
	return d.Promotions.Welcome(ctx, e.Aggregate)
}
