package ratio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// FreePort returns an address of this machine that is free. Its port is below those that systems give to connections,
// one of which would take it before a service listens.
func FreePort(t testing.TB) string {
	t.Helper()
	const first, count, attempts = 20000, 12000, 50
	var config net.ListenConfig
	var l net.Listener
	err := errors.New("no attempt")
	for n := 0; err != nil && n < attempts; n++ {
		port := first + rand.IntN(count) //nolint:gosec // any will do
		l, err = config.Listen(t.Context(), "tcp", "127.0.0.1:"+strconv.Itoa(port))
	}
	if err == nil {
		err = l.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return l.Addr().String()
}

// Serve runs a service in this process until the benchmark ends, with its log in a file as in production. It returns
// once the service is ready, as it says at the address ops.
func Serve(t testing.TB, ops string, run func(ctx context.Context, log io.Writer) error) {
	t.Helper()
	log := logFile(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, log) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-ended, log.Close()); err != nil {
			t.Error(err)
		}
	})
	requireReady(t, ops, log.Name())
}

// Start starts a built program with further environment variables, and returns once it is ready. The caller ends it.
func Start(t testing.TB, ops string, env []string, program string, args ...string) *exec.Cmd {
	t.Helper()
	log := logFile(t)
	p := exec.CommandContext(t.Context(), program, args...) //nolint:gosec // the benchmark's own program
	p.Stdout, p.Stderr, p.Env = log, log, append(os.Environ(), env...)
	if err := errors.Join(p.Start(), log.Close()); err != nil {
		t.Fatal(err)
	}
	requireReady(t, ops, log.Name())
	return p
}

func logFile(t testing.TB) *os.File {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// requireReady waits for a service, at most ten seconds. What the service has logged is shown if it takes longer.
func requireReady(t testing.TB, ops, log string) {
	t.Helper()
	client := http.Client{Timeout: time.Second}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+ops+"/readyz", nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		answer, err := client.Do(request)
		if err == nil && answer.Body.Close() == nil && answer.StatusCode == http.StatusOK {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	said, err := os.ReadFile(log) //nolint:gosec // the log of the service that this package has started
	t.Fatal("the service does not become ready:", string(said), err)
}

// Memory returns what Linux says of the memory of a process in MiB: VmRSS for the present, VmHWM for the most ever.
func Memory(t testing.TB, process int, figure string) float64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(status), figure+":")
	var kib float64
	if _, err := fmt.Sscan(rest, &kib); err != nil || !found {
		t.Fatalf("this system does not say %s", figure)
	}
	return kib / 1024
}

// Processor returns the processor time that a process has used.
func Processor(t testing.TB, process int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		t.Fatal(err)
	}
	// The name, in parentheses, may contain blanks; user and system time are the 12th and 13th field after it.
	const user, hertz = 11, 100
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	var sum time.Duration
	for _, field := range fields[user : user+2] {
		ticks, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(ticks) * time.Second / hertz
	}
	return sum
}

// AwaitGauge waits until a metric without labels has at least a value.
func AwaitGauge(t testing.TB, ops, name string, least float64, most time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), most)
	defer cancel()
	client := http.Client{Timeout: time.Second}
	for ; ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+ops+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err := errors.Join(err, answer.Body.Close()); err != nil {
			t.Fatal(err)
		}
		_, rest, found := strings.Cut(string(text), "\n"+name+" ")
		var value float64
		if _, err := fmt.Sscan(rest, &value); found && err == nil && value >= least {
			return
		}
	}
	t.Fatalf("%s does not reach %g", name, least)
}
