package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/base/meter"
	watched "shop.internal/pkg/domain/internal/store/redis"
)

// RedisMode says what the addresses of Redis lead to.
type RedisMode string

// The modes.
const (
	// RedisSingle is one server, also behind an address that follows the primary.
	RedisSingle RedisMode = "single"
	// RedisCluster are nodes of a Redis Cluster; the others are found through them.
	RedisCluster RedisMode = "cluster"
	// RedisSentinel are sentinels that know the primary.
	RedisSentinel RedisMode = "sentinel"
)

// RedisConfig is the connection to Redis.
type RedisConfig struct {
	// Addrs are the server, nodes of the cluster, or the sentinels, by Mode; the zero Mode is RedisSingle.
	Addrs []string
	Mode  RedisMode
	// Username and Password are those of the server; empty if it requires none.
	Username, Password string
	// DB is the logical database, 0 on a cluster.
	DB int
	// TLS encrypts the connections, also those to sentinels; nil does not.
	TLS *tls.Config
	// Master is the name under which the sentinels know the primary. They may have an account of their own.
	Master, SentinelUsername, SentinelPassword string
}

// redisTimeout is the deadline of each step of a call.
const redisTimeout = 2 * time.Second

// open returns a client, whose round trips are counted and timed. It does not connect before the first call.
func (c RedisConfig) open(m *meter.Meter) redis.UniversalClient {
	client := c.client()
	watched.Watch(client, m)
	return client
}

func (c RedisConfig) client() redis.UniversalClient {
	o := &redis.UniversalOptions{
		Addrs: c.Addrs, Username: c.Username, Password: c.Password, DB: c.DB, TLSConfig: c.TLS,
		DialTimeout: redisTimeout, ReadTimeout: redisTimeout, WriteTimeout: redisTimeout,
		MasterName: c.Master, SentinelUsername: c.SentinelUsername, SentinelPassword: c.SentinelPassword,
	}
	switch c.Mode {
	case RedisCluster:
		cluster := o.Cluster()
		cluster.ClusterStateReloadInterval = time.Second // by default a failover is noticed after a minute
		return redis.NewClusterClient(cluster)
	case RedisSentinel:
		return redis.NewFailoverClient(o.Failover())
	case RedisSingle:
	}
	return redis.NewClient(o.Simple())
}

// errClusterNode is a node of a cluster that is used like a single server: it refuses the keys of other nodes.
var errClusterNode = errors.New("redis.addr leads to a node of a cluster: set redis.mode to cluster")

// probes is how many keys PingRedis writes on a cluster, so that it meets every node of one of the usual size.
const probes = 32

// PingRedis checks that Redis does what requests need of it: it is what the configuration says, and takes a key. One
// that only answers may be a read-only replica, full, or stopped by a failed snapshot.
func (d *Domain) PingRedis(ctx context.Context) error {
	n := 1
	if d.redisClustered() {
		n = probes
	}
	_, err := d.redis.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i := range n {
			p.Set(ctx, fmt.Sprint("ready:", i), "", time.Minute)
		}
		return nil
	})
	if err != nil {
		return errors.Join(fmt.Errorf("write to redis: %w", err), d.checkRedisMode(ctx))
	}
	return d.checkRedisMode(ctx)
}

func (d *Domain) redisClustered() bool {
	_, clustered := d.redis.(*redis.ClusterClient)
	return clustered
}

// checkRedisMode fails with errClusterNode. An account without the right to ask counts as in order.
func (d *Domain) checkRedisMode(ctx context.Context) error {
	if d.redisClustered() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	about, err := d.redis.Info(ctx, "cluster").Result()
	if err == nil && strings.Contains(about, "cluster_enabled:1") {
		return errClusterNode
	}
	return nil
}
