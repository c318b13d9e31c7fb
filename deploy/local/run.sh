#!/usr/bin/env bash
# Behind `make run`: the whole shop on this machine, with its demo data, until Ctrl-C.
# SHOP_MYSQL_DSN and SHOP_REDIS_ADDR name servers to use instead of private ones.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$here/stack.sh"
hear_signals "$0" "$@"

state=$root/.local
serving='' followers=''

# leave stops all that this script has started and nothing else, however the script ends.
leave() {
  local rc=$?
  trap - EXIT
  trap '' INT TERM HUP PIPE
  set +e
  [ -z "$serving" ] || say "stopping"
  finish "$state/pid/step"
  # shellcheck disable=SC2086  # two pids
  [ -z "$followers" ] || kill $followers 2>/dev/null
  stop_services
  if [ -e "$state/up" ]; then
    mysql_dsn=$(private_dsn) redis_addr=$(private_redis)
    write_env "$state/env"
  else
    stop_servers
    rm -f "$state/env"
  fi
  rm -f "$state/pid/run"
  exit $rc
}

# stop_asked: being told to stop is a proper end once the shop serves.
stop_asked() { exit "$([ -n "$serving" ] && echo 0 || echo "$1")"; }

# page URL names the API page of a service that has one.
page() { ! http_ok "$1/docs/" || printf 'API page %s/docs/, ' "$1"; }

greet() {
  local shop=http://127.0.0.1:$storefront_port admin=http://127.0.0.1:$admin_port
  cat <<EOF

The shop is open.
  storefront   $shop    ($(page "$shop")operations http://127.0.0.1:$storefront_ops)
  admin        $admin    ($(page "$admin")operations http://127.0.0.1:$admin_ops)
  MySQL        ${mysql_dsn#*@}${own_mysql:+ (private, user shop, password shop)}
  Redis        $redis_addr${own_redis:+ (private)}
  shoppers     demo1 to demo200, operators super, goods and clerk; the password of all is demo-shop-1
  text messages go to .local/messages.log, all addresses are in .local/env

Try
  curl -s -H 'Content-Type: application/json' -d '{"username":"demo1","password":"demo-shop-1"}' $shop/wx/auth/login

Ctrl-C stops everything. The services' logs follow.

EOF
}

# follow_logs shows both logs, each line under its service's name, until this script is gone.
follow_logs() {
  tail --pid=$$ -n +1 -F "$state/log/storefront.log" 2>/dev/null > >(exec sed -u 's/^/storefront| /') &
  local one=$!
  tail --pid=$$ -n +1 -F "$state/log/admin.log" 2>/dev/null > >(exec sed -u 's/^/admin     | /') &
  followers="$one $!"
}

watch_over() {
  local name
  while :; do
    for name in storefront admin; do
      named "$state/pid/$name" || {
        pause 0.3 # for the log to be shown
        ended "$name"
        return 1
      }
    done
    [ -z "$own_mysql" ] || named "$state/mariadb/pid" ||
      die "MariaDB has ended; its log is $state/mariadb/mariadb.log. make run starts it again with its data."
    [ -z "$own_redis" ] || named "$state/redis/pid" ||
      die "Redis has ended; its log is $state/redis/redis.log. make run starts it again with its data."
    ! orphaned || die "make is gone: stopping the shop."
    pause 0.5
  done
}

need_go
made_by_make
prepare
take_over run
remember "$state/pid/run" $$ local/run.sh
trap leave EXIT
trap 'stop_asked 130' INT
trap 'stop_asked 143' TERM
trap 'stop_asked 129' HUP
trap 'exit 141' PIPE

say "starting the servers"
start_servers 13306 16379 "${SHOP_MYSQL_DSN:-}" "${SHOP_REDIS_ADDR:-}"
say "building the services"
build_programs || die "the services do not build (see above)."
configure 8080 8081 9080 9081
say "setting the shop up"
shopctl setup --demo || die "shopctl setup failed (see above): the shop cannot start on this database."
say "starting the services"
touch "$state/messages.log"
start_service storefront
start_service admin
wait_ready 30 || die "the shop did not open (see above)."
write_env "$state/env" all
serving=yes
greet
follow_logs
watch_over
