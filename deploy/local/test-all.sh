#!/usr/bin/env bash
# `make test`: every test of every module, those in Go with the race detector. dev.sh test starts it with private servers in
# .local/test, unless SHOP_TEST_MYSQL_DSN and SHOP_TEST_REDIS_ADDR name others, so that it runs beside `make run`. The scenarios and
# the pages in a browser run beside go test, which prints its results last.
#   PACKAGES="..."   these packages and nothing else
#   SHOP_SEED=7      what is drawn at random; otherwise it follows from .ci/whole
# Loops over everything, such as each corruption of each column, are parts of make prove.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
logs=$SHOP_STATE/log
. "$here/parts.sh"
trap interrupted INT TERM HUP

# Those of the workspace except the loops, which make prove runs without the race detector.
packages() { go list work | grep -v '/prove\(/\|$\)'; }

# race PACKAGE... runs their tests, three packages at once, since they wait for the database half of the time. -count=1: a cached
# result says nothing about a database. Lint vets them.
race() { CGO_ENABLED=1 "$bin/timing" test "$SHOP_TIMING" -race -vet=off -count=1 -p 3 -parallel 4 -timeout "$LIMIT_PACKAGE" "$@"; }

# services runs what needs running services, those that are delivered.
services() {
  part build env OUT="$SHOP_STATE/bin" "$here/build.sh" "${programs[@]}"
  export SHOP_BUILT=$SHOP_STATE/bin
  part scenarios "$bin/dev" scenarios
  part pages bash -c '"$here/web.sh" ready || exit; "$bin/dev" pages'
}

begin_run
need_compiler "$logs/apt.log"
export -f race
export here RAPID_CHECKS=${RAPID_CHECKS:-1000}
[ -n "${PACKAGES:-}" ] || SHOP_SEED=${SHOP_SEED:-$(draw)}
[ -z "${SHOP_SEED:-}" ] || export SHOP_SEED RAPID_SEED=$SHOP_SEED
if [ -n "${PACKAGES:-}" ]; then
  # Tests must not depend on the configuration of services.
  unset "${!STOREFRONT_@}" "${!ADMIN_@}"
  # shellcheck disable=SC2086  # PACKAGES is a list
  race $PACKAGES
  exit
fi
say "testing, drawn by SHOP_SEED=$SHOP_SEED; each part prints a line when it ends, its log is ${logs#"$root"/}/PART.log"
lane services
unset "${!STOREFRONT_@}" "${!ADMIN_@}"
part components "$here/web.sh" unit
part tools bash -c 'outside deploy/local -count=1 ./...'
# shellcheck disable=SC2046  # a list
part go bash -c 'race "$@"' go $(packages)
finish
report "make test"
reasons
names=$(failed)
[ -z "$names" ] || die "These parts have failed: $names."
[ ! -s "$logs/skipped" ] || say "not run, see above: $(paste -sd, "$logs/skipped")"
