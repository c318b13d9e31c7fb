package app_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/services/admin/internal/apitest"
)

// generous is the timeout for effects that must occur eventually.
const generous = 90 * time.Second

// process is a running admin service.
type process struct {
	*exec.Cmd
	log   string
	ended chan error
}

// start starts the program on a shop's database and Redis, with the shipped configuration and these settings.
func start(t *testing.T, program string, s *domaintest.Shop, settings ...string) *process {
	t.Helper()
	dir := t.TempDir()
	config, err := filepath.Abs(shipped)
	require.NoError(t, err)
	out, err := os.Create(filepath.Join(dir, "log"))
	require.NoError(t, err)
	defer out.Close()
	dsn, redis, number := s.Servers()
	p := &process{Cmd: exec.CommandContext(t.Context(), program, "-config", config), log: out.Name(), ended: make(chan error, 1)}
	p.Dir, p.Stdout, p.Stderr = dir, out, out
	p.Env = append(os.Environ(), "ADMIN_MYSQL_DSN="+dsn, "ADMIN_REDIS_ADDR="+redis, "ADMIN_REDIS_DB="+strconv.Itoa(number),
		"ADMIN_SECRETS_IDEMPOTENCY="+secret, "ADMIN_LISTEN=127.0.0.1:0", "ADMIN_OPS_LISTEN=127.0.0.1:0",
		"ADMIN_STORAGE_BASE_URL=http://127.0.0.1:8080/wx/storage/fetch/")
	p.Env = append(p.Env, settings...)
	require.NoError(t, p.Start())
	go func() { p.ended <- p.Wait() }()
	t.Cleanup(func() {
		_ = p.Process.Kill() // if the test has not stopped it
		if t.Failed() {
			t.Logf("process %d:\n%s", p.Process.Pid, p.output())
		}
	})
	require.Eventually(t, func() bool { return strings.Contains(p.output(), `"started"`) }, generous, 10*time.Millisecond)
	return p
}

func (p *process) output() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// stop stops a process gracefully.
func (p *process) stop(t *testing.T) {
	t.Helper()
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	select {
	case err := <-p.ended:
		require.NoError(t, err)
	case <-time.After(generous):
		t.Fatal("the process does not end")
	}
}

// kill ends a process with SIGKILL.
func (p *process) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, p.Process.Kill())
	_, killed := errors.AsType[*exec.ExitError](<-p.ended)
	require.True(t, killed)
}

// lease is the row of a job.
type lease struct {
	pid, fence   int64
	until, begun string
	held         bool
}

func leaseOf(t *testing.T, s *domaintest.Shop, job string) (l lease) {
	t.Helper()
	var held int
	row := s.Text("SELECT CONCAT_WS(' ', SUBSTRING_INDEX(SUBSTRING_INDEX(holder, '/', 2), '/', -1), fence, "+
		"DATE_FORMAT(lease_until, '%Y-%m-%dT%T.%f'), DATE_FORMAT(last_start, '%Y-%m-%dT%T.%f'), "+
		"lease_until > UTC_TIMESTAMP(3)) FROM job_lease WHERE name = ?", job)
	_, err := fmt.Sscan(row, &l.pid, &l.fence, &l.until, &l.begun, &held)
	require.NoError(t, err, row)
	l.held = held == 1
	return l
}

// Three processes run the jobs. The one that expires orders is killed within the transaction of one of them. The others
// take over when its lease has ended, and not before; every order is expired exactly once.
func TestAKilledProcessIsReplaced(t *testing.T) {
	t.Parallel()
	const orders, job = 60, "checkOrderUnpaid"
	program := filepath.Join(apitest.Programs(t), "admin")
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	tea, pot := s.Product("tea", 10000, 1000), s.Product("pot", 10000, 1000)
	for i := range orders {
		if i == orders/2 {
			s.Order(lin, pot) // the one that another process will be working on
			continue
		}
		s.Order(lin, tea)
	}
	ended := func() int64 { return s.Int("SELECT COUNT(*) FROM orders WHERE order_status = 103") }

	processes := map[int64]*process{}
	for range 3 {
		p := start(t, program, s, "ADMIN_JOBS_LEASE=3s", "ADMIN_JOBS_PERIODS=checkOrderUnpaid=200ms,outbox=200ms,rollup=500ms")
		processes[int64(p.Process.Pid)] = p
	}
	require.Zero(t, ended(), "nothing is due by the clock of the processes")

	for _, table := range []string{"goods", "goods_product", "order_goods", "order_status_log", "stock_log"} {
		s.Exec("UPDATE " + table + " SET add_time = UTC_TIMESTAMP(3) - INTERVAL 1 HOUR")
	}
	release := s.Hold("UPDATE goods_product SET update_time = update_time WHERE id = ?", pot.ProductID)
	s.Exec("UPDATE orders SET add_time = UTC_TIMESTAMP(3) - INTERVAL 1 HOUR")
	var victim lease
	require.Eventually(t, func() bool {
		victim = leaseOf(t, s, job)
		return victim.held && ended() >= orders/2
	}, generous, 5*time.Millisecond)
	require.Contains(t, processes, victim.pid)
	processes[victim.pid].kill(t)
	died := leaseOf(t, s, job) // perhaps renewed since it was chosen
	require.Equal(t, [2]int64{victim.pid, victim.fence}, [2]int64{died.pid, died.fence}, "the process died with its lease")
	require.GreaterOrEqual(t, died.until, victim.until, "which it did not give up")
	release()
	delete(processes, victim.pid)

	require.Eventually(t, func() bool { return leaseOf(t, s, job).fence > died.fence }, generous, 5*time.Millisecond)
	heir := leaseOf(t, s, job)
	require.Contains(t, processes, heir.pid)
	require.GreaterOrEqual(t, heir.begun, died.until, "nobody takes a lease that still holds")
	require.Eventually(t, func() bool { return ended() == orders }, generous, 20*time.Millisecond)
	require.Equal(t, [2]int{1000, 1000}, [2]int{s.Stock(tea), s.Stock(pot)})
	require.EqualValues(t, orders, s.Int("SELECT COUNT(*) FROM order_status_log WHERE to_status = 103"))
	require.EqualValues(t, orders, s.Int("SELECT COUNT(DISTINCT order_id) FROM order_status_log WHERE to_status = 103"))
	require.Zero(t, s.Int("SELECT COUNT(*) FROM (SELECT 1 FROM stock_log GROUP BY order_id, product_id, reason HAVING COUNT(*) > 1 "+
		"AND order_id > 0) twice"))
	s.Agree()

	for _, p := range processes {
		p.stop(t)
		require.Zero(t, s.Int("SELECT COUNT(*) FROM job_lease WHERE lease_until > UTC_TIMESTAMP(3) AND holder LIKE ?",
			fmt.Sprintf("%%/%d/%%", p.Process.Pid)), "an orderly end gives the leases up")
	}
}
