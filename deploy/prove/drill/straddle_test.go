package drill

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"shop.internal/deploy/prove/stack"
)

// straddle sends the first half of a request to a replica, and the other half after the replica has stopped listening:
// it must be answered.
func straddle(ctx context.Context, r *stack.Replica, service string) chan error {
	result := make(chan error, 1)
	address := strings.TrimPrefix(r.URL, "http://")
	connection, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		result <- err
		return result
	}
	path := "/wx/auth/login"
	if service == "admin" {
		path = "/admin/auth/login"
	}
	const body = `{"username":"unknown","password":"nothing-at-all"}`
	_, err = fmt.Fprintf(connection, "POST %s HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		path, len(body), body[:10])
	if err != nil {
		result <- err
		return result
	}
	go func() {
		defer connection.Close()
		result <- second(connection, address, body[10:])
	}()
	return result
}

// second waits until nobody listens at the address any more, then sends the rest of a request and reads the answer.
func second(connection net.Conn, address, rest string) error {
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		c, err := net.DialTimeout("tcp", address, time.Second)
		if err != nil {
			break
		}
		_ = c.Close()
		if time.Now().After(end) {
			return fmt.Errorf("the replica still listens")
		}
	}
	if _, err := io.WriteString(connection, rest); err != nil {
		return err
	}
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(text), `"errno":`) {
		return fmt.Errorf("the answer is %s %s %w", answer.Status, text, err)
	}
	return nil
}
