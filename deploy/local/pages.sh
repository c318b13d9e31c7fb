#!/usr/bin/env bash
# Behind `make pages` and the browser tests of `make test`: Playwright against freshly started services with the demo shop,
# which dev.sh pages starts.   pages.sh [ARGUMENT...]   (of playwright test)
#   SHOP_STORIES=...   other stories than those of make test: areas, looks, sizes, pictures (playwright.config.ts of each page)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=/dev/null
. "$SHOP_STATE/env"
"$here/web.sh" pages "$@"
[ "${SHOP_STORIES:-}" != pictures ] || "$here/web.sh" sheets
