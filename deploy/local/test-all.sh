#!/usr/bin/env bash
# `make test`: every test of every module. dev.sh test starts it with private servers in .local/test, unless SHOP_TEST_MYSQL_DSN and
# SHOP_TEST_REDIS_ADDR name others, so that it runs beside `make run`. The scenarios and the pages in a browser run beside go test,
# which prints its results last.
#   PACKAGES="..."   these packages and nothing else, with the race detector
# Loops over everything, such as each corruption of each column, are parts of make reliability, and so is the race detector.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
logs=$SHOP_STATE/log
. "$here/parts.sh"
trap interrupted INT TERM HUP

# Three packages at once, since they wait for the database half of the time. -count=1: a cached result says nothing about a
# database. Lint vets them.
tests() { "$bin/timing" test "$SHOP_TIMING" -vet=off -count=1 -p 3 -parallel 4 -timeout 20m "$@"; }

# services runs what needs running services, those that are delivered.
services() {
  part build 900 env OUT="$SHOP_STATE/bin" "$here/build.sh" "${programs[@]}"
  export SHOP_BUILT=$SHOP_STATE/bin
  part scenarios 900 "$bin/dev" scenarios
  part abroad 600 env WEB=storefront "$bin/dev" abroad
  part pages 2400 bash -c '"$here/web.sh" ready || exit; "$bin/dev" pages'
}

begin_run
export -f tests
export here
# shellcheck disable=SC2086  # PACKAGES is a list
[ -z "${PACKAGES:-}" ] || exec "$here/race.sh" $PACKAGES
say "testing; each part prints a line when it ends, its log is ${logs#"$root"/}/PART.log"
lane services
unset "${!STOREFRONT_@}" "${!ADMIN_@}" # tests must not depend on the configuration of services
part components 600 "$here/web.sh" unit
part tools 600 bash -c 'outside deploy/local -count=1 ./...'
# shellcheck disable=SC2046  # a list
part go 3600 bash -c 'tests "$@"' go $(tested)
finish
report "make test"
reasons
names=$(failed)
[ -z "$names" ] || die "These parts have failed: $names."
[ ! -s "$logs/skipped" ] || say "not run, see above: $(paste -sd, "$logs/skipped")"
