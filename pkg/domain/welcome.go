package domain

import (
	"context"
	"strconv"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/outbox"
)

// topicWelcome is the effect that gives a new shopper what the shop gives at registration.
const topicWelcome = "coupon.welcome"

const (
	// welcomeWithin is the longest that a registration waits for its gift.
	welcomeWithin = time.Second
	// welcomeLater is when the outbox gives what the registration has not given.
	welcomeLater = 15 * time.Second
)

// welcome sees to the gift of a new shopper. The registration's transaction only notes that the gift is owed; it is
// given right after the commit, and by the outbox where that fails or takes too long. So no gift fails or holds up a
// registration, and one that cannot be given at all comes to the operators' notice.
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

// giveWelcome is welcome's effect.
func (d *Domain) giveWelcome(ctx context.Context, e outbox.Event) error {
	return d.Promotions.Welcome(ctx, e.Aggregate)
}
