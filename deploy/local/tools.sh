#!/usr/bin/env bash
# `make tools`: builds the linters and the mock of Stripe into .local/bin, in the versions of deploy/tools/go.mod, unless they were
# already built from the same versions with the same Go.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
folder "$bin"
stamp="$(go version) $(cksum <deploy/tools/go.mod)"
if [ -x "$bin/golangci-lint" ] && [ "$(cat "$bin/tools.stamp" 2>/dev/null)" = "$stamp" ]; then exit 0; fi
say "building the tools (some minutes the first time)"
GOWORK=off go -C deploy/tools build -o ../../.local/bin/ tool
printf '%s\n' "$stamp" >"$bin/tools.stamp"
