package stack

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Server is the stack's MariaDB or Redis.
type Server struct {
	// Name is mariadb or redis.
	Name string
	// Proxy is the way of the services to the server.
	Proxy *Proxy

	stack *Stack
	dir   string
	port  int
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
	settings := []string{"FLUSH=1", "MARIADB_EXTRA="} // whatever those of our caller's servers are
	if s.stack.Quick {
		settings = []string{"FLUSH=2", "MARIADB_EXTRA=--innodb-flush-method=nosync --sync-frm=0"}
	}
	env := append(os.Environ(), settings...)
	return output(ctx, s.stack.root, env, "deploy/local/dev.sh", append([]string{s.Name}, args...)...)
}
