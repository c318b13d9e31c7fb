package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test program act as the real one, for tests that need a process to kill.
func TestMain(m *testing.M) {
	if os.Getenv("DEV_CALL") != "" {
		main()
		return
	}
	if os.Getenv("DEV_STAND_IN") != "" {
		standIn()
		return
	}
	os.Exit(m.Run())
}

// project is the folder of the project.
func project(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	ok(t, err)
	return root
}

// call starts this program in a folder, with its output in a file of that folder.
func call(t *testing.T, dir string, args ...string) (*exec.Cmd, string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	f, err := os.Create(log)
	ok(t, err)
	defer f.Close()
	self, err := os.Executable()
	ok(t, err)
	cmd := exec.Command(self, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "DEV_CALL=1")
	cmd.Stdout, cmd.Stderr = f, f
	ok(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, log
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("not within a minute: " + what)
		}
	}
}

func contains(t *testing.T, file, text string) {
	t.Helper()
	if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), text) {
		t.Errorf("%s: %v, %q does not hold %q", file, err, b, text)
	}
}

// folder creates a project whose only task is a script, with the programs of the real one.
func folder(t *testing.T, script string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	ok(t, err)
	ok(t, os.MkdirAll(root+"/deploy/local", 0o700))
	programs := "#!/bin/sh\nexec '" + project(t) + "/deploy/local/programs.sh' \"$@\"\n"
	ok(t, os.WriteFile(root+"/deploy/local/programs.sh", []byte(programs), 0o700))
	ok(t, os.Symlink(project(t)+"/deploy/mysql", root+"/deploy/mysql"))
	ok(t, os.WriteFile(root+"/deploy/local/test-all.sh", []byte("#!/bin/bash\n"+script), 0o700))
	t.Cleanup(func() { ok(t, clean(root)) })
	return root
}

func unnamed(t *testing.T) {
	t.Helper()
	for _, name := range []string{"SHOP_TEST_MYSQL_DSN", "SHOP_TEST_REDIS_ADDR", "SHOP_ENV_OF", "FLUSH", "MARIADB_EXTRA"} {
		t.Setenv(name, "")
	}
}

func TestALockLivesAsLongAsItsProcess(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "pid")
	if holder(lock) != 0 {
		t.Error("nobody holds a lock that does not exist")
	}
	// A stale pid, which now belongs to another process, is ignored.
	ok(t, os.WriteFile(lock, []byte(strconv.Itoa(os.Getpid())), 0o600))
	if holder(lock) != 0 {
		t.Error("a stale pid is believed")
	}
	end(lock, time.Second)
	p, err := start(lock, false, command(t.Context(), "sleep", "60"))
	ok(t, err)
	if got := holder(lock); got != p.pid {
		t.Errorf("held by %d, not by %d", got, p.pid)
	}
	if _, err := start(lock, false, command(t.Context(), "sleep", "60")); err == nil {
		t.Error("a second process got the lock")
	}
	end(lock, time.Second)
	<-p.done
	if holder(lock) != 0 {
		t.Error("the lock outlives its process")
	}
}

func TestAProcessThatDoesNotListenIsKilledWithItsChildren(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "pid")
	ready := filepath.Join(t.TempDir(), "ready")
	_, err := start(lock, false, command(t.Context(), "bash", "-c", "trap '' TERM; sleep 60 & >"+ready+"; wait; sleep 60"))
	ok(t, err)
	eventually(t, "the process does not listen", func() bool { _, err := os.Stat(ready); return err == nil })
	end(lock, 200*time.Millisecond)
	if holder(lock) != 0 {
		t.Error("something still runs")
	}
}

func TestAStepEndsWithItsContext(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, stopped{syscall.SIGINT})
	defer cancel()
	if err := step(ctx, lock, command(ctx, "sleep", "60")); !errors.Is(err, stopped{syscall.SIGINT}) {
		t.Errorf("ended by %v", err)
	}
	if holder(lock) != 0 {
		t.Error("the step still runs")
	}
	if err := step(t.Context(), lock, command(t.Context(), "false")); err == nil {
		t.Error("a failure is not told")
	}
}

func TestAPortInUseIsPassedOver(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	defer l.Close()
	taken := l.Addr().(*net.TCPAddr).Port
	port, err := freePort(t.Context(), taken, "a test")
	if err != nil || port <= taken {
		t.Errorf("%d, %v after %d", port, err, taken)
	}
}

func TestTheEnvironmentIsReadByTheShell(t *testing.T) {
	s := newStack(t.TempDir(), "run")
	ok(t, os.MkdirAll(s.state, 0o700))
	s.dsn, s.addr = "shop:it's@tcp(127.0.0.1:1)/shop", "127.0.0.1:2"
	ok(t, s.writeEnv())
	out, err := exec.Command("sh", "-c", `. "$1"; printf %s "$SHOP_MYSQL_DSN"`, "sh", s.file("env")).Output()
	if err != nil || string(out) != s.dsn {
		t.Errorf("%s, %v", out, err)
	}
	if got := s.database(""); got != "shop:it's@tcp(127.0.0.1:1)/" {
		t.Error(got)
	}
}

// TestServersComeUpAgain starts real servers in a deep folder with blanks, while other programs use their ports, kills
// them, and finds the data again.
func TestServersComeUpAgain(t *testing.T) {
	unnamed(t)
	root := folder(t, "")
	t.Chdir(root)
	ok(t, programs(t.Context(), root))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	defer l.Close()
	taken := l.Addr().(*net.TCPAddr).Port
	dir := filepath.Join(root, ".local", strings.Repeat("deep and ", 12))
	for _, s := range []*server{mariadb(dir + "/m"), redis(dir + "/r")} {
		ok(t, s.start(t.Context(), taken))
		port, pid := s.port(), holder(s.file("pid"))
		if port == taken || pid == 0 {
			t.Errorf("%s on port %d, pid %d", s.name, port, pid)
		}
		ok(t, s.start(t.Context(), taken))
		if holder(s.file("pid")) != pid {
			t.Errorf("a second %s was started", s.name)
		}
		if s.name == "MariaDB" {
			ok(t, execute(t.Context(), s.dsn(), "CREATE TABLE kept (id int)", "INSERT INTO kept VALUES (1)"))
			accounts(t, s)
		}
		ok(t, syscall.Kill(pid, syscall.SIGKILL))
		eventually(t, "the server is gone", func() bool { return !s.alive() })
		ok(t, s.start(t.Context(), port))
		if s.name == "MariaDB" {
			ok(t, execute(t.Context(), s.dsn(), "INSERT INTO kept SELECT id + 1 FROM kept", "DELETE FROM kept WHERE id = 2"))
		}
		s.stop()
		if s.alive() {
			t.Errorf("%s still runs", s.name)
		}
		if socket := filepath.Dir(s.socket()); socket != s.dir && exec.Command("test", "-e", socket).Run() == nil {
			t.Errorf("%s is left", socket)
		}
	}
}

// accounts compares what the accounts may do with what they need.
func accounts(t *testing.T, s *server) {
	t.Helper()
	if execute(t.Context(), s.dsn(), "CREATE DATABASE other") == nil {
		t.Error("the owner may make any database")
	}
	for _, service := range services {
		name := "shop_" + service
		dsn := name + ":" + name + "@tcp(" + s.addr() + ")/shop"
		ok(t, execute(t.Context(), dsn, "INSERT INTO kept VALUES (7)", "UPDATE kept SET id = 8 WHERE id = 7",
			"SELECT id FROM kept FOR UPDATE", "DELETE FROM kept WHERE id = 8"))
		for _, statement := range []string{
			"CREATE TABLE more (id int)", "ALTER TABLE kept ADD x int", "CREATE INDEX i ON kept (id)", "TRUNCATE kept",
			"DROP TABLE kept", "DROP DATABASE shop", "CREATE VIEW v AS SELECT id FROM kept", "LOCK TABLES kept WRITE",
			"GRANT ALL ON shop.* TO " + name, "SELECT * FROM kept INTO OUTFILE 'kept'", "SET GLOBAL max_connections = 1",
			"SELECT 1 FROM mysql.user", "CREATE DATABASE other",
		} {
			if execute(t.Context(), dsn, statement) == nil {
				t.Errorf("%s may %s", name, statement)
			}
		}
	}
}

// TestNothingOutlivesATask runs a whole task, which locks its servers; a second one is refused; Ctrl-C and a kill leave
// nothing running.
func TestNothingOutlivesATask(t *testing.T) {
	unnamed(t)
	root := folder(t, "echo begun; sleep 600 & wait\n")
	s := newStack(root, "test")
	begin := func() (*exec.Cmd, string) {
		cmd, log := call(t, root, "test")
		eventually(t, "the script runs", func() bool { b, _ := os.ReadFile(log); return strings.Contains(string(b), "begun") })
		return cmd, log
	}
	gone := func() {
		t.Helper()
		for what, lock := range map[string]string{"step": s.lock("step"), "MariaDB": s.mariadb.file("pid"), "Redis": s.redis.file("pid")} {
			eventually(t, what+" is gone", func() bool { return holder(lock) == 0 })
		}
	}

	first, log := begin()
	second, refusal := call(t, root, "test")
	if second.Wait() == nil {
		t.Error("a second task ran beside the first")
	}
	contains(t, refusal, fmt.Sprintf("make test is running here already: end it first, with Ctrl-C or kill %d", first.Process.Pid))
	if !s.mariadb.alive() || !s.redis.alive() {
		t.Error("the refused task has ended the servers of the first")
	}
	ok(t, first.Process.Signal(os.Interrupt))
	_ = first.Wait()
	if code := first.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d after Ctrl-C", code)
	}
	contains(t, log, "begun")
	gone()

	killed, _ := begin()
	left := holder(s.lock("step"))
	ok(t, killed.Process.Kill())
	_ = killed.Wait()
	for _, server := range []*server{s.mariadb, s.redis} {
		eventually(t, server.name+" is gone", func() bool { return !server.alive() })
	}
	last, _ := begin() // the next start ends what the killed script had started
	eventually(t, "the killed script's children are gone", func() bool { return syscall.Kill(-left, 0) != nil })
	ok(t, last.Process.Signal(syscall.SIGTERM))
	_ = last.Wait()
	gone()
}

func TestUpLastsUntilDown(t *testing.T) {
	unnamed(t)
	root := folder(t, "")
	s := newStack(root, "run")
	up, log := call(t, root, "up")
	ok(t, up.Wait())
	contains(t, log, s.mariadb.dsn())
	if !s.mariadb.alive() || !s.redis.alive() {
		t.Error("the servers have ended with make up")
	}
	contains(t, s.file("env"), s.redis.addr())
	down, _ := call(t, root, "down")
	ok(t, down.Wait())
	if s.mariadb.alive() || s.redis.alive() || s.lasting() {
		t.Error("the servers outlive make down")
	}
}
