#!/usr/bin/env bash
# Builds the program cmd/dev, which starts and ends servers and services, and becomes it: dev.sh alone says what it does.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
folder "$bin"
GOWORK=off go -C deploy/local build -buildvcs=false -o "$bin/dev" ./cmd/dev
exec "$bin/dev" "$@"
