package main

import (
	"context"
	"os/exec"
)

// mysqld is a MySQL for make test-engines. Nothing else of the project needs one.
func mysqld(dir string) *server {
	return &server{name: "MySQL", dir: dir, setup: setUpMySQL, launch: launchMySQL, ready: mysqlReady}
}

func setUpMySQL(ctx context.Context, _ *server, data string) *exec.Cmd {
	return command(ctx, "mysqld", append(unconfigured(), "--initialize-insecure", "--datadir="+data)...)
}

func launchMySQL(ctx context.Context, s *server, port int) *exec.Cmd {
	return command(ctx, "mysqld", append(s.options(port), "--mysqlx=OFF", "--skip-log-bin", "--secure-file-priv=")...)
}

func mysqlReady(ctx context.Context, s *server, _, _ int) error { return s.account(ctx) }
