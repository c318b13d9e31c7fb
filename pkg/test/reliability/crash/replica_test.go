package crash_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"shop.internal/pkg/test/reliability/client"
	"shop.internal/pkg/test/reliability/stack"
	"shop.internal/pkg/test/reliability/workload"
)

// lab is a shop whose lists are read from a replica.
type lab struct {
	*world

	pair          *stack.Cluster
	writer, other client.Caller
	made          int
}

// TestReplica reads lists from a replica that is a little behind, far behind, dead and hanging, while shoppers buy. A
// writer always sees what was written, everybody else within the bound, and no list fails.
func TestReplica(t *testing.T) {
	if os.Getenv("SHOP_CLUSTER") != "replica" {
		t.Skip("SHOP_CLUSTER names no pair")
	}
	t.Setenv("REPLICA_DELAY", "0")
	c, err := stack.OpenCluster(t.Context(), "replica", os.Getenv("SHOP_CLUSTER_DIR"))
	must(t, err)
	l := openLab(t, c)
	l.Begin(t.Context())
	t.Cleanup(l.Leave)
	ctx := t.Context()

	l.serves(ctx, true)
	l.behind(ctx, 4) // seconds
	l.serves(ctx, true)
	brand := l.brand(ctx)
	l.mustSee(ctx, l.writer, brand, true)
	l.mustSee(ctx, l.other, brand, false) // which shows that the replica answers
	l.finds(ctx, l.other, brand)
	fmt.Println("ok    a replica 4 s behind serves; a writer reads from the primary")

	l.behind(ctx, 30)
	l.serves(ctx, false)
	l.mustSee(ctx, l.other, l.brand(ctx), true)
	l.behind(ctx, 0)
	l.serves(ctx, true)
	fmt.Println("ok    a replica 30 s behind is taken out, and comes back when it has caught up")

	for what, fault := range map[string][2]func() error{
		"killed":  {c.Nodes[1].Kill, func() error { return c.Complete(ctx) }},
		"hanging": {c.Nodes[1].Hang, c.Nodes[1].Resume},
	} {
		lists := l.meanwhile(ctx, fault[0])
		l.mustSee(ctx, l.other, l.brand(ctx), true)
		must(t, fault[1]())
		l.serves(ctx, true)
		fmt.Printf("ok    a replica %s: %d lists meanwhile, all answered\n", what, lists)
	}
	l.Settle(ctx)
	l.agrees(ctx, c.Nodes[1].Name, trial{}.dsn(c.Nodes[1].Addr(), "shop"))
	orders, _ := l.Acknowledged()
	fmt.Printf("ok    %d calls, %d orders meanwhile\n", l.Calls.Load(), orders)
}

func openLab(t *testing.T, c *stack.Cluster) *lab {
	t.Helper()
	dsn := trial{}.dsn(c.Nodes[0].Addr(), "")
	empty(t, dsn)
	o := stack.Options{
		Name: "crash", Storefronts: 2, Admins: 2, DSNs: []string{dsn + "shop"},
		Set: []string{"MYSQL_REPLICAS=" + trial{}.dsn(c.Nodes[1].Addr(), "shop"), "MYSQL_MAX_LAG=10s"},
	}
	l := &lab{world: &world{t: t, World: workload.Open(t, seed(t), o)}, pair: c}
	var err error
	l.writer, err = l.Shop.Operator(t.Context(), "super", client.Password)
	must(t, err)
	l.other, err = l.Shop.Operator(t.Context(), "goods", client.Password)
	must(t, err)
	return l
}

// behind starts the replica anew so that it copies everything so many seconds late.
func (l *lab) behind(ctx context.Context, seconds int) {
	l.t.Helper()
	must(l.t, l.pair.Nodes[1].Kill())
	l.t.Setenv("REPLICA_DELAY", strconv.Itoa(seconds))
	must(l.t, l.pair.Complete(ctx))
}

// brand creates a brand and returns its name.
func (l *lab) brand(ctx context.Context) string {
	l.t.Helper()
	l.made++
	name := fmt.Sprintf("Replica %d", l.made)
	_, err := l.writer.Post(ctx, "/admin/brand/create", client.Fields{
		"name": name, "desc": "a brand", "floorPrice": client.Amount(1_00),
	})
	must(l.t, err)
	return name
}

// sees reports whether an operator's list at one of the two processes has a brand.
func (l *lab) sees(ctx context.Context, who client.Caller, process int, name string) (bool, error) {
	path := "/admin/brand/list?name=" + strings.ReplaceAll(name, " ", "%20")
	a, err := who.Send(ctx, client.Request{Method: http.MethodGet, Path: path, Replica: process})
	if err != nil {
		return false, err
	}
	data, err := a.OK(path, nil)
	for _, row := range data.Get("list").Array() {
		if row.Get("name").String() == name {
			return true, err
		}
	}
	return false, err
}

// mustSee requires that an operator's lists at both processes have a brand, or have it not.
func (l *lab) mustSee(ctx context.Context, who client.Caller, name string, want bool) {
	l.t.Helper()
	for process := 1; process <= 2; process++ {
		found, err := l.sees(ctx, who, process, name)
		must(l.t, err)
		if found != want {
			l.t.Errorf("%s sees %s at process %d: %t", who.Name, name, process, found)
		}
	}
}

// finds waits until an operator sees a brand at both processes.
func (l *lab) finds(ctx context.Context, who client.Caller, name string) {
	l.t.Helper()
	l.soon(func() error {
		for process := 1; process <= 2; process++ {
			if found, err := l.sees(ctx, who, process, name); err != nil || !found {
				return errors.Join(err, fmt.Errorf("%s does not see %s", who.Name, name))
			}
		}
		return nil
	})
}

// soon waits until is succeeds.
func (l *lab) soon(is func() error) {
	l.t.Helper()
	err := is()
	for end := time.Now().Add(2 * time.Minute); err != nil && time.Now().Before(end); err = is() {
		time.Sleep(200 * time.Millisecond)
	}
	must(l.t, err)
}

// serves waits until each process says that the replica serves, or does not.
func (l *lab) serves(ctx context.Context, want bool) {
	l.t.Helper()
	line := regexp.MustCompile(`(?m)^shop_replica_serves\{.*\} ` + map[bool]string{true: "1", false: "0"}[want] + "$")
	for _, p := range slices.Concat(l.Stack.Storefronts, l.Stack.Admins) {
		l.soon(func() error {
			metrics, err := p.Metrics(ctx)
			if err == nil && !line.MatchString(metrics) {
				err = fmt.Errorf("%s does not say that its replica serves: %t", p.Name, want)
			}
			return err
		})
	}
}

// meanwhile disturbs the replica while an operator reads lists, until no process uses it any more, and returns how many
// lists there were. None may fail.
func (l *lab) meanwhile(ctx context.Context, disturb func() error) (lists int) {
	l.t.Helper()
	reading, stop := context.WithCancel(ctx)
	defer stop()
	counted := make(chan int)
	go func() {
		n := 0
		for ; reading.Err() == nil; n++ {
			if _, err := l.sees(ctx, l.other, 1+n%2, "Replica 1"); err != nil {
				l.Complain(err)
			}
		}
		counted <- n
	}()
	time.Sleep(time.Second) // lasts: the operator reads without a fault
	must(l.t, disturb())
	l.serves(ctx, false)
	stop()
	return <-counted
}
