package dbtest

import (
	"io"
	"net"
	"sync"
	"testing"

	"github.com/go-sql-driver/mysql"
)

// Freezable returns another address of a database, behind which it stops answering from the call of freeze until thaw,
// like a server that hangs: connections stay open and nothing arrives.
func Freezable(t testing.TB, dsn string) (through string, freeze func() (thaw func())) {
	t.Helper()
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{server: cfg.Addr}
	go p.serve(listener)
	cfg.Addr = listener.Addr().String()
	var thaw func()
	t.Cleanup(func() {
		if thaw != nil {
			thaw()
		}
		_ = listener.Close()
	})
	return cfg.FormatDSN(), func() func() {
		p.frozen.Lock()
		thaw = sync.OnceFunc(p.frozen.Unlock)
		return thaw
	}
}

// proxy passes bytes between clients and a server, except while it is frozen.
type proxy struct {
	server string
	frozen sync.RWMutex
}

func (p *proxy) serve(l net.Listener) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		go p.connect(client)
	}
}

func (p *proxy) connect(client net.Conn) {
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		_ = client.Close()
		return
	}
	var ends sync.WaitGroup
	for _, way := range [][2]net.Conn{{client, server}, {server, client}} {
		ends.Go(func() {
			_, _ = io.Copy(gated{way[1], p}, way[0])
			_ = way[1].Close()
		})
	}
	ends.Wait()
}

// gated writes while the proxy is not frozen.
type gated struct {
	to io.Writer
	p  *proxy
}

func (g gated) Write(b []byte) (int, error) {
	g.p.frozen.RLock()
	defer g.p.frozen.RUnlock()
	return g.to.Write(b)
}
