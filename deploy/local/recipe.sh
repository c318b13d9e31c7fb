#!/usr/bin/env bash
# Makes typical changes in a copy of the project in .local/recipe, as docs/development.md says: each may take so many places, and no test
# may find another one. A part of make reliability, which starts it with private servers.   recipe.sh [PART_OF_A_NAME]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
folder .local/recipe
GOWORK=off go -C deploy/local build -o "$bin/recipe" ./cmd/recipe
exec "$bin/recipe" "$@"
