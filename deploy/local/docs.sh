#!/usr/bin/env bash
# Behind `make docs`: writes the generated pages.   docs.sh [DIR=docs]
# dev.sh docs starts it with a server to build the schema on, which SHOP_TEST_MYSQL_DSN names.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
out=${1:-docs}

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

# One line for each page, and the list is all there is: what it does not write is written by hand.
run() { go run -buildvcs=false "shop.internal/$1" "${@:2}"; }
write schema.sql run migrations/cmd/schema
write api/storefront.json run services/storefront/cmd/storefront -openapi
write api/admin.json run services/admin/cmd/admin -openapi
for page in errors permissions jobs order-life; do write "$page.md" run services/admin/cmd/shopctl docs "$page"; done
