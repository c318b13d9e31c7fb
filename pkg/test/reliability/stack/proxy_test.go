package stack_test

import (
	"bufio"
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"shop.internal/pkg/test/reliability/stack"
)

// echo is a server that answers each line with itself, and remembers the lines.
func echo(t *testing.T) (address string, heard chan string) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	heard = make(chan string, 100)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				for lines := bufio.NewScanner(c); lines.Scan(); {
					heard <- lines.Text()
					_, _ = c.Write([]byte(lines.Text() + "\n"))
				}
			}()
		}
	}()
	return l.Addr().String(), heard
}

// says sends a line on the connection and returns the answer, "" if none comes.
func says(c net.Conn, line string) string {
	_ = c.SetDeadline(time.Now().Add(300 * time.Millisecond))
	_, _ = c.Write([]byte(line + "\n"))
	answer := make([]byte, 100)
	n, _ := c.Read(answer)
	return string(answer[:n])
}

func TestProxy(t *testing.T) {
	target, heard := echo(t)
	p, err := stack.NewProxy(t.Context(), target)
	must(t, err)
	defer p.Close()
	dial := func() net.Conn {
		c, err := new(net.Dialer).DialContext(context.Background(), "tcp", p.Addr())
		must(t, err)
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	expect := func(c net.Conn, line, want string) {
		t.Helper()
		if got := says(c, line); got != want {
			t.Fatalf("%q is answered with %q, expected %q", line, got, want)
		}
	}

	c := dial()
	expect(c, "pass", "pass\n")
	p.Cut()
	expect(c, "cut", "")
	c = dial()
	expect(c, "again", "again\n")

	p.Refuse()
	expect(c, "refused", "")
	if c, err := new(net.Dialer).DialContext(t.Context(), "tcp", p.Addr()); err == nil {
		expect(c, "refused", "")
		must(t, c.Close())
	}
	p.Pass()
	c = dial()
	expect(c, "open", "open\n")

	p.Blackhole()
	expect(c, "nothing", "")
	held := dial()
	expect(held, "held", "")
	p.Pass()
	if !strings.HasPrefix(says(held, "more"), "held\n") {
		t.Fatal("what was sent meanwhile is lost")
	}

	p.Delay(200*time.Millisecond, 200*time.Millisecond)
	expect(dial(), "slow", "") // not within the deadline
	p.Delay(time.Millisecond, time.Millisecond)
	expect(dial(), "slow", "slow\n")

	p.ResetAfter(func() int64 { return 12 })
	c = dial()
	expect(c, "1234", "1234\n")
	expect(c, "1234", "")
	p.ResetAt("COMMIT", 2, true)
	c = dial()
	expect(c, "UPDATE", "UPDATE\n")
	expect(c, "COMMIT", "")
	for <-heard != "UPDATE" {
	}
	if <-heard != "COMMIT" {
		t.Fatal("the server does not hear of the commit")
	}
	p.ResetAt("COMMIT", 1, false)
	expect(dial(), "COMMIT", "")
	expect(dial(), "COMMIT", "COMMIT\n") // no reset is left
	if len(heard) != 1 || p.Resets() < 3 {
		t.Fatalf("the server hears %d commits, %d resets", len(heard), p.Resets())
	}
}
