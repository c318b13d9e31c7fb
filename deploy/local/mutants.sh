#!/usr/bin/env bash
# `make mutants`: introduces twelve known faults one at a time into a copy of the project in .local/mutants; a test must notice
# each. dev.sh mutants starts it with private servers.   mutants.sh [-n COUNT] [-seed SEED] [PART_OF_A_NAME]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
GOWORK=off go -C deploy/local build -o "$bin/mutants" ./cmd/mutants
exec "$bin/mutants" -timeout "$LIMIT_FAULT" "$@"
