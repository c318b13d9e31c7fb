#!/usr/bin/env bash
# Makes the secrets of a new shop, each in a file of its own, for compose.yaml and others.   secrets.sh DIR [HOST [DATABASE]]
# HOST is in the name of the certificate (default: localhost), DATABASE the address of MySQL (default: that of compose.yaml).
# A file that exists is kept: remove what is to be made anew, and run it again.
set -euo pipefail
umask 077
dir=${1:?secrets.sh DIR [HOST [DATABASE]]} host=${2:-localhost} database=${3:-mysql:3306}
mkdir -p "$dir"
random() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
# make NAME COMMAND... writes the output of a command to a file, as a whole or not at all.
make() {
  [ ! -s "$dir/$1" ] || return 0
  "${@:2}" >"$dir/$1.new"
  mv "$dir/$1.new" "$dir/$1"
}
dsn() { printf '%s:%s@tcp(%s)/shop' "$1" "$(cat "$dir/$2")" "$database"; }
for name in mysql-root-password mysql-password mysql-password-storefront mysql-password-admin \
  redis-password idempotency codes; do
  make "$name" random
done
make mysql-dsn-migrate dsn shop mysql-password
make mysql-dsn-storefront dsn shop_storefront mysql-password-storefront
make mysql-dsn-admin dsn shop_admin mysql-password-admin
accounts=$(<"$(dirname "${BASH_SOURCE[0]}")/mysql/accounts.sql")
for name in mysql-password mysql-password-storefront mysql-password-admin; do
  accounts=${accounts//"{{$name}}"/$(<"$dir/$name")}
done
rm -f "$dir/accounts.sql" "$dir/redis.conf"
make accounts.sql printf '%s\n' "$accounts"
make redis.conf printf 'requirepass %s\n' "$(<"$dir/redis-password")"
if [ ! -s "$dir/tls.crt" ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -subj "/CN=$host" \
    -addext "subjectAltName=DNS:$host" -keyout "$dir/tls.key" -out "$dir/tls.crt" 2>/dev/null
fi
# The containers run as users of their own and read the files through mounts; nobody else on this machine enters the folder.
chmod 700 "$dir"
chmod 444 "$dir"/*
