#!/usr/bin/env bash
# Makes mariadbd, mariadb-install-db and redis-server available, in PATH or in DIR/bin, without any system service and without
# touching the system's data.   programs.sh DIR
# 1. the installed programs; 2. as root: Debian's packages of programs without services; 3. without root: the same packages
# extracted into DIR; 4. otherwise: an error that says what to do. MODE=system|apt|extract forces one way. With MODE=extract, SUITE
# takes the packages of another suite of Debian, and ENGINE makes other programs available: mysql (mysqld), galera (mariadbd with
# the provider of clusters and its state transfer) or valkey (as redis-server). CLIENT=1 adds the clients that dump a database and
# read its binary log: mariadb-dump, mariadb and mariadb-binlog, or mysqldump, mysql and mysqlbinlog.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folder "${1:?folder}/bin"
dir=$(cd "$1" && pwd -P)
mode=${MODE:-}
engine=${ENGINE:-mariadb}
case $engine in
mariadb) server=mariadbd packages=(mariadb-server-core mariadb-client-core redis-tools) ;;
galera) server=mariadbd packages=(mariadb-server-core mariadb-client-core mariadb-server galera-4 rsync) ;;
mysql) server=mysqld packages=(mysql-server-core) ;;
valkey) server=valkey-server packages=(valkey-server) ;;
*) die "ENGINE is $engine, it can be mariadb, galera, mysql or valkey." ;;
esac
clients=()
case ${CLIENT:+$engine} in
mariadb) clients=(mariadb-dump mariadb mariadb-binlog) packages+=(mariadb-client) ;;
mysql) clients=(mysqldump mysql mysqlbinlog) packages+=(mysql-client-core) ;;
esac
[ "$engine" = mariadb ] || [ "$mode" = extract ] || die "ENGINE=$engine needs MODE=extract."
remedy="install MariaDB 10.11+ and Redis 6.2+, or name servers that run already in SHOP_MYSQL_DSN and SHOP_REDIS_ADDR"

# The folders of servers are not in every ordinary user's PATH, and DIR/bin has the files of an earlier run.
# (The bash of macOS is 3.2: to it a slash ends a pattern even in quotes, and an empty list is not set.)
own=$dir/bin: PATH=$PATH:
PATH=${PATH//"$own"/}/usr/local/sbin:/usr/sbin:/sbin
has() {
  local path
  path=$(type -P "$1") && [ -x "$path" ] # bash also finds files that are not executable
}
found() {
  local client
  for client in ${clients[@]+"${clients[@]}"}; do has "$client" || return 1; done
  has mariadbd && has mariadb-install-db && { has redis-server || has redis-check-rdb; }
}

# wrapper NAME LINES writes a script of that name.
wrapper() {
  printf '#!/usr/bin/env bash\n%s\n' "$2" >"$dir/bin/$1.new"
  chmod +x "$dir/bin/$1.new"
  mv -f "$dir/bin/$1.new" "$dir/bin/$1"
}

by_extraction() {
  local r=$dir/extracted/root q loader lib client
  if [ ! -d "$r" ] || { [ ${#clients[@]} -gt 0 ] && [ ! -e "$r/usr/bin/${clients[0]}" ]; }; then
    say "extracting ${packages[*]} into ${dir#"$root"/} (nothing is installed)"
    "$here/extract.sh" "$dir/extracted" "${packages[@]}" >"$dir/extract.log" 2>&1 || {
      tail -n 20 "$dir/extract.log" >&2
      die "the packages could not be fetched (see above): $remedy."
    }
  fi
  printf -v q %q "$r"
  if [ "$engine" = valkey ]; then
    wrapper redis-server "exec $q/usr/bin/valkey-server \"\$@\""
    exit 0
  fi
  loader=$({ find "$r/usr/lib" "$r/lib" -name 'ld-linux*.so.*' 2>/dev/null || true; } | head -n 1)
  printf -v lib %q "$r/usr/lib/$(uname -m)-linux-gnu:$r/lib/$(uname -m)-linux-gnu"
  # The state transfer of a cluster calls scripts and programs of the packages.
  wrapper "$server" "PATH=$q/usr/bin:\$PATH exec $q/usr/sbin/$server \"\$@\" --basedir=$q/usr --lc-messages-dir=$q/usr/share/mysql \\
  --character-sets-dir=$q/usr/share/mysql/charsets --plugin-dir=$q/usr/lib/mysql/plugin"
  for client in ${clients[@]+"${clients[@]}"}; do wrapper "$client" "exec $q/usr/bin/$client \"\$@\""; done
  [ "$engine" != mysql ] || exit 0
  # The installer does not quote its --basedir, so it gets a path without blanks.
  wrapper mariadb-install-db "tmp=\$(mktemp -d)
trap 'rm -rf \"\$tmp\"' EXIT
ln -s $q \"\$tmp/root\"
PATH=$q/usr/bin:\$PATH \"\$tmp/root/usr/bin/mariadb-install-db\" \"\$@\" --basedir=\"\$tmp/root/usr\""
  if [ "$engine" = galera ]; then
    # The scripts take this one, and wait for a process with its name: that is the loader's.
    install -D "$loader" "$dir/loader/rsync"
    wrapper rsync "exec $(printf %q "$dir/loader/rsync") --argv0 rsync --library-path $lib $q/usr/bin/rsync.bin \"\$@\""
    mv -f "$dir/bin/rsync" "$r/usr/bin/rsync"
    exit 0
  fi
  # redis-tools contains the server under another name; the name under which it is called decides what it does.
  wrapper redis-server "exec $(printf %q "$loader") --argv0 redis-server --library-path $lib $q/usr/bin/redis-check-rdb.bin \"\$@\""
}

if [ -z "$mode" ]; then
  if found; then
    mode=system
  elif has apt-get && [ "$(id -u)" = 0 ]; then
    mode=apt
  elif has apt-get && has dpkg-deb; then
    mode=extract
  else
    die "MariaDB and Redis are not installed and there is no apt-get to fetch them with: $remedy."
  fi
fi

case $mode in
system) found || die "MODE=system, but MariaDB or Redis is not installed: $remedy." ;;
apt)
  found || {
    say "installing ${packages[*]} (programs only, no service)"
    apt_install "$dir/apt.log" "${packages[@]}" || {
      tail -n 20 "$dir/apt.log" >&2
      die "apt-get could not install ${packages[*]} (see above): $remedy."
    }
  }
  ;;
extract) by_extraction ;;
*) die "MODE is $mode, it can be system, apt or extract." ;;
esac
if [ "$mode" != extract ]; then
  rm -f "$dir/bin/mariadbd" "$dir/bin/mariadb-install-db"
  # Debian's redis-server is a link to redis-check-rdb; the package of that name would start a service.
  ln -sfn "$(type -P redis-server || type -P redis-check-rdb)" "$dir/bin/redis-server"
fi
"$dir/bin/redis-server" --version >/dev/null || die "redis-server does not run on this machine: $remedy."
