#!/usr/bin/env bash
# Functions that run the parts of a run, such as make test, and note how long they take. Sourced after lib.sh by a script that
# has set logs, a folder.
# shellcheck disable=SC2154  # logs comes from the script

# The notes of cmd/timing. A part that runs go test by it appends the times of packages and tests.
export SHOP_TIMING=$logs/timing.tsv
# The tests that passed at a repetition, a line each, by cmd/timing and by Playwright; .ci/run empties and reads it.
export SHOP_FLAKY=$logs/flaky
failures=$logs/failures

begin_run() {
  folder "$logs"
  : >"$SHOP_TIMING"
  : >"$failures"
  : >"$logs/parts"
  rm -f "$logs/skipped" "$logs"/*.running
  GOWORK=off go -C deploy/local build -o "$bin/timing" ./cmd/timing
}

# outside MODULE ARGUMENT... runs go test in a module that is not in the workspace.
outside() {
  cd "$root/$1" && shift
  GOWORK=off "$bin/timing" test "$SHOP_TIMING" -vet=off "$@"
}
export -f outside
export root bin

# wanted NAME succeeds for the parts that PARTS names, all without it.
wanted() { [[ -z ${PARTS:-} || " $PARTS " == *" $1 "* ]]; }

# part NAME COMMAND... runs a part, however long it takes: a limit has what may hang (lib.sh). A failed part does not stop the others.
# What it prints goes to a log, of which the lines that count are printed at its end: results of go test and of Playwright, and what
# a part has measured. As long as it runs there is a file NAME.running beside the log.
part() {
  local name=$1 log=$logs/$1.log began=$SECONDS rc=0
  printf '%s\n' "$name" >>"$logs/parts"
  wanted "$name" || return 0
  # In the background, so that a signal is heard at once. 3 is the lock of this script, which no server may keep.
  "${@:2}" >"$log" 2>&1 </dev/null 3>&- &
  running+=" $!"
  : >"$logs/$name.running"
  wait $! || rc=$?
  rm -f "$logs/$name.running"
  ended "$name" $((SECONDS - began)) $rc
}

# ended NAME SECONDS STATUS prints how a part ended. The script defines again NAME, which prints the command that repeats a part.
# That of a failed one goes to the file SHOP_FAILED, too.
ended() {
  local log=$logs/$1.log
  printf 'part\t%s\t%d\n' "$1" "$2" >>"$SHOP_TIMING"
  # A pattern that fits no test proves nothing.
  if [ "$3" -eq 0 ] && grep -q 'no tests to run' "$log" && ! grep '^ok' "$log" | grep -v 'no tests to run' >/dev/null; then
    set -- "$1" "$2" 1
  fi
  if [ "$3" -eq 0 ]; then
    # A story that passed at a repetition is named below the number of the flaky ones.
    grep -E '^(ok|all|flaky|NOT TESTED)[[:space:]]|^ +[0-9]+ (passed|skipped|flaky)|^ {4}\[(phone|wide)\] ›' "$log" || true
    printf 'ok    %-14s %5d s\n' "$1" "$2"
  elif [ "$3" -eq 3 ]; then
    printf 'skip  %-14s %s\n' "$1" "$(tail -n 1 "$log")"
    printf '%s\n' "$1" >>"$logs/skipped"
  else
    tail -n 300 "$log"
    printf 'FAIL  %-14s %5d s   log: %s\nrepeat it with: %s\n' "$1" "$2" "${log#"$root"/}" "$(again "$1")"
    printf '%s\n' "$1" >>"$failures"
    [ -z "${SHOP_FAILED:-}" ] || printf '%-14s %s\n' "$1" "$(again "$1")" >>"$SHOP_FAILED"
  fi
}

# lane COMMAND... runs parts beside those that follow; finish waits for all lanes.
lanes=
lane() {
  (
    running=
    trap interrupted INT TERM HUP
    "$@"
  ) &
  lanes+=" $!"
  running+=" $!"
}
finish() {
  local pid
  for pid in $lanes; do wait "$pid" || printf 'a lane\n' >>"$failures"; done
}

# report TITLE prints the times and writes them to timing.txt beside the logs. A name in PARTS that no part has fails.
report() {
  local file=${logs%/log}/timing.txt name
  for name in ${PARTS:-}; do
    grep -qxF -- "$name" "$logs/parts" && continue
    printf 'No part %s was run; those of this run are %s.\n' "$name" "$(paste -sd' ' "$logs/parts")" >"$logs/$name.log"
    ended "$name" 0 1
  done
  "$bin/timing" report "$SHOP_TIMING" "$1, $(date -u '+%F %R') UTC, $(git rev-parse --short HEAD 2>/dev/null || echo 'no commit')" >"$file"
  cat "$file"
  say "(these times are in ${file#"$root"/})"
}

# reasons prints again, at the end where it is looked for, what went wrong in each failed part: at most 40 lines of each, the last
# ones where none tells a reason.
reasons() {
  local name log
  while read -r name; do
    log=$logs/$name.log
    [ -s "$log" ] || continue
    printf '\n%s:\n' "$name"
    grep -E '^ *--- FAIL|^ *[0-9]+\) \[|Error: |Expected|Received|_test\.go:[0-9]+:|^panic:|DATA RACE|› tests/.*spec\.ts:[0-9]+:[0-9]+$' "$log" >"$logs/reasons" ||
      tail -n 40 "$log" >"$logs/reasons"
    head -n 40 "$logs/reasons"
  done <"$failures"
}

# failed prints the names of the failed parts with commas, nothing if there are none.
failed() { paste -sd, "$failures" | sed 's/,/, /g'; }
