#!/usr/bin/env bash
# `make test`: every test of every module with the race detector. dev.sh test starts it with private servers in .local/test,
# unless SHOP_TEST_MYSQL_DSN and SHOP_TEST_REDIS_ADDR name others, so that it runs beside `make run`. The end-to-end scenarios
# against freshly started services come first, go test last. PACKAGES narrows go test.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
failed=()

# part NAME COMMAND... runs one part of the tests. A failed part does not stop the others.
part() {
  say "=== $1"
  "${@:2}" || {
    failed+=("$1")
    printf '=== failed: %s\n' "$1" >&2
  }
}

if ! command -v "$(go env CC)" >/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "installing gcc: the race detector needs a C compiler"
    apt_install .local/test/log/apt.log gcc libc6-dev || true
  fi
  command -v "$(go env CC)" >/dev/null ||
    die "The race detector needs a C compiler and there is none: install gcc and libc6-dev (apt-get install gcc libc6-dev)."
fi

# The pages need Node.js and Chromium; without them everything else is tested and the last line names what was not.
skipped=
pages() {
  local rc=0
  if [ -z "${PACKAGES:-}" ]; then
    { "$here/web.sh" unit && "$here/web.sh" ready; } || rc=$?
    [ $rc -ne 0 ] || "$bin/dev" pages || rc=1
  fi
  [ $rc -ne 3 ] || skipped="not run: the pages in a browser (see above)"
  [ $rc -eq 0 ] || [ $rc -eq 3 ]
}

export RAPID_CHECKS=${RAPID_CHECKS:-1000}
part "end-to-end scenarios against freshly started services" "$bin/dev" scenarios
part "the pages in a browser" pages
# Tests must not depend on the configuration of services.
unset "${!STOREFRONT_@}" "${!ADMIN_@}"
[ -n "${PACKAGES:-}" ] || part "the program that starts all this" env GOWORK=off go -C deploy/local test -race -count=1 ./...
# -count=1: a cached result says nothing about a database.
# shellcheck disable=SC2086  # PACKAGES is a list
part "go test -race" go test -race -count=1 -timeout 20m ${PACKAGES:-work}
if [ ${#failed[@]} -gt 0 ]; then
  printf -v names '%s, ' "${failed[@]}"
  die "These parts have failed: ${names%, }."
fi
[ -z "$skipped" ] || say "$skipped"
