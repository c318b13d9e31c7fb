package app

import (
	"context"
	"time"

	"shop.internal/pkg/base/lag"
)

// WatchReplicas finds out how far the read replicas are behind, until ctx ends. Until it runs, none is used.
func (d *Domain) WatchReplicas(ctx context.Context) error {
	d.db.WatchReplicas(ctx)
	return nil
}

// AllowStale returns what allows a caller's read to come from a replica, unless the caller has just changed something;
// nil without replicas. That is decided when a replica is about to be used, so that a read that needs none costs
// nothing. A caller without a name has changed nothing that it could expect to see.
func (d *Domain) AllowStale() func(ctx context.Context, who string) context.Context {
	if d.db.Fresh() == 0 {
		return nil
	}
	return func(ctx context.Context, who string) context.Context {
		if who == "" {
			return lag.Allow(ctx, nil)
		}
		return lag.Allow(ctx, func(ctx context.Context) bool {
			wrote, err := d.redis.Exists(ctx, wroteKey(who)).Result()
			return err == nil && wrote == 0
		})
	}
}

// RecordWrite returns what notes, for all processes, that a caller has just changed something; nil without replicas.
func (d *Domain) RecordWrite() func(ctx context.Context, who string) {
	fresh := d.db.Fresh()
	if fresh == 0 {
		return nil
	}
	return func(ctx context.Context, who string) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), redisTimeout)
		defer cancel()
		if err := d.redis.Set(ctx, wroteKey(who), 1, fresh+time.Second).Err(); err != nil {
			d.log.WarnContext(ctx, "a caller's next reads may miss the last write", "who", who, "err", err.Error())
		}
	}
}

func wroteKey(who string) string { return "wrote:" + who }
