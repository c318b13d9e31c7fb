#!/usr/bin/env bash
# The make targets for daily work that need only a few lines each.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$here/modules.sh"
need_go

# with_servers uses the servers of `make up` or `make run` for tests.
with_servers() {
  [ -s .local/env ] || die "No servers run here: make up starts them."
  # shellcheck source=/dev/null
  . .local/env
  # The DSN up to the slash before the name of the database. (A password may contain slashes.)
  [[ $SHOP_MYSQL_DSN =~ ^(.*@[a-z]+\([^\)]*\)/) ]] || die "SHOP_MYSQL_DSN is not of the form user:password@tcp(host:port)/."
  export SHOP_TEST_MYSQL_DSN=${BASH_REMATCH[1]} SHOP_TEST_REDIS_ADDR=$SHOP_REDIS_ADDR
}

case ${1:-} in
migrate)
  with_servers
  go build -o "$bin/" shop.internal/services/admin/cmd/shopctl
  ADMIN_SECRETS_IDEMPOTENCY=$(head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n') # required, but nothing is keyed here
  ADMIN_STORAGE_BASE_URL=${ADMIN_STORAGE_BASE_URL:-http://127.0.0.1:8080/wx/storage/fetch/}
  export ADMIN_SECRETS_IDEMPOTENCY ADMIN_STORAGE_BASE_URL
  ADMIN_MYSQL_DSN=$SHOP_MYSQL_DSN ADMIN_REDIS_ADDR=$SHOP_REDIS_ADDR "$bin/shopctl" --config deploy/admin/config.yaml migrate
  ;;
fmt)
  "$here/tools.sh"
  for m in "${coded[@]}"; do (cd "$m" && "$bin/golangci-lint" fmt ./...); done
  "$here/web.sh" fmt || [ $? -eq 3 ]
  ;;
tidy) for m in "${modules[@]}"; do GOWORK=off go -C "$m" mod tidy; done ;;
cover)
  with_servers
  go test -coverprofile=.local/cover.out -coverpkg=shop.internal/... work
  go tool cover -html=.local/cover.out -o .local/cover.html
  say "see .local/cover.html"
  ;;
golden)
  with_servers
  # Only packages with golden files have the flag.
  mapfile -t packages < <(go list -test -f '{{if .ForTest}}{{.ForTest}} {{join .Deps " "}}{{end}}' work |
    awk '/shop.internal\/pkg\/kit\/golden( |$)/ { print $1 }' | sort -u)
  go test "${packages[@]}" -update
  ;;
clean)
  [ -d .local ] || { say "There is nothing to delete: .local does not exist." && exit; }
  say "This ends what runs here and deletes .local ($(du -sh .local | cut -f1)): the database and the pictures of make run, with every"
  say "order and change made there; the data of tests and benchmarks; built programs, fetched servers, logs and reports."
  if [ -t 0 ]; then
    read -r -p "Delete it? [y/N] " answer
    [[ $answer == [yY]* ]] || die "Nothing was deleted."
  fi
  exec "$here/dev.sh" clean
  ;;
*) die "daily.sh knows clean, migrate, fmt, tidy, cover and golden." ;;
esac
