#!/usr/bin/env bash
# `make reliability`: tests the promises of docs/guarantees.md. dev.sh reliability starts it with private servers in .local/reliability.
#   FORM=long      the long form, hours instead of minutes
#   PARTS="..."     only these parts
#   SHOP_RACED      the packages of the part race, all without it
#   SHOP_SEED=7     what is drawn at random, as a failed run prints it; otherwise each run draws another one
#   SHOP_UNTIL=...  when the long form has to end, in seconds since 1970: traffic and races then draw less
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export SHOP_FORM=${FORM:-short}
case $SHOP_FORM in
short | long) ;;
*) die "FORM is $SHOP_FORM, it can be short or long." ;;
esac
seed=${SHOP_SEED:-$((RANDOM * 32768 + RANDOM))}
export SHOP_SEED=$seed
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

# The limits are for what is proved in the short and in the long form.
limit() { [ "$SHOP_FORM" = short ] && echo "$1" || echo "$2"; }
again() { printf 'repeat it with: SHOP_SEED=%s PARTS=%s FORM=%s make reliability\n' "$seed" "$1" "$SHOP_FORM"; }

domain() {
  cd "$root/pkg/domain"
  "$bin/timing" test "$SHOP_TIMING" -vet=off -count=1 -parallel 4 -timeout 24h "$@"
}
# The loops over all operations, of which go test takes a portion (pkg/kit/optest).
declarations() {
  cd "$root"
  "$bin/timing" test "$SHOP_TIMING" -vet=off -count=1 -parallel 4 -timeout 1h ./services/storefront/internal/app ./services/admin/internal/app \
    -run '^Test(Hostile|Fuzzed|NobodyWithoutAToken|BadBodies|TextWhere|TheRowsOfOthers)'
}
reliability() { outside pkg/test/reliability -count=1 -timeout 24h "$@"; }
# The loops over every statement of what moves money and stock, and of changes by staff, of which go test takes a third.
failures() {
  cd "$root"
  "$bin/timing" test "$SHOP_TIMING" -vet=off -count=1 -parallel 4 -timeout 1h ./pkg/domain/order ./pkg/domain/aftersale \
    ./services/admin/internal/app -run 'Atomic|Failure'
}
# The stories of a page that make test leaves out: every area and screen of the console, every page of the shop, and the other
# size of those with another layout.
stories() {
  "$here/web.sh" ready || exit
  WEB=$1 SHOP_AREAS=1 "$bin/dev" pages -g '@areas|@screens|@both'
}
export -f domain declarations reliability failures stories
export here

# compile compiles what the wanted parts run; they find it in the build cache.
compile() {
  local inside=() outside=()
  ! wanted corruptions || inside+=(./pkg/domain/consistency)
  ! wanted declarations || inside+=(./services/storefront/internal/app ./services/admin/internal/app)
  ! wanted failures || inside+=(./pkg/domain/order ./pkg/domain/aftersale ./services/admin/internal/app)
  ! { wanted interleavings || wanted traffic; } || inside+=(./pkg/domain/modeltest)
  ! wanted races || outside+=(./races)
  ! wanted documents || outside+=(./documents)
  ! wanted crashes || outside+=(./stack ./crash)
  [ ${#inside[@]} -eq 0 ] || go test -vet=off -run '^$' "${inside[@]}"
  ! wanted documents || CLIENT=1 "$here/programs.sh" "$root/.local/programs" # one test restores a backup
  [ ${#outside[@]} -eq 0 ] || {
    OUT=$SHOP_BIN "$here/build.sh" "${programs[@]}"
    GOWORK=off go -C pkg/test/reliability test -vet=off -run '^$' "${outside[@]}"
  }
}

# Two lanes, since each part keeps about one core busy.
inside() {
  part corruptions "$(limit 300 7200)" bash -c 'domain ./consistency -run "^TestVerifySeesEveryCorruption$" -v'
  part interleavings "$(limit 180 14400)" bash -c 'domain ./modeltest -skip Traffic -v'
  part traffic "$(limit 180 28800)" bash -c 'domain ./modeltest -run Traffic -v'
  part declarations "$(limit 400 1200)" bash -c declarations
  part failures "$(limit 600 1200)" bash -c failures
  # shellcheck disable=SC2086  # a list
  part race 3600 "$here/race.sh" ${SHOP_RACED:-}
  part mutants "$(limit 300 3600)" "$here/mutants.sh" "${chosen[@]}"
  part recipe "$(limit 600 1200)" "$here/recipe.sh"
  part mysql "$(limit 1200 3600)" "$here/engines.sh" money
}

begin_run
export SHOP_BIN=$SHOP_STATE/bin
chosen=(-seed "$seed")
[ "$SHOP_FORM" = long ] || chosen=(-n 2 -seed $(($(date +%s) / 86400)))
say "the reliability tests, in the $SHOP_FORM form; the seed is $seed"
(compile) >"$logs/compile.log" 2>&1 || {
  tail -n 60 "$logs/compile.log"
  die "This does not compile."
}
# In the long form the crashes, which follow, take an hour.
[ -z "${SHOP_UNTIL:-}" ] || export SHOP_UNTIL=$((SHOP_UNTIL - 4500))
lane inside
part races "$(limit 480 14400)" bash -c 'reliability ./races -v'
part documents "$(limit 300 600)" bash -c 'reliability ./documents -v'
part areas "$(limit 1200 1800)" bash -c 'stories admin'
part screens "$(limit 900 1800)" bash -c 'stories storefront'
finish
# Its answers have to come within the time of their operations, so it has the machine for itself.
part crashes "$(limit 300 7200)" bash -c 'reliability -p 1 ./stack ./crash -v'
report "make reliability, $SHOP_FORM form, seed $seed"
reasons
names=$(failed)
[ -z "$names" ] || die "These promises are not kept, or their tests do not work: $names. The logs are in ${logs#"$root"/}."
say "every promise was kept"
