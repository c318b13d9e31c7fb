#!/usr/bin/env bash
# `make prove`: proves the promises of docs/guarantees.md. dev.sh prove starts it with private servers in .local/prove.
#   PROVE=long    the long form, hours instead of minutes
#   PARTS="..."   only these parts
#   SHOP_SEED=7   what is drawn at random, as a failed run prints it; otherwise each run draws another one
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export SHOP_PROVE=${PROVE:-short}
case $SHOP_PROVE in
short | long) ;;
*) die "PROVE is $SHOP_PROVE, it can be short or long." ;;
esac
seed=${SHOP_SEED:-$((RANDOM * 32768 + RANDOM))}
export SHOP_SEED=$seed
logs=$SHOP_STATE/log failed=()
# Tests must not depend on the configuration of services.
unset "${!STOREFRONT_@}" "${!ADMIN_@}"

# A killed test leaves the servers of its shop behind.
stop_servers() {
  local dir
  for dir in "$SHOP_STATE"/*/mariadb "$SHOP_STATE"/*/redis; do
    [ ! -d "$dir" ] || "$bin/dev" "$(basename "$dir")" stop "$dir" || true
  done
}
trap stop_servers EXIT
trap interrupted INT TERM HUP

wanted() { [[ -z ${PARTS:-} || " $PARTS " == *" $1 "* ]]; }

# part NAME SHORT LONG COMMAND... runs one part within so many seconds in the short and in the long form. A failed part does not
# stop the others. begin starts one beside those that follow, and finish waits for it.
part() {
  begin "$@"
  finish "$1"
}

begin() {
  local name=$1 limit=$2
  [ "$SHOP_PROVE" = short ] || limit=$3
  wanted "$name" || return 0
  # In the background, so that a signal is heard at once. 3 is the lock of this script, which no server may keep.
  timeout --kill-after=30 "$limit" "${@:4}" >"$logs/$name.log" 2>&1 </dev/null 3>&- &
  running+=" $!"
  echo "$! $(date +%s)" >"$logs/$name.began"
}

finish() {
  local name=$1 log=$logs/$1.log pid began took rc=0
  wanted "$name" || return 0
  read -r pid began <"$logs/$name.began"
  wait "$pid" || rc=$?
  running=${running/ $pid/}
  took=$(($(date -r "$log" +%s) - began)) # it may have ended while another part ran
  if [ $rc -eq 0 ] && grep -q 'no tests to run' "$log"; then
    rc=1
  fi
  if [ $rc -eq 0 ]; then
    printf 'ok    %-14s %5d s   seed %s\n' "$name" $took "$seed"
    grep -E '^(ok|all) ' "$log" | grep -v 'shop\.internal' | sed 's/^/        /' || true
    return
  fi
  failed+=("$name")
  tail -n 60 "$log"
  [ $rc -ne 124 ] || printf 'It did not end in time, after %d s.\n' $took
  printf 'FAIL  %-14s %5d s   repeat it with: SHOP_SEED=%s PARTS=%s PROVE=%s make prove\n' \
    "$name" $took "$seed" "$name" "$SHOP_PROVE"
}

# Without paths in them the mutants find the same packages compiled.
test_domain() { go -C pkg/domain test -trimpath -count=1 -timeout 24h "$@"; }
test_outside() { GOWORK=off go -C deploy/prove test -count=1 -timeout 24h "$@"; }
export -f test_domain test_outside

say "building the services"
export SHOP_BIN=$SHOP_STATE/bin
go build -buildvcs=false -o "$SHOP_BIN/" shop.internal/services/storefront/cmd/storefront \
  shop.internal/services/admin/cmd/admin shop.internal/services/admin/cmd/shopctl
say "proving, in the $SHOP_PROVE form"
chosen=(-seed "$seed")
[ "$SHOP_PROVE" = long ] || chosen=(-n 3 -seed $(($(date +%s) / 86400)))

# The limits are for what is proven, not for the compiler.
say "compiling the tests"
test_domain -run '^$' ./prove ./report >"$logs/compile.log" 2>&1 && test_outside -run '^$' ./... >>"$logs/compile.log" 2>&1 || {
  cat "$logs/compile.log"
  die "The tests do not compile."
}

# Each of these keeps one core busy.
begin corruptions 300 7200 bash -c 'test_domain ./report'
part interleavings 180 14400 bash -c 'test_domain ./prove -skip Traffic -v'
part traffic 180 28800 bash -c 'test_domain ./prove -run Traffic -v'
finish corruptions
part pairs 300 14400 bash -c 'test_outside ./pairs -v'
part crashes 300 7200 bash -c 'test_outside -p 1 ./stack ./crash -v'
part pages 120 600 bash -c 'test_outside ./pages -v'
part mutants 240 3600 "$here/mutants.sh" "${chosen[@]}"
if [ ${#failed[@]} -gt 0 ]; then
  printf -v names '%s, ' "${failed[@]}"
  die "These promises are not kept, or their tests do not work: ${names%, }. The logs are in ${logs#"$root"/}."
fi
say "every promise was kept"
