package domain

import (
	"context"
	"time"

	"shop.internal/pkg/domain/platform/lag"
)

// WatchReplicas finds out how far the read replicas are behind, until ctx ends. Until it runs, none is used.
func (d *Domain) WatchReplicas(ctx context.Context) error {
	d.db.WatchReplicas(ctx)
	return nil
}

// MayLag returns what allows a caller's read to come from a replica, unless the caller has just changed something; nil
// without replicas. That is asked when a replica is about to be used, so that a read that needs none costs nothing. A
// caller without a name has changed nothing that it could expect to see.
func (d *Domain) MayLag() func(ctx context.Context, who string) context.Context {
	if d.db.Fresh() == 0 {
		return nil
	}
	return func(ctx context.Context, who string) context.Context {
		if who == "" {
			return lag.Allow(ctx, nil)
		}
		return lag.Allow(ctx, func(ctx context.Context) bool {
			_, wrote, err := d.redis.Get(ctx, wroteKey(who))
			return err == nil && !wrote
		})
	}
}

// Wrote returns what notes, for all processes, that a caller has just changed something; nil without replicas.
func (d *Domain) Wrote() func(ctx context.Context, who string) {
	fresh := d.db.Fresh()
	if fresh == 0 {
		return nil
	}
	return func(ctx context.Context, who string) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), redisTimeout)
		defer cancel()
		if err := d.redis.Set(ctx, wroteKey(who), 1, fresh+time.Second); err != nil {
			d.log.WarnContext(ctx, "a caller's next reads may miss the last write", "who", who, "err", err.Error())
		}
	}
}

func wroteKey(who string) string { return "wrote:" + who }
