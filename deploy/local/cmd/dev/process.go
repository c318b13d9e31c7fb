package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Each child process inherits a locked file, so the lock is held exactly as long as the process or one of its own
// children runs. The file contains its pid. Pids are reused, so the pid is valid only while the lock is held. The files
// are never removed.

var (
	errHeld  = errors.New("another process holds the lock")
	errEnded = errors.New("it has ended")
)

// hold locks the file until every copy of the returned handle is closed, inherited ones included.
func hold(lock string) (*os.File, error) {
	f, err := os.OpenFile(lock, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for range 10 { // holder takes the lock for a moment to test it
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
	for range 100 { // the pid is written just after the process is started
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

// end terminates the process that holds the lock and its process group, and kills them after the grace period.
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
	// How it ended, once done is closed.
	err   error
	state string
}

// start runs the command in a session of its own, so that Ctrl-C reaches only this program, which then stops its
// children in order. Unless the child is kept, it ends when this program dies.
func start(lock string, kept bool, cmd *exec.Cmd) (*process, error) {
	f, err := hold(lock)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	cmd.ExtraFiles = []*os.File{f}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	ended := func() {}
	if kept {
		err = cmd.Start()
	} else {
		ended, err = startWithUs(cmd)
	}
	if err != nil {
		return nil, err
	}
	p := &process{pid: cmd.Process.Pid, done: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		ended()
		p.state = cmd.ProcessState.String()
		close(p.done)
	}()
	_, err = fmt.Fprintln(f, p.pid)
	return p, err
}

// starting is how long a server or a service, or one more node of a cluster, may take before it counts as hanging.
func starting() time.Duration {
	limit, err := time.ParseDuration(os.Getenv("LIMIT_START")) // lib.sh has it
	if err != nil {
		limit = time.Hour // run without the scripts
	}
	return limit
}

// await calls ready until it succeeds, the process has ended or the limit has passed.
func (p *process) await(ctx context.Context, ready func(context.Context) error) error {
	limit := starting()
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

// step runs the command to its end. When ctx ends, it terminates the command with all its children.
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

// command returns a command with our output. The end of ctx does not kill it: step and end stop it properly.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), name, args...) //nolint:gosec // the programs are ours
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd
}

// replace writes the file atomically.
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

// lastLines returns the path of a log and its last lines.
func lastLines(file string) string {
	text, _ := os.ReadFile(file)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return "The last lines of " + file + ":\n" + strings.Join(lines[max(0, len(lines)-20):], "\n")
}
