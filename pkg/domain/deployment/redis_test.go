package deployment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/app"
)

func TestRedis(t *testing.T) {
	one, two := []string{"10.0.0.5:6379"}, []string{"10.0.0.5:6379", "10.0.0.6:6379"}
	named := func(r Redis, master string) Redis { r.Sentinel.Master = master; return r }
	tests := map[string]struct {
		given Redis
		mode  app.RedisMode
		wrong string
	}{
		"one server":              {Redis{Addr: one, Mode: "auto", DB: 3}, app.RedisSingle, ""},
		"several nodes":           {Redis{Addr: two, Mode: "auto"}, app.RedisCluster, ""},
		"one node of a cluster":   {Redis{Addr: one, Mode: "cluster"}, app.RedisCluster, ""},
		"sentinels":               {named(Redis{Addr: two, Mode: "sentinel", DB: 1}, "shop"), app.RedisSentinel, ""},
		"sentinels of no master":  {Redis{Addr: two, Mode: "sentinel"}, app.RedisSentinel, "redis.sentinel.master: is needed"},
		"a master, no sentinels":  {named(Redis{Addr: one, Mode: "auto"}, "shop"), app.RedisSingle, "redis.sentinel.master: is used only"},
		"a database of a cluster": {Redis{Addr: two, Mode: "auto", DB: 1}, app.RedisCluster, "redis.db: a cluster"},
		"several single servers":  {Redis{Addr: two, Mode: "single"}, app.RedisSingle, "redis.addr: names several"},
		"an address with scheme":  {Redis{Addr: []string{"redis://a:1"}, Mode: "auto"}, app.RedisSingle, "redis.addr: is an address such as"},
		"files without TLS":       {Redis{Addr: one, Mode: "auto", TLS: TLS{CAFile: "ca.pem"}}, app.RedisSingle, "redis.tls.enabled: is false"},
		"a file that is not there": {
			Redis{Addr: one, Mode: "auto", TLS: TLS{Enabled: true, CAFile: "none.pem"}}, app.RedisSingle, "redis.tls: read ca-file",
		},
		"half a certificate": {
			Redis{Addr: one, Mode: "auto", TLS: TLS{Enabled: true, CertFile: "a.pem"}}, app.RedisSingle, "redis.tls: cert-file and key-file",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, tt.mode, tt.given.mode())
			wrong := tt.given.mistakes()
			if tt.wrong == "" {
				require.Empty(t, wrong)
				return
			}
			require.Len(t, wrong, 1)
			require.Contains(t, wrong[0], tt.wrong)
		})
	}
}
