package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A process of ours inherits a locked file and so holds the lock for exactly as long as it or a child of it lives. Its
// pid is in the file. Pids are used again, so the pid counts only while the lock is held; lock files are never removed.

var (
	errHeld  = errors.New("another process is at it")
	errEnded = errors.New("it has ended")
)

// hold locks the file for whoever has the returned handle or inherits it.
func hold(lock string) (*os.File, error) {
	f, err := os.OpenFile(lock, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for range 10 { // holder looks by locking for a moment
		if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			return f, f.Truncate(0)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil, errors.Join(errHeld, f.Close())
}

// holder returns the pid of the process that holds the lock, 0 if there is none.
func holder(lock string) int {
	f, err := os.Open(lock)
	if err != nil {
		return 0
	}
	defer f.Close()
	for range 100 { // a process that has just been started gets its pid written a moment later
		if syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil {
			return 0
		}
		if pid := number(lock); pid > 1 {
			return pid
		}
		time.Sleep(10 * time.Millisecond)
	}
	return 0
}

// end ends the process that holds the lock and its process group: politely first, by force after the grace.
func end(lock string, grace time.Duration) {
	signal := syscall.SIGTERM
	for pid := holder(lock); pid != 0; pid = holder(lock) {
		if syscall.Kill(-pid, signal) != nil {
			_ = syscall.Kill(pid, signal)
		}
		for limit := time.Now().Add(grace); holder(lock) == pid && time.Now().Before(limit); {
			time.Sleep(20 * time.Millisecond)
		}
		signal = syscall.SIGKILL
	}
}

// process is a child of this program.
type process struct {
	pid  int
	done chan struct{} // closed when it has ended
	err  error         // how it ended, once done is closed
}

// start runs the command in a session of its own: Ctrl-C reaches this program alone, which then ends its children in
// order. A child that is not kept gets SIGTERM from the kernel when this program dies.
func start(lock string, kept bool, cmd *exec.Cmd) (*process, error) {
	f, err := hold(lock)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	cmd.ExtraFiles = []*os.File{f}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if !kept {
		cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{pid: cmd.Process.Pid, done: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	_, err = fmt.Fprintln(f, p.pid)
	return p, err
}

// await asks until ready has no objection, the process has ended or the time is up.
func (p *process) await(ctx context.Context, limit time.Duration, ready func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("it is not ready after %s", limit))
	defer cancel()
	for ready(ctx) != nil {
		select {
		case <-p.done:
			return errEnded
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(10 * time.Millisecond):
		}
	}
	return nil
}

// step runs the command to its end, or ends it as a whole when ctx ends.
func step(ctx context.Context, lock string, cmd *exec.Cmd) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	p, err := start(lock, false, cmd)
	if err != nil {
		return err
	}
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		end(lock, 40*time.Second)
		return context.Cause(ctx)
	}
}

// command is a program with our output. It outlives ctx: whoever starts it ends it.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), name, args...) //nolint:gosec // the programs are ours
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd
}

// freePort returns the port or the next one that nobody listens on, and says so.
func freePort(ctx context.Context, wanted int, who string) (int, error) {
	for port := wanted; port < 65536; port++ {
		if l, err := new(net.ListenConfig).Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			if port != wanted {
				fmt.Fprintf(os.Stderr, "Port %d is in use: %s takes %d.\n", wanted, who, port)
			}
			return port, l.Close()
		}
	}
	return 0, fmt.Errorf("no port from %d on is free for %s", wanted, who)
}

// replace writes the file at once: nobody sees half of it.
func replace(file, text string) error {
	if err := os.WriteFile(file+".new", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// number reads a file that holds a number, 0 if there is none.
func number(file string) int {
	text, _ := os.ReadFile(file)
	n, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return n
}

// lastLines says where a log is and how it ends.
func lastLines(file string) string {
	text, _ := os.ReadFile(file)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return "The last lines of " + file + ":\n" + strings.Join(lines[max(0, len(lines)-20):], "\n")
}
