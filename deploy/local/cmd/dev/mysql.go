package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
)

// mysqld is a MySQL for make test-engines. It writes a binary log only as a part of a cluster, or
// if MYSQL_EXTRA says so.
func mysqld(dir string) *server {
	return &server{name: "MySQL", dir: dir, setup: setUpMySQL, launch: launchMySQL, ready: mysqlReady}
}

func setUpMySQL(ctx context.Context, _ *server, data string) *exec.Cmd {
	return command(ctx, "mysqld", append(unconfigured(), "--initialize-insecure", "--datadir="+data)...)
}

func launchMySQL(ctx context.Context, s *server, port int) *exec.Cmd {
	args := append(s.options(port), "--mysqlx=OFF", "--secure-file-priv=")
	if len(s.extra) == 0 {
		args = append(args, "--skip-log-bin")
	}
	args = append(args, strings.Fields(os.Getenv("MYSQL_EXTRA"))...)
	return command(ctx, "mysqld", append(args, s.extra...)...)
}

// mysqlReady succeeds when MySQL answers on its socket and has the accounts. Members of a cluster create them each for
// itself: copied, they would be a write that the others do not know.
func mysqlReady(ctx context.Context, s *server, _, _ int) error {
	if len(s.extra) == 0 {
		return s.accounts(ctx)
	}
	return s.accounts(ctx, "SET SESSION sql_log_bin = OFF",
		"CREATE USER IF NOT EXISTS copy@'127.0.0.1' IDENTIFIED BY 'copy'",
		"GRANT REPLICATION SLAVE, BACKUP_ADMIN, CONNECTION_ADMIN, GROUP_REPLICATION_STREAM ON *.* TO copy@'127.0.0.1'")
}
