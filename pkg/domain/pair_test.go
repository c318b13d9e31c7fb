package domain

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shop.internal/migrations"
	"shop.internal/pkg/domain/internal/db"
)

// mariadb is a MariaDB of the test.
type mariadb struct {
	t    *testing.T
	dir  string
	args []string
	cmd  *exec.Cmd
}

// pair is a MariaDB with a read replica.
type pair struct{ primary, replica *mariadb }

// newPair starts a MariaDB with an empty, migrated database, and its replica.
func newPair(t *testing.T) pair {
	t.Helper()
	_, err := exec.LookPath("mariadbd")
	require.NoError(t, err, "there is no MariaDB to start")
	port := freePort(t)
	p := pair{
		install(t, "--server-id=1", "--log-bin=bin", "--binlog-format=ROW", "--bind-address=127.0.0.1", "--port="+port),
		install(t, "--server-id=2", "--read-only=ON", "--skip-networking"),
	}
	p.primary.start()
	p.replica.start()
	p.primary.exec("CREATE USER copy@'%' IDENTIFIED BY 'copy'", "GRANT REPLICATION SLAVE ON *.* TO copy@'%'",
		"CREATE DATABASE shop CHARACTER SET utf8mb4")
	p.replica.exec("CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = "+port+", MASTER_USER = 'copy', "+
		"MASTER_PASSWORD = 'copy', MASTER_CONNECT_RETRY = 1, MASTER_USE_GTID = slave_pos", "START SLAVE")
	d, err := db.Open(db.Options{DSN: p.primary.dsn("shop")})
	require.NoError(t, err)
	defer d.Close()
	require.NoError(t, migrations.Apply(t.Context(), d.SQL(), func(string) {}))
	return p
}

func install(t *testing.T, args ...string) *mariadb {
	t.Helper()
	dir, err := os.MkdirTemp("", "shop") //nolint:usetesting // the path of a socket must be short
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	setUp := exec.Command("mariadb-install-db", "--no-defaults", "--datadir="+dir+"/data", "--skip-test-db", "--force",
		"--auth-root-authentication-method=normal", "--innodb-log-file-size=8M")
	said, err := setUp.CombinedOutput()
	require.NoError(t, err, string(said))
	own := []string{"--no-defaults"}
	if os.Getuid() == 0 {
		own = append(own, "--user=root")
	}
	return &mariadb{t: t, dir: dir, args: append(append(own, "--datadir="+dir+"/data", "--tmpdir="+dir, "--socket="+dir+"/s",
		"--pid-file="+dir+"/pid", "--log-error="+dir+"/log", "--innodb-buffer-pool-size=64M", "--innodb-log-file-size=8M",
		"--skip-name-resolve"), args...)}
}

// start starts the server and waits until it answers.
func (m *mariadb) start() {
	m.t.Helper()
	m.cmd = exec.Command("mariadbd", m.args...)
	require.NoError(m.t, m.cmd.Start())
	m.t.Cleanup(m.kill)
	d, err := db.Open(db.Options{DSN: m.dsn("")})
	require.NoError(m.t, err)
	defer d.Close()
	answered := assert.Eventually(m.t, func() bool { return d.SQL().PingContext(m.t.Context()) == nil },
		time.Minute, 50*time.Millisecond)
	if !answered {
		log, _ := os.ReadFile(filepath.Join(m.dir, "log"))
		m.t.Fatal(string(log))
	}
}

func (m *mariadb) kill() {
	_ = m.cmd.Process.Kill()
	_ = m.cmd.Wait()
}

func (m *mariadb) dsn(name string) string { return "root@unix(" + m.dir + "/s)/" + name }

func (m *mariadb) exec(statements ...string) {
	m.t.Helper()
	d, err := db.Open(db.Options{DSN: m.dsn("")})
	require.NoError(m.t, err)
	defer d.Close()
	for _, s := range statements {
		_, err := d.SQL().ExecContext(m.t.Context(), s)
		require.NoError(m.t, err, s)
	}
}

// late has the replica copy everything so many seconds late.
func (p pair) late(seconds int) {
	p.replica.exec("STOP SLAVE", fmt.Sprintf("CHANGE MASTER TO MASTER_DELAY = %d", seconds), "START SLAVE")
}

// process returns a shop on the pair, with a clerk who reads lists.
func (p pair) process(t *testing.T, redis string, maxLag time.Duration) *Domain {
	t.Helper()
	d := shopWith(t, RedisConfig{Addrs: []string{"127.0.0.1:" + redis}})
	d.log = slog.New(slog.DiscardHandler)
	var err error
	d.db, err = db.Open(db.Options{DSN: p.primary.dsn("shop"), Log: d.log, Replicas: db.Replicas{
		DSNs: []string{p.replica.dsn("shop")}, MaxLag: maxLag, Clock: time.Now,
	}})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	watched := make(chan error, 1)
	go func() { watched <- d.WatchReplicas(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-watched)
		require.NoError(t, d.db.Close())
	})
	return d
}

// listed is what a caller sees: which server answers, 1 for the primary and 2 for its replica, and the keywords.
type listed struct {
	server   int
	keywords string
}

func (d *Domain) listed(t *testing.T, who string) listed {
	t.Helper()
	var l listed
	ctx := d.MayLag()(t.Context(), who)
	require.NoError(t, d.db.G(ctx).Raw("SELECT @@server_id, COALESCE(GROUP_CONCAT(keyword ORDER BY id), '') FROM keyword").
		Row().Scan(&l.server, &l.keywords))
	return l
}

func (d *Domain) add(t *testing.T, who, keyword string) {
	t.Helper()
	_, err := db.Exec(t.Context(), d.db, "INSERT INTO keyword (keyword, add_time, update_time) "+
		"VALUES (?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))", keyword)
	require.NoError(t, err)
	d.Wrote()(t.Context(), who)
}

// leaves waits until the replica does not serve a process.
func (d *Domain) leaves(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool { return !d.db.ReplicaState(0).Serves }, time.Minute, 20*time.Millisecond)
}

// lists waits until a replica answers, with these keywords; until then the primary does. On a slow machine the replica
// may be too late for a moment.
func (d *Domain) lists(t *testing.T, keywords string) {
	t.Helper()
	require.Eventually(t, func() bool {
		got := d.listed(t, "clerk 2")
		return assert.Equal(t, keywords, got.keywords) && got.server == 2
	}, time.Minute, 20*time.Millisecond)
}

// Lists are read from a replica, but not by a caller who has just written, not from one that is late, and not from one
// that is down, which nobody notices.
func TestListsFromAReplica(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	redis := redisServer(t, "--port", "PORT")
	one, other := p.process(t, redis, 20*time.Second), p.process(t, redis, 20*time.Second)
	strict := p.process(t, redis, 2*time.Second)
	answers(t, one)
	for _, d := range []*Domain{one, other, strict} {
		d.lists(t, "")
	}

	p.replica.exec("STOP SLAVE SQL_THREAD")
	one.add(t, "clerk 1", "a")
	for _, d := range []*Domain{one, other} {
		require.Equal(t, listed{1, "a"}, d.listed(t, "clerk 1"), "the writer")
		require.Equal(t, listed{2, ""}, d.listed(t, "clerk 2"), "somebody else")
	}
	strict.leaves(t)
	require.Equal(t, listed{1, "a"}, strict.listed(t, "clerk 2"))
	p.replica.exec("START SLAVE SQL_THREAD")
	strict.lists(t, "a")

	p.late(30)
	strict.leaves(t)
	require.Greater(t, strict.db.ReplicaState(0).Lag, 2*time.Second)
	one.add(t, "clerk 1", "b")
	require.Equal(t, listed{1, "a,b"}, strict.listed(t, "clerk 2"))
	p.late(0)
	strict.lists(t, "a,b")

	p.replica.kill()
	for range 20 {
		require.Equal(t, listed{1, "a,b"}, strict.listed(t, "clerk 2"))
	}
	strict.leaves(t)
	begun := p.process(t, redis, 2*time.Second)
	require.Equal(t, listed{1, "a,b"}, begun.listed(t, "clerk 2"), "a process that starts meanwhile")
	p.replica.start()
	for _, d := range []*Domain{strict, begun} {
		d.lists(t, "a,b")
	}
	require.NotContains(t, begun.db.ReplicaNames()[0], "@", "no account is told")
}
