package dbtest

import (
	"context"
	"os"
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"
)

// Redis returns a client on an empty logical database of the server that SHOP_TEST_REDIS_ADDR names, the test's own as
// long as no more tests run at once than the server has databases.
func Redis(t testing.TB) redis.UniversalClient {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a Redis server")
	}
	addr := os.Getenv("SHOP_TEST_REDIS_ADDR")
	if addr == "" {
		t.Fatal("SHOP_TEST_REDIS_ADDR is not set: run `make test`, or `go test -short` for the tests without servers")
	}
	ctx := context.Background()
	zero := redis.NewClient(&redis.Options{Addr: addr})
	defer func() { _ = zero.Close() }()
	config, err := zero.ConfigGet(ctx, "databases").Result()
	if err != nil {
		t.Fatal(err)
	}
	databases, err := strconv.ParseInt(config["databases"], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	n, err := zero.Incr(ctx, "shop:test:database").Result()
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(&redis.Options{Addr: addr, DB: int(1 + n%(databases-1))})
	t.Cleanup(func() { _ = client.Close() })
	if err := client.FlushDB(ctx).Err(); err != nil {
		t.Fatal(err)
	}
	return client
}
