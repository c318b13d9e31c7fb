#!/usr/bin/env bash
# `make whole`: everything that .ci/run chooses from, in the short form, whatever has changed. Passed, it writes .ci/whole: the commit
# with which later runs compare, and the date. Commit that file.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[ -z "$(git status --porcelain)" ] || die "There are changes that are not committed: a whole run says something of a commit."
commit=$(git rev-parse HEAD)
export SHOP_BASE=none SHOP_NODE=required
RACE=all make test
make check
make prove
[ "$(git rev-parse HEAD)" = "$commit" ] && [ -z "$(git status --porcelain)" ] || die "The checkout has changed during the run."
printf '%s %s\n' "$commit" "$(date -u +%F)" >.ci/whole
say "everything passed; commit .ci/whole, which now names $commit"
