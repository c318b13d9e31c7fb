#!/usr/bin/env bash
# `make e2e`: runs the end-to-end scenarios against the running shop, then verifies the books.
# The shop is that of make run; in make test SHOP_STATE names the folder of another one.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
env=${SHOP_STATE:-.local}/env
remedy="start the shop with make run in another terminal first"

need_go
[ -s "$env" ] || die "Nothing runs here: $remedy."
unset STOREFRONT_URL ADMIN_URL STOREFRONT_OPS_URL ADMIN_OPS_URL SHOP_MESSAGES SHOP_BIN
# shellcheck source=/dev/null
. "$env"
[ -n "${STOREFRONT_URL:-}" ] || die "Only the servers run here: $remedy."
for url in "$STOREFRONT_OPS_URL" "$ADMIN_OPS_URL"; do
  http_ok "$url/readyz" || die "$url/readyz does not answer: $remedy."
done

# Without a package argument go test also prints what passes. Scenarios mostly wait, so many run concurrently.
test=(go test)
[ -z "${SHOP_TIMING:-}" ] || test=("$bin/timing" test "$SHOP_TIMING") # a part of make test
(cd deploy/e2e && GOWORK=off "${test[@]}" -count=1 -parallel 8 -timeout "$LIMIT_PACKAGE")
"$SHOP_BIN/shopctl" --config deploy/admin/config.yaml verify
say "the scenarios passed and the books agree"
