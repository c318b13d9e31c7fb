#!/usr/bin/env bash
# `make bench`: measures the shop and prints one table. dev.sh bench starts it with private servers whose commits are durable,
# as in production, the programs and a demo shop, and passes them in the environment. Speeds are compared with a baseline that
# alternates within the same run; docs/performance.md explains each row.
#   BENCH (a pattern of benchmarks, default all that compare; . adds those of single functions)   BENCHTIME (1s)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
table=$SHOP_STATE/table log=$SHOP_STATE/log
pattern=${BENCH:-TypedOperation|Pages|Submit|Uploads|Lists|Export|Decision}
export SHOP_BENCH_TABLE=$table SHOP_BENCH_PROGRAMS=$SHOP_STATE/bin

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# row NAME BAR UNIT NUMBERS... adds a figure without a baseline: median and range. A median above BAR is marked.
row() {
  local median range remark=
  read -r median range < <(printf '%s\n' "${@:4}" | sort -n | awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)], n[1] " to " n[NR] }')
  [ "$median" -le "$2" ] || remark="above the bar"
  printf '%s\t-\t%s %s\t-\t%s\t%s %s\t%s\n' "$1" "$median" "$3" "$range" "$2" "$3" "$remark" >>"$table"
}

# start NAME OPS_ADDRESS starts a program, sets pid, and waits for the first 200 of /readyz.
start() {
  local began
  began=$(milliseconds)
  "$SHOP_STATE/bin/$1" --config "deploy/$1/config.yaml" >"$log/$1.log" 2>&1 &
  pid=$!
  until http_ok "http://$2/readyz"; do
    kill -0 $pid 2>/dev/null && [ $(($(milliseconds) - began)) -lt 30000 ] || die "$1 is not ready; its log is $log/$1.log."
    sleep 0.005
  done
}

# uncache FILE removes a file from the page cache.
uncache() { dd of="$1" oflag=nocache conv=notrunc,fdatasync count=0 status=none; }

# start_up NAME OPS_ADDRESS measures the time from the start of the program to readiness, on a migrated database, and its memory
# after five idle seconds. How much of a program file Linux maps depends on how the page cache holds it, so the file is read anew.
start_up() {
  local pid began times=() sizes=()
  for _ in 1 2 3 4 5; do
    began=$(milliseconds)
    start "$@"
    times+=($(($(milliseconds) - began)))
    kill $pid
    wait $pid || true
    uncache "$SHOP_STATE/bin/$1"
    start "$@"
    sleep 5
    sizes+=($(($(awk '/^VmRSS:/ { print $2 }' "/proc/$pid/status") / 1024)))
    kill $pid
    wait $pid || true
  done
  row "$1 ready after its start" 500 ms "${times[@]}"
  row "$1 resident when idle" 60 MiB "${sizes[@]}"
}

say "preparing a shop of 2,000 goods"
shopctl() { "$SHOP_STATE/bin/shopctl" --config deploy/admin/config.yaml "$@"; }
shopctl demo --goods 2000 >/dev/null
: >"$table"
load=$(cut -d' ' -f1 /proc/loadavg)
say "measuring: a few minutes, during which the machine should be idle"
# One package after the other: benchmarks that share the processor disturb each other.
mapfile -t folders < <(grep -rlE --include='*_test.go' "^func Benchmark($pattern)" migrations pkg services | xargs -rn 1 dirname | sort -u | sed 's|^|./|')
[ ${#folders[@]} -gt 0 ] || die "There is no benchmark of that name."
go test -p 1 -run '^$' -bench "$pattern" -benchtime "${BENCHTIME:-1s}" -benchmem -timeout 30m "${folders[@]}" >"$log/bench.log" 2>&1 || {
  cat "$log/bench.log"
  die "a benchmark failed (see above)."
}
start_up storefront "$STOREFRONT_OPS_LISTEN"
start_up admin "$ADMIN_OPS_LISTEN"
shopctl verify || die "the books of the measured shop do not agree (see above)."
[ -z "${BENCH:-}" ] || cat "$log/bench.log"
say ""
say "On $(nproc) processors ($(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)) that had a load of $load before."
{
  printf 'what\tbaseline\tours\tratio\trange\tbar\t\n'
  cat "$table"
} | awk -F '\t' '{ printf "%-46s %10s %10s %6s %15s %8s  %s\n", $1, $2, $3, $4, $5, $6, $7 }'
