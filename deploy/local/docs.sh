#!/usr/bin/env bash
# `make docs`: writes the generated pages.   docs.sh [DIR=docs]
# dev.sh docs starts it with a database server, named by SHOP_TEST_MYSQL_DSN, on which the schema is built.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
out=${1:-docs}

# write FILE COMMAND... writes the output of the command; if the command fails, the old file stays.
write() {
  local file=$1
  shift
  mkdir -p "$(dirname "$file")"
  "$@" >"$file.new" || {
    rm -f "$file.new"
    die "$* failed (see above)."
  }
  mv "$file.new" "$file"
}

# One line per generated page; all other pages are written by hand.
run() { go run "shop.internal/$1" "${@:2}"; }
# metrics prints the page of the metrics of both services.
metrics() {
  local each list
  list=$(mktemp -d)
  for each in storefront admin; do run "services/$each/cmd/$each" -metrics >"$list/$each" || return 1; done
  GOWORK=off go -C deploy/local run ./cmd/watch page "storefront=$list/storefront" "admin=$list/admin"
  rm -r "$list"
}
# licences prints the page of what the programs contain.
licences() {
  GOWORK=off go -C deploy/local build -o "$bin/licences" ./cmd/licences &&
    "$bin/licences" page
}
write "$out/schema.sql" run migrations/cmd/schema
write "$out/api/storefront.json" run services/storefront/cmd/storefront -openapi
write "$out/operate/configure-storefront.md" run services/storefront/cmd/storefront -config-reference -config deploy/storefront/config.yaml
write "$out/operate/configure-admin.md" run services/admin/cmd/admin -config-reference -config deploy/admin/config.yaml
write "$out/api/admin.json" run services/admin/cmd/admin -openapi
write "$out/operate/metrics.md" metrics
write "$out/operate/licences.md" licences
# The module of the staff console is no page: it stands with the console's sources. In a check it is beside the pages.
module=${1:+$out/console.ts}
write "${module:-$console}" run services/admin/cmd/shopctl docs console
for page in errors permissions jobs order-life; do write "$out/$page.md" run services/admin/cmd/shopctl docs "$page"; done
