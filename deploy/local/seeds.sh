#!/usr/bin/env bash
# The seeds by which something has failed at night, .ci/seeds: each line has a seed, what failed and the date, separated by tabs. What
# failed is a package of tests in Go, after the word race where the race detector ran, a part of make prove, or two operations, which
# are a pair.
#   seeds.sh              tries each of them, as .ci/run does
#   seeds.sh note SEED    adds what failed in the last make test and make prove, which drew by that seed
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
list=.ci/seeds

# found prints what failed, as lines of a seed and of what failed.
found() {
  local part log all
  sed -nE "s#^FAIL\t(shop\.internal/[^\t]+).*#$1\t\1#p" .local/test/log/go.log 2>/dev/null || true
  sed -nE "s#^FAIL\t(shop\.internal/[^\t]+).*#$1\trace \1#p" .local/test/log/race.log 2>/dev/null || true
  while read -r part; do
    log=.local/prove/log/$part.log
    case $part in
    traffic) # each of its runs has a seed of its own
      all=$(sed -nE 's/.*(--- FAIL|_test\.go:[0-9]+:).*SHOP_SEED=([0-9]+).*/\2\ttraffic/p' "$log")
      printf '%s\n' "${all:-$1$'\t'traffic}"
      ;;
    pairs)
      all=$(sed -nE "s#.*_test\.go:[0-9]+: (this pair .*SHOP_PAIR=\")?(/[^ ]+ /[^ \",]+).*#$1\t\2#p" "$log")
      printf '%s\n' "${all:-$1$'\t'pairs}"
      ;;
    crashes) printf '%s\tcrashes\n' "$1" ;;
    esac
  done < <(cat .local/prove/log/failures 2>/dev/null)
}

if [ "${1:-}" = note ]; then
  today=$(date -u +%F)
  while IFS=$'\t' read -r seed what; do
    grep -qF "$seed"$'\t'"$what"$'\t' "$list" || printf '%s\t%s\t%s\n' "$seed" "$what" "$today" >>"$list"
  done < <(found "$2" | sort -u)
  exit
fi

mapfile -t lines < <(grep -v '^#' "$list")
failed=()
for line in "${lines[@]}"; do
  IFS=$'\t' read -r seed what _ <<<"$line"
  say "trying again what has failed: $what, SHOP_SEED=$seed"
  case $what in
  shop.internal/*) SHOP_SEED=$seed PACKAGES=$what "$here/dev.sh" test ;;
  'race '*) SHOP_SEED=$seed RACE=all PACKAGES=${what#race } "$here/dev.sh" test ;;
  /*) SHOP_SEED=$seed PARTS=pairs SHOP_PAIR=$what "$here/dev.sh" prove ;;
  ?*) SHOP_SEED=$seed PARTS=$what "$here/dev.sh" prove ;;
  *) die "$list has a line without a seed and what has failed: $line" ;;
  esac </dev/null || failed+=("$what, SHOP_SEED=$seed")
done
[ ${#failed[@]} -eq 0 ] || die "failed as it has before: $(printf '%s; ' "${failed[@]}")"
