package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// lot is a server that parks connections early.
type lot struct {
	*parking
	server  *http.Server
	address string
}

func openLot(t *testing.T, after, idle time.Duration, h http.HandlerFunc) *lot {
	t.Helper()
	return openLotOf(t, after, &http.Server{
		Handler: h, IdleTimeout: idle, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second,
	})
}

func openLotOf(t *testing.T, after time.Duration, s *http.Server) *lot {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := park(s, inner, after, time.Now)
	go func() { _ = s.Serve(p) }()
	t.Cleanup(func() { _ = s.Close() })
	return &lot{p, s, inner.Addr().String()}
}

func (l *lot) holds(t *testing.T, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return l.count.Load() == int64(n) }, time.Minute, time.Millisecond)
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
	}
	_, _ = fmt.Fprintf(w, "%s %s %s", r.Method, r.URL.Path, body)
}

// person is a client on one connection.
type person struct {
	net.Conn
	in *bufio.Reader
}

func (l *lot) connect(t *testing.T) person {
	t.Helper()
	c, err := net.Dial("tcp", l.address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return person{c, bufio.NewReader(c)}
}

func (p person) hears(t *testing.T) string {
	t.Helper()
	require.NoError(t, p.SetReadDeadline(time.Now().Add(10*time.Second)))
	a, err := http.ReadResponse(p.in, nil)
	require.NoError(t, err)
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	require.NoError(t, err)
	return string(body)
}

func (p person) says(t *testing.T, text string) {
	t.Helper()
	_, err := io.WriteString(p, text)
	require.NoError(t, err)
}

const (
	get  = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
	post = "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n"
)

// A client does not notice that its connection is parked between requests, however its bytes arrive.
func TestAParkedConnectionGoesOn(t *testing.T) {
	l := openLot(t, 20*time.Millisecond, time.Minute, echo)
	p := l.connect(t)
	for range 3 {
		p.says(t, get)
		require.Equal(t, "GET /a ", p.hears(t))
		l.holds(t, 1)
	}
	p.says(t, get[:2]) // less than the server waits for
	l.holds(t, 0)
	time.Sleep(50 * time.Millisecond) // lasts: the client is slow
	p.says(t, get[2:])
	require.Equal(t, "GET /a ", p.hears(t))
	p.says(t, get+post) // the second one, with a slow body, is read together with the first
	require.Equal(t, "GET /a ", p.hears(t))
	time.Sleep(50 * time.Millisecond) // lasts: the client is slow
	p.says(t, "body")
	require.Equal(t, "POST /b body", p.hears(t))
	l.holds(t, 1)
	_ = p.Close()
	l.holds(t, 0)
}

// A connection that the server reads a slow request from is never parked.
func TestASlowRequestIsNotParked(t *testing.T) {
	l := openLot(t, 10*time.Millisecond, time.Minute, echo)
	p := l.connect(t)
	p.says(t, get)
	p.hears(t)
	l.holds(t, 1)
	for _, part := range []string{post[:7], post[7:20], post[20:], "bo"} {
		p.says(t, part)
		l.holds(t, 0)
		time.Sleep(30 * time.Millisecond)
		require.Zero(t, l.count.Load(), part)
	}
	p.says(t, "dy")
	require.Equal(t, "POST /b body", p.hears(t))
}

// A request that has begun and does not come in time is refused, not parked, also if its first bytes have come together
// with the request before.
func TestAnUnfinishedRequestIsNotParked(t *testing.T) {
	l := openLotOf(t, 10*time.Millisecond, &http.Server{
		Handler: http.HandlerFunc(echo), IdleTimeout: time.Minute, ReadHeaderTimeout: 100 * time.Millisecond,
	})
	p := l.connect(t)
	p.says(t, get+post[:20])
	require.Equal(t, "GET /a ", p.hears(t))
	require.NoError(t, p.SetReadDeadline(time.Now().Add(10*time.Second)))
	_, err := io.Copy(io.Discard, p.in)
	require.NoError(t, err, "the server ends the connection")
	require.Zero(t, l.count.Load())
}

// The idle time ends parked connections too, and so does the server.
func TestParkedConnectionsEnd(t *testing.T) {
	l := openLot(t, 10*time.Millisecond, 100*time.Millisecond, echo)
	p := l.connect(t)
	p.says(t, get)
	p.hears(t)
	_, err := p.in.ReadByte()
	require.ErrorIs(t, err, io.EOF)
	l.holds(t, 0)

	l = openLot(t, 10*time.Millisecond, time.Minute, echo)
	p = l.connect(t)
	p.says(t, get)
	p.hears(t)
	l.holds(t, 1)
	require.NoError(t, l.server.Shutdown(t.Context()))
	require.NoError(t, p.SetReadDeadline(time.Now().Add(10*time.Second)))
	_, err = p.in.ReadByte()
	require.Error(t, err)
	require.NotErrorIs(t, err, net.ErrClosed)
	l.holds(t, 0)
}

// Requests that arrive while their connections are being parked are all answered.
func TestRequestsDuringParking(t *testing.T) {
	l := openLot(t, time.Millisecond, time.Minute, echo)
	var wg sync.WaitGroup
	for i := range 20 {
		p := l.connect(t)
		wg.Go(func() {
			for j := range 30 {
				_, err := io.WriteString(p, get)
				if err != nil {
					t.Error(err)
					return
				}
				a, err := http.ReadResponse(p.in, nil)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, a.Body)
				time.Sleep(time.Duration(i*j%40) * 100 * time.Microsecond)
			}
		})
	}
	wg.Wait()
}
