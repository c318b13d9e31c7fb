#!/usr/bin/env bash
# `make nightly`: everything with the long forms, within eight hours. What draws at random ends in time and says how much it has drawn.
# .local/nightly/DATE.txt has the commit, the result of each step with its time, and what failed.
#   HOURS=8    how long it may take
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
state=$root/.local/nightly
folder "$state"
began=$(date +%s)
end=$((began + ${HOURS:-8} * 3600))
page=$state/$(date -u +%F-%H%M).txt failed=()
export SHOP_BASE=none SHOP_NODE=required SHOP_SEED=$((RANDOM * 32768 + RANDOM))
trap interrupted INT TERM HUP

note() { printf '%s\n' "$*" | tee -a "$page"; }

# step NAME SHARE COMMAND... runs a step within a share, in hundredths, of the time that is left. A failed one stops no other.
step() {
  local name=$1 from limit rc=0
  from=$(date +%s)
  limit=$(((end - from) * $2 / 100))
  if [ $limit -lt 60 ]; then
    failed+=("$name")
    note "FAIL  $name: no time is left for it"
    return
  fi
  SHOP_UNTIL=$((from + limit * 95 / 100)) timeout --kill-after=60 "$limit" "${@:3}" >"$state/$name.log" 2>&1 </dev/null &
  running=$!
  wait $running || rc=$?
  if [ $rc -eq 0 ]; then
    note "$(printf 'ok    %-10s %6d s' "$name" $(($(date +%s) - from)))"
  else
    failed+=("$name")
    note "$(printf 'FAIL  %-10s %6d s   log: %s' "$name" $(($(date +%s) - from)) ".local/nightly/$name.log")"
    { grep -E '^(FAIL|--- FAIL| +--- FAIL)' "$state/$name.log" || tail -n 5 "$state/$name.log"; } | sed -n 1,20p | tee -a "$page"
  fi
}

note "commit $(git rev-parse HEAD), begun $(date -u '+%F %R') UTC, at most ${HOURS:-8} hours, SHOP_SEED=$SHOP_SEED"
step test 50 env RACE=all FUZZ_CALLS=200 make test
step check 50 make check
step pages 50 make pages
step engines 50 make test-engines
step mutants 50 make mutants
step upgrade 25 make upgrade-drill
step restore 25 make restore-drill
step prove 98 env PROVE=long make prove
"$here/seeds.sh" note "$SHOP_SEED"
[ -z "$(git status --porcelain .ci/seeds)" ] || note "something failed that was drawn: commit .ci/seeds, whose lines .ci/run tries again"
grep -h 'to be noted in engines.sh' "$state/engines.log" | tee -a "$page" || true
if [ ${#failed[@]} -gt 0 ]; then
  note "failed: ${failed[*]}"
  exit 1
fi
note "everything passed"
