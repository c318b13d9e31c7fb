package main

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	_ "github.com/go-sql-driver/mysql" // for database/sql
)

// server is a private MariaDB, MySQL or Redis inside a folder: no system service, no system user, nothing of /etc.
type server struct {
	name, dir string
	kept      bool                    // it keeps running after this program exits
	extra     []string                // options that it needs as a part of a cluster
	prepare   func(data string) error // changes the data folder before the server starts
	// setup creates an empty data folder; nil if the server needs none.
	setup  func(ctx context.Context, s *server, data string) *exec.Cmd
	launch func(ctx context.Context, s *server, port int) *exec.Cmd
	ready  func(ctx context.Context, s *server, port, pid int) error
}

func mariadb(dir string) *server {
	return &server{name: "MariaDB", dir: dir, setup: setUpMariaDB, launch: launchMariaDB, ready: mariadbReady}
}

func redis(dir string) *server {
	return &server{name: "Redis", dir: dir, launch: launchRedis, ready: redisReady}
}

func (s *server) file(name string) string { return filepath.Join(s.dir, name) }
func (s *server) log() string             { return s.file(strings.ToLower(s.name) + ".log") }
func (s *server) alive() bool             { return holder(s.file("pid")) != 0 }
func (s *server) port() int               { return number(s.file("port")) }
func (s *server) addr() string            { return fmt.Sprintf("127.0.0.1:%d", s.port()) }
func (s *server) dsn() string             { return "shop:shop@tcp(" + s.addr() + ")/shop" }

// start starts the server on the port, or on the next free one. If it is already running, start does nothing.
func (s *server) start(ctx context.Context, port int) error {
	if s.alive() && s.port() != 0 {
		return nil
	}
	if s.alive() {
		return fmt.Errorf("%s in %s is being started by another program", s.name, s.dir)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	_ = os.Remove(s.file("port"))
	if s.setup != nil {
		if err := s.install(ctx); err != nil {
			return fmt.Errorf("%s could not set up %s: %w\n%s", s.name, s.dir, err, lastLines(s.log()))
		}
	}
	if s.prepare != nil {
		if err := s.prepare(s.file("data")); err != nil {
			return err
		}
	}
	for {
		var err error
		if port, err = freePort(ctx, port, s.name); err != nil {
			return err
		}
		if err = s.try(ctx, port); err == nil {
			return replace(s.file("port"), strconv.Itoa(port)+"\n")
		}
		// Another program may have taken the port in between.
		if text, _ := os.ReadFile(s.log()); !bytes.Contains(text, []byte("Address already in use")) {
			return fmt.Errorf("%s did not start: %w\n%s", s.name, err, lastLines(s.log()))
		}
		port++
	}
}

func (s *server) stop() {
	end(s.file("pid"), time.Minute)
	if dir := filepath.Dir(s.socket()); dir != s.dir {
		_ = os.Remove(dir) // it is empty once the server has removed its socket
	}
}

func (s *server) try(ctx context.Context, port int) error {
	log, err := s.create(s.log())
	if err != nil {
		return err
	}
	defer log.Close() // the server has its own handle
	cmd := s.launch(ctx, s, port)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, log, log
	p, err := start(s.file("pid"), s.kept, cmd)
	if err != nil {
		return err
	}
	err = p.await(ctx, func(ctx context.Context) error { return s.ready(ctx, s, port, p.pid) })
	if err != nil {
		s.stop()
	}
	return err
}

func (s *server) create(file string) (*os.File, error) {
	return os.OpenFile(file, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
}

// install creates the data folder, under another name first, so that an interrupted installation is never
// used.
func (s *server) install(ctx context.Context) error {
	socket := s.socket()
	if dir := filepath.Dir(socket); dir != s.dir { // only the owner of a folder may change its mode
		_ = os.Mkdir(dir, 0o700)
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || os.Chmod(dir, 0o700) != nil {
			return fmt.Errorf("%s belongs to another user: remove it, or use a shorter folder", dir)
		}
	}
	_ = os.Remove(socket)
	// A starting server deletes the temporary tables of others that share its folder for them.
	if err := os.MkdirAll(s.file("tmp"), 0o700); err != nil {
		return err
	}
	data := s.file("data")
	if _, err := os.Stat(data + "/mysql"); err == nil {
		return nil
	}
	log, err := s.create(s.log())
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := s.setup(ctx, s, data+".new")
	cmd.Stdout, cmd.Stderr, cmd.Env = log, log, append(os.Environ(), "TMPDIR="+s.file("tmp"))
	err = errors.Join(os.RemoveAll(data), os.RemoveAll(data+".new"), os.Mkdir(data+".new", 0o700))
	if err == nil {
		err = step(ctx, s.file("pid"), cmd)
	}
	if err != nil {
		return err
	}
	return os.Rename(data+".new", data)
}

// socket is in the server's folder, or for long paths in a private one among the temporary files: the limit is 107
// bytes.
func (s *server) socket() string {
	if path := s.file("m.sock"); len(path) <= 100 {
		return path
	}
	name := fmt.Sprintf("shop-%d-%08x", os.Getuid(), crc32.ChecksumIEEE([]byte(s.dir)))
	return filepath.Join(os.TempDir(), name, "m.sock")
}

func setUpMariaDB(ctx context.Context, _ *server, data string) *exec.Cmd {
	// No --user: with it the installer runs an unquoted chown. --force: bare containers resolve neither their own name
	// nor localhost.
	return command(ctx, "mariadb-install-db", "--no-defaults", "--datadir="+data, "--skip-test-db", "--force",
		"--auth-root-authentication-method=normal")
}

func launchMariaDB(ctx context.Context, s *server, port int) *exec.Cmd {
	args := append(s.options(port), strings.Fields(os.Getenv("MARIADB_EXTRA"))...)
	return command(ctx, "mariadbd", append(args, s.extra...)...)
}

// unconfigured are the first options of a database server: it ignores /etc/mysql, and starts as root, which it refuses
// unless told.
func unconfigured() []string {
	if os.Getuid() == 0 {
		return []string{"--no-defaults", "--user=root"}
	}
	return []string{"--no-defaults"}
}

// options are those that MariaDB and MySQL share.
func (s *server) options(port int) []string {
	return append(unconfigured(), "--datadir="+s.file("data"), "--tmpdir="+s.file("tmp"), "--socket="+s.socket(),
		fmt.Sprintf("--port=%d", port),
		"--bind-address=127.0.0.1", "--pid-file="+s.file("server.pid"), "--log-error="+s.log(), "--skip-name-resolve",
		"--default-time-zone=+00:00", "--character-set-server=utf8mb4", "--collation-server=utf8mb4_unicode_ci",
		"--sql-mode=ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,"+
			"NO_ENGINE_SUBSTITUTION", "--max-connections=500", "--max-allowed-packet=64M",
		"--innodb-buffer-pool-size="+cmp.Or(os.Getenv("BUFFER_POOL"), "256M"),
		"--innodb-flush-log-at-trx-commit="+cmp.Or(os.Getenv("FLUSH"), "1"), // 1: to the disk, 2: to the operating system
		"--innodb-lock-wait-timeout=10", "--performance-schema=OFF")
}

// mariadbReady succeeds when MariaDB answers on its socket and has the accounts. The server's root can connect only
// through the socket.
func mariadbReady(ctx context.Context, s *server, _, _ int) error {
	return s.accounts(ctx, "DELETE FROM mysql.global_priv WHERE user IN ('', 'root') AND host <> 'localhost'",
		"FLUSH PRIVILEGES")
}

// accounts creates the accounts of a deployment, whose names are their passwords, with the rights that they have there,
// but on every database whose name begins with shop.
func (s *server) accounts(ctx context.Context, before ...string) error {
	text, err := os.ReadFile("deploy/mysql/accounts.sql")
	if err != nil {
		return err
	}
	with := strings.NewReplacer("ON shop.*", "ON `shop%`.*", "{{mysql-password}}", "shop",
		"{{mysql-password-storefront}}", "shop_storefront", "{{mysql-password-admin}}", "shop_admin")
	return s.root(ctx, append(before, strings.Split(strings.TrimRight(with.Replace(string(text)), ";\n"), ";\n")...)...)
}

func execute(ctx context.Context, dsn string, statements ...string) error {
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // for settings of the session
	for _, statement := range statements {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

func launchRedis(ctx context.Context, s *server, port int) *exec.Cmd {
	args := []string{
		"--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--protected-mode", "yes", "--dir", s.dir,
		"--appendonly", "yes", "--appendfsync", "everysec", "--save", "", "--daemonize", "no", "--logfile", s.log(),
	}
	if len(s.extra) == 0 { // it is alone; a cluster has one database
		args = append(args, "--databases", "256") // each test has one, and many run at once
	}
	args = append(args, strings.Fields(os.Getenv("REDIS_EXTRA"))...)
	return command(ctx, "redis-server", append(args, s.extra...)...)
}

// redisReady compares the pid that Redis reports: another server may be listening on the port.
func redisReady(ctx context.Context, _ *server, port, pid int) error {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(3 * time.Second)); err != nil {
		return err
	}
	about := func(section string) ([]byte, error) {
		answer := make([]byte, 16<<10)
		_, err := c.Write([]byte("INFO " + section + "\r\n"))
		if err == nil {
			_, err = c.Read(answer)
		}
		return answer, err
	}
	answer, err := about("server")
	if err == nil && !bytes.Contains(answer, fmt.Appendf(nil, "process_id:%d\r", pid)) {
		err = errors.New("another Redis answers")
	}
	if err != nil {
		return err
	}
	// A sentinel has no such section.
	if answer, err = about("persistence"); err == nil && bytes.Contains(answer, []byte("loading:1\r")) {
		err = errors.New("it reads its data")
	}
	return err
}

// programs finds or installs the programs of the servers and extends PATH. Those in a folder that SHOP_PROGRAMS names
// are used first.
func programs(ctx context.Context, root string) error {
	dir := filepath.Join(root, ".local/programs")
	path := dir + "/bin:" + os.Getenv("PATH") + ":/usr/local/sbin:/usr/sbin:/sbin"
	if other := os.Getenv("SHOP_PROGRAMS"); other != "" {
		path = other + "/bin:" + path
	}
	if err := errors.Join(os.MkdirAll(dir, 0o750), os.Setenv("PATH", path)); err != nil {
		return err
	}
	for holder(dir+"/pid") != 0 && ctx.Err() == nil { // another task is installing them
		time.Sleep(100 * time.Millisecond)
	}
	cmd := command(ctx, filepath.Join(root, "deploy/local/programs.sh"), dir)
	cmd.Stdout = os.Stderr // serve prints only the port to the standard output
	if err := step(ctx, dir+"/pid", cmd); err != nil {
		return fmt.Errorf("there are no programs of MariaDB and Redis (see above): %w", err)
	}
	return nil
}
