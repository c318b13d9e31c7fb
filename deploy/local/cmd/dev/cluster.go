package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// cluster is servers that work together, each in a folder of its own: DIR/1, DIR/2 and so on. It is for tests, which
// stop single nodes by their pids and call start again to have them back: a cluster without any running node begins
// empty.
type cluster struct {
	nodes []*server
	fresh bool // it begins empty
	// assign sets the options of a node before it starts; first says that no other node runs.
	assign func(c *cluster, n *server, first bool) error
	// join makes a node that has started a member.
	join func(ctx context.Context, c *cluster, n *server, first bool) error
	// complete waits until every node is a member.
	complete func(ctx context.Context, c *cluster) error
}

// clusters are the kinds, by the name with which the program is called.
var clusters = map[string]func(dir string) *cluster{
	"galera": galera, "group": group, "replica": replica, "sentinel": sentinel, "cluster": slots,
}

// members returns the nodes of a cluster, with a server of a kind in each folder.
func members(dir string, kinds ...func(dir string) *server) []*server {
	nodes := make([]*server, len(kinds))
	for i, kind := range kinds {
		nodes[i] = kind(filepath.Join(dir, strconv.Itoa(i+1)))
		nodes[i].kept = true
	}
	return nodes
}

// start starts the nodes that do not run, from a port on or on their earlier ports, and waits until all are members.
func (c *cluster) start(ctx context.Context, port int) error {
	if c.fresh = c.live() == 0; c.fresh {
		for _, n := range c.nodes {
			if err := os.RemoveAll(n.dir); err != nil {
				return err
			}
		}
	}
	for _, n := range c.nodes { // before the first one starts: it has to know the others
		if err := n.reserve(ctx, port); err != nil {
			return err
		}
		port = n.wanted() + 1
	}
	for i, n := range c.nodes {
		if n.alive() {
			continue
		}
		first := c.live() == 0
		if err := c.assign(c, n, first); err != nil {
			return err
		}
		if err := n.start(ctx, n.wanted()); err != nil {
			return err
		}
		if err := c.join(ctx, c, n, first); err != nil {
			return fmt.Errorf("node %d of %s did not join: %w\n%s", i+1, filepath.Dir(n.dir), err, lastLines(n.log()))
		}
	}
	return c.complete(ctx, c)
}

// stop stops all nodes, the last one first: Galera lets only the node that ended last begin a cluster.
func (c *cluster) stop() {
	for i := len(c.nodes) - 1; i >= 0; i-- {
		c.nodes[i].stop()
	}
}

// live is the number of nodes that run.
func (c *cluster) live() int {
	n := 0
	for _, node := range c.nodes {
		if node.alive() {
			n++
		}
	}
	return n
}

// reserve chooses the port of a node, which is the same at each start.
func (s *server) reserve(ctx context.Context, port int) error {
	if s.wanted() != 0 {
		return nil
	}
	port, err := freePort(ctx, port, s.name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	return replace(s.file("wanted"), strconv.Itoa(port)+"\n")
}

func (s *server) wanted() int { return number(s.file("wanted")) }

// addresses are those of all nodes with an offset to their ports, separated by commas.
func (c *cluster) addresses(offset int) string {
	list := make([]string, len(c.nodes))
	for i, n := range c.nodes {
		list[i] = fmt.Sprintf("127.0.0.1:%d", n.wanted()+offset)
	}
	return strings.Join(list, ",")
}

// inTime calls is until it succeeds, at most for as long as a node may take to start.
func inTime(ctx context.Context, is func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, starting())
	defer cancel()
	for {
		err := is(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}
