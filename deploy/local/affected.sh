#!/usr/bin/env bash
# `make affected`: the reliability tests and the second engine, as far as the changes since SHOP_BASE or the last whole run can touch
# them.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
folder "$bin"
GOWORK=off go -C deploy/local build -o "$bin/change" ./cmd/change
say "$("$bin/change" why)"
parts=$("$bin/change" parts)
packages=$("$bin/change" packages)
raced=$("$bin/change" raced)
[ -z "$packages" ] || parts+=" mysql"
[ -z "$raced" ] || parts+=" race"
[ -n "${parts// /}" ] || {
  say "no reliability test reads what has changed"
  exit
}
say "running: $parts"
[ "$packages" = all ] || export PACKAGES=$packages
[ "$raced" = all ] || export SHOP_RACED=$raced
SHOP_CHANGED=$("$bin/change" files) PARTS=$parts exec "$here/dev.sh" reliability
