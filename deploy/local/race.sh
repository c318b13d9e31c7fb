#!/usr/bin/env bash
# The tests of packages with the race detector, on the servers of SHOP_TEST_MYSQL_DSN and SHOP_TEST_REDIS_ADDR.
#   race.sh [PACKAGE...]   all that make test runs without one
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
unset "${!STOREFRONT_@}" "${!ADMIN_@}" SHOP_FORM # loops are as long as in make test
command -v "$(go env CC)" >/dev/null || {
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "installing gcc: the race detector needs a C compiler"
    folder "$root/.local/log"
    apt_install "$root/.local/log/apt.log" gcc libc6-dev || true
  fi
  command -v "$(go env CC)" >/dev/null ||
    die "The race detector needs a C compiler and there is none: install gcc and libc6-dev (apt-get install gcc libc6-dev)."
}
# shellcheck disable=SC2046  # a list
[ $# -gt 0 ] || set -- $(tested)
test=(go test)
[ -z "${SHOP_TIMING:-}" ] || test=("$bin/timing" test "$SHOP_TIMING")
CGO_ENABLED=1 "${test[@]}" -race -vet=off -count=1 -p 2 -parallel 4 -timeout 30m "$@"
