package crash_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/test/reliability/stack"
	"shop.internal/pkg/test/reliability/workload"
)

// trial is how a shop uses a cluster, and the node that is killed.
type trial struct {
	name string
	// writers is how many nodes of the database the replicas of the services use; 0 for a cluster of Redis.
	writers int
	// session are settings of the database's sessions in the form of a DSN.
	session string
	victim  int
	// stays says that nobody takes over from the victim: the services wait for its return.
	stays bool
}

// stall is how many disturbances a dead node counts for: commits wait until the others agree that it is gone, longer
// than the lease of a worker, so that every message that it has sent meanwhile is sent again.
const stall = 10

// Reads on other nodes than the one that was written to must wait for the write.
const (
	galeraWaits = "?wsrep_sync_wait=7"
	groupWaits  = "?group_replication_consistency=%27BEFORE%27"
)

var trials = map[string][]trial{
	"galera": {
		{name: "writes to one node, which dies", writers: 1},
		{name: "writes to all nodes, one dies", writers: 3, session: galeraWaits, victim: 1},
	},
	"group": {
		{name: "writes to one node, which dies", writers: 1},
		{name: "writes to all nodes, one dies", writers: 3, session: groupWaits, victim: 1},
	},
	"replica": {
		{name: "the replica dies", writers: 1, victim: 1},
		{name: "the primary dies and returns", writers: 1, stays: true},
	},
	"sentinel": {{name: "the primary dies"}},
	"cluster":  {{name: "a node with keys dies"}},
}

// TestCluster lets more shoppers buy than there are pieces while a node of a cluster is killed. SHOP_CLUSTER names the
// kind of the cluster, SHOP_CLUSTER_DIR its folder; make test-engines does.
func TestCluster(t *testing.T) {
	kind := os.Getenv("SHOP_CLUSTER")
	if kind == "" {
		t.Skip("SHOP_CLUSTER names no cluster")
	}
	n := seed(t)
	c, err := stack.OpenCluster(t.Context(), kind, os.Getenv("SHOP_CLUSTER_DIR"))
	must(t, err)
	for _, tr := range trials[kind] {
		t.Run(tr.name, func(t *testing.T) { tr.run(t, c, n) })
	}
}

func (tr trial) run(t *testing.T, c *stack.Cluster, seed uint64) {
	o := stack.Options{Name: "crash", Storefronts: 2, Admins: 2}
	var ways []*way
	var cache redis.UniversalClient
	if tr.writers > 0 {
		ways = tr.ways(t, c)
		empty(t, tr.dsn(c.Nodes[0].Addr(), ""))
		for _, way := range ways {
			o.DSNs = append(o.DSNs, tr.dsn(way.proxy.Addr(), "shop"))
		}
	} else {
		o.RedisSettings, cache = caches(t, c)
	}
	w := &world{t: t, World: workload.OpenWith(t, seed, o, cache)}
	w.RetryFor = time.Minute // the others need some seconds to agree that a node is gone
	w.Begin(t.Context())
	t.Cleanup(w.Leave)
	told := w.Rush(func() {
		w.Disturbed.Add(stall)
		must(t, c.Nodes[tr.victim].Kill())
		if tr.stays {
			must(t, c.Complete(t.Context()))
			return
		}
		time.Sleep(time.Second) // lasts: until a balancer notices
		for _, way := range ways {
			way.avoid(c, tr.victim)
		}
	})
	must(t, c.Complete(t.Context()))
	time.Sleep(time.Second) // lasts: the cluster is whole again while shoppers go on
	w.Check(t.Context())
	w.Settle(t.Context())
	if tr.writers > 0 {
		for _, node := range c.Nodes {
			w.agrees(t.Context(), node.Name, tr.dsn(node.Addr(), "shop"))
		}
	}
	orders, _ := w.Acknowledged()
	fmt.Printf("ok    %s: %s; %d calls, %d orders\n", tr.name, told, w.Calls.Load(), orders)
}

// dsn is the address of a database. Settings that only writers need are left out without one.
func (tr trial) dsn(address, database string) string {
	dsn := "shop:shop@tcp(" + address + ")/" + database
	if database != "" {
		dsn += tr.session
	}
	return dsn
}

// empty creates an empty database of the shop.
func empty(t *testing.T, dsn string) {
	t.Helper()
	db, err := sql.Open("mysql", dsn)
	must(t, err)
	defer db.Close()
	for _, statement := range []string{"DROP DATABASE IF EXISTS shop", "CREATE DATABASE shop CHARACTER SET utf8mb4"} {
		_, err := db.ExecContext(t.Context(), statement)
		must(t, err)
	}
}

// way is what stands between a replica of a service and a node, as a balancer does.
type way struct {
	proxy *stack.Proxy
	node  int
}

func (tr trial) ways(t *testing.T, c *stack.Cluster) []*way {
	t.Helper()
	var list []*way
	for i := range tr.writers {
		proxy, err := stack.NewProxy(t.Context(), c.Nodes[i].Addr())
		must(t, err)
		t.Cleanup(proxy.Close)
		list = append(list, &way{proxy, i})
	}
	return list
}

// avoid leads to the next node if this one leads to the victim.
func (v *way) avoid(c *stack.Cluster, victim int) {
	if v.node == victim {
		v.node = (victim + 1) % len(c.Nodes)
		v.proxy.Target(c.Nodes[v.node].Addr())
	}
}

// caches are the settings with which the services find a cluster of Redis, and a client of the emptied cluster.
func caches(t *testing.T, c *stack.Cluster) ([]string, redis.UniversalClient) {
	t.Helper()
	var all []string
	for _, node := range c.Nodes {
		all = append(all, node.Addr())
	}
	if strings.HasPrefix(c.Nodes[0].Name, "cluster") {
		client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: all, ClusterStateReloadInterval: time.Second})
		must(t, client.ForEachMaster(t.Context(), func(ctx context.Context, node *redis.Client) error {
			return node.FlushAll(ctx).Err()
		}))
		return []string{"REDIS_ADDR=" + strings.Join(all, ",")}, client
	}
	watchers := all[2:] // behind the primary and its copy
	client := redis.NewFailoverClient(&redis.FailoverOptions{MasterName: "shop", SentinelAddrs: watchers})
	must(t, client.FlushAll(t.Context()).Err())
	return []string{
		"REDIS_ADDR=" + strings.Join(watchers, ","), "REDIS_MODE=sentinel", "REDIS_SENTINEL_MASTER=shop",
	}, client
}

// agrees waits until a node has everything, and finds its books in order.
func (w *world) agrees(ctx context.Context, node, dsn string) {
	db, err := sql.Open("mysql", dsn)
	must(w.t, err)
	defer db.Close()
	want := w.Number(ctx, "SELECT COUNT(*) FROM orders")
	for end := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		var got int64
		err := db.QueryRowContext(ctx, "SELECT COUNT(*) FROM orders").Scan(&got)
		if err == nil && got != want {
			err = fmt.Errorf("%d orders of %d", got, want)
		}
		if err == nil {
			err = w.Stack.VerifyAt(ctx, dsn)
		}
		if err == nil {
			return
		}
		if time.Now().After(end) {
			w.Complain(errors.Join(errors.New(node), err))
			return
		}
	}
}
