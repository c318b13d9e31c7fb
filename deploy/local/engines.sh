#!/usr/bin/env bash
# `make test-engines`: the end-to-end scenarios and the tests of the domain on other database engines than the one of make test.
# Each engine is fetched from Debian's unstable suite if it is missing, without installing it, and started in .local/engines on a
# free port.
#   ENGINES="mysql mariadb"   which ones (default all)      PACKAGES   of go test (default shop.internal/pkg/domain/...)
# The last lines say which versions were found and what each has passed.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
state=$root/.local/engines
folder "$state"
folder "$bin"
results=() failed=()

stop_all() {
  local engine
  for engine in mysql mariadb redis; do
    [ ! -d "$state/$engine/server" ] || "$bin/dev" "$engine" stop "$state/$engine/server" || true
  done
}
trap stop_all EXIT
trap 'exit 130' INT TERM HUP

# passes ENGINE WHAT COMMAND... runs one part of the tests of an engine. A failed part does not stop the others.
passes() {
  local log=$state/$1/$2.log began=$SECONDS
  if "${@:3}" >"$log" 2>&1; then
    results+=("ok    $version: $2, $((SECONDS - began)) s")
  else
    grep -E '^ *--- FAIL|^FAIL|^panic' "$log" | head -n 40 || tail -n 40 "$log"
    results+=("FAIL  $version: $2, see ${log#"$root"/}")
    failed+=("$1")
  fi
  say "${results[-1]}"
}

GOWORK=off go -C deploy/local build -buildvcs=false -o "$bin/dev" ./cmd/dev
# Tests must not depend on the configuration of services.
unset "${!STOREFRONT_@}" "${!ADMIN_@}"
redis=$("$bin/dev" redis start "$state/redis/server" 16600)
export SHOP_TEST_REDIS_ADDR=127.0.0.1:$redis PATH=$PATH:$root/.local/programs/bin
for engine in ${ENGINES:-mysql mariadb}; do
  case $engine in
  mysql) server=mysqld ;;
  mariadb) server=mariadbd ;;
  *) die "ENGINES can name mysql and mariadb, not $engine." ;;
  esac
  ENGINE=$engine MODE=extract SUITE=sid "$here/programs.sh" "$state/$engine"
  version=$("$state/$engine/bin/$server" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+[^ ]*' | head -n 1)
  version="$engine $version"
  "$bin/dev" "$engine" stop "$state/$engine/server" # what a killed run has left
  rm -rf "$state/$engine/server/data"
  port=$(SHOP_PROGRAMS=$state/$engine FLUSH=2 "$bin/dev" "$engine" start "$state/$engine/server" 13700)
  export SHOP_TEST_MYSQL_DSN="shop:shop@tcp(127.0.0.1:$port)/"
  say "=== $version"
  [ -n "${PACKAGES:-}" ] || passes "$engine" scenarios "$bin/dev" scenarios
  # shellcheck disable=SC2086  # PACKAGES is a list
  passes "$engine" tests go test -count=1 -timeout 40m ${PACKAGES:-shop.internal/pkg/domain/...}
  "$bin/dev" "$engine" stop "$state/$engine/server"
done
say "=== what was found"
printf '%s\n' "${results[@]}"
[ ${#failed[@]} -eq 0 ] || die "not passed: ${failed[*]}"
