#!/usr/bin/env bash
# `make test`: every test of every module. dev.sh test starts it with private servers in .local/test, unless SHOP_TEST_MYSQL_DSN and
# SHOP_TEST_REDIS_ADDR name others, so that it runs beside `make run`. The programs are built first, alone; then the scenarios and the
# pages in a browser run beside go test, which prints its results last.
#   PACKAGES="..."   these packages and nothing else
#   PARTS="..."      these parts and nothing else
#   RACE="..."       these packages with the race detector, or "all"; without it none, since it compiles everything once more.
#                    With PACKAGES any value has all of those raced
#   TESTED="..."     of the packages of Go these alone, or "all"; the components of the pages if their sources have changed. .ci/run names
#                    what the changes since .ci/whole can touch
#   SHOP_SEED=7      what is drawn at random; otherwise it follows from .ci/whole
# Loops over everything, such as each corruption of each column, are parts of make prove.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
logs=$SHOP_STATE/log
. "$here/parts.sh"
trap interrupted INT TERM HUP

# tests ARGUMENT... runs go test, three packages at once, since they wait for the database half of the time. -count=1: a cached
# result says nothing about a database. Lint vets them. GOGC: linkers and tests end before there is much to collect. nice: the pages,
# which run beside them and use less than the machine has, come first, so that both end together.
tests() { GOGC=${GOGC:-400} nice -n 5 "$bin/timing" test "$SHOP_TIMING" -vet=off -count=1 -p 3 -parallel 4 -timeout "$LIMIT_PACKAGE" "$@"; }

# race is tests with the race detector, except in the cipher of bcrypt, whose hashes take twelve times as long with it, and in the
# validator of the tests' answers: both compute on memory of their own. A process does not wait for a second at its end.
race() {
  CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 tests -race '-gcflags=golang.org/x/crypto/blowfish=-race=false' \
    '-gcflags=github.com/santhosh-tekuri/jsonschema/v6=-race=false' "$@"
}

# build builds the programs that are delivered, which the other parts run, and compiles the scenarios.
build() {
  local -x GOGC=${GOGC:-400}
  OUT=$SHOP_STATE/bin "$here/build.sh" "$@"
  GOWORK=off go -C deploy/e2e list -export -test -f '{{""}}' ./...
}

# services runs what needs running services.
services() {
  part scenarios "$bin/dev" scenarios
  part pages bash -c '"$here/web.sh" ready || exit; "$bin/dev" pages'
}

# components tests what the pages consist of.
components() {
  if [ -n "${TESTED:-}" ]; then
    GOWORK=off go -C "$root/deploy/local" build -o "$bin/change" ./cmd/change
    "$bin/change" web || return 3
  fi
  "$here/web.sh" unit
}

# again NAME prints the command that repeats a part.
again() {
  local failed
  case $1 in
  go | race)
    failed=$(sed -nE 's/^FAIL[[:space:]]+(shop\.internal[^[:space:]]*).*/\1/p' "$logs/$1.log" | sort -u | paste -sd' ' -)
    [ "$1" = go ] || printf 'RACE=all '
    printf 'SHOP_SEED=%s PACKAGES="%s" make test\n' "$SHOP_SEED" "$failed"
    ;;
  *) printf 'SHOP_SEED=%s PARTS=%s make test\n' "$SHOP_SEED" "$1" ;;
  esac
}

begin_run
[ -z "${RACE:-}" ] || need_compiler "$logs/apt.log"
export -f tests race build
export here RAPID_CHECKS=${RAPID_CHECKS:-1000}
[ -n "${PACKAGES:-}" ] || SHOP_SEED=${SHOP_SEED:-$(draw)}
[ -z "${SHOP_SEED:-}" ] || export SHOP_SEED RAPID_SEED=$SHOP_SEED
if [ -n "${PACKAGES:-}" ]; then
  # Tests must not depend on the configuration of services.
  unset "${!STOREFRONT_@}" "${!ADMIN_@}"
  run=tests
  [ -z "${RACE:-}" ] || run=race
  # shellcheck disable=SC2086  # PACKAGES is a list
  $run $PACKAGES
  exit
fi
# The packages of the workspace except the loops, which make prove runs: those that RACE names, and the others. The tests of the whole
# services and of their programs take longest and come first, so that the end does not wait for one of them.
longest='/(internal/app|cmd/[a-z]+)$'
all=$(go list work)
all=$(grep -E "$longest" <<<"$all" && grep -vE "$longest" <<<"$all")
raced=() plain=() untouched=0
for package in $all; do
  if [[ $package = */prove || $package = */prove/* ]]; then
    continue
  elif [[ ${TESTED:-all} != all && " $TESTED " != *" $package "* ]]; then
    untouched=$((untouched + 1))
  elif [[ ${RACE:-} = all || " ${RACE:-} " = *" $package "* ]]; then
    raced+=("$package")
  else
    plain+=("$package")
  fi
done
for package in ${RACE:-} ${TESTED:-}; do
  [ "$package" = all ] && continue
  grep -qxF -- "$package" <<<"$all" || die "There is no package $package in the workspace."
done
say "testing, drawn by SHOP_SEED=$SHOP_SEED; each part prints a line when it ends, its log is ${logs#"$root"/}/PART.log"
[ $untouched = 0 ] || say "left out: $untouched packages, which TESTED does not name"
[ -z "${PARTS:-}" ] || PARTS+=" build"
part build bash -c 'set -e; build "$@"' build "${programs[@]}"
[ ! -s "$failures" ] || die "The programs do not build, and nothing else was tested."
export SHOP_BUILT=$SHOP_STATE/bin
lane services
unset "${!STOREFRONT_@}" "${!ADMIN_@}"
part components components
part tools env -u SHOP_BUILT bash -c 'outside deploy/local -count=1 ./...'
[ ${#plain[@]} = 0 ] || part go bash -c 'tests "$@"' go "${plain[@]}"
[ ${#raced[@]} = 0 ] || part race bash -c 'race "$@"' race "${raced[@]}"
finish
report "make test"
reasons
names=$(failed)
[ -z "$names" ] || die "These parts have failed: $names."
[ ! -s "$logs/skipped" ] || say "not run, see above: $(paste -sd, "$logs/skipped")"
