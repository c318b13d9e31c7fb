#!/usr/bin/env bash
# `make upgrade-drill`, `make restore-drill`, `make scale-drill` and `make drill`: a drill of pkg/test/reliability/drill with a shop and
# servers of its own in .local/reliability.   drill.sh Upgrade|Restore|Scale|Faults
# SHOP_DATABASE=mysql has the restore drill done with MySQL and its programs.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
drill=${1:?drill}
folder "$bin"
unset "${!STOREFRONT_@}" "${!ADMIN_@}" SHOP_BIN

# A killed drill leaves the servers of its shop behind.
stop_servers() {
  local dir name
  for dir in .local/reliability/"${drill,,}"/{mariadb,redis}*/; do
    name=${dir%/}
    name=${name##*/}
    name=${name%%-*}
    [ "$name" = redis ] || name=${SHOP_DATABASE:-mariadb} # its folder is always called mariadb
    [ ! -d "$dir" ] || "$bin/dev" "$name" stop "$dir" || true
  done
}
trap stop_servers EXIT
trap interrupted INT TERM HUP

case $drill${SHOP_DATABASE:+-$SHOP_DATABASE} in
Restore | Restore-mariadb)
  folder .local/programs
  CLIENT=1 "$here/programs.sh" .local/programs
  ;;
Restore-mysql)
  export SHOP_PROGRAMS=$root/.local/engines/mysql
  folder "$SHOP_PROGRAMS"
  CLIENT=1 ENGINE=mysql MODE=extract SUITE=sid "$here/programs.sh" "$SHOP_PROGRAMS"
  ;;
esac
GOWORK=off go -C deploy/local build -o "$bin/dev" ./cmd/dev
GOWORK=off go -C pkg/test/reliability test -c -o "$bin/drill.test" ./drill
# In the background, so that a signal is heard at once.
(cd pkg/test/reliability/drill && exec "$bin/drill.test" -test.run "^Test$drill\$" -test.timeout 30m) &
running=$!
wait "$running"
