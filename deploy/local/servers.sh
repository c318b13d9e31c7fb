#!/usr/bin/env bash
# Behind `make up` and `make down`: the private MariaDB and Redis alone, for work on the services in an editor.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$here/stack.sh"
state=$root/.local

case ${1:-} in
up)
  prepare
  if named "$state/pid/run"; then die "make run has started the servers already (pid $pid); their addresses are in .local/env."; fi
  take_over run
  start_servers 13306 16379
  : >"$state/up"
  write_env "$state/env"
  printf "%s\n" "MySQL $mysql_dsn" "Redis $redis_addr" "(both are in .local/env; make down stops them)"
  ;;
down)
  [ -d "$state" ] || exit 0
  if named "$state/pid/run"; then die "make run is using the servers (pid $pid): stop it first, with Ctrl-C or kill $pid."; fi
  rm -f "$state/up"
  take_over run
  rm -f "$state/env"
  say "stopped"
  ;;
*) die "servers.sh knows up and down." ;;
esac
