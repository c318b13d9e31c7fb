#!/usr/bin/env bash
# Behind `make bench`: runs every benchmark on private servers whose commits are durable, as in production, with nothing
# else of the project running. Compare figures of one run only.   BENCH (a pattern, default all), BENCHTIME (1s)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$here/stack.sh"
hear_signals "$0" "$@"

state=$root/.local/bench
bin=$state/bin

leave() {
  local rc=$?
  trap - EXIT
  trap '' INT TERM HUP PIPE
  set +e
  finish "$state/pid/step"
  stop_servers
  rm -f "$state/pid/bench"
  exit $rc
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

start_servers 13446 16519 "${SHOP_TEST_MYSQL_DSN:-}" "${SHOP_TEST_REDIS_ADDR:-}"
export SHOP_TEST_MYSQL_DSN=${SHOP_TEST_MYSQL_DSN:-$(server_of "$mysql_dsn")} SHOP_TEST_REDIS_ADDR=$redis_addr
# One package after the other: two that share the processor measure each other.
mapfile -t folders < <(grep -rlE --include='*_test.go' '^func Benchmark' migrations pkg services | xargs -rn 1 dirname | sort -u | sed 's|^|./|')
[ ${#folders[@]} -gt 0 ] || die "There is no benchmark."
step go test -p 1 -run '^$' -bench "${BENCH:-.}" -benchtime "${BENCHTIME:-1s}" -benchmem -timeout 30m "${folders[@]}"
