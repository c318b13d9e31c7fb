package stack

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// The probes of a balancer, as those of deploy/kubernetes but more often: a replica is in use after one answer 200 of
// /readyz, and out of use after two others. /readyz itself waits a second for MySQL and Redis.
const (
	probeEvery   = time.Second
	probeTimeout = 2 * time.Second
	probeMisses  = 2
)

// Balancer distributes requests over the replicas of a service that are ready. It has two addresses, for what stands in
// front of replicas in practice: one forwards connections as the service of a cluster does, the other one requests as
// an HTTP proxy does. Neither repeats a request; the HTTP one tries another replica if it gets no connection. What is
// under way at a replica that answers no probe is ended.
type Balancer struct {
	tcp  net.Listener
	http *http.Server
	web  net.Listener
	turn atomic.Uint64
	stop context.CancelFunc
	wait sync.WaitGroup

	mu       sync.Mutex
	replicas []*target
	links    map[net.Conn]struct{}
}

// target is a replica as the balancer sees it.
type target struct {
	*Replica

	ready  bool
	misses int
	// gone ends when the replica answers no probe.
	gone context.Context
	end  context.CancelFunc
}

func newTarget(r *Replica) *target {
	t := &target{Replica: r}
	t.gone, t.end = context.WithCancel(context.Background())
	return t
}

// NewBalancer listens on two free ports, without replicas at first.
func NewBalancer(ctx context.Context) (*Balancer, error) {
	tcp, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	web, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, tcp.Close())
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	b := &Balancer{tcp: tcp, web: web, stop: stop, links: map[net.Conn]struct{}{}}
	b.http = &http.Server{ReadHeaderTimeout: time.Minute, Handler: &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: "replica"}) // chosen by RoundTrip
			r.SetXForwarded()
		},
		Transport: &retrying{b: b, next: &http.Transport{MaxIdleConnsPerHost: 128, IdleConnTimeout: time.Minute}},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, "the proxy: "+err.Error(), http.StatusBadGateway)
		},
	}}
	b.wait.Go(func() { _ = b.http.Serve(web) })
	b.wait.Go(b.accept)
	b.wait.Go(func() { b.probe(running) })
	return b, nil
}

// URLs are the addresses: the one that forwards connections, and the one that forwards requests.
func (b *Balancer) URLs() []string {
	return []string{"http://" + b.tcp.Addr().String(), "http://" + b.web.Addr().String()}
}

// Use adds replicas and waits until the balancer has found each of them ready.
func (b *Balancer) Use(ctx context.Context, replicas ...*Replica) error {
	b.mu.Lock()
	for _, r := range replicas {
		b.replicas = append(b.replicas, newTarget(r))
	}
	b.mu.Unlock()
	for end := time.Now().Add(starting()); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		if in := b.InUse(); !slices.ContainsFunc(replicas, func(r *Replica) bool { return !slices.Contains(in, r.Name) }) {
			return nil
		}
	}
	return errors.Join(errors.New("a replica does not become ready for the balancer"), ctx.Err())
}

// Drop removes a replica.
func (b *Balancer) Drop(r *Replica) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.replicas = slices.DeleteFunc(b.replicas, func(t *target) bool { return t.Replica == r })
}

// InUse names the replicas that get requests.
func (b *Balancer) InUse() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var names []string
	for _, t := range b.replicas {
		if t.ready {
			names = append(names, t.Name)
		}
	}
	return names
}

// Close stops listening and ends all connections.
func (b *Balancer) Close() {
	b.stop()
	_ = b.tcp.Close()
	_ = b.http.Close()
	b.mu.Lock()
	for c := range b.links {
		_ = c.Close()
	}
	b.mu.Unlock()
	b.wait.Wait()
}

// next is the replica whose turn it is, nil if so many have been tried. Without a ready replica it refuses all
// requests, as HAProxy and the services of Kubernetes do, so a replica that can serve without a server has to be ready.
func (b *Balancer) next(tried int) *target {
	b.mu.Lock()
	defer b.mu.Unlock()
	in := slices.DeleteFunc(slices.Clone(b.replicas), func(t *target) bool { return !t.ready })
	if tried >= len(in) {
		return nil
	}
	return in[b.turn.Add(1)%uint64(len(in))]
}

func (b *Balancer) probe(ctx context.Context) {
	for {
		b.mu.Lock()
		all := slices.Clone(b.replicas)
		b.mu.Unlock()
		var probes sync.WaitGroup
		for _, t := range all {
			probes.Go(func() {
				limited, cancel := context.WithTimeout(ctx, probeTimeout)
				defer cancel()
				err := ready(limited, t.Ops+"/readyz")
				b.mu.Lock()
				defer b.mu.Unlock()
				t.probed(err)
			})
		}
		probes.Wait()
		select {
		case <-ctx.Done():
			return
		case <-time.After(probeEvery):
		}
	}
}

// probed notes the result of a probe.
func (t *target) probed(err error) {
	if err == nil {
		t.ready, t.misses = true, 0
		return
	}
	if t.misses++; t.misses < probeMisses {
		return
	}
	t.ready = false
	if !errors.Is(err, errNotReady) {
		t.end()
		t.gone, t.end = context.WithCancel(context.Background())
	}
}

func (b *Balancer) accept() {
	for {
		client, err := b.tcp.Accept()
		if err != nil {
			return
		}
		b.wait.Go(func() { b.carry(client) })
	}
}

// carry connects a client with a replica until one of them ends the connection.
func (b *Balancer) carry(client net.Conn) {
	defer b.forget(client)
	to := b.next(0)
	if to == nil {
		return
	}
	b.mu.Lock()
	gone := to.gone
	b.mu.Unlock()
	server, err := net.DialTimeout("tcp", address(to.URL), 5*time.Second)
	if err != nil {
		return
	}
	defer b.forget(server)
	defer context.AfterFunc(gone, func() { _, _ = client.Close(), server.Close() })()
	b.mu.Lock()
	b.links[client], b.links[server] = struct{}{}, struct{}{}
	b.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { forwardAll(server, client) })
	both.Go(func() { forwardAll(client, server) })
	both.Wait()
}

// forwardAll copies one direction, and its end.
func forwardAll(to, from net.Conn) {
	_, err := io.Copy(to, from)
	if half, ok := to.(*net.TCPConn); ok && err == nil {
		_ = half.CloseWrite()
		return
	}
	_, _ = to.Close(), from.Close()
}

// until is the context of a request, which also ends when its replica is gone.
func (b *Balancer) until(ctx context.Context, to *target) context.Context {
	b.mu.Lock()
	defer b.mu.Unlock()
	limited, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(to.gone, cancel)
	context.AfterFunc(ctx, func() { stop(); cancel() })
	return limited
}

func (b *Balancer) forget(c net.Conn) {
	_ = c.Close()
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.links, c)
}

// retrying sends each request to the replica whose turn it is, and to the next one if it gets no connection.
type retrying struct {
	b    *Balancer
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (t *retrying) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	last := errors.New("no replica is ready")
	for tried := 0; ; tried++ {
		to := t.b.next(tried)
		if to == nil {
			return nil, last
		}
		again := r.Clone(t.b.until(r.Context(), to))
		again.URL.Host = address(to.URL)
		again.Body, again.GetBody = http.NoBody, nil // what has a body is not repeated on another connection either
		if len(body) > 0 {
			again.Body = io.NopCloser(bytes.NewReader(body))
		}
		answer, err := t.next.RoundTrip(again)
		var dial *net.OpError
		if err == nil || !errors.As(err, &dial) || dial.Op != "dial" {
			return answer, err
		}
		last = err
	}
}
