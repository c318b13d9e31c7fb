#!/usr/bin/env bash
# Behind `make bench`: measures the shop on private servers whose commits are durable, as in production, and prints one
# table. Speeds are compared by turns with a baseline of the same run; docs/performance.md says what each row means.
#   BENCH (a pattern of benchmarks, default all that compare; . adds those of single functions)   BENCHTIME (1s)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$here/stack.sh"
hear_signals "$0" "$@"

state=$root/.local/bench
bin=$state/bin
table=$state/table

leave() {
  local rc=$?
  trap - EXIT
  trap '' INT TERM HUP PIPE
  set +e
  finish "$state/pid/step"
  stop_services
  stop_servers
  rm -f "$state/pid/bench"
  exit $rc
}

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# row NAME MEDIAN RANGE BAR UNIT adds a figure that has no baseline; more than BAR is too much.
row() {
  local remark=
  [ "$2" -le "$4" ] || remark="above the bar"
  printf '%s\t-\t%s %s\t-\t%s\t%s %s\t%s\n' "$1" "$2" "$5" "$3" "$4" "$5" "$remark" >>"$table"
}

# middle NUMBERS... prints the median and the range.
middle() { printf '%s\n' "$@" | sort -n | awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)], n[1] " to " n[NR] }'; }

# start_up NAME ROUNDS measures from the start of the program to the first 200 of /readyz, on a migrated database, and then
# what it keeps in memory after five idle seconds.
start_up() {
  local name=$1 i started times=() sizes=() ops=$1_ops median range
  for ((i = 0; i < $2; i++)); do
    started=$(milliseconds)
    start_service "$name"
    until http_ok "http://127.0.0.1:${!ops}/readyz"; do
      named "$state/pid/$name" || {
        ended "$name"
        exit 1
      }
      [ $(($(milliseconds) - started)) -lt 30000 ] || die "$name is not ready after 30 s; its log is $state/log/$name.log."
      sleep 0.005
    done
    times+=($(($(milliseconds) - started)))
    sleep 5
    sizes+=($(($(awk '/^VmRSS:/ { print $2 }' "/proc/$(head -n 1 "$state/pid/$name")/status") / 1024)))
    finish "$state/pid/$name"
  done
  read -r median range <<<"$(middle "${times[@]}")"
  row "$name ready after its start" "$median" "$range" 500 ms
  read -r median range <<<"$(middle "${sizes[@]}")"
  row "$name resident when idle" "$median" "$range" 60 MiB
}

need_go
prepare
take_over bench
remember "$state/pid/bench" $$ local/bench.sh
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
trap 'exit 141' PIPE

say "preparing a shop of 2,000 goods"
# A million orders and their indexes must find room, as they would on a server of their own.
export BUFFER_POOL=${BUFFER_POOL:-1G}
start_servers 13446 16519
build_programs || die "the services do not build (see above)."
"$here/mariadb.sh" sql "$state/mariadb" "drop database if exists shop; create database shop character set utf8mb4"
rm -rf "$state/objects"
mkdir -p "$state/objects"
configure 18090 18091 19090 19091
shopctl setup --demo >/dev/null
shopctl demo --goods 2000 >/dev/null
: >"$table"
export SHOP_BENCH_TABLE=$table SHOP_BENCH_PROGRAMS=$bin SHOP_TEST_MYSQL_DSN SHOP_TEST_REDIS_ADDR=$redis_addr
SHOP_TEST_MYSQL_DSN=$(server_of "$mysql_dsn")

load=$(cut -d' ' -f1 /proc/loadavg)
say "measuring: a few minutes in which the machine should have nothing else to do"
# One package after the other: two that share the processor measure each other.
mapfile -t folders < <(grep -rlE --include='*_test.go' "^func Benchmark(${BENCH:-TypedOperation|Pages|Submit|Uploads|Lists|Export|Decision})" migrations pkg services |
  xargs -rn 1 dirname | sort -u | sed 's|^|./|')
[ ${#folders[@]} -gt 0 ] || die "There is no benchmark of that name."
step go test -p 1 -run '^$' -bench "${BENCH:-TypedOperation|Pages|Submit|Uploads|Lists|Export|Decision}" -benchtime "${BENCHTIME:-1s}" -benchmem -timeout 30m "${folders[@]}" >"$state/log/bench.log" 2>&1 || {
  cat "$state/log/bench.log"
  die "a benchmark failed (see above)."
}
start_up storefront 5
start_up admin 5
shopctl verify || die "the books of the measured shop do not agree (see above)."
[ -z "${BENCH:-}" ] || cat "$state/log/bench.log"
say ""
say "On $(nproc) processors ($(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)) that had a load of $load before."
{
  printf 'what\tbaseline\tours\tratio\trange\tbar\t\n'
  cat "$table"
} | awk -F '\t' '{ printf "%-46s %10s %10s %6s %15s %8s  %s\n", $1, $2, $3, $4, $5, $6, $7 }'
