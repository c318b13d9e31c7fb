package dbtest

import (
	"context"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// Redis returns a client on an empty logical database of the server of SHOP_TEST_REDIS_ADDR, which belongs to the test.
// If all are in use it waits for one.
func Redis(t testing.TB) *redis.Client {
	t.Helper()
	addr := setting(t, "SHOP_TEST_REDIS_ADDR")
	zero := redis.NewClient(&redis.Options{Addr: addr})
	t.Cleanup(func() { _ = zero.Close() })
	n := claim(t, zero)
	client := redis.NewClient(&redis.Options{Addr: addr, DB: n})
	t.Cleanup(func() { _ = client.Close() })
	if err := client.FlushDB(context.Background()).Err(); err != nil {
		t.Fatal(err)
	}
	return client
}

// owners is a hash in database 0 that maps databases to processes.
const owners = "shop:test:owners"

// giveTo assigns a database to a process if its owner is still the one that was read, "" for none.
var giveTo = redis.NewScript(`
local owner = redis.call("HGET", KEYS[1], ARGV[1]) or ""
if owner ~= ARGV[2] then return 0 end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[3])
return 1`)

// claim finds a database that no live process owns, and releases it at the end of the test.
func claim(t testing.TB, zero *redis.Client) int {
	t.Helper()
	ctx := context.Background()
	config, err := zero.ConfigGet(ctx, "databases").Result()
	if err != nil {
		t.Fatal(err)
	}
	databases, err := strconv.Atoi(config["databases"])
	if err != nil {
		t.Fatal(err)
	}
	for range 600 {
		taken, err := zero.HGetAll(ctx, owners).Result()
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n < databases; n++ {
			owner := taken[strconv.Itoa(n)]
			if alive(owner) {
				continue
			}
			mine, err := giveTo.Run(ctx, zero, []string{owners}, n, owner, os.Getpid()).Int()
			if err != nil {
				t.Fatal(err)
			}
			if mine == 1 {
				t.Cleanup(func() { _ = zero.HDel(ctx, owners, strconv.Itoa(n)).Err() })
				return n
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("all %d databases of the Redis server have been in use for a minute", databases-1)
	return 0
}

func alive(owner string) bool {
	pid, err := strconv.Atoi(owner)
	return err == nil && (pid == os.Getpid() || syscall.Kill(pid, 0) == nil)
}
