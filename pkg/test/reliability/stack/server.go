package stack

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	_ "github.com/go-sql-driver/mysql" // for database/sql
)

// Server is the stack's database or Redis, or a node of a cluster.
type Server struct {
	// Name is mariadb, mysql or redis, or that of the cluster and its number.
	Name string
	// Proxy is the way of the services to the server.
	Proxy *Proxy

	root    string
	quick   bool
	options []string // more ones of the database
	dir     string
	port    int
}

// Addr is the server's own address, past the proxy.
func (s *Server) Addr() string { return "127.0.0.1:" + strconv.Itoa(s.port) }

// Start starts the server, on its earlier port where possible, and waits until it answers.
func (s *Server) Start(ctx context.Context) error {
	port := s.port
	if port == 0 {
		var err error
		if port, err = freePort(ctx); err != nil {
			return err
		}
	}
	printed, err := s.dev(ctx, "start", s.dir, strconv.Itoa(port))
	if err != nil {
		return err
	}
	if s.port, err = strconv.Atoi(printed); err != nil {
		return fmt.Errorf("the port of %s: %w", s.Name, err)
	}
	if s.Proxy != nil {
		s.Proxy.Target(s.Addr())
		return nil
	}
	s.Proxy, err = NewProxy(ctx, s.Addr())
	return err
}

// Use replaces the additional options of the database, from the next start on.
func (s *Server) Use(options ...string) { s.options = options }

// server is one of the stack, in a folder of that name.
func (s *Stack) server(name, folder string) *Server {
	return &Server{Name: name, root: s.root, quick: s.Quick, options: s.Database, dir: filepath.Join(s.Folder, folder)}
}

// Spare starts another server of the database, empty, in a folder of that name.
func (s *Stack) Spare(ctx context.Context, folder string) (*Server, error) {
	spare := s.server(s.MariaDB.Name, folder)
	if err := os.MkdirAll(spare.dir, 0o700); err != nil {
		return nil, err
	}
	s.spare = append(s.spare, spare)
	return spare, spare.Start(ctx)
}

// MoveTo makes a spare server the one that everybody uses, at the address of the earlier one.
func (s *Stack) MoveTo(spare *Server) {
	s.MariaDB.Proxy.Target(spare.Addr())
	spare.Proxy.Close()
	s.spare = append(s.spare, s.MariaDB)
	spare.Proxy, s.MariaDB.Proxy, s.MariaDB = s.MariaDB.Proxy, nil, spare
	s.spare = slices.DeleteFunc(s.spare, func(other *Server) bool { return other == spare })
}

// Folder has the server's data, in data, and its log.
func (s *Server) Folder() string { return s.dir }

// Shell runs a line in a folder and returns what it printed. The client programs of the database reach this server in
// it, with an account, name:password, or as root if it is empty.
func (s *Server) Shell(ctx context.Context, dir, account, line string) (string, error) {
	bin, err := os.MkdirTemp("", "shop-clients")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(bin) }()
	if err := s.Clients(ctx, bin, account); err != nil {
		return "", err
	}
	env := append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	return output(ctx, dir, env, "bash", "-o", "pipefail", "-ec", line)
}

// Clients writes the client programs of the database that this machine has to a folder; they reach this server with
// an account, name:password, or as root if it is empty.
func (s *Server) Clients(ctx context.Context, bin, account string) error {
	login, err := s.login(ctx, account)
	if err != nil {
		return err
	}
	for name, options := range map[string]string{
		"mariadb": login, "mariadb-dump": login, "mariadb-binlog": "", "mysql": login, "mysqldump": login, "mysqlbinlog": "",
	} {
		program, err := s.client(name)
		if err != nil {
			continue // that of another database
		}
		text := fmt.Sprintf("#!/bin/sh\nexec %s --no-defaults %s \"$@\"\n", quoted(program), options)
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o700); err != nil {
			return err
		}
	}
	return nil
}

// login is how a client program reaches the server. Its root has the socket alone.
func (s *Server) login(ctx context.Context, account string) (string, error) {
	socket, err := s.Socket(ctx)
	if err != nil {
		return "", err
	}
	name, password, _ := strings.Cut(cmp.Or(account, "root:"), ":")
	return fmt.Sprintf("--user=%s --password=%s --socket=%s", name, password, quoted(socket)), nil
}

// Socket is that of the database, the only way in which its root logs in.
func (s *Server) Socket(ctx context.Context) (path string, err error) {
	db, err := sql.Open("mysql", "shop:shop@tcp("+s.Addr()+")/")
	if err != nil {
		return "", err
	}
	defer db.Close()
	if err := db.QueryRowContext(ctx, "SELECT @@socket").Scan(&path); err != nil {
		return "", fmt.Errorf("the socket of %s: %w", s.dir, err)
	}
	return path, nil
}

// client finds a client program, among those that were fetched first.
func (s *Server) client(name string) (string, error) {
	for _, dir := range []string{os.Getenv("SHOP_PROGRAMS"), filepath.Join(s.root, ".local/programs")} {
		if program := filepath.Join(dir, "bin", name); dir != "" {
			if _, err := os.Stat(program); err == nil {
				return program, nil
			}
		}
	}
	return exec.LookPath(name)
}

func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// Stop ends the server in order.
func (s *Server) Stop(ctx context.Context) error {
	_, err := s.dev(ctx, "stop", s.dir)
	return err
}

// Kill ends the server with SIGKILL and waits.
func (s *Server) Kill() error {
	pid := s.pid()
	if err := s.signal(syscall.SIGKILL); err != nil {
		return err
	}
	for end := time.Now().Add(10 * time.Second); running(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			return fmt.Errorf("%s does not end", s.Name)
		}
	}
	return nil
}

// Hang stops the server without ending it, until Resume.
func (s *Server) Hang() error { return s.signal(syscall.SIGSTOP) }

// Resume continues a server that hangs.
func (s *Server) Resume() error { return s.signal(syscall.SIGCONT) }

func (s *Server) signal(signal syscall.Signal) error {
	pid := s.pid()
	if pid < 2 || !running(pid) {
		return fmt.Errorf("%s does not run", s.Name)
	}
	return syscall.Kill(pid, signal)
}

func (s *Server) pid() int {
	text, _ := os.ReadFile(filepath.Join(s.dir, "pid"))
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid
}

// running reports whether a process exists and is no zombie: not every init reaps at once.
func running(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(text), ") ")
	return !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}

// dev calls the program that starts and stops servers.
func (s *Server) dev(ctx context.Context, args ...string) (string, error) {
	flush, extra := "FLUSH=1", s.options // whatever those of our caller's servers are
	variable, sparing := "MARIADB_EXTRA", []string{"--innodb-flush-method=nosync", "--sync-frm=0"}
	if s.Name == "mysql" {
		variable, sparing = "MYSQL_EXTRA", []string{"--innodb-flush-method=nosync", "--innodb-doublewrite=OFF"}
	}
	if s.quick {
		flush, extra = "FLUSH=2", append(sparing, extra...)
	}
	settings := []string{flush, variable + "=" + strings.Join(extra, " ")}
	env := append(os.Environ(), settings...)
	return output(ctx, s.root, env, "deploy/local/dev.sh", append([]string{s.Name}, args...)...)
}
