#!/usr/bin/env bash
# `make test-engines`: the shop on other servers than those of make test. What is missing is fetched from Debian's unstable suite
# without installing it, and started in .local/engines on free ports.
#   ENGINES="..."   which ones (default all):
#     mysql mariadb       the scenarios, the tests of the domain, and processes killed under load
#     valkey              the scenarios, and processes killed under load
#     galera group        the scenarios, and a rush of buyers with one node killed, with writes to one node and to all
#     replica             the same, with the replica killed and then the primary; lists read from a late, dead and hanging one
#     sentinel cluster    the same, with a primary of Redis killed
#   PACKAGES        of go test (default shop.internal/pkg/domain/...); without the other parts
# engines.sh money (`make test-mysql`, a part of .ci/run) runs the tests of what moves money or stock on MySQL 9 alone, in
# minutes. Where MySQL cannot be fetched, its last line says so, and it succeeds. The suite moves: .ci/run tests the version that is
# noted here alone, make nightly whatever there is; what passed there is then noted.
# The last lines say which versions were found and what each has passed. docs/operate/engines.md says what they are good for.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
state=$root/.local/engines
folder "$state"
folder "$bin"
noted=9.7.4 # the version of MySQL
results=() failed=()
money=
case ${1:-} in
'') ;;
money)
  money=1 ENGINES=mysql
  domain=(cart order payment/... aftersale promotion catalog report internal/db platform/idempotency platform/outbox)
  : "${PACKAGES:=${domain[*]/#/shop.internal/pkg/domain/}}"
  ;;
*) die "engines.sh knows money, not $1." ;;
esac

test=(go test)
[ -z "${SHOP_TIMING:-}" ] || test=("$bin/timing" test "$SHOP_TIMING") # a part of make prove

stop_all() {
  local dir
  for dir in "$state"/*/server; do
    [ ! -d "$dir" ] || "$bin/dev" "$(basename "$(dirname "$dir")")" stop "$dir" || true
  done
  [ -z "$money" ] || return 0 # it starts none, and may run beside make prove
  for dir in mariadb mysql; do
    [ ! -d "$root/.local/prove/crash/mariadb" ] || "$bin/dev" $dir stop "$root/.local/prove/crash/mariadb" || true
  done
  [ ! -d "$root/.local/prove/crash/redis" ] || "$bin/dev" redis stop "$root/.local/prove/crash/redis" || true
}
trap stop_all EXIT
trap 'exit 130' INT TERM HUP

# passes ENGINE WHAT COMMAND... runs one part of the tests of an engine. A failed part does not stop the others.
passes() {
  local log=$state/$1/$2.log began=$SECONDS details
  folder "$state/$1"
  if "${@:3}" >"$log" 2>&1; then
    [ "$2" = scenarios ] || details=$(grep -E '^ok    ' "$log" | sed 's/^ok/  /' || true)
    results+=("ok    $version: $2, $((SECONDS - began)) s${details:+$'\n'$details}")
  else
    grep -E '^ *--- FAIL|^FAIL|^panic' "$log" | head -n 40 || tail -n 40 "$log"
    results+=("FAIL  $version: $2, see ${log#"$root"/}")
    failed+=("$1")
  fi
  say "${results[-1]}"
}

version() { "$1" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+[^ ]*' | head -n 1; }

# fetch PROGRAMS SERVER makes the programs of an engine available, and prints the version of its server.
fetch() {
  ENGINE=$1 MODE=extract SUITE=sid "$here/programs.sh" "$state/$1" >&2 || return
  version "$state/$1/bin/$2"
}

# need_mysql ends the script where there is no MySQL, and says why.
need_mysql() {
  local log=$state/mysql/fetch.log why is
  folder "$state/mysql"
  if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    why="it is taken from Debian, and this machine has no apt-get or no dpkg-deb"
  elif ENGINE=mysql MODE=extract SUITE=sid timeout 300 "$here/programs.sh" "$state/mysql" >"$log" 2>&1 &&
    is=$(version "$state/mysql/bin/mysqld" 2>>"$log") && [ -n "$is" ]; then
    if [ "${SHOP_PROVE:-}" != short ] || [ "${is%%-*}" = $noted ]; then return; fi
    why="it is $is now, and make nightly has tested $noted (noted in engines.sh)"
  else
    why="it cannot be fetched from Debian's unstable suite or does not run here (${log#"$root"/})"
  fi
  say "NOT TESTED on MySQL 9: $why. make test runs the same tests on MariaDB."
  exit 0
}

# fresh ENGINE PORT starts an engine without the data of the last run, and prints its ports.
fresh() {
  "$bin/dev" "$1" stop "$state/$1/server" # what a killed run has left
  rm -rf "$state/$1/server"
  "$bin/dev" "$1" start "$state/$1/server" "$2"
}

crashes() { GOWORK=off go -C deploy/prove test -count=1 -timeout "$LIMIT_PACKAGE" ./crash -v "$@"; }

# single ENGINE: one database server.
single() {
  local port
  port=$(fresh "$1" 13700)
  SHOP_TEST_MYSQL_DSN="shop:shop@tcp(127.0.0.1:$port)/"
  port=$(fresh redis 16600)
  SHOP_TEST_REDIS_ADDR=127.0.0.1:$port
  # shellcheck disable=SC2086  # PACKAGES is a list
  passes "$1" tests "${test[@]}" -vet=off -count=1 -parallel 4 -timeout "$LIMIT_PACKAGE" ${PACKAGES:-shop.internal/pkg/domain/...}
  if [ -z "${PACKAGES:-}" ]; then
    passes "$1" scenarios "$bin/dev" scenarios
    SHOP_DATABASE=$1 passes "$1" crashes crashes -run TestCrashes
  fi
  "$bin/dev" "$1" stop "$state/$1/server"
  "$bin/dev" redis stop "$state/redis/server"
}

# several CLUSTER: several database servers, or several of Redis.
several() {
  local ports address
  case $1 in
  sentinel | cluster)
    ports=$(fresh "$1" 16700)
    [ "$1" = cluster ] || ports=$(tail -n +3 <<<"$ports") # the first two are no sentinels
    address=$(printf '127.0.0.1:%s,' $ports)
    SHOP_TEST_REDIS_ADDR=${address%,}
    ;;
  *)
    ports=$(fresh "$1" 13720)
    SHOP_TEST_MYSQL_DSN="shop:shop@tcp(127.0.0.1:$(head -n 1 <<<"$ports"))/"
    ;;
  esac
  if [ "$1" = sentinel ]; then
    export {STOREFRONT,ADMIN}_REDIS_MODE=sentinel {STOREFRONT,ADMIN}_REDIS_SENTINEL_MASTER=shop
  fi
  passes "$1" scenarios "$bin/dev" scenarios
  unset "${!STOREFRONT_@}" "${!ADMIN_@}"
  SHOP_CLUSTER=$1 SHOP_CLUSTER_DIR=$state/$1/server passes "$1" rush crashes -run "TestCluster|TestReplica"
  "$bin/dev" "$1" stop "$state/$1/server"
}

# of ENGINE runs all its parts.
of() {
  export SHOP_PROGRAMS=$state/$1 SHOP_TEST_MYSQL_DSN='' SHOP_TEST_REDIS_ADDR=''
  case $1 in
  mysql | group | replica)
    SHOP_PROGRAMS=$state/mysql
    found="MySQL $(fetch mysql mysqld)"
    ;;
  mariadb | galera) found="MariaDB $(fetch "$1" mariadbd)" ;;
  valkey) found="Valkey $(fetch valkey redis-server)" ;;
  sentinel | cluster)
    "$here/programs.sh" "$root/.local/programs" && found="Redis $(version "$root/.local/programs/bin/redis-server")"
    ;;
  *) die "ENGINES can name $all, not $1." ;;
  esac || {
    results+=("FAIL  $1: it could not be fetched")
    failed+=("$1")
    say "${results[-1]}"
    return
  }
  version="$found, $1"
  say "=== $version"
  case $1 in
  mysql | mariadb) single "$1" ;;
  valkey)
    passes valkey scenarios "$bin/dev" scenarios
    passes valkey crashes crashes -run TestCrashes
    ;;
  *) several "$1" ;;
  esac
}

all="mysql mariadb valkey galera group replica sentinel cluster"
GOWORK=off go -C deploy/local build -o "$bin/dev" ./cmd/dev
[ -z "$money" ] || need_mysql
# A test does not wait for the disk. Its server survives a kill, but not a loss of power.
[ -z "$money" ] || export MYSQL_EXTRA="--innodb-flush-method=nosync --innodb-doublewrite=OFF"
# Tests must not depend on the configuration of services.
unset "${!STOREFRONT_@}" "${!ADMIN_@}"
export FLUSH=2 PATH=$PATH:$root/.local/programs/bin
export SHOP_BIN=$state/bin
[ -n "$money" ] || OUT=$SHOP_BIN "$here/build.sh" "${programs[@]}"
for engine in ${ENGINES:-$all}; do
  of "$engine"
done
is=
[ ! -x "$state/mysql/bin/mysqld" ] || is=$(version "$state/mysql/bin/mysqld")
[ -z "$is" ] || [ "${is%%-*}" = $noted ] || say "MySQL is ${is%%-*} now, to be noted in engines.sh if it has passed"
say "=== what was found"
printf '%s\n' "${results[@]}"
[ ${#failed[@]} -eq 0 ] || die "not passed: ${failed[*]}"
