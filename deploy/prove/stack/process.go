package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Replica is one process of a service.
type Replica struct {
	// Name is unique in the stack, such as storefront-1.
	Name string
	// URL is its public address, and Ops that of its health, readiness and metrics; both survive a restart.
	URL, Ops string

	stack   *Stack
	service string
	release Release
	more    []string // settings of this replica alone
	wires   []*Proxy // all its connections, if it has a network of its own

	mu   sync.Mutex
	cmd  *exec.Cmd
	pid  int
	done chan struct{}
}

// Start starts the process and waits until it is ready. It does nothing while the process runs.
func (r *Replica) Start(ctx context.Context) error {
	if err := r.Launch(); err != nil {
		return err
	}
	return r.Await(ctx)
}

// Launch starts the process without waiting, for a start while a server is away.
func (r *Replica) Launch() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cmd != nil {
		return nil
	}
	log, err := os.OpenFile(r.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(filepath.Join(r.release.Programs, r.service), "--config", "deploy/"+r.service+"/config.yaml")
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.release.Root, r.environ(), log, log
	// A killed test takes its processes with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", r.Name, err)
	}
	done := make(chan struct{})
	r.cmd, r.done, r.pid = cmd, done, cmd.Process.Pid
	go func() {
		_ = cmd.Wait()
		close(done)
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.cmd == cmd {
			r.cmd = nil
		}
	}()
	return nil
}

// wire leads all connections of the replica, from and to it, through proxies of its own.
func (r *Replica) wire(ctx context.Context) error {
	var addresses []string
	database, redis := r.stack.MariaDB.Proxy.Addr(), r.stack.Redis.Proxy.Addr()
	for _, target := range []string{address(r.URL), address(r.Ops), database, redis} {
		p, err := NewProxy(ctx, target)
		if err != nil {
			return err
		}
		r.wires, addresses = append(r.wires, p), append(addresses, p.Addr())
	}
	r.more = []string{
		"LISTEN=" + address(r.URL), "OPS_LISTEN=" + address(r.Ops),
		"MYSQL_DSN=" + as(r.service, ownerOf(addresses[2])), "REDIS_ADDR=" + addresses[3],
	}
	r.URL, r.Ops = "http://"+addresses[0], "http://"+addresses[1]
	return nil
}

// Unplug takes the network from a replica that has one of its own: nothing comes to it or from it, until Plug.
func (r *Replica) Unplug() {
	for _, wire := range r.wires {
		wire.Blackhole()
	}
}

// Plug gives the network back.
func (r *Replica) Plug() {
	for _, wire := range r.wires {
		wire.Pass()
	}
}

func (r *Replica) environ() []string {
	prefix := strings.ToUpper(r.service) + "_"
	env := slices.Clone(r.stack.settings[r.service])
	for _, setting := range append([]string{"LISTEN=" + address(r.URL), "OPS_LISTEN=" + address(r.Ops)}, r.more...) {
		env = append(env, prefix+setting)
	}
	return env
}

// starting is how long a service may take to be ready before it counts as hanging: LIMIT_START, which the scripts set.
func starting() time.Duration {
	limit, err := time.ParseDuration(os.Getenv("LIMIT_START"))
	if err != nil {
		return time.Hour
	}
	return limit
}

// Await waits until the process is ready.
func (r *Replica) Await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, starting())
	defer cancel()
	for {
		r.mu.Lock()
		cmd, done := r.cmd, r.done
		r.mu.Unlock()
		if cmd == nil {
			return fmt.Errorf("%s has ended; its log is %s", r.Name, r.log())
		}
		if ready(ctx, r.Ops+"/readyz") == nil {
			return nil
		}
		select {
		case <-done:
			return fmt.Errorf("%s has ended; its log is %s", r.Name, r.log())
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w; its log is %s", r.Name, ctx.Err(), r.log())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Stop ends the process with SIGTERM, as a deployment does, and waits; it kills a process that does not end.
func (r *Replica) Stop() error { return r.end(syscall.SIGTERM, 40*time.Second) }

// Kill ends the process with SIGKILL and waits.
func (r *Replica) Kill() error { return r.end(syscall.SIGKILL, 10*time.Second) }

// Hang stops the process without ending it, until Resume.
func (r *Replica) Hang() error { return r.signal(syscall.SIGSTOP) }

// Resume continues a process that hangs.
func (r *Replica) Resume() error { return r.signal(syscall.SIGCONT) }

// Running reports whether the process exists.
func (r *Replica) Running() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cmd != nil
}

// PID is the number of the process, also after its end.
func (r *Replica) PID() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pid
}

// Log returns what the process has written.
func (r *Replica) Log() string {
	text, _ := os.ReadFile(r.log())
	return string(text)
}

func (r *Replica) log() string { return filepath.Join(r.stack.Folder, r.Name+".log") }

func (r *Replica) signal(s syscall.Signal) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cmd == nil {
		return fmt.Errorf("%s does not run", r.Name)
	}
	return r.cmd.Process.Signal(s)
}

func (r *Replica) end(s syscall.Signal, patience time.Duration) error {
	r.mu.Lock()
	cmd, done := r.cmd, r.done
	r.mu.Unlock()
	if cmd == nil {
		return nil
	}
	_ = cmd.Process.Signal(s)
	_ = cmd.Process.Signal(syscall.SIGCONT) // a stopped process takes no SIGTERM
	select {
	case <-done:
		return nil
	case <-time.After(patience):
		_ = cmd.Process.Kill()
		<-done
		return fmt.Errorf("%s did not end within %s of %s", r.Name, patience, s)
	}
}

// LimitFiles makes every write beyond so many bytes of a file fail, as on a full disk; a negative number is no limit.
func (r *Replica) LimitFiles(bytes int64) error {
	limit := uint64(bytes)
	if bytes < 0 {
		limit = unix.RLIM_INFINITY
	}
	return unix.Prlimit(r.PID(), unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: limit, Max: unix.RLIM_INFINITY}, nil)
}

// errNotReady says that the replica answers, and that it should get no requests.
var errNotReady = errors.New("it is not ready")

// Metrics returns what the process tells a monitor.
func (r *Replica) Metrics(ctx context.Context) (string, error) { return get(ctx, r.Ops+"/metrics") }

// ready succeeds if the address answers 200, and fails with errNotReady if it answers anything else.
func ready(ctx context.Context, url string) error {
	_, err := get(ctx, url)
	return err
}

// get returns what an address answers, and fails like ready.
func get(ctx context.Context, url string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%w: %s", errNotReady, answer.Status)
	}
	body, err := io.ReadAll(answer.Body)
	return string(body), err
}

// output runs a program in a folder to its end and returns what it printed.
func output(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	return answered(ctx, "", dir, env, name, args...)
}

// answered is output of a program that reads an input.
func answered(ctx context.Context, input, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, env, strings.NewReader(input)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, out.String(), errs.String())
	}
	return strings.TrimSpace(out.String()), nil
}
