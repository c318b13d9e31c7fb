#!/usr/bin/env bash
# Behind `make walk`: plays whole purchases over HTTP against the shop that is running, then asks shopctl whether the books
# agree.   walk.sh [ENV_FILE=.local/env]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$root"
env=${1:-.local/env}
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

GOWORK=off go -C deploy/walk build -buildvcs=false -o "$SHOP_BIN/walk" .
"$SHOP_BIN/walk" -storefront "$STOREFRONT_URL" -admin "$ADMIN_URL" -messages "$SHOP_MESSAGES"
"$SHOP_BIN/shopctl" --config deploy/admin/config.yaml verify
say "the walk passed and the books agree"
