package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
)

// freePort returns the wanted port, or reports that it is in use and returns the next free one.
func freePort(ctx context.Context, wanted int, who string) (int, error) {
	l, err := holdPort(ctx, wanted, who)
	if err != nil {
		return 0, err
	}
	return portOf(l), l.Close()
}

// holdPort listens on the wanted port, or reports that it is in use and listens on the next free one. The port is ours
// until the listener is closed.
func holdPort(ctx context.Context, wanted int, who string) (net.Listener, error) {
	for port := wanted; port < 65536; port++ {
		l, err := listenOn(ctx, port)
		if err != nil {
			continue
		}
		if port != wanted {
			fmt.Fprintf(os.Stderr, "Port %d is in use: %s takes %d.\n", wanted, who, port)
		}
		return l, nil
	}
	return nil, fmt.Errorf("no port from %d on is free for %s", wanted, who)
}

func listenOn(ctx context.Context, port int) (net.Listener, error) {
	return new(net.ListenConfig).Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
}

func portOf(l net.Listener) int {
	address, _ := l.Addr().(*net.TCPAddr)
	return address.Port
}

// roles are what listens on the four ports of a shop, in the order of task.ports and stack.urls.
var roles = [4]string{"storefront", "admin", "operations of storefront", "operations of admin"}

// holdPorts chooses four different ports and holds them until startService opens them. A port that the user has chosen
// must be free; another one is the next free one after that of the task. The addresses of pictures are stored with the
// goods, so the storefront keeps the port of its last run while it is free.
func (s *stack) holdPorts(ctx context.Context) error {
	s.releasePorts()
	for i, name := range s.chosen {
		if os.Getenv(name) == "" {
			continue
		}
		if err := s.holdChosen(ctx, i); err != nil {
			return err
		}
	}
	for i, who := range roles {
		if i == 0 && s.held[0] == nil {
			s.held[0] = s.remembered(ctx)
		}
		if s.held[i] != nil {
			continue
		}
		l, err := holdPort(ctx, s.ports[i], who)
		if err != nil {
			return err
		}
		s.held[i] = l
	}
	for i, l := range s.held {
		s.urls[i] = fmt.Sprintf("http://127.0.0.1:%d", portOf(l))
	}
	return replace(s.file("storefront.port"), strconv.Itoa(portOf(s.held[0])))
}

// holdChosen listens on the port that a variable of the environment names.
func (s *stack) holdChosen(ctx context.Context, i int) error {
	name := s.chosen[i]
	port, err := strconv.Atoi(os.Getenv(name))
	if err != nil || port < 1 || port > 65535 {
		return fmt.Errorf("%s is %q: it must be a port, 1 to 65535", name, os.Getenv(name))
	}
	if s.held[i], err = listenOn(ctx, port); err != nil {
		return fmt.Errorf("%s is %d, which cannot be used: %w. Choose another port", name, port, errors.Unwrap(err))
	}
	return nil
}

// remembered listens on the storefront's port of the last run, unless another program or another role has it.
func (s *stack) remembered(ctx context.Context) net.Listener {
	port := cmp.Or(number(s.file("storefront.port")), s.ports[0])
	for _, other := range s.ports[1:] {
		if port == other {
			return nil
		}
	}
	l, err := listenOn(ctx, port)
	if err != nil {
		return nil
	}
	return l
}

// releasePorts frees the ports that are held.
func (s *stack) releasePorts() {
	for i := range s.held {
		s.releasePort(i)
	}
}

func (s *stack) releasePort(i int) {
	if s.held[i] != nil {
		_ = s.held[i].Close()
		s.held[i] = nil
	}
}
