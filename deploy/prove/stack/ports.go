package stack

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
)

// ListenFree listens at a free port of the loopback interface that a program may listen at later: it is below the ports
// that systems give to connections, one of which would take it in between.
func ListenFree(ctx context.Context) (net.Listener, error) {
	const first, count, attempts = 20000, 12000, 50
	var l net.Listener
	err := errors.New("no attempt")
	for n := 0; err != nil && n < attempts; n++ {
		l, err = new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:"+strconv.Itoa(first+rand.IntN(count)))
	}
	return l, err
}

func freePort(ctx context.Context) (int, error) {
	port, _, err := twoPorts(ctx)
	return port, err
}

// twoPorts returns two free ports. Both are held until both are chosen, so that they differ.
func twoPorts(ctx context.Context) (first, second int, err error) {
	var ports [2]int
	for i := range ports {
		l, err := ListenFree(ctx)
		if err != nil {
			return 0, 0, err
		}
		defer l.Close()
		_, port, err := net.SplitHostPort(l.Addr().String())
		if err != nil {
			return 0, 0, err
		}
		if ports[i], err = strconv.Atoi(port); err != nil {
			return 0, 0, err
		}
	}
	return ports[0], ports[1], nil
}
