package stack

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Cluster is servers that work together: galera, group, replica, sentinel or cluster, as deploy/local/dev.sh calls
// them. They belong to whoever has started them, and outlive the test.
type Cluster struct {
	// Nodes are the servers. A killed one comes back by Complete, not by its own Start.
	Nodes []*Server

	kind, dir, root string
}

// OpenCluster starts the nodes of a cluster that do not run. Without any it begins empty.
func OpenCluster(ctx context.Context, kind, dir string) (*Cluster, error) {
	root, err := ProjectRoot()
	if err != nil {
		return nil, err
	}
	c := &Cluster{kind: kind, dir: dir, root: root}
	return c, c.Complete(ctx)
}

// Complete starts the nodes that do not run and waits until all are members.
func (c *Cluster) Complete(ctx context.Context) error {
	first := 13900
	if len(c.Nodes) > 0 {
		first = c.Nodes[0].port
	}
	printed, err := output(ctx, c.root, os.Environ(), "deploy/local/dev.sh", c.kind, "start", c.dir, strconv.Itoa(first))
	if err != nil {
		return err
	}
	for i, text := range strings.Fields(printed) {
		port, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("the ports of %s: %w", c.kind, err)
		}
		if i == len(c.Nodes) {
			name := fmt.Sprintf("%s %d", c.kind, i+1)
			c.Nodes = append(c.Nodes, &Server{Name: name, root: c.root, dir: filepath.Join(c.dir, strconv.Itoa(i+1))})
		}
		c.Nodes[i].port = port
	}
	return nil
}
