#!/usr/bin/env bash
# Behind `make docs`: writes the generated pages.   docs.sh [DIR=docs]
# SHOP_TEST_MYSQL_DSN names a server to build the schema on; otherwise a private MariaDB is started for it and stopped.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
mkdir -p "${1:-$root/docs}"
out=$(cd "${1:-$root/docs}" && pwd -P)
cd "$root"

# generate holds one line for each page, and the list is all there is: what it does not write is written by hand.
generate() {
  write schema.sql go run -buildvcs=false shop.internal/migrations/cmd/schema
  write api/storefront.json go run -buildvcs=false shop.internal/services/storefront/cmd/storefront -openapi
  write api/admin.json go run -buildvcs=false shop.internal/services/admin/cmd/admin -openapi
  write errors.md go run -buildvcs=false shop.internal/services/admin/cmd/shopctl docs errors
  write permissions.md go run -buildvcs=false shop.internal/services/admin/cmd/shopctl docs permissions
  write jobs.md go run -buildvcs=false shop.internal/services/admin/cmd/shopctl docs jobs
  write order-life.md go run -buildvcs=false shop.internal/services/admin/cmd/shopctl docs order-life
}

# write FILE COMMAND...: the page is what the command prints; a command that fails leaves the old page.
write() {
  local file=$out/$1
  shift
  mkdir -p "$(dirname "$file")"
  "$@" >"$file.new" || {
    rm -f "$file.new"
    die "$* failed (see above)."
  }
  mv "$file.new" "$file"
}

if [ -z "${SHOP_TEST_MYSQL_DSN:-}" ]; then
  state=$root/.local/docs
  folder "$state"
  "$here/programs.sh" "$root/.local/programs"
  # shellcheck source=/dev/null
  . "$root/.local/programs/env"
  export MARIADB_BASE
  trap '"$here/mariadb.sh" stop "$state/mariadb"' EXIT
  trap 'exit 130' INT TERM HUP
  SHOP_TEST_MYSQL_DSN="shop:shop@tcp(127.0.0.1:$(FLUSH=2 MARIADB_EXTRA=--innodb-flush-method=nosync "$here/mariadb.sh" start "$state/mariadb" 13426))/"
  export SHOP_TEST_MYSQL_DSN
fi
generate
