package stack

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// Proxy stands between the services and a server and disturbs their connections. It begins by passing everything on.
type Proxy struct {
	listener net.Listener
	carriers sync.WaitGroup

	mu     sync.Mutex
	target string
	faults faults
	open   chan struct{} // closed while bytes are passed on
	links  map[*link]struct{}
	resets int
}

// faults is what the proxy does to connections.
type faults struct {
	refuse             bool
	toServer, toClient time.Duration
	after              func() int64
	at                 []byte
	forwarded          bool
	left               int
}

// link is one connection of a service with its counterpart to the server.
type link struct {
	client, server *net.TCPConn
	mu             sync.Mutex
	left           int64 // bytes until it is reset, negative for no limit
}

// NewProxy listens on a free port. Connections go to the target, an address.
func NewProxy(ctx context.Context, target string) (*Proxy, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: l, target: target, open: make(chan struct{}), links: map[*link]struct{}{}}
	close(p.open)
	p.carriers.Go(p.accept)
	return p, nil
}

// Addr is where the proxy listens.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Target sends new connections to another address.
func (p *Proxy) Target(address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = address
}

// Close ends all connections and stops listening.
func (p *Proxy) Close() {
	p.Pass()
	_ = p.listener.Close()
	p.Cut()
	p.carriers.Wait()
}

// Pass ends every fault.
func (p *Proxy) Pass() { p.set(faults{}, false) }

// Cut resets the open connections; new ones are unaffected.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		l.reset()
	}
}

// Refuse resets the open connections and every new one.
func (p *Proxy) Refuse() {
	p.set(faults{refuse: true}, false)
	p.Cut()
}

// Blackhole keeps the connections and accepts new ones, and passes nothing on until another method ends it. Nothing is
// lost: what was sent meanwhile is passed on then.
func (p *Proxy) Blackhole() { p.set(faults{}, true) }

// Delay passes everything on later, in each direction by its time.
func (p *Proxy) Delay(toServer, toClient time.Duration) {
	p.set(faults{toServer: toServer, toClient: toClient}, false)
}

// ResetAfter resets each connection, the open ones and new ones, after a number of bytes in both directions together,
// which is asked for each of them.
func (p *Proxy) ResetAfter(bytes func() int64) {
	p.set(faults{after: bytes}, false)
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		l.limit(bytes())
	}
}

// ResetAt resets each connection on which a service sends the text, at most that many times. The text is the whole
// statement in which the proxy finds it, such as COMMIT. It still reaches the server if forwarded is true, so that the
// server does what the service learns nothing of.
func (p *Proxy) ResetAt(text string, times int, forwarded bool) {
	p.set(faults{at: []byte(text), left: times, forwarded: forwarded}, false)
}

// Resets is the number of connections that ResetAfter and ResetAt have reset so far.
func (p *Proxy) Resets() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.resets
}

func (p *Proxy) set(f faults, hold bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = f
	for l := range p.links {
		l.limit(-1)
	}
	holding := true
	select {
	case <-p.open:
		holding = false
	default:
	}
	switch {
	case hold && !holding:
		p.open = make(chan struct{})
	case !hold && holding:
		close(p.open)
	}
}

// now returns the faults in effect, the gate to pass, and the target.
func (p *Proxy) now() (faults, chan struct{}, string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.faults, p.open, p.target
}

func (p *Proxy) accept() {
	for {
		c, err := p.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if client, ok := c.(*net.TCPConn); err == nil && ok {
			p.carriers.Go(func() { p.carry(client) })
		}
	}
}

// carry connects a service with the server and passes on what they send until one of them ends the connection.
func (p *Proxy) carry(client *net.TCPConn) {
	l := &link{client: client, left: -1}
	defer l.reset()
	if f, _, _ := p.now(); f.refuse {
		return
	}
	p.keep(l)
	defer p.drop(l)
	_, open, _ := p.now()
	<-open
	_, _, target := p.now()
	c, err := net.DialTimeout("tcp", target, 5*time.Second)
	if err != nil {
		return
	}
	server, ok := c.(*net.TCPConn)
	if !ok {
		return
	}
	l.connect(server)
	var both sync.WaitGroup
	both.Go(func() { p.pass(l, client, server, true) })
	both.Go(func() { p.pass(l, server, client, false) })
	both.Wait()
}

func (p *Proxy) keep(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.links[l] = struct{}{}
	if p.faults.after != nil {
		l.limit(p.faults.after())
	}
}

func (p *Proxy) drop(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.links, l)
}

// pass copies one direction.
func (p *Proxy) pass(l *link, from, to *net.TCPConn, toServer bool) {
	defer l.reset()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 && !p.forward(l, to, buffer[:n], toServer) {
			return
		}
		if err != nil {
			return
		}
	}
}

// forward passes bytes on as the faults in effect want it, and reports whether the connection goes on.
func (p *Proxy) forward(l *link, to *net.TCPConn, text []byte, toServer bool) bool {
	f, open, _ := p.now()
	<-open
	delay := f.toClient
	if toServer {
		delay = f.toServer
	}
	time.Sleep(delay) // lasts: the way of the bytes
	if toServer && f.at != nil && bytes.Contains(text, f.at) && p.takeReset() {
		if f.forwarded {
			l.limit(0) // the answer does not pass
			_, _ = to.Write(text)
			time.Sleep(50 * time.Millisecond) // lasts until the server has read it, before the connection ends
		}
		return false
	}
	allowed := l.spend(len(text))
	_, err := to.Write(text[:allowed])
	if allowed < len(text) {
		if f.after != nil {
			p.count()
		}
		return false
	}
	return err == nil
}

// takeReset reports whether ResetAt still has a reset left, and counts it.
func (p *Proxy) takeReset() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.faults.left < 1 {
		return false
	}
	p.faults.left--
	p.resets++
	return true
}

func (p *Proxy) count() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.resets++
}

func (l *link) connect(server *net.TCPConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.server = server
}

func (l *link) limit(bytes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.left = bytes
}

// spend returns how many of the bytes may pass before the connection is reset.
func (l *link) spend(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.left < 0 {
		return n
	}
	allowed := min(int64(n), l.left)
	l.left -= allowed
	return int(allowed)
}

// reset ends both connections with RST instead of FIN.
func (l *link) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range []*net.TCPConn{l.client, l.server} {
		if c != nil {
			_ = c.SetLinger(0)
			_ = c.Close()
		}
	}
}
