package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// sentinel is a Redis with a copy (the first two nodes) and three sentinels, which call it shop.
func sentinel(dir string) *cluster {
	watcher := func(dir string) *server {
		return &server{name: "Sentinel", dir: dir, launch: launchSentinel, ready: redisReady}
	}
	return &cluster{
		nodes: members(dir, redis, redis, watcher, watcher, watcher),
		assign: func(c *cluster, n *server, _ bool) error {
			n.extra = []string{strconv.Itoa(c.nodes[0].wanted())}
			if n == c.nodes[0] || n == c.nodes[1] {
				n.extra = nil
			}
			return nil
		},
		join: func(ctx context.Context, c *cluster, n *server, _ bool) error {
			if n != c.nodes[1] || c.live() > 2 { // later the sentinels decide what a node is
				return nil
			}
			return say(ctx, n, "REPLICAOF 127.0.0.1 "+strconv.Itoa(c.nodes[0].wanted()))
		},
		complete: func(ctx context.Context, c *cluster) error {
			for _, n := range c.nodes[2:] {
				if err := tells(ctx, n, "INFO sentinel", "status=ok,", "slaves=1,sentinels=3"); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// launchSentinel starts a sentinel, which keeps what it learns in its configuration.
func launchSentinel(ctx context.Context, s *server, port int) *exec.Cmd {
	file := s.file("sentinel.conf")
	if _, err := os.Stat(file); err != nil {
		_ = replace(file, fmt.Sprintf("port %d\nbind 127.0.0.1\ndir \"%s\"\nlogfile \"%s\"\n"+
			"sentinel monitor shop 127.0.0.1 %s 2\nsentinel down-after-milliseconds shop 1000\n"+
			"sentinel failover-timeout shop 5000\n", port, s.dir, s.log(), s.extra[0])) // Redis says what it lacks
	}
	return command(ctx, "redis-server", file, "--sentinel")
}

const (
	masters  = 3
	allSlots = 16384
)

// slots is a Redis Cluster of six nodes: three that share the keys, and a copy of each.
func slots(dir string) *cluster {
	return &cluster{
		nodes: members(dir, redis, redis, redis, redis, redis, redis),
		assign: func(_ *cluster, n *server, _ bool) error {
			n.extra = []string{
				"--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-node-timeout", "2000",
			}
			return nil
		},
		join:     joinSlots,
		complete: completeSlots,
	}
}

// joinSlots introduces a new node to the first one, and gives it its part of the keys. One that returns knows the
// others.
func joinSlots(ctx context.Context, c *cluster, n *server, _ bool) error {
	known, err := ask(ctx, n, "CLUSTER INFO")
	if err != nil || !strings.Contains(known, "cluster_known_nodes:1\r") {
		return err
	}
	for i, other := range c.nodes {
		if other != n {
			continue
		}
		err = say(ctx, n, fmt.Sprintf("CLUSTER SET-CONFIG-EPOCH %d", i+1))
		if err == nil && i < masters {
			err = say(ctx, n, fmt.Sprintf("CLUSTER ADDSLOTSRANGE %d %d", i*allSlots/masters, (i+1)*allSlots/masters-1))
		}
	}
	if err != nil || n == c.nodes[0] {
		return err
	}
	return say(ctx, c.nodes[0], fmt.Sprintf("CLUSTER MEET 127.0.0.1 %d", n.port()))
}

// completeSlots waits until all nodes agree. At the first start it makes the last three copies of the others.
func completeSlots(ctx context.Context, c *cluster) error {
	for _, n := range c.nodes {
		known := fmt.Sprintf("cluster_known_nodes:%d\r", len(c.nodes))
		if err := tells(ctx, n, "CLUSTER INFO", "cluster_state:ok", known); err != nil {
			return err
		}
	}
	if c.fresh {
		if err := copySlots(ctx, c); err != nil {
			return err
		}
	}
	for _, n := range c.nodes {
		if err := settled(ctx, n, len(c.nodes)-masters); err != nil {
			return err
		}
	}
	return nil
}

func copySlots(ctx context.Context, c *cluster) error {
	for i, n := range c.nodes[masters:] {
		id, err := ask(ctx, c.nodes[i], "CLUSTER MYID")
		if err != nil {
			return err
		}
		err = inTime(ctx, func(ctx context.Context) error {
			return say(ctx, n, "CLUSTER REPLICATE "+strings.TrimSpace(id))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// settled waits until a node knows that so many are copies, and has copied everything if it is one: one that returns
// learns that another has taken over.
func settled(ctx context.Context, n *server, copies int) error {
	err := inTime(ctx, func(ctx context.Context) error {
		known, err := ask(ctx, n, "CLUSTER NODES")
		if found := strings.Count(known, "slave"); err == nil && found != copies {
			err = fmt.Errorf("%s knows %d copies of %d", n.dir, found, copies)
		}
		return err
	})
	if err != nil {
		return err
	}
	role, err := ask(ctx, n, "INFO replication")
	if err == nil && strings.Contains(role, "role:slave") {
		err = tells(ctx, n, "INFO replication", "master_link_status:up")
	}
	return err
}

// tells waits until the answer to a command contains all texts.
func tells(ctx context.Context, n *server, text string, want ...string) error {
	return inTime(ctx, func(ctx context.Context) error {
		answer, err := ask(ctx, n, text)
		for _, part := range want {
			if err == nil && !strings.Contains(answer, part) {
				err = fmt.Errorf("%s: %s says nothing of %q:\n%s", n.dir, text, part, answer)
			}
		}
		return err
	})
}

// say sends a command that has no answer but OK.
func say(ctx context.Context, n *server, text string) error {
	answer, err := ask(ctx, n, text)
	if err == nil && answer != "OK" {
		err = errors.New(answer)
	}
	return err
}

// ask sends a command to a Redis and returns its answer: a status or a text.
func ask(ctx context.Context, n *server, text string) (string, error) {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", n.addr())
	if err != nil {
		return "", err
	}
	defer c.Close()
	_, err = io.WriteString(c, text+"\r\n")
	if err = errors.Join(err, c.SetReadDeadline(time.Now().Add(3*time.Second))); err != nil {
		return "", err
	}
	r := bufio.NewReader(c)
	line, err := r.ReadString('\n')
	if err != nil || len(line) < 3 {
		return "", err
	}
	rest := strings.TrimSpace(line[1:])
	switch line[0] {
	case '-':
		return "", fmt.Errorf("%s: %s", text, rest)
	case '$':
		length, err := strconv.Atoi(rest)
		if err != nil || length < 0 {
			return "", err
		}
		answer := make([]byte, length)
		_, err = io.ReadFull(r, answer)
		return string(answer), err
	}
	return rest, nil
}
