#!/usr/bin/env bash
# Functions and variables of the scripts in this folder. Sourced, never run.
# shellcheck disable=SC2034  # the scripts that source this file use the variables

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
here=$root/deploy/local
bin=$root/.local/bin
cd "$root"

# A limit finds what hangs and nothing else, so it is several times what the slowest machine needs: for a package of tests in Go, for
# a story of the pages, in seconds, for a run of make mutants' tests, for the start of a server or a service, and for the whole of .ci/run.
export LIMIT_PACKAGE=60m LIMIT_STORY=300 LIMIT_FAULT=10m LIMIT_START=5m LIMIT_RUN=85m

# The tags of the delivered programs: Gin without MessagePack, which nothing here speaks and which would be a tenth of each program.
tags=nomsgpack
# Everything is compiled as it is delivered, so that all tasks share one build cache, also those of other checkouts: without
# cgo, without the paths of this machine, and without version control stamps, for which a clone of somebody else makes git refuse.
# Only the race detector needs cgo.
flags="-trimpath -buildvcs=false -tags=$tags"
[[ " ${GOFLAGS:-} " == *" $flags "* ]] || GOFLAGS="${GOFLAGS:+$GOFLAGS }$flags"
export GOFLAGS CGO_ENABLED=0

# The module of the staff console that follows from the declarations.
console=services/admin/web/src/api/console.ts

# The programs of the shop.
programs=(./services/storefront/cmd/storefront ./services/admin/cmd/admin ./services/admin/cmd/shopctl)

say() { printf '%s\n' "$*"; }
die() {
  printf '%s\n' "$*" >&2
  exit 1
}

# folder DIR creates a folder for the files of a run, or explains why it cannot be written.
folder() {
  mkdir -p "$1" 2>/dev/null && [ -w "$1" ] ||
    die "$1 cannot be written by $(id -un): make the project folder yours, or remove .local if another user made it."
}

# need_go fails without Go, since everything here is built from source.
need_go() {
  command -v go >/dev/null || die "Go is not installed or not in PATH: install Go 1.26 or newer and start again."
}

# draw prints what everything that is drawn at random is drawn by, a number: that of the commit in .ci/whole, so that what is green
# stays green and what fails is repeated. Each landing, whose base it is, and each night draw anew.
draw() {
  local commit
  read -r commit _ <.ci/whole
  [[ $commit =~ ^[0-9a-f]{40}$ ]] || die ".ci/whole names no commit."
  echo $((16#${commit:0:7}))
}

# http_ok URL succeeds if GET answers 200. It needs no program that a bare machine may lack.
http_ok() {
  local rest=${1#http://} host line
  host=${rest%%/*}
  { exec 3<>"/dev/tcp/${host%:*}/${host##*:}"; } 2>/dev/null || return 1
  printf 'GET /%s HTTP/1.0\r\nHost: %s\r\n\r\n' "${rest#*/}" "$host" >&3
  read -r -t 3 line <&3 || line=
  exec 3<&- 3>&-
  [[ $line == *" 200"* ]]
}

# apt_install LOG PACKAGE... installs packages as root. It updates the package lists only if needed.
apt_install() {
  local log=$1 get=(apt-get install -y -qq -o DPkg::Lock::Timeout=120 --no-install-recommends "${@:2}")
  export DEBIAN_FRONTEND=noninteractive
  { "${get[@]}" || { apt-get update -qq && "${get[@]}"; }; } >"$log" 2>&1
}

# need_compiler LOG installs the C compiler that the race detector needs, or says that it is missing.
need_compiler() {
  command -v "$(go env CC)" >/dev/null && return
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "installing gcc: the race detector needs a C compiler"
    apt_install "$1" gcc libc6-dev || true
  fi
  command -v "$(go env CC)" >/dev/null ||
    die "The race detector needs a C compiler and there is none: install gcc and libc6-dev (apt-get install gcc libc6-dev)."
}

# A script that runs something long in the background, so that a signal is heard at once, notes its processes in running and
# traps signals by interrupted.
running=
interrupted() {
  # shellcheck disable=SC2086  # running is a list
  [ -z "$running" ] || { kill $running && wait $running; } || true
  exit 130
}
