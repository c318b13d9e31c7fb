#!/usr/bin/env bash
# Makes the programs of MariaDB and Redis available, without any system service and without touching the system's data.
#   programs.sh DIR     writes DIR/env (MARIADB_BASE, REDIS_SERVER, REDIS_CLI); says something only if it installs something
# 1. what is installed; 2. as root: Debian's packages that carry programs only; 3. without root: the same packages extracted
# into DIR; 4. else: one sentence that says what to do. MODE=system|apt|extract forces one way.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folder "${1:?folder}"
dir=$(cd "$1" && pwd -P)
folder "$dir/bin"
mode=${MODE:-}
packages=(mariadb-server-core mariadb-client-core redis-tools)
remedy="install MariaDB 10.11+ and Redis 6.2+, or name servers that run already in SHOP_MYSQL_DSN and SHOP_REDIS_ADDR"

# The folders for servers are not in every ordinary user's PATH.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
has() {
  local path
  path=$(type -P "$1") && [ -x "$path" ] # bash also finds files that nobody may run
}
found() {
  has mariadbd && has mariadb && has mariadb-install-db && has redis-cli && { has redis-server || has redis-check-rdb; }
}

by_apt() {
  export DEBIAN_FRONTEND=noninteractive
  say "installing ${packages[*]} (programs only, no service)"
  # An image without package lists needs an update first; one with fresh lists is spared the download.
  local get=(apt-get install -y -qq -o DPkg::Lock::Timeout=120 --no-install-recommends "${packages[@]}")
  { "${get[@]}" || { apt-get update -qq && "${get[@]}"; }; } >"$dir/apt.log" 2>&1 || {
    tail -n 20 "$dir/apt.log" >&2
    die "apt-get could not install ${packages[*]} (see above): $remedy."
  }
}

by_extraction() {
  local r=$dir/extracted/root loader
  if [ ! -e "$r/usr/sbin/mariadbd" ]; then
    say "extracting ${packages[*]} into ${dir#"$root"/} (nothing is installed)"
    "$here/extract.sh" "$dir/extracted" "${packages[@]}" >"$dir/extract.log" 2>&1 || {
      tail -n 20 "$dir/extract.log" >&2
      die "the packages could not be fetched (see above): $remedy."
    }
  fi
  # redis-tools carries the server under another name; the name it is called by decides what it is.
  loader=$(find "$r/usr/lib" "$r/lib" -name 'ld-linux*.so.*' 2>/dev/null | head -n 1)
  printf '#!/bin/sh\nexec "%s" --argv0 redis-server --library-path "%s" "%s" "$@"\n' "$loader" \
    "$r/usr/lib/$(uname -m)-linux-gnu:$r/lib/$(uname -m)-linux-gnu" "$r/usr/bin/redis-check-rdb.bin" >"$dir/bin/redis-server"
  chmod +x "$dir/bin/redis-server"
  base=$r server=$dir/bin/redis-server cli=$r/usr/bin/redis-cli
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

base='' server='' cli=redis-cli
case $mode in
system) found || die "MODE=system, but MariaDB or Redis is not installed: $remedy." ;;
apt) found || by_apt ;;
extract) by_extraction ;;
*) die "MODE is $mode, it can be system, apt or extract." ;;
esac
if [ -z "$server" ]; then
  if has redis-server; then
    server=$(command -v redis-server)
  else
    # Debian's redis-server is a link to redis-check-rdb; the package of that name would start a service.
    ln -sf "$(command -v redis-check-rdb)" "$dir/bin/redis-server"
    server=$dir/bin/redis-server
  fi
fi
"$server" --version >/dev/null || die "$server does not run on this machine: $remedy."
printf 'MARIADB_BASE=%q\nREDIS_SERVER=%q\nREDIS_CLI=%q\n' "$base" "$server" "$cli" >"$dir/env"
