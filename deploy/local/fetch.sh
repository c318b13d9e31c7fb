#!/usr/bin/env bash
# What .ci/run begins with: fetches what the tests need from elsewhere, each up to three times, so that a network that fails is not
# taken for a fault of the shop: it ends with NETWORK. (MySQL 9 is fetched by its part, which says NOT TESTED where it cannot be.)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$here/modules.sh"
need_go
logs=$root/.local/fetch
folder "$logs"

# fetch WHAT COMMAND... runs a command until it succeeds.
fetch() {
  local pause log=$logs/$1.log
  for pause in 10 60 ""; do
    "${@:2}" >"$log" 2>&1 && return
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

fetch servers "$here/programs.sh" .local/programs
fetch pages "$here/web.sh" ready
fetch modules packages
