package server_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/meter"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/server"
)

// lines stores a log.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// running is a service under test.
type running struct {
	public, ops string
	stop        context.CancelFunc
	end         chan error
	log         *lines
}

func start(t *testing.T, o server.Options) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r := &running{stop: cancel, end: make(chan error, 1), log: &lines{}}
	o.Name, o.Listen, o.OpsListen = "sample", "127.0.0.1:0", "127.0.0.1:0"
	o.Log = slog.New(slog.NewJSONHandler(r.log, nil))
	up := make(chan struct{})
	o.Started = func(public, ops net.Addr) {
		r.public, r.ops = "http://"+public.String(), "http://"+ops.String()
		close(up)
	}
	go func() { r.end <- server.Run(ctx, o) }()
	select {
	case <-up:
	case err := <-r.end:
		require.NoError(t, err)
	}
	t.Cleanup(cancel)
	return r
}

func get(t *testing.T, address string) (int, string) {
	t.Helper()
	answer, err := http.Get(address)
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(body)
}

func hello(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }

func TestThePortsAnswer(t *testing.T) {
	m := server.NewMetrics()
	m.Observe(op.Result{Path: "/goods/{id}", Method: "GET", Errno: 711, Took: time.Millisecond})
	counts := meter.New(time.Now)
	counts.Count(meter.Logins, meter.Staff, meter.Refused)
	counts.Took(meter.RedisCalls, time.Now().Add(-time.Minute))
	m.Meter(counts)
	m.Show(meter.Gauge{Name: "sample_total", Help: "A sample.", Grows: true, Value: func() float64 { return 3 }})
	extra := http.NewServeMux()
	extra.HandleFunc("/extra", hello)
	r := start(t, server.Options{Handler: http.HandlerFunc(hello), Metrics: m, Ops: extra})
	_, body := get(t, r.public+"/anything")
	require.Equal(t, "hello", body)
	status, body := get(t, r.ops+"/healthz")
	require.Equal(t, 200, status)
	require.JSONEq(t, `{"name":"sample","alive":true}`, body)
	_, body = get(t, r.ops+"/metrics")
	require.Contains(t, body, `http_requests_total{errno="711",method="GET",path="/goods/{id}"} 1`)
	require.Contains(t, body, `http_request_duration_seconds_count{path="/goods/{id}"} 1`)
	require.Contains(t, body, "http_requests_in_flight 0")
	require.Contains(t, body, `shop_logins_total{audience="staff",result="refused"} 1`)
	require.Contains(t, body, `shop_redis_call_seconds_bucket{le="30"} 0`)
	require.Contains(t, body, `shop_redis_call_seconds_bucket{le="+Inf"} 1`)
	require.Contains(t, body, "# TYPE sample_total counter\nsample_total 3")
	for _, declared := range m.Declared() { // those without labels are shown at once
		if len(declared.Labels) == 0 {
			require.Contains(t, body, "# TYPE "+declared.Name+" "+string(declared.Kind), declared.Name)
		}
	}
	status, _ = get(t, r.ops+"/debug/pprof/goroutine?debug=1")
	require.Equal(t, 200, status)
	_, body = get(t, r.ops+"/extra")
	require.Equal(t, "hello", body)
	for _, private := range []string{"/metrics", "/healthz", "/readyz", "/debug/pprof/"} {
		_, body = get(t, r.public+private)
		require.Equal(t, "hello", body, "%s is not on the public port", private)
	}
	r.stop()
	require.NoError(t, <-r.end)
}

func TestReadinessNamesWhatIsWrongAndNoMore(t *testing.T) {
	var down atomic.Bool
	r := start(t, server.Options{Handler: http.HandlerFunc(hello), Ready: []server.Check{
		{Name: "mysql", Do: func(context.Context) error {
			if down.Load() {
				return errors.New("user hidden is not admitted")
			}
			return nil
		}},
		{Name: "redis", Do: func(ctx context.Context) error {
			if down.Load() {
				select {} // a check that ignores its deadline
			}
			return nil
		}},
	}})
	status, body := get(t, r.ops+"/readyz")
	require.Equal(t, 200, status)
	require.JSONEq(t, `{"ready":true}`, body)
	down.Store(true)
	for range 2 {
		status, body = get(t, r.ops+"/readyz")
		require.Equal(t, 503, status)
		require.JSONEq(t, `{"ready":false,"wrong":["mysql","redis"]}`, body)
	}
	require.Equal(t, 1, strings.Count(r.log.String(), "user hidden is not admitted"), "only a change is logged")
	down.Store(false)
	status, _ = get(t, r.ops+"/readyz")
	require.Equal(t, 200, status)
}

// A hanging check does not affect the others, however often it is called; an optional one takes no replica out of
// service.
func TestEachCheckHasItsOwnVerdict(t *testing.T) {
	var mysql, redis atomic.Bool
	hang := func(down *atomic.Bool) func(context.Context) error {
		return func(ctx context.Context) error {
			if down.Load() {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}
	}
	r := start(t, server.Options{Handler: http.HandlerFunc(hello), Ready: []server.Check{
		{Name: "mysql", Do: hang(&mysql)}, {Name: "redis", Do: hang(&redis), Optional: true},
	}})
	expect := func(wantStatus int, want string) {
		t.Helper()
		status, body := get(t, r.ops+"/readyz")
		require.Equal(t, wantStatus, status)
		require.JSONEq(t, want, body)
	}
	mysql.Store(true)
	for range 6 {
		expect(503, `{"ready":false,"wrong":["mysql"]}`)
	}
	redis.Store(true)
	expect(503, `{"ready":false,"wrong":["mysql"],"degraded":["redis"]}`)
	mysql.Store(false)
	expect(200, `{"ready":true,"degraded":["redis"]}`)
	status, body := get(t, r.ops+"/readyz?strict")
	require.Equal(t, 503, status)
	require.JSONEq(t, `{"ready":false,"degraded":["redis"]}`, body)
	redis.Store(false)
	expect(200, `{"ready":true}`)
	status, _ = get(t, r.ops+"/readyz?strict")
	require.Equal(t, 200, status)
	require.Equal(t, 1, strings.Count(r.log.String(), "ready, but degraded"))
}

// What a failure means may depend on the failure, also where the check ignores its deadline.
func TestAFailureMayDegradeOnly(t *testing.T) {
	var failure atomic.Value
	failure.Store("")
	r := start(t, server.Options{Handler: http.HandlerFunc(hello), Ready: []server.Check{{
		Name: "mysql",
		Do: func(context.Context) error {
			switch said := failure.Load(); said {
			case "":
				return nil
			case "hangs":
				select {}
			default:
				return errors.New(said.(string))
			}
		},
		Degrades: func(err error) bool { return err.Error() != "read-only" },
	}}})
	for said, want := range map[string][3]any{
		"":          {200, 200, `{"ready":true}`},
		"away":      {200, 503, `{"ready":true,"degraded":["mysql"]}`},
		"hangs":     {200, 503, `{"ready":true,"degraded":["mysql"]}`},
		"read-only": {503, 503, `{"ready":false,"wrong":["mysql"]}`},
	} {
		failure.Store(said)
		status, body := get(t, r.ops+"/readyz")
		require.Equal(t, want[0], status, said)
		require.JSONEq(t, want[2].(string), body, said)
		status, _ = get(t, r.ops+"/readyz?strict")
		require.Equal(t, want[1], status, said)
	}
}

// Prometheus learns of a missing server from the checks themselves, also where nobody calls and nobody probes.
func TestChecksAndInternalErrorsAreMetrics(t *testing.T) {
	m := server.NewMetrics()
	var down atomic.Bool
	r := start(t, server.Options{Handler: http.HandlerFunc(hello), Metrics: m, Ready: []server.Check{
		{Name: "mysql", Do: func(context.Context) error {
			if down.Load() {
				return errors.New("away")
			}
			return nil
		}},
		{Name: "redis", Do: func(context.Context) error { return nil }, Optional: true},
	}})
	shows := func(want ...string) {
		t.Helper()
		_, text := get(t, r.ops+"/metrics")
		for _, line := range want {
			require.Contains(t, text, "\n"+line+"\n")
		}
	}
	shows(`dependency_up{dependency="mysql"} 1`, `dependency_up{dependency="redis"} 1`, "http_internal_errors_total 0")
	down.Store(true)
	for _, code := range []*errno.Code{errno.OK, errno.Internal, errno.Stale} {
		m.Observe(op.Result{Method: "GET", Path: "/x", Errno: code.Num})
	}
	shows(`dependency_up{dependency="mysql"} 0`, `dependency_up{dependency="redis"} 1`, "http_internal_errors_total 1")
}

func TestStopIsOrderly(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	var loopEnded, requestEnded atomic.Bool
	r := start(t, server.Options{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(entered)
			<-release
			requestEnded.Store(!loopEnded.Load()) // the loops outlive the requests
			hello(w, nil)
		}),
		Background: []func(context.Context) error{func(ctx context.Context) error {
			<-ctx.Done()
			loopEnded.Store(true)
			return ctx.Err()
		}},
	})
	got := make(chan string, 1)
	go func() {
		answer, err := http.Get(r.public)
		if err != nil {
			got <- err.Error()
			return
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		got <- string(body)
	}()
	<-entered
	r.stop()
	require.Eventually(t, func() bool {
		status, body := get(t, r.ops+"/readyz")
		return status == 503 && strings.Contains(body, "stopping")
	}, time.Minute, 5*time.Millisecond)
	close(release)
	require.Equal(t, "hello", <-got)
	require.NoError(t, <-r.end)
	require.True(t, requestEnded.Load())
	require.True(t, loopEnded.Load())
	_, err := net.Dial("tcp", strings.TrimPrefix(r.ops, "http://"))
	require.Error(t, err)
}

// While a service waits for the balancers it answers, and ends each connection with its answer, so that no client has one
// left when the port is closed.
func TestAStoppingServiceEndsConnections(t *testing.T) {
	r := start(t, server.Options{Handler: http.HandlerFunc(hello), StopDelay: time.Minute, StopWithin: time.Second})
	ended := func() bool {
		answer, err := http.Get(r.public)
		require.NoError(t, err)
		defer answer.Body.Close()
		require.Equal(t, 200, answer.StatusCode)
		return answer.Close
	}
	require.False(t, ended())
	r.stop()
	require.Eventually(t, func() bool { status, _ := get(t, r.ops+"/readyz"); return status == 503 }, time.Minute, 5*time.Millisecond)
	require.True(t, ended())
}

func TestADeadlineEndsWhatWillNotEnd(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	r := start(t, server.Options{
		StopWithin: 50 * time.Millisecond,
		Handler:    http.HandlerFunc(func(http.ResponseWriter, *http.Request) { close(entered); <-release }),
		Background: []func(context.Context) error{func(context.Context) error { <-release; return nil }},
	})
	go func() {
		if answer, err := http.Get(r.public); err == nil {
			answer.Body.Close()
		}
	}()
	<-entered
	r.stop()
	err := <-r.end
	require.ErrorContains(t, err, "requests did not end within 50ms")
	require.ErrorContains(t, err, "background loops did not end within 50ms")
}

func TestAFailingLoopStopsTheService(t *testing.T) {
	broken := errors.New("broken")
	r := start(t, server.Options{
		Handler:    http.HandlerFunc(hello),
		Background: []func(context.Context) error{func(context.Context) error { return broken }},
	})
	require.ErrorIs(t, <-r.end, broken)
}

func TestATakenPortIsToldInOneSentence(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	taken := l.Addr().String()
	for key, o := range map[string]server.Options{
		"listen":     {Listen: taken, OpsListen: "127.0.0.1:0"},
		"ops.listen": {Listen: "127.0.0.1:0", OpsListen: taken},
	} {
		o.Log = slog.New(slog.DiscardHandler)
		err = server.Run(t.Context(), o)
		require.ErrorContains(t, err, taken+" is taken by another program; stop it, or set "+key+" to another address")
	}
}

func TestTheRequestLine(t *testing.T) {
	out := &lines{}
	m := server.NewMetrics()
	done := server.Done(slog.New(slog.NewJSONHandler(out, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	})), m)
	done(op.Result{
		Call: op.Call{ID: "r1", Address: "192.0.2.9", Who: "shopper 7"}, Method: "POST", Path: "/cart/add", Status: 200,
		Errno: 711, Trace: "t1", Err: errno.GoodsNoStock, Took: 1500 * time.Microsecond,
	})
	done(op.Result{Call: op.Call{ID: "r2"}, Method: "GET", Path: "/x", Status: 200, Errno: 502, Err: errors.New("find x: gone")})
	done(op.Result{Call: op.Call{ID: "r3"}, Method: "GET", Path: "/x", Status: 200, Errno: 502, Err: context.Canceled})
	got := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.JSONEq(t, `{"level":"INFO","msg":"request","method":"POST","path":"/cart/add","errno":711,"status":200,"ms":1.5,
		"request":"r1","who":"shopper 7","trace":"t1","err":"GOODS_NO_STOCK"}`, got[0])
	require.JSONEq(t, `{"level":"ERROR","msg":"request","method":"GET","path":"/x","errno":502,"status":200,"ms":0,
		"request":"r2","err":"find x: gone"}`, got[1])
	require.Contains(t, got[2], `"level":"INFO"`)
}
