#!/bin/sh
# What the official image of MySQL does before it starts the server, as far as compose.yaml needs it. It runs in a container.
set -eu
data=/var/lib/mysql
mkdir -p /run/mysqld /var/lib/mysql-files
chown mysql: /run/mysqld /var/lib/mysql-files "$data"
if [ ! -d "$data/mysql" ]; then
  mysqld --initialize-insecure --user=mysql --datadir="$data"
  first=/run/mysqld/first.sock
  mysqld --user=mysql --datadir="$data" --skip-networking --mysqlx=OFF --socket=$first &
  until mysqladmin --socket=$first --user=root --silent ping >/dev/null 2>&1; do
    kill -0 $! # or it has failed
    sleep 1
  done
  for file in /docker-entrypoint-initdb.d/*.sql; do
    mysql --socket=$first --user=root <"$file"
  done
  mysql --socket=$first --user=root -e "ALTER USER root@localhost IDENTIFIED BY '$(cat "$MYSQL_ROOT_PASSWORD_FILE")'; SHUTDOWN"
  wait
fi
exec mysqld --user=mysql --datadir="$data" "$@"
