package domain

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/redis/go-redis/v9"
)

// LogRedis makes the client of Redis write what it complains about into the log, which it would write as plain text to
// the standard error otherwise. It counts for the whole process: the client knows one place only.
func LogRedis(log *slog.Logger) { redis.SetLogger(redisLog{log}) }

type redisLog struct{ log *slog.Logger }

// Printf takes one complaint.
func (l redisLog) Printf(ctx context.Context, format string, args ...any) {
	l.log.WarnContext(ctx, "redis client", "said", fmt.Sprintf(format, args...))
}
