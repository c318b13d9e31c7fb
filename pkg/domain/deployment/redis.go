package deployment

import (
	"fmt"
	"net"
	"strconv"
	"strings"

	"shop.internal/pkg/domain/app"
)

// Redis are the keys of the connection to Redis.
type Redis struct {
	Addr     []string `key:"addr" validate:"required,min=1"`
	Mode     string   `key:"mode" validate:"oneof=auto single cluster sentinel" default:"auto"`
	Username string   `key:"username"`
	Password string   `key:"password"`
	DB       int      `key:"db" validate:"min=0,max=1000" default:"0"`
	TLS      TLS      `key:"tls"`
	Sentinel struct {
		Master   string `key:"master"`
		Username string `key:"username"`
		Password string `key:"password"`
	} `key:"sentinel"`
}

// mistakes checks the rules that span keys.
func (r *Redis) mistakes() []string {
	wrong := r.TLS.mistakes("redis.tls")
	for _, address := range r.Addr {
		host, port, err := net.SplitHostPort(address)
		_, notNumber := strconv.ParseUint(port, 10, 16)
		switch {
		case strings.Contains(address, "://"):
			wrong = append(wrong, "redis.addr: is an address such as 10.0.0.5:6379, without redis:// before it")
		case err != nil || notNumber != nil || host == "" || strings.ContainsAny(host, "/@ "):
			wrong = append(wrong, "redis.addr: is not of the form host:6379")
		}
	}
	switch mode := r.mode(); {
	case mode == app.RedisSentinel && r.Sentinel.Master == "":
		wrong = append(wrong, "redis.sentinel.master: is needed, since the sentinels watch several masters by name")
	case mode != app.RedisSentinel && r.Sentinel.Master != "":
		wrong = append(wrong, "redis.sentinel.master: is used only where redis.mode is sentinel")
	case mode == app.RedisCluster && r.DB != 0:
		wrong = append(wrong, "redis.db: a cluster has only the database 0")
	case mode == app.RedisSingle && len(r.Addr) > 1:
		wrong = append(wrong, "redis.addr: names several servers, but redis.mode is single")
	}
	return wrong
}

// mode resolves auto: several addresses are nodes of a cluster.
func (r *Redis) mode() app.RedisMode {
	switch {
	case r.Mode != "auto":
		return app.RedisMode(r.Mode)
	case len(r.Addr) > 1:
		return app.RedisCluster
	}
	return app.RedisSingle
}

// options returns the domain's configuration.
func (r *Redis) options() (app.RedisConfig, error) {
	encryption, err := r.TLS.client()
	if err != nil {
		return app.RedisConfig{}, fmt.Errorf("redis.tls: %w", err)
	}
	return app.RedisConfig{
		Addrs: r.Addr, Mode: r.mode(), Username: r.Username, Password: r.Password, DB: r.DB, TLS: encryption,
		Master: r.Sentinel.Master, SentinelUsername: r.Sentinel.Username, SentinelPassword: r.Sentinel.Password,
	}, nil
}
