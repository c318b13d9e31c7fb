#!/usr/bin/env bash
# `make test`: every test of every module (test-all.sh, with private servers in .local/test).
# Where nothing but documents has changed since the last whole run: their format, their links and their commands.
#   PACKAGES="..."    the tests of these packages and nothing else
#   PARTS="..."       these parts and nothing else
#   SHOP_BASE=none    everything, whatever has changed
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
folder "$bin"
GOWORK=off go -C deploy/local build -o "$bin/change" ./cmd/change
if [ -n "${PACKAGES:-}${PARTS:-}" ] || ! "$bin/change" documents 2>/dev/null; then
  exec "$here/dev.sh" test
fi
say "only documents have changed, $("$bin/change" why)"
"$here/check.sh" text format-pages generated
PARTS=documents "$here/dev.sh" prove
say "The tests of the code were not run, since only documents have changed; SHOP_BASE=none make test runs them."
