#!/usr/bin/env bash
# A private MariaDB inside a folder: no system service, no system user, nothing of /etc/mysql.
#   mariadb.sh start DIR PORT      prints the port it serves: PORT, or the next free one if another program holds it
#   mariadb.sh stop|kill9|status|wipe DIR        mariadb.sh sql DIR STATEMENTS
# `start` twice is one server; `stop` without a server succeeds. The account shop, password shop, may do everything in
# databases whose names begin with shop and nothing else; the server's root comes in by the socket only, and the folder of
# the socket is closed to others.
# Environment: MARIADB_BASE (a root/ folder of extract.sh; default: the system's programs), FLUSH (1 = durable to the disk,
# 2 = to the operating system), BUFFER_POOL (256M), MARIADB_EXTRA (more mariadbd flags).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cmd=${1:?start|stop|kill9|status|wipe|sql}
own_folder "${2:?folder}"
dir=$(cd "$2" && pwd -P)
data=$dir/data pidfile=$dir/pid log=$dir/mariadb.log portfile=$dir/port
mark="--datadir=$data "

# A socket's path has 107 bytes at most: deep folders get one under /tmp, in a folder that only we may enter.
sock=$dir/m.sock sockdir=
if [ ${#sock} -gt 100 ]; then
  sockdir=/tmp/shop-$(id -u)-$(printf %s "$dir" | cksum | cut -d' ' -f1)
  [ -d "$sockdir" ] || mkdir -m 700 "$sockdir"
  [ -O "$sockdir" ] && [ ! -L "$sockdir" ] || die "$sockdir belongs to another user: remove it, or use a shorter folder."
  sock=$sockdir/m.sock
fi

base=${MARIADB_BASE:-}
[ -z "$base" ] || PATH=$base/usr/sbin:$base/usr/bin:$PATH
PATH=$PATH:/usr/local/sbin:/usr/sbin
flags=()
[ "$(id -u)" != 0 ] || flags+=(--user=root) # mariadbd refuses root without it
[ -z "$base" ] || flags+=(--basedir="$base/usr" --lc-messages-dir="$base/usr/share/mysql"
  --character-sets-dir="$base/usr/share/mysql/charsets" --plugin-dir="$base/usr/lib/mysql/plugin")

sql() { mariadb --no-defaults -uroot -S "$sock" --batch --skip-column-names -e "$1"; }

install_data() {
  local inst=() tmp=''
  rm -rf "$data.new"
  mkdir -p "$data.new"
  if [ -n "$base" ]; then # the installer does not quote its --basedir: reach it by a path without blanks
    tmp=$(mktemp -d)
    ln -s "$base" "$tmp/root"
    inst=("$tmp/root/usr/bin/mariadb-install-db" --no-defaults --basedir="$tmp/root/usr")
  else
    inst=(mariadb-install-db --no-defaults)
  fi
  # No --user: with it the installer runs an unquoted chown, which fails in a path with blanks. --force: bare containers
  # resolve neither their own name nor localhost. A folder by another name first: a killed install is never taken for one.
  "${inst[@]}" --datadir="$data.new" --skip-test-db --force --auth-root-authentication-method=normal \
    >"$dir/install.log" 2>&1 || {
    tail -n 20 "$dir/install.log" >&2
    die "MariaDB could not set up $data (see above)."
  }
  [ -z "$tmp" ] || rm -rf "$tmp"
  rm -rf "$data"
  mv "$data.new" "$data"
}

# launch PORT starts mariadbd and waits until it answers on its socket; 1 if it ended.
launch() {
  local i child
  : >"$log"
  # --no-defaults: /etc/mysql must not change what the shop sees.
  # shellcheck disable=SC2086  # MARIADB_EXTRA is a list of flags
  setsid mariadbd --no-defaults "${flags[@]}" --datadir="$data" --socket="$sock" --port="$1" --bind-address=127.0.0.1 \
    --pid-file="$dir/mariadbd.pid" --log-error="$log" --skip-name-resolve --default-time-zone=+00:00 \
    --character-set-server=utf8mb4 --collation-server=utf8mb4_unicode_ci \
    --sql-mode=ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION \
    --max-connections=500 --max-allowed-packet=64M --innodb-buffer-pool-size="${BUFFER_POOL:-256M}" \
    --innodb-flush-log-at-trx-commit="${FLUSH:-1}" --innodb-lock-wait-timeout=10 --performance-schema=OFF \
    ${MARIADB_EXTRA:-} </dev/null >>"$dir/stdout.log" 2>&1 &
  child=$!
  remember "$pidfile" "$child" "$mark"
  for ((i = 0; i < 1200; i++)); do
    ! sql 'select 1' >/dev/null 2>&1 || return 0
    alive "$child" || break
    sleep 0.05
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
  [ -d "$data/mysql" ] || install_data
  for ((try = 0; ; try++)); do
    port=$(free_port "$port") || die "no port from $1 on is free for MariaDB."
    rm -f "$sock"
    ! launch "$port" || break
    # Bound, but not answering: only the server itself can tell that a port is taken.
    grep -q 'Address already in use' "$log" && [ $try -lt 20 ] || {
      tail -n 20 "$log" >&2
      die "MariaDB did not start (see above; the whole log is $log)."
    }
    port=$((port + 1))
  done
  sql "create database if not exists shop character set utf8mb4;
    create user if not exists shop@'127.0.0.1' identified by 'shop';
    create user if not exists shop@localhost identified by 'shop';
    grant all on \`shop%\`.* to shop@'127.0.0.1';
    grant all on \`shop%\`.* to shop@localhost;
    delete from mysql.global_priv where user in ('', 'root') and host <> 'localhost';
    flush privileges"
  echo "$port" >"$portfile"
  echo "$port"
}

case $cmd in
start) start "${3:?port}" ;;
stop) finish "$pidfile" 60 ;;
kill9)
  ! named "$pidfile" || kill -KILL "$pid"
  while named "$pidfile"; do sleep 0.01; done
  ;;
status) named "$pidfile" && echo "MariaDB: pid $pid, port $(cat "$portfile")" || die "MariaDB: not running" ;;
sql) sql "${3:?statements}" ;;
wipe)
  finish "$pidfile" 60
  rm -rf "$dir" ${sockdir:+"$sockdir"}
  ;;
*) die "mariadb.sh knows start, stop, kill9, status, sql and wipe." ;;
esac
