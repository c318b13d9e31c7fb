package server

import (
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// parkAfter is how long a connection is idle before it is parked. Clients that send one request after the other never
// wait as long.
const parkAfter = 2 * time.Second

// parking is a listener that keeps idle connections for little memory. A server of net/http keeps buffers of 8 KiB and
// the stack of a goroutine that has served requests for each connection, as long as it is open. So after a while the
// server is told that the connection has ended, which frees all this, and gets it back from Accept, like a new one,
// with the next byte of its client. To the client nothing happens.
type parking struct {
	net.Listener
	now func() time.Time
	// after is parkAfter, or less in tests.
	after time.Duration
	// accepted are new connections, again those that were parked.
	accepted chan accepted
	again    chan net.Conn
	closed   chan struct{}
	once     sync.Once
	count    atomic.Int64

	mu     sync.Mutex
	parked map[*net.TCPConn]struct{}
}

type accepted struct {
	conn net.Conn
	err  error
}

// park parks the idle connections of a server that serves from the returned listener.
func park(s *http.Server, l net.Listener, after time.Duration, now func() time.Time) *parking {
	p := &parking{
		Listener: l, now: now, after: after, accepted: make(chan accepted), again: make(chan net.Conn),
		closed: make(chan struct{}), parked: map[*net.TCPConn]struct{}{},
	}
	s.ConnState = func(c net.Conn, state http.ConnState) {
		if c, ok := c.(*parkable); ok && state == http.StateIdle {
			c.phase = announced
		}
	}
	go p.accept()
	return p
}

func (p *parking) accept() {
	for {
		c, err := p.Listener.Accept()
		if tcp, ok := c.(*net.TCPConn); ok {
			c = &parkable{TCPConn: tcp, p: p}
		}
		select {
		case p.accepted <- accepted{c, err}:
		case <-p.closed:
			if c != nil {
				_ = c.Close()
			}
			return
		}
	}
}

// Accept implements net.Listener.
func (p *parking) Accept() (net.Conn, error) {
	select {
	case a := <-p.accepted:
		return a.conn, a.err
	case c := <-p.again:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close also closes the parked connections.
func (p *parking) Close() error {
	p.once.Do(func() {
		close(p.closed)
		p.mu.Lock()
		defer p.mu.Unlock()
		for c := range p.parked {
			_ = c.Close()
		}
	})
	return p.Listener.Close()
}

// hold waits for the next byte of a connection without a buffer, until its idle time ends.
func (p *parking) hold(c *net.TCPConn, until time.Time) {
	if !p.enlist(c) {
		_ = c.Close()
		return
	}
	err := readable(c, until)
	p.mu.Lock()
	delete(p.parked, c)
	p.mu.Unlock()
	p.count.Add(-1)
	if err != nil {
		_ = c.Close()
		return
	}
	select {
	case p.again <- &parkable{TCPConn: c, p: p}:
	case <-p.closed:
		_ = c.Close()
	}
}

// enlist records a parked connection, so that it can be closed; false means that the listener is closed already.
func (p *parking) enlist(c *net.TCPConn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.closed:
		return false
	default:
	}
	p.parked[c] = struct{}{}
	p.count.Add(1)
	return true
}

// readable waits until there is something to read, including the end, and leaves it unread.
func readable(c *net.TCPConn, until time.Time) error {
	if err := c.SetReadDeadline(until); err != nil {
		return err
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var wrong error
	err = raw.Read(func(fd uintptr) bool { // called again whenever the connection may have become readable
		var first [1]byte
		for wrong = syscall.EINTR; errors.Is(wrong, syscall.EINTR); {
			_, _, wrong = syscall.Recvfrom(int(fd), first[:], syscall.MSG_PEEK)
		}
		return !errors.Is(wrong, syscall.EAGAIN)
	})
	return errors.Join(err, wrong)
}

// phase is where the server is between two requests of a connection.
type phase int

const (
	serving phase = iota
	// announced: the server has said that the connection is idle; next it sets the deadline of the idle time.
	announced
	// waiting: it reads the first bytes of the next request.
	waiting
)

// parkable is a connection that may be parked. Only the goroutine that serves it uses its phase.
type parkable struct {
	*net.TCPConn
	p     *parking
	phase phase
	// until is the end of the idle time.
	until time.Time
	// leaving says that the next Close parks it.
	leaving atomic.Bool
}

var errParked = errors.New("the connection is idle and was parked")

// SetReadDeadline shortens the deadline of the idle time to the time until parking.
func (c *parkable) SetReadDeadline(t time.Time) error {
	if c.phase != announced {
		c.phase = serving
		return c.TCPConn.SetReadDeadline(t)
	}
	c.phase, c.until = waiting, t
	early := c.p.now().Add(c.p.after)
	if !t.IsZero() && t.Before(early) {
		early = t
	}
	return c.TCPConn.SetReadDeadline(early)
}

// Read fails with errParked if no request has begun in time.
func (c *parkable) Read(b []byte) (int, error) {
	n, err := c.TCPConn.Read(b)
	if c.phase != waiting {
		return n, err
	}
	c.phase = serving
	if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) && (c.until.IsZero() || c.p.now().Before(c.until)) {
		c.leaving.Store(true)
		return 0, errParked
	}
	if err == nil {
		err = c.TCPConn.SetReadDeadline(c.until) // of the rest, should these be the first bytes of a line
	}
	return n, err
}

// Close closes the connection, or parks it if Read has said so.
func (c *parkable) Close() error {
	if c.leaving.CompareAndSwap(true, false) {
		go c.p.hold(c.TCPConn, c.until)
		return nil
	}
	return c.TCPConn.Close()
}
