package ratio

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Load sends requests over keep-alive connections, each waiting for its answer before the next. It reads as little of
// an answer as possible, since it shares the processor with what it measures.
type Load struct {
	Address     string
	Connections int
	// Next is the next request of a connection, as it goes over the wire.
	Next func(connection int) ([]byte, error)
	// Now is a clock for durations.
	Now func() time.Time
	// Took gets the time of each answer, unless it is nil.
	Took *Latencies
	// Busy counts the answers that refuse a request because the service is busy. Without it they end the run.
	Busy *atomic.Int64
}

// Same is for Next: every connection sends the same request.
func Same(request string) func(int) ([]byte, error) {
	text := []byte(request)
	return func(int) ([]byte, error) { return text, nil }
}

// Turn is a Way: it returns the answered requests per second. An answer that is no success ends it.
func (l Load) Turn(ctx context.Context, turn time.Duration) (float64, error) {
	return Workers(ctx, l.Connections, turn, l.Now, func(ctx context.Context, i int) (func() error, func(), error) {
		c, err := Dial(ctx, l.Address)
		if err != nil {
			return nil, nil, err
		}
		work := func() error {
			request, err := l.Next(i)
			if err != nil {
				return err
			}
			start := l.Now()
			body, err := c.Do(request)
			if l.Busy != nil && errors.Is(err, ErrBusy) {
				l.Busy.Add(1)
				return ErrUncounted
			}
			if l.Took != nil {
				l.Took.Add(l.Now().Sub(start))
			}
			if err == nil && !bytes.HasPrefix(body, success) {
				err = fmt.Errorf("the answer is no success: %.200s", body)
			}
			return err
		}
		return work, func() { _ = c.Close() }, nil
	})
}

// ErrBusy is the answer 503.
var ErrBusy = errors.New("the service is busy")

// ErrUncounted is the result of a run that does not count.
var ErrUncounted = errors.New("uncounted")

var success = []byte(`{"errno":0,`)

// Workers runs n workers repeatedly for a turn and returns the number of runs per second. begin prepares a worker
// before the clock starts; end is called after its last run.
func Workers(
	ctx context.Context, n int, turn time.Duration, now func() time.Time,
	begin func(ctx context.Context, worker int) (work func() error, end func(), err error),
) (float64, error) {
	works := make([]func() error, n)
	for i := range works {
		work, end, err := begin(ctx, i)
		if err != nil {
			return 0, err
		}
		defer end()
		works[i] = work
	}
	over, cancel := context.WithTimeout(ctx, turn)
	defer cancel()
	var done atomic.Int64
	var group sync.WaitGroup
	errs := make([]error, n)
	start := now()
	for i, work := range works {
		group.Go(func() {
			for over.Err() == nil {
				switch err := work(); {
				case errors.Is(err, ErrUncounted):
				case err != nil:
					errs[i] = err
					return
				default:
					done.Add(1)
				}
			}
		})
	}
	group.Wait()
	took := now().Sub(start)
	return float64(done.Load()) / took.Seconds(), errors.Join(errs...)
}

// Conn is a keep-alive connection to an HTTP server.
type Conn struct {
	net.Conn
	in   *bufio.Reader
	body []byte
}

// Dial connects.
func Dial(ctx context.Context, address string) (*Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	return &Conn{Conn: c}, nil
}

// Rest gives the buffers back until the next request.
func (c *Conn) Rest() { c.in, c.body = nil, nil }

// Do sends a request and returns the body of its answer, which is valid until the next one. The answer must have a
// content length and the status 200; it fails with ErrBusy for 503.
func (c *Conn) Do(request []byte) ([]byte, error) {
	if c.in == nil {
		c.in = bufio.NewReaderSize(c, 64<<10)
	}
	if _, err := c.Write(request); err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	length, refused, err := c.head()
	if err != nil {
		return nil, fmt.Errorf("receive: %w", err)
	}
	if length > cap(c.body) {
		c.body = make([]byte, length)
	}
	c.body = c.body[:length]
	if _, err := io.ReadFull(c.in, c.body); err != nil {
		return nil, fmt.Errorf("receive: %w", err)
	}
	return c.body, refused
}

// head reads the head of an answer. refused is its status, if it is ErrBusy.
func (c *Conn) head() (length int, refused, err error) {
	length = -1
	for first := true; ; first = false {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, nil, err
		}
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case !first || bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")):
		case bytes.HasPrefix(line, []byte("HTTP/1.1 503 ")):
			refused = ErrBusy
		default:
			return 0, nil, fmt.Errorf("the answer is %s", line)
		}
		if len(line) == 0 {
			break
		}
		if n, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(n)); err != nil {
				return 0, nil, err
			}
		}
	}
	if length < 0 {
		return 0, nil, errors.New("the answer does not say its length")
	}
	return length, refused, nil
}

// Listen serves a handler with a plain http.Server on a free port until ctx ends.
func Listen(ctx context.Context, h http.Handler) (address string, err error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("open a port: %w", err)
	}
	s := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	go func() { _ = s.Serve(l) }() // ends when it is closed
	context.AfterFunc(ctx, func() { _ = s.Close() })
	return l.Addr().String(), nil
}
