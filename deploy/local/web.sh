#!/usr/bin/env bash
# The pages in a browser: builds, checks and tests them.   web.sh build|dev|types|fmt|format|check|unit|ready|pages|sheets|guide [ARGUMENT...]
#   WEB="..."   these pages alone: storefront, admin
# Without Node 20.19 or later it says so in one line and exits with 3, or with 1 where SHOP_NODE is "required".
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
read -ra pages <<<"${WEB:-storefront admin}"

# missing WHAT REMEDY ends a task that the machine lacks something for.
missing() {
  say "$1; $2."
  [ "${SHOP_NODE:-}" != required ] || exit 1
  exit 3
}

need_node() {
  local remedy="install Node.js 20.19 or later with npm for what concerns the pages"
  command -v node >/dev/null && command -v npm >/dev/null || missing "Node.js is not installed" "$remedy"
  node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' ||
    missing "Node.js $(node --version) is too old" "$remedy"
}

# packages installs what the lock file names, unless that is what is there. Parts that run beside each other take turns.
packages() {
  local stamp
  stamp="$(node --version) $(cksum <package-lock.json)"
  folder .local
  {
    ! command -v flock >/dev/null || flock -w 900 8 || die "another process has been installing the packages for 15 minutes."
    [ -d node_modules ] && [ "$(cat node_modules/.shop 2>/dev/null)" = "$stamp" ] && return
    say "installing the packages of the pages"
    npm ci --no-progress --loglevel=error >/dev/null
    printf '%s\n' "$stamp" >node_modules/.shop
  } 8>.local/npm.lock
}

# each COMMAND [ARGUMENT...] runs a script of package.json for each page, also after one has failed.
each() {
  local page rc=0
  for page in "${pages[@]}"; do npm run --silent "$1" -w "@shop/$page" -- "${@:2}" || rc=$?; done
  return $rc
}

# built PAGE TMP says whether the types and the built files of a page are what its sources make.
built() {
  local web=services/$1/web
  SHOP_TYPES=$2/$1.d.ts npm run --silent types -w "@shop/$1" >/dev/null
  diff -q "$2/$1.d.ts" "$web/src/api/schema.d.ts" >/dev/null || die "$web/src/api/schema.d.ts is not what the API document says: run make web"
  npm run --silent typecheck -w "@shop/$1"
  WEB_DIST=$2/$1 npm run --silent build -w "@shop/$1" -- --logLevel warn
  diff -rq "$2/$1" "$web/dist" || die "$web/dist is not what the sources build: run make web"
}

# chromium prints the path of the browser. Where there is none, and we are root, Debian's is installed. The one without windows
# runs a story in two thirds of the time of the whole one.
chromium() {
  local name
  for name in "${SHOP_CHROMIUM:-}" chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
    [ -n "$name" ] && type -P "$name" && return
  done
  return 1
}

browser() {
  chromium >/dev/null || {
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
      say "installing Chromium and fonts"
      mkdir -p .local/log
      apt_install .local/log/chromium.log chromium-headless-shell fonts-noto-cjk ||
        apt_install .local/log/chromium.log chromium fonts-noto-cjk || tail -n 5 .local/log/chromium.log >&2
    fi
  }
  chromium >/dev/null || missing "Chromium is not installed" "install it (apt-get install chromium fonts-noto-cjk), or name it in SHOP_CHROMIUM"
  SHOP_CHROMIUM=$(chromium)
  export SHOP_CHROMIUM
}

task=${1:-}
[ $# -eq 0 ] || shift
need_node
case $task in
build)
  packages
  each types
  each typecheck
  each build --logLevel warn
  ;;
dev)
  packages
  [ ! -s .local/env ] || . .local/env
  export STOREFRONT_URL=${STOREFRONT_URL:-http://127.0.0.1:8080} ADMIN_URL=${ADMIN_URL:-http://127.0.0.1:8081}
  for page in "${pages[@]}"; do npm run --silent dev -w "@shop/$page" & done
  wait
  ;;
types)
  packages
  each types
  ;;
fmt)
  packages
  npm run --silent format
  ;;
check)
  packages
  tmp=$(mktemp -d)
  trap 'rm -rf "$tmp"' EXIT
  npm run --silent lint
  for page in "${pages[@]}"; do built "$page" "$tmp"; done
  ;;
format)
  packages
  npm run --silent format:check
  ;;
unit)
  packages
  each unit --testTimeout="${LIMIT_STORY}000" --hookTimeout="${LIMIT_STORY}000"
  ;;
ready)
  packages
  browser
  ;;
pages)
  packages
  browser
  : "${STOREFRONT_URL:?the shop that dev.sh pages starts}"
  # What is asked for by name may belong to one page alone.
  [ $# -eq 0 ] || set -- --pass-with-no-tests "$@"
  each pages "$@"
  ;;
sheets)
  browser
  node "$here/sheets.mjs" .local/pages
  ;;
guide)
  browser
  node "$here/guide.mjs" .local/pages
  ;;
*) die "web.sh knows build, dev, types, fmt, format, check, unit, ready, pages, sheets and guide." ;;
esac
