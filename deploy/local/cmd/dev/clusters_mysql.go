package main

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// The ports of a database node beside its own, as offsets.
const (
	groupPort    = 100 // for the other nodes
	missingPort  = 200 // Galera sends missing writes here
	transferPort = 300 // and a whole copy here
)

// galera is three MariaDB nodes, each of which takes writes.
func galera(dir string) *cluster {
	return &cluster{
		nodes: members(dir, mariadb, mariadb, mariadb), assign: assignGalera,
		join: func(context.Context, *cluster, *server, bool) error { return nil }, // it is ready only as a member
		complete: func(ctx context.Context, c *cluster) error {
			const state = "wsrep_local_state_comment"
			return c.each(ctx, "SHOW STATUS WHERE variable_name = '"+state+"'", state, "Synced")
		},
	}
}

func assignGalera(c *cluster, n *server, first bool) error {
	const library = "extracted/root/usr/lib/galera/libgalera_smm.so"
	providers, err := filepath.Glob(filepath.Join(os.Getenv("SHOP_PROGRAMS"), library))
	if err != nil || len(providers) == 0 {
		return fmt.Errorf("there is no Galera in the folder that SHOP_PROGRAMS names (%w)", err)
	}
	peers, port := c.addresses(groupPort), n.wanted()
	if first {
		peers = ""
	}
	n.extra = []string{
		"--binlog-format=ROW", "--innodb-autoinc-lock-mode=2", "--wsrep-on=ON", "--wsrep-provider=" + providers[0],
		"--wsrep-cluster-name=shop", "--wsrep-cluster-address=gcomm://" + peers, "--wsrep-slave-threads=2",
		"--wsrep-node-name=" + filepath.Base(n.dir), "--wsrep-sst-method=rsync", "--wsrep-sst-donor=3,2,1",
		fmt.Sprintf("--wsrep-node-address=127.0.0.1:%d", port+groupPort),
		fmt.Sprintf("--wsrep-sst-receive-address=127.0.0.1:%d", port+transferPort),
		fmt.Sprintf("--wsrep-provider-options=base_port=%d;ist.recv_addr=127.0.0.1:%d", port+groupPort, port+missingPort),
	}
	if os.Getuid() == 0 {
		n.prepare = giveToNobody
	}
	return nil
}

// giveToNobody hands the data to the account under which the copying daemon of a state transfer runs if root starts it.
func giveToNobody(data string) error {
	const nobody = 65534
	root, err := os.OpenRoot(data)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return root.Lchown(path, nobody, nobody)
	})
}

// group is three MySQL nodes of a replicated group, each of which takes writes.
func group(dir string) *cluster {
	return &cluster{
		nodes: members(dir, mysqld, mysqld, mysqld), assign: assignGroup, join: joinGroup,
		complete: func(ctx context.Context, c *cluster) error {
			return c.each(ctx, "SELECT 'online', COUNT(*) FROM performance_schema.replication_group_members "+
				"WHERE member_state = 'ONLINE'", "online", strconv.Itoa(len(c.nodes)))
		},
	}
}

func assignGroup(c *cluster, n *server, _ bool) error {
	n.extra = append(logged(n), "--performance-schema=ON", "--plugin-load-add=group_replication.so",
		"--loose-group-replication-group-name=6f0c2f0a-5a37-4c43-9a51-7c1d0e5a9b11",
		fmt.Sprintf("--loose-group-replication-local-address=127.0.0.1:%d", n.wanted()+groupPort),
		"--loose-group-replication-group-seeds="+c.addresses(groupPort), "--loose-group-replication-start-on-boot=OFF",
		"--loose-group-replication-single-primary-mode=OFF", "--loose-group-replication-recovery-get-public-key=ON",
		"--loose-group-replication-member-expel-timeout=0")
	return nil
}

// logged are the options of a MySQL that others copy by its binary log.
func logged(n *server) []string {
	return []string{
		"--server-id=" + filepath.Base(n.dir), "--log-bin=binlog", "--gtid-mode=ON", "--enforce-gtid-consistency=ON",
		"--report-host=127.0.0.1", fmt.Sprintf("--report-port=%d", n.wanted()),
	}
}

func joinGroup(ctx context.Context, _ *cluster, n *server, first bool) error {
	begin := "SET GLOBAL group_replication_bootstrap_group = OFF"
	if first {
		begin = "SET GLOBAL group_replication_bootstrap_group = ON"
	}
	return n.root(ctx, "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'copy', SOURCE_PASSWORD = 'copy' "+
		"FOR CHANNEL 'group_replication_recovery'", begin, "START GROUP_REPLICATION",
		"SET GLOBAL group_replication_bootstrap_group = OFF")
}

// replica is a MySQL and a read-only copy of it. REPLICA_DELAY is by how many seconds the copy lags on purpose.
func replica(dir string) *cluster {
	return &cluster{
		nodes: members(dir, mysqld, mysqld),
		assign: func(c *cluster, n *server, _ bool) error {
			if n.extra = logged(n); n == c.nodes[1] {
				n.extra = append(n.extra, "--read-only=ON", "--skip-replica-start")
			}
			return nil
		},
		join: func(ctx context.Context, c *cluster, n *server, _ bool) error {
			if n == c.nodes[0] {
				return nil
			}
			delay := cmp.Or(os.Getenv("REPLICA_DELAY"), "0")
			return n.root(ctx, "STOP REPLICA", fmt.Sprintf("CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', "+
				"SOURCE_PORT = %d, SOURCE_USER = 'copy', SOURCE_PASSWORD = 'copy', SOURCE_AUTO_POSITION = 1, "+
				"GET_SOURCE_PUBLIC_KEY = 1, SOURCE_CONNECT_RETRY = 1, SOURCE_RETRY_COUNT = 100000, SOURCE_DELAY = %s",
				c.nodes[0].wanted(), delay), "START REPLICA")
		},
		complete: func(context.Context, *cluster) error { return nil },
	}
}

// root runs statements as the server's root.
func (s *server) root(ctx context.Context, statements ...string) error {
	return execute(ctx, "root@unix("+s.socket()+")/", statements...)
}

// each waits until a statement that returns a name and a value gives this value on every node.
func (c *cluster) each(ctx context.Context, statement, name, want string) error {
	for i, n := range c.nodes {
		err := inTime(ctx, func(ctx context.Context) error {
			db, err := sql.Open("mysql", "root@unix("+n.socket()+")/")
			if err != nil {
				return err
			}
			defer db.Close()
			var what, value string
			err = db.QueryRowContext(ctx, statement).Scan(&what, &value)
			if err == nil && value != want {
				err = errors.New("it is " + value)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("%s of node %d is not %s: %w", name, i+1, want, err)
		}
	}
	return nil
}
