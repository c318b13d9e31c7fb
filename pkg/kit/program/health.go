package program

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// healthTime is how long --healthy waits for an answer.
const healthTime = 3 * time.Second

// askReady fails unless the program that listens on an operations port of this machine answers that it is ready. It
// serves images that have no other program to ask with.
func askReady(ctx context.Context, listen string) error {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("ops.listen: %w", err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return err
	}
	res, err := new(http.Transport).RoundTrip(r)
	if err != nil {
		return fmt.Errorf("nothing answers on the operations port: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	const most = 4096
	body, err := io.ReadAll(io.LimitReader(res.Body, most))
	if err != nil {
		return fmt.Errorf("read the answer of /readyz: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s", body)
	}
	return nil
}
