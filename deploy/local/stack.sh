#!/usr/bin/env bash
# The shop as a whole on this machine: its servers, its programs, its two services. Sourced after lib.sh by run.sh, test.sh
# and servers.sh, which set first
#   state   the folder of pid files, logs, data and secrets; everything that runs from it is named there
#   bin     the folder of the built programs
# shellcheck disable=SC2034,SC2154  # variables cross the border of this file in both directions

mysql_dsn='' redis_addr='' own_mysql='' own_redis=''

# prepare makes the folders.
prepare() {
  local d
  cd "$root" || exit 1
  folder "$root/.local"
  for d in "$state" "$bin" "$state/pid" "$state/log" "$state/objects"; do folder "$d"; done
  own_folder "$state/secrets"
}

# take_over NAME ends what earlier starts from the same folder left, after a kill -9 for instance. Servers that `make up`
# started are nobody's leftover.
take_over() {
  local p
  if named "$state/pid/$1"; then say "ending the make $1 that still runs here (pid $pid)"; fi
  finish "$state/pid/$1" 40
  for p in step storefront admin; do finish "$state/pid/$p"; done
  [ -e "$state/up" ] || stop_servers
}

stop_servers() {
  [ ! -d "$state/mariadb" ] || "$here/mariadb.sh" stop "$state/mariadb"
  [ ! -d "$state/redis" ] || "$here/redis.sh" stop "$state/redis"
}

private_dsn() { echo "shop:shop@tcp(127.0.0.1:$(cat "$state/mariadb/port"))/shop"; }
private_redis() { echo "127.0.0.1:$(cat "$state/redis/port")"; }

# server_of DSN prints the DSN up to the slash before the name of the database. (A password may hold slashes.)
server_of() { [[ $1 =~ ^(.*@[a-z]+\([^\)]*\)/) ]] && echo "${BASH_REMATCH[1]}"; }

# start_servers MYSQL_PORT REDIS_PORT [DSN] [ADDR]: the servers that are named, else private ones.
start_servers() {
  local p
  mysql_dsn=${3:-} redis_addr=${4:-} own_mysql='' own_redis=''
  # A shell that has read our own .local/env names our own private servers: that is no wish for others.
  if [ "${SHOP_ENV_OF:-}" = "$state" ] && [ -s "$state/private" ]; then
    while read -r p; do
      [ "$p" != "$mysql_dsn" ] || mysql_dsn=
      [ "$p" != "$redis_addr" ] || redis_addr=
    done <"$state/private"
  fi
  if [ -z "$mysql_dsn" ] || [ -z "$redis_addr" ]; then
    step "$here/programs.sh" "$root/.local/programs"
    # shellcheck source=/dev/null
    . "$root/.local/programs/env"
    export MARIADB_BASE REDIS_SERVER REDIS_CLI
  fi
  if [ -z "$mysql_dsn" ]; then
    own_mysql=yes
    step "$here/mariadb.sh" start "$state/mariadb" "$1" >/dev/null
    mysql_dsn=$(private_dsn)
  fi
  if [ -z "$redis_addr" ]; then
    own_redis=yes
    step "$here/redis.sh" start "$state/redis" "$2" >/dev/null
    redis_addr=$(private_redis)
  fi
  printf '%s\n' "${own_mysql:+$mysql_dsn}" "${own_redis:+$redis_addr}" >"$state/private"
}

# revision prints the version that is built, nothing where git is missing or refuses.
revision() { git -C "$root" describe --always --dirty 2>/dev/null || true; }

build_programs() {
  # No version control stamp: a clone that belongs to somebody else would make git refuse.
  step go build -buildvcs=false -ldflags "-X shop.internal/pkg/kit/program.version=$(revision)" -o "$bin/" shop.internal/services/storefront/cmd/storefront \
    shop.internal/services/admin/cmd/admin shop.internal/services/admin/cmd/shopctl
}

# secret NAME prints a random text that is made once.
secret() {
  local f=$state/secrets/$1
  if [ ! -s "$f" ]; then
    (umask 077 && head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n' >"$f.new")
    mv "$f.new" "$f"
  fi
  cat "$f"
}

# configure STOREFRONT_PORT ADMIN_PORT STOREFRONT_OPS ADMIN_OPS: the ports or the next free ones, and the environment of
# both services and of shopctl, which reads what admin reads.
configure() {
  local p shop
  # The address of a picture is kept with the goods, so the storefront stays on the port it had, where that is free.
  storefront_port=$(free_port "$(cat "$state/storefront.port" 2>/dev/null || echo "$1")" "$2" "$3" "$4")
  echo "$storefront_port" >"$state/storefront.port"
  admin_port=$(free_port "$2" "$storefront_port" "$3" "$4")
  storefront_ops=$(free_port "$3" "$storefront_port" "$admin_port" "$4")
  admin_ops=$(free_port "$4" "$storefront_port" "$admin_port" "$storefront_ops")
  shop=http://127.0.0.1:$storefront_port
  export STOREFRONT_LISTEN=127.0.0.1:$storefront_port STOREFRONT_OPS_LISTEN=127.0.0.1:$storefront_ops
  export ADMIN_LISTEN=127.0.0.1:$admin_port ADMIN_OPS_LISTEN=127.0.0.1:$admin_ops
  STOREFRONT_SECRETS_CODES=$(secret codes)
  STOREFRONT_SECRETS_IDEMPOTENCY=$(secret idempotency)
  ADMIN_SECRETS_IDEMPOTENCY=$STOREFRONT_SECRETS_IDEMPOTENCY
  export STOREFRONT_SECRETS_CODES STOREFRONT_SECRETS_IDEMPOTENCY ADMIN_SECRETS_IDEMPOTENCY
  # The mini program sends its pictures without a token.
  export STOREFRONT_STORAGE_UPLOAD_REQUIRES_LOGIN=false
  for p in STOREFRONT ADMIN; do
    export "${p}_MYSQL_DSN=$mysql_dsn" "${p}_REDIS_ADDR=$redis_addr" "${p}_DEMO=true" "${p}_DOCS_ENABLED=true" \
      "${p}_SMS_SENDER=log" "${p}_MAIL_SENDER=log" "${p}_SMS_FILE=$state/messages.log" "${p}_PAYMENT_PROVIDER=sandbox" \
      "${p}_PAYMENT_NOTIFY_URL=$shop/wx/order/pay-notify" "${p}_STORAGE_DIR=$state/objects" "${p}_STORAGE_BASE_URL=$shop/wx/storage/fetch/"
  done
  # Whoever tests or measures this shop calls from one address, as a few shoppers and operators.
  export STOREFRONT_RATE_WRITES_PER_ADDRESS=0 STOREFRONT_RATE_WRITES_PER_SHOPPER=0 STOREFRONT_RATE_FEEDBACK=0 \
    STOREFRONT_RATE_COMMENTS=0 ADMIN_RATE_WRITES_PER_ADDRESS=0 ADMIN_RATE_WRITES_PER_OPERATOR=0 STOREFRONT_CODES_PER_ADDRESS=10000
  # These are for people and for the end-to-end scenarios; a service that is strict about its environment would not know them.
  unset STOREFRONT_URL ADMIN_URL STOREFRONT_OPS_URL ADMIN_OPS_URL
}

# assign NAME VALUE prints an assignment in shell syntax.
assign() { printf "export %s='%s'\n" "$1" "${2//\'/\'\\\'\'}"; }

# write_env FILE [all]: the servers, and with `all` the services and what shopctl needs, for scripts and people.
write_env() {
  local name
  {
    echo "# What is running, for scripts and people: . '.local/env'"
    assign SHOP_ENV_OF "$state"
    assign SHOP_MYSQL_DSN "$mysql_dsn"
    assign SHOP_REDIS_ADDR "$redis_addr"
    if [ "${2:-}" = all ]; then
      assign STOREFRONT_URL "http://127.0.0.1:$storefront_port"
      assign STOREFRONT_OPS_URL "http://127.0.0.1:$storefront_ops"
      assign ADMIN_URL "http://127.0.0.1:$admin_port"
      assign ADMIN_OPS_URL "http://127.0.0.1:$admin_ops"
      assign SHOP_MESSAGES "$state/messages.log"
      assign SHOP_BIN "$bin"
      for name in MYSQL_DSN REDIS_ADDR SECRETS_IDEMPOTENCY DEMO SMS_SENDER MAIL_SENDER SMS_FILE PAYMENT_PROVIDER PAYMENT_NOTIFY_URL STORAGE_DIR STORAGE_BASE_URL; do
        name=ADMIN_$name
        assign "$name" "${!name}"
      done
    fi
  } >"$1.new"
  chmod 600 "$1.new"
  mv -f "$1.new" "$1"
}

shopctl() { step "$bin/shopctl" --config deploy/admin/config.yaml "$@"; }

# start_service NAME starts storefront or admin in a session of its own: Ctrl-C reaches this script alone, which then ends
# both in order.
start_service() {
  [ ! -s "$state/log/$1.log" ] || mv -f "$state/log/$1.log" "$state/log/$1.log.1"
  setsid "$bin/$1" --config "deploy/$1/config.yaml" </dev/null >"$state/log/$1.log" 2>&1 &
  remember "$state/pid/$1" $! "$bin/$1"
  # Until it becomes the program the child has this script's command line and would be taken for somebody else.
  while alive $! && ! named "$state/pid/$1"; do sleep 0.01; done
}

# ended NAME says that a service is gone, with its last words.
ended() {
  local rc=0
  wait "$(head -n 1 "$state/pid/$1")" 2>/dev/null || rc=$?
  printf '%s has ended (exit code %s). Its last lines, of %s:\n' "$1" "$rc" "$state/log/$1.log" >&2
  tail -n 20 "$state/log/$1.log" >&2
}

# wait_ready SECONDS: both services answer on /readyz.
wait_ready() {
  local i name ops
  for name in storefront admin; do
    ops=${name}_ops
    for ((i = 0; ; i++)); do
      named "$state/pid/$name" || {
        ended "$name"
        return 1
      }
      ! http_ok "http://127.0.0.1:${!ops}/readyz" || break
      if [ $i -ge $(($1 * 20)) ]; then
        printf '%s is not ready after %s s. Its last lines, of %s:\n' "$name" "$1" "$state/log/$name.log" >&2
        tail -n 20 "$state/log/$name.log" >&2
        return 1
      fi
      pause 0.05
    done
  done
}

# pause SECONDS sleeps, but hears signals.
pause() {
  sleep "$1" &
  wait $! || true
}

stop_services() {
  local name
  for name in storefront admin; do # both at once: each may have requests to finish
    ! named "$state/pid/$name" || kill -TERM "$pid" 2>/dev/null
  done
  for name in storefront admin; do finish "$state/pid/$name" 30; done
}
