#!/usr/bin/env bash
# What .ci/run begins with: fetches what the tests need from elsewhere, each up to three times, so that a network that fails is not
# taken for a fault of the shop: it ends with NETWORK.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$here/modules.sh"
need_go
logs=$root/.local/fetch
folder "$logs"
folder "$bin"

# fetch WHAT COMMAND... runs a command until it succeeds.
fetch() {
  local pause log=$logs/$1.log
  for pause in 10 60 ""; do
    ("${@:2}") >"$log" 2>&1 && return
    [ -z "$pause" ] || sleep "$pause"
  done
  tail -n 20 "$log" >&2
  die "NETWORK: $1 could not be fetched in three attempts (see above)."
}

# packages lists the packages of each module with all that they import, which downloads the modules.
packages() {
  local m
  for m in "${coded[@]}"; do GOWORK=off go -C "$m" list -deps -test ./... || return; done
  GOWORK=off go -C deploy/tools list -deps tool
}

compiler() { need_compiler "$logs/gcc.log"; }

# mysql fetches what its part runs on, where there is a Debian to fetch it from.
mysql() {
  ! command -v apt-get || ! command -v dpkg-deb || ENGINE=mysql MODE=extract SUITE=sid "$here/programs.sh" .local/engines/mysql
}

fetch servers "$here/programs.sh" .local/programs
fetch pages "$here/web.sh" ready
fetch modules packages
GOWORK=off go -C deploy/local build -o "$bin/change" ./cmd/change
"$bin/change" documents 2>/dev/null && exit # which need neither
fetch compiler compiler
# Without it everything else is tested, and its part says NOT TESTED.
(fetch mysql mysql) || true
