#!/usr/bin/env bash
# `make test-engines`: the end-to-end scenarios and the tests of the domain on other database engines than the one of make test.
# Each engine is fetched if it is missing, started in .local/engines with a private port, and stopped at the end.
#   ENGINES="mysql mariadb"   which ones (default all)      PACKAGES   of go test (default shop.internal/pkg/domain/...)
# The last lines say which versions were found and what each has passed.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
state=$root/.local/engines
folder "$state"
chosen=${ENGINES:-mysql mariadb}
packages=${PACKAGES:-shop.internal/pkg/domain/...}
account="CREATE USER IF NOT EXISTS shop@'127.0.0.1' IDENTIFIED BY 'shop', shop@localhost IDENTIFIED BY 'shop';
  GRANT ALL ON \`shop%\`.* TO shop@'127.0.0.1', shop@localhost;"
results=() failed=() pids=()

stop_all() {
  local pid
  for pid in "${pids[@]}"; do
    kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true
  done
  "$bin/dev" redis stop "$state/redis" || true
}
trap stop_all EXIT
trap 'exit 130' INT TERM HUP

# free_port PORT prints the port or the next one on which nothing listens.
free_port() {
  local port=$1
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
  echo "$port"
}

# fetch NAME SUITE PROGRAM PACKAGE... extracts packages of a suite into .local/engines/NAME, once.
fetch() {
  local dir=$state/$1
  [ ! -x "$dir/root/$3" ] || return 0
  say "fetching ${*:4} of Debian's $2 (nothing is installed)"
  mkdir -p "$dir"
  SUITE=$2 "$here/extract.sh" "$dir" "${@:4}" >"$dir/extract.log" 2>&1 || {
    tail -n 20 "$dir/extract.log" >&2
    die "${*:4} could not be fetched (see above)."
  }
}

# serve NAME CLIENT SERVER ARGUMENT... starts a server in .local/engines/NAME, sets port, and gives it the account of the tests.
serve() {
  local dir=$state/$1 r=$state/$1/root client=$2 server=$3 paths began=$SECONDS as=()
  [ "$(id -u)" != 0 ] || as=(--user=root)
  paths=(--no-defaults "${as[@]}" "--basedir=$r/usr" "--lc-messages-dir=$r/usr/share/mysql"
    "--character-sets-dir=$r/usr/share/mysql/charsets" "--plugin-dir=$r/usr/lib/mysql/plugin" "--datadir=$dir/data")
  rm -rf "$dir/data" "$dir/tmp"
  mkdir -p "$dir/tmp"
  "install_$1" "$dir" "${paths[@]}" >"$dir/install.log" 2>&1 || {
    tail -n 20 "$dir/install.log" >&2
    die "$1 could not set up its data (see above)."
  }
  port=$(free_port 13700)
  socket=$(mktemp -u /tmp/shop-XXXXXX.sock)
  "$server" "${paths[@]}" "--tmpdir=$dir/tmp" "--socket=$socket" "--port=$port" --bind-address=127.0.0.1 --skip-name-resolve \
    "--pid-file=$dir/pid" "--log-error=$dir/server.log" --max-connections=500 --character-set-server=utf8mb4 \
    --collation-server=utf8mb4_unicode_ci --default-time-zone=+00:00 --innodb-buffer-pool-size=256M \
    --innodb-flush-log-at-trx-commit=2 "${@:4}" </dev/null >"$dir/out.log" 2>&1 &
  pids+=($!)
  until "$client" --no-defaults -uroot -S "$socket" -e "$account" 2>"$dir/client.log"; do
    kill -0 "${pids[-1]}" 2>/dev/null && [ $((SECONDS - began)) -lt 120 ] || {
      tail -n 20 "$dir/server.log" "$dir/client.log" >&2
      die "$1 does not start (see above)."
    }
    sleep 0.2
  done
  version=$("$client" --no-defaults -uroot -S "$socket" -BNe 'SELECT VERSION()')
}

install_mysql() { "$1/root/usr/sbin/mysqld" "${@:2}" --initialize-insecure; }
start_mysql() {
  fetch mysql sid usr/sbin/mysqld mysql-server-core mysql-client-core
  serve mysql "$state/mysql/root/usr/bin/mysql" "$state/mysql/root/usr/sbin/mysqld" --mysqlx=OFF --secure-file-priv= --skip-log-bin
}

install_mariadb() { # the installer does not quote its folders
  local tmp
  tmp=$(mktemp -d)
  ln -s "$1/root" "$tmp/root"
  PATH=$1/root/usr/bin:$PATH "$tmp/root/usr/bin/mariadb-install-db" --no-defaults "--datadir=$1/data" --skip-test-db --force \
    --auth-root-authentication-method=normal "--basedir=$tmp/root/usr"
  rm -rf "$tmp"
}
start_mariadb() {
  fetch mariadb sid usr/sbin/mariadbd mariadb-server-core mariadb-client-core
  serve mariadb "$state/mariadb/root/usr/bin/mariadb" "$state/mariadb/root/usr/sbin/mariadbd" \
    --sql-mode=ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION
}

# passes NAME WHAT COMMAND... runs one part of the tests of an engine.
passes() {
  local log=$state/$1-$2.log began=$SECONDS
  if "${@:3}" >"$log" 2>&1; then
    results+=("ok    $1 $version: $2, $((SECONDS - began)) s")
  else
    grep -E '^ *--- FAIL|^FAIL|^panic' "$log" | head -n 40 || tail -n 40 "$log"
    results+=("FAIL  $1 $version: $2, see ${log#"$root"/}")
    failed+=("$1")
  fi
  say "${results[-1]}"
}

GOWORK=off go -C deploy/local build -buildvcs=false -o "$bin/dev" ./cmd/dev
redis=$("$bin/dev" redis start "$state/redis" 16600)
# Tests must not depend on the configuration of services.
unset "${!STOREFRONT_@}" "${!ADMIN_@}"
export SHOP_TEST_REDIS_ADDR=127.0.0.1:$redis PATH=$PATH:$root/.local/programs/bin
for engine in $chosen; do
  declare -F "start_$engine" >/dev/null || die "ENGINES can name mysql and mariadb, not $engine."
  "start_$engine"
  say "=== $engine $version"
  export SHOP_TEST_MYSQL_DSN="shop:shop@tcp(127.0.0.1:$port)/"
  [ -n "${PACKAGES:-}" ] || passes "$engine" scenarios "$bin/dev" scenarios
  # shellcheck disable=SC2086  # packages is a list
  passes "$engine" tests go test -count=1 -timeout 40m $packages
done
say "=== what was found"
printf '%s\n' "${results[@]}"
[ ${#failed[@]} -eq 0 ] || die "not passed: ${failed[*]}"
