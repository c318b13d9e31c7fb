#!/usr/bin/env bash
# A private Redis inside a folder.
#   redis.sh start DIR PORT      prints the port it serves: PORT, or the next free one if another program holds it
#   redis.sh stop|kill9|status|wipe DIR
# Environment: REDIS_SERVER, REDIS_CLI (programs), REDIS_EXTRA (more redis-server flags).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cmd=${1:?start|stop|kill9|status|wipe}
own_folder "${2:?folder}"
dir=$(cd "$2" && pwd -P)
pidfile=$dir/pid log=$dir/redis.log portfile=$dir/port
# The server rewrites its command line; its working folder is --dir and tells whether the pid is still ours.
mark=cwd:$dir

# launch PORT starts redis-server and waits until it answers there; 1 if it ended.
launch() {
  local i child
  : >"$log"
  # From its folder: a server that has not got as far as --dir is known by it as well.
  # shellcheck disable=SC2086  # REDIS_EXTRA is a list of flags
  (cd "$dir" && exec setsid "${REDIS_SERVER:-redis-server}" --port "$1" --bind 127.0.0.1 --protected-mode yes --dir "$dir" \
    --appendonly yes --appendfsync everysec --save '' --daemonize no --logfile "$log" ${REDIS_EXTRA:-}) </dev/null >/dev/null 2>&1 &
  child=$!
  remember "$pidfile" "$child" "$mark"
  for ((i = 0; i < 1500; i++)); do
    # Not only PONG: another server may hold the port.
    if "${REDIS_CLI:-redis-cli}" -h 127.0.0.1 -p "$1" info server 2>/dev/null | grep -q "^process_id:${child}[^0-9]"; then
      return 0
    fi
    alive "$child" || break
    sleep 0.02
  done
  finish "$pidfile"
  return 1
}

start() {
  local port=$1 try
  if named "$pidfile"; then
    cat "$portfile"
    return
  fi
  for ((try = 0; ; try++)); do
    port=$(free_port "$port") || die "no port from $1 on is free for Redis."
    ! launch "$port" || break
    grep -q 'Address already in use' "$log" && [ $try -lt 20 ] || {
      tail -n 20 "$log" >&2
      die "Redis did not start (see above; the whole log is $log)."
    }
    port=$((port + 1))
  done
  echo "$port" >"$portfile"
  echo "$port"
}

case $cmd in
start) start "${3:?port}" ;;
stop) finish "$pidfile" ;;
kill9)
  ! named "$pidfile" || kill -KILL "$pid"
  while named "$pidfile"; do sleep 0.01; done
  ;;
status) named "$pidfile" && echo "Redis: pid $pid, port $(cat "$portfile")" || die "Redis: not running" ;;
wipe)
  finish "$pidfile"
  rm -rf "$dir"
  ;;
*) die "redis.sh knows start, stop, kill9, status and wipe." ;;
esac
