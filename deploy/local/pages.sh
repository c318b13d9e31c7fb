#!/usr/bin/env bash
# Behind `make pages` and the browser tests of `make test`: Playwright against freshly started services with the demo shop,
# which dev.sh pages starts.   pages.sh [ARGUMENT...]   (of playwright test)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=/dev/null
. "$SHOP_STATE/env"
"$here/web.sh" pages "$@"
[ -z "${SHOP_PICTURES:-}" ] || "$here/web.sh" sheets
