#!/usr/bin/env bash
# `make bench`: measures the shop and prints one table. dev.sh bench starts it with private servers whose commits are durable,
# as in production, and passes them and the built programs in the environment. Speeds are compared with a limit that alternates
# within the same run; docs/performance.md explains each row. The first run makes shops of a million goods and a million orders.
#   BENCH (a pattern of benchmarks, default all that compare; . adds those of single functions)   BENCHTIME (1s)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
table=$SHOP_STATE/table log=$SHOP_STATE/log
pattern=${BENCH:-TypedOperation|Pages|Growth|Submit|Buying|Hot|Overload|Uploads|Lists|Search|Export|Decision}
export SHOP_BENCH_TABLE=$table SHOP_BENCH_PROGRAMS=$SHOP_STATE/bin

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# row NAME BAR UNIT NUMBERS... adds a figure without a baseline: median and range. A median above BAR is marked.
row() {
  local median range remark=
  read -r median range < <(printf '%s\n' "${@:4}" | sort -n | awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)], n[1] " to " n[NR] }')
  [ "$median" -le "$2" ] || remark="above what is wanted"
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

# stolen prints the hundredths of a second that other virtual machines have taken from this one.
stolen() { awk '/^cpu / { print $9 }' /proc/stat; }

load=$(cut -d' ' -f1 /proc/loadavg)
say "preparing a shop of 10,000 goods"
shopctl() { "$SHOP_STATE/bin/shopctl" --config deploy/admin/config.yaml "$@"; }
shopctl demo --goods 10000 >/dev/null
: >"$table"
say "measuring: half an hour, the first time up to an hour, during which the machine should be idle"
began=$(milliseconds) before=$(stolen)
# One package after the other: benchmarks that share the processor disturb each other.
mapfile -t folders < <(grep -rlE --include='*_test.go' "^func Benchmark($pattern)" migrations pkg services | xargs -rn 1 dirname | sort -u | sed 's|^|./|')
[ ${#folders[@]} -gt 0 ] || die "There is no benchmark of that name."
go test -p 1 -run '^$' -bench "$pattern" -benchtime "${BENCHTIME:-1s}" -benchmem -timeout 2h "${folders[@]}" >"$log/bench.log" 2>&1 || {
  cat "$log/bench.log"
  die "a benchmark failed (see above)."
}
start_up storefront "$STOREFRONT_OPS_LISTEN"
start_up admin "$ADMIN_OPS_LISTEN"
shopctl verify || die "the books of the measured shop do not agree (see above)."
[ -z "${BENCH:-}" ] || cat "$log/bench.log"
say ""
say "On $(nproc) processors ($(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1))."
awk -v before="$load" -v stolen=$(($(stolen) - before)) -v took=$(($(milliseconds) - began)) -v processors="$(nproc)" 'BEGIN {
  share = 1000 * stolen / (took * processors)
  if (before > 0.5 || share > 2) printf "The machine was not quiet: load %s before, %.1f %% of the processors taken by others.\n", before, share
  else print "The machine was quiet."
}'
{
  printf 'what\tlimit\tours\tratio\trange\twanted\t\n'
  cat "$table"
} | awk -F '\t' '{ printf "%-58s %10s %10s %6s %16s %8s  %s\n", $1, $2, $3, $4, $5, $6, $7 }'
