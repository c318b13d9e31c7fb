package opbench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// size is the number of rows of an answer.
const size = 5

// request is one request as it goes over the wire, written once: the load costs as little as it can.
type request struct {
	name string
	text string
}

var (
	get = request{"GET, 6 parameters, 5 rows", "GET " + listPath +
		"?categoryId=1005000&keyword=cup+of+tea&isNew=true&page=1&limit=5&sort=add_time HTTP/1.1\r\nHost: bench\r\n\r\n"}
	post = request{"POST, 5 members, 5 rows", withBody(
		`{"goodsId":1181000,"productId":17,"number":5,"selected":true,"message":"please ring twice"}`)}
)

func withBody(body string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		addPath, len(body), body)
}

// listen serves until ctx ends.
func listen(ctx context.Context, h http.Handler) (string, error) {
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

// client is one connection.
type client struct {
	net.Conn
	in *bufio.Reader
}

func dial(ctx context.Context, address string) (*client, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	return &client{c, bufio.NewReader(c)}, nil
}

// do sends a request and hands its body to the writer.
func (c *client) do(r request, to io.Writer) error {
	if _, err := io.WriteString(c, r.text); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	answer, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return fmt.Errorf("receive: %w", err)
	}
	if _, err = io.Copy(to, answer.Body); err != nil {
		return fmt.Errorf("receive: %w", err)
	}
	return answer.Body.Close()
}

// once keeps the answer of one request, to compare.
func once(ctx context.Context, address string, r request, answers *[][]byte) error {
	c, err := dial(ctx, address)
	if err != nil {
		return err
	}
	defer c.Close()
	var body bodyWriter
	err = c.do(r, &body)
	*answers = append(*answers, body)
	return err
}

type bodyWriter []byte

func (b *bodyWriter) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}

// load returns the requests per second of a handler under all connections.
func load(ctx context.Context, address string, r request, connections int, turn time.Duration) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, turn)
	defer cancel()
	var done atomic.Int64
	var group sync.WaitGroup
	failed := make(chan error, connections)
	start := time.Now()
	for range connections {
		group.Go(func() {
			c, err := dial(context.WithoutCancel(ctx), address)
			if err != nil {
				failed <- err
				return
			}
			defer c.Close()
			for ctx.Err() == nil {
				if err := c.do(r, io.Discard); err != nil {
					failed <- err
					return
				}
				done.Add(1)
			}
		})
	}
	group.Wait()
	took := time.Since(start)
	select {
	case err := <-failed:
		return 0, err
	default:
		return float64(done.Load()) / took.Seconds(), nil
	}
}
