#!/usr/bin/env bash
# `make prove`: proves the promises of docs/guarantees.md. dev.sh prove starts it with private servers in .local/prove.
#   PROVE=long      the long form, hours instead of minutes
#   PARTS="..."     only these parts
#   SHOP_SEED=7     what is drawn at random, as a failed run prints it; otherwise it follows from .ci/whole, and in the long form each
#                   run draws another one
#   SHOP_UNTIL=...  when the long form has to end, in seconds since 1970: traffic and pairs then draw less
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export SHOP_PROVE=${PROVE:-short}
case $SHOP_PROVE in
short) seed=${SHOP_SEED:-$(draw)} ;;
long) seed=${SHOP_SEED:-$((RANDOM * 32768 + RANDOM))} ;;
*) die "PROVE is $SHOP_PROVE, it can be short or long." ;;
esac
export SHOP_SEED=$seed RAPID_SEED=$seed
limit=$LIMIT_PACKAGE
[ "$SHOP_PROVE" = short ] || limit=24h # as long as there is to draw
logs=$SHOP_STATE/log
. "$here/parts.sh"
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

again() { printf 'SHOP_SEED=%s PARTS=%s PROVE=%s make prove\n' "$seed" "$1" "$SHOP_PROVE"; }

domain() {
  cd "$root/pkg/domain"
  "$bin/timing" test "$SHOP_TIMING" -vet=off -count=1 -parallel 4 -timeout "$limit" "$@"
}
prove() { outside deploy/prove -count=1 -timeout "$limit" "$@"; }
stories() {
  "$here/web.sh" ready || exit
  SHOP_STORIES=$1 "$bin/dev" pages
}
export -f domain prove stories
export here limit

# compile compiles what the wanted parts run; they find it in the build cache, and link it.
compile() {
  local inside=() outside=()
  ! wanted corruptions || inside+=(./report)
  ! { wanted interleavings || wanted traffic; } || inside+=(./prove)
  ! wanted pairs || outside+=(./stack ./pairs)
  ! wanted documents || outside+=(./pages)
  ! wanted crashes || outside+=(./crash)
  [ ${#inside[@]} -eq 0 ] || go -C pkg/domain list -export -test -f '{{""}}' "${inside[@]}"
  [ ${#outside[@]} -eq 0 ] || {
    OUT=$SHOP_BIN "$here/build.sh" "${programs[@]}"
    GOWORK=off go -C deploy/prove list -export -test -f '{{""}}' "${outside[@]}"
  }
}

# Three lanes: pairs alone use one and a half processors, and a browser waits.
inside() {
  part corruptions bash -c 'domain ./report -run "^TestVerifySeesEveryCorruption$" -v'
  part interleavings bash -c 'domain ./prove -skip Traffic -v'
  part traffic bash -c 'domain ./prove -run Traffic -v'
  part mutants "$here/mutants.sh" "${chosen[@]}"
  part mysql "$here/engines.sh" money
}
pages() {
  WEB=admin part areas bash -c 'stories areas'
  part looks bash -c 'stories looks'
  part sizes bash -c 'stories sizes'
  part documents bash -c 'prove ./pages -v'
}

begin_run
export SHOP_BIN=$SHOP_STATE/bin
chosen=(-seed "$seed")
[ "$SHOP_PROVE" = long ] || chosen+=(-n 2)
say "proving, in the $SHOP_PROVE form; the seed is $seed"
(compile) >"$logs/compile.log" 2>&1 || {
  tail -n 60 "$logs/compile.log"
  die "This does not compile."
}
# In the long form the crashes, which follow, take an hour.
[ -z "${SHOP_UNTIL:-}" ] || export SHOP_UNTIL=$((SHOP_UNTIL - 4500))
lane inside
lane pages
part pairs bash -c 'prove -p 1 ./stack ./pairs -v' # after the test of what they and the crashes start the shop with
finish
# Its answers have to come within the time of their operations, so it has the machine for itself.
part crashes bash -c 'prove ./crash -v'
report "make prove, $SHOP_PROVE form, seed $seed"
reasons
names=$(failed)
[ -z "$names" ] || die "These promises are not kept, or their tests do not work: $names. The logs are in ${logs#"$root"/}."
say "every promise was kept"
