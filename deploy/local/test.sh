#!/usr/bin/env bash
# Behind `make test`: every test of every module with the race detector, on servers of their own in .local/test, so that it
# runs beside `make run`. First the end-to-end scenarios against freshly started services, last go test, whose lines close the output.
# SHOP_TEST_MYSQL_DSN (user:password@tcp(host:port)/) and SHOP_TEST_REDIS_ADDR name other servers; PACKAGES narrows go test.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$here/stack.sh"
hear_signals "$0" "$@"

state=$root/.local/test
bin=$state/bin
failed=()

leave() {
  local rc=$?
  trap - EXIT
  trap '' INT TERM HUP PIPE
  set +e
  finish "$state/pid/step"
  stop_services
  stop_servers
  [ -z "${watcher:-}" ] || kill "$watcher" 2>/dev/null
  rm -f "$state/pid/test" "$state/env"
  exit $rc
}

# part NAME COMMAND...: one part of the tests. A part that fails does not keep the others from being seen.
part() {
  local name=$1
  shift
  say "=== $name"
  "$@" || {
    failed+=("$name")
    printf '=== failed: %s\n' "$name" >&2
  }
}

need_compiler() {
  command -v "$(go env CC)" >/dev/null && return
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "installing gcc: the race detector needs a C compiler"
    export DEBIAN_FRONTEND=noninteractive
    local get=(apt-get install -y -qq -o DPkg::Lock::Timeout=120 --no-install-recommends gcc libc6-dev)
    { "${get[@]}" || { apt-get update -qq && "${get[@]}"; }; } >"$state/log/apt.log" 2>&1 && return
  fi
  die "The race detector needs a C compiler and there is none: install gcc and libc6-dev (apt-get install gcc libc6-dev)."
}

# sql STATEMENTS on the test server, whosever it is.
sql() {
  local client
  if [ -n "$own_mysql" ]; then
    "$here/mariadb.sh" sql "$state/mariadb" "$1"
    return
  fi
  client=$(command -v mariadb || command -v mysql) ||
    die "SHOP_TEST_MYSQL_DSN is set, but there is no client to make a database with: install mariadb-client-core."
  [[ $mysql_dsn =~ ^([^:]+):(.*)@tcp\(([^:\)]+):?([0-9]*)\)/ ]] ||
    die "SHOP_TEST_MYSQL_DSN is not of the form user:password@tcp(host:port)/: the scenarios need a database of their own there."
  MYSQL_PWD=${BASH_REMATCH[2]} "$client" -u"${BASH_REMATCH[1]}" -h"${BASH_REMATCH[3]}" -P"${BASH_REMATCH[4]:-3306}" \
    --batch --skip-column-names -e "$1"
}

# clear_databases drops what earlier tests left on the private server.
clear_databases() {
  local name
  [ -n "$own_mysql" ] || return 0
  sql "show databases like 'shop\_%'" | while read -r name; do sql "drop database \`$name\`"; done
}

# e2e runs the scenarios from outside: new programs, an empty database, the demo shop, both services, then the books.
e2e() {
  local rc=0 base=$mysql_dsn redis=$redis_addr
  sql "drop database if exists shop_e2e; create database shop_e2e character set utf8mb4" || return 1
  build_programs || return 1
  rm -rf "$state/objects"
  mkdir -p "$state/objects"
  : >"$state/messages.log"
  mysql_dsn=$(server_of "$base")shop_e2e
  configure 18080 18081 19080 19081
  mysql_dsn=$base redis_addr=$redis
  shopctl setup --demo || return 1
  start_service storefront
  start_service admin
  if wait_ready 60; then
    write_env "$state/env" all
    step "$here/e2e.sh" "$state/env" || rc=1
  else
    rc=1
  fi
  stop_services
  sql "drop database shop_e2e" || rc=1
  return $rc
}

# A signal is heard between two commands only while the shell waits for a child, so make's end is watched from beside.
watch_make() {
  made_by_make
  [ -n "$maker" ] || return 0
  while alive "$maker" && alive $$; do sleep 1; done
  kill -TERM $$ 2>/dev/null
}

need_go
prepare
take_over test
remember "$state/pid/test" $$ local/test.sh
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
trap 'exit 141' PIPE
watch_make &
watcher=$!

need_compiler
say "=== servers"
# All is written to the operating system and nothing waits for the disk: it survives a kill of the server, which is all that
# tests do to it, and the many small databases of the tests are made and dropped in two thirds of the time.
FLUSH=2 MARIADB_EXTRA="--innodb-flush-method=nosync --sync-frm=0" start_servers 13406 16479 "${SHOP_TEST_MYSQL_DSN:-}" "${SHOP_TEST_REDIS_ADDR:-}"
clear_databases
part "end-to-end scenarios against freshly started services" e2e
export SHOP_TEST_MYSQL_DSN=${SHOP_TEST_MYSQL_DSN:-$(server_of "$mysql_dsn")} SHOP_TEST_REDIS_ADDR=$redis_addr RAPID_CHECKS=${RAPID_CHECKS:-1000}
# The configuration of the services of the scenarios is no test's business.
unset "${!STOREFRONT_@}" "${!ADMIN_@}"
# -count=1: what a cached result says about a database is worth nothing.
# shellcheck disable=SC2086  # PACKAGES is a list
part "go test -race" step go test -race -count=1 -timeout 20m ${PACKAGES:-work}
if [ ${#failed[@]} -gt 0 ]; then
  printf -v names '%s, ' "${failed[@]}"
  die "make test failed: ${names%, }."
fi
