#!/usr/bin/env bash
# Builds and executes the program cmd/dev, which starts and stops servers and services; without arguments it prints its usage.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
folder "$bin"
GOWORK=off go -C deploy/local build -o "$bin/dev" ./cmd/dev
exec "$bin/dev" "$@"
