#!/usr/bin/env bash
# `make container-drill`: the images and deploy/compose.yaml on a real container engine, in a project and with volumes of their own
# that are removed at the end. It takes the ports 80, 443 and 8443 meanwhile.
# The engine is the Docker that answers; else, as root with apt-get, Debian's, run here with its data in .local/containers. Compose is
# taken from Debian too where it is missing. On its own engine, images that no registry gives are replaced by Debian's packages under
# their names; on another one a shop might start them later.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
state=$root/.local/containers
folder "$state/bin"
unset "${!STOREFRONT_@}" "${!ADMIN_@}" SHOP_URL SHOP_TLS COUNTRY OPERATOR VERSION
engine=

end() {
  [ -z "$engine" ] || { kill "$engine" && wait "$engine"; } 2>/dev/null || true
}
trap end EXIT
trap interrupted INT TERM HUP

root_with_apt() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

# need_engine makes `docker` lead to an engine.
need_engine() {
  if command -v docker >/dev/null && docker info --format '{{.ServerVersion}}' >"$state/info.log" 2>&1; then
    say "the container engine that runs here, $(tail -n 1 "$state/info.log")"
    return
  fi
  if ! command -v dockerd >/dev/null || ! command -v docker >/dev/null; then
    root_with_apt || die "No container engine answers: start Docker, or run this as root where apt-get can install it."
    say "installing docker.io (the engine; its service is not used)"
    apt_install "$state/apt.log" docker.io iptables ca-certificates || {
      tail -n 20 "$state/apt.log" >&2
      die "docker.io could not be installed (see above): install and start Docker."
    }
  fi
  [ "$(id -u)" = 0 ] || die "No container engine answers, and only root can start one: start Docker."
  # A path of a socket has at most 107 bytes.
  export DOCKER_HOST=unix:///run/shop-drill-docker.sock
  dockerd --data-root "$state/engine" --exec-root /run/shop-drill-docker --pidfile "$state/engine.pid" -H "$DOCKER_HOST" \
    >"$state/engine.log" 2>&1 &
  engine=$!
  local n
  for n in $(seq 60); do
    docker info --format '{{.ServerVersion}}' >"$state/info.log" 2>&1 && break
    kill -0 "$engine" 2>/dev/null || break
    sleep 0.5
  done
  docker info >/dev/null 2>&1 || {
    tail -n 5 "$state/engine.log" >&2
    die "The container engine does not start on this machine (see above): start Docker."
  }
  say "a container engine of its own, $(tail -n 1 "$state/info.log")"
}

# need_compose makes `docker compose` work, with a configuration of its own if the plugin had to be fetched.
need_compose() {
  ! docker compose version >/dev/null 2>&1 || return 0
  local plugins=$state/config/cli-plugins
  if [ ! -x "$plugins/docker-compose" ]; then
    say "extracting docker-compose (nothing is installed)"
    SUITE=sid "$here/extract.sh" "$state/compose" docker-compose >"$state/compose.log" 2>&1 || {
      tail -n 20 "$state/compose.log" >&2
      die "docker compose could not be fetched (see above): install it."
    }
    mkdir -p "$plugins"
    cp "$state/compose/root/usr/libexec/docker/cli-plugins/docker-compose" "$plugins/"
  fi
  export DOCKER_CONFIG=$state/config
  docker compose version >/dev/null
}

images=$(sed -nE 's/^ *image: ([a-z]+:[^ ]+)$/\1/p; s/^FROM ([a-z]+:[^ ]+) AS .*/\1/p' deploy/compose.yaml deploy/*/Dockerfile | sort -u)

# need_images pulls what compose.yaml and the Dockerfiles name, or makes it.
need_images() {
  local image missing=()
  for image in $images; do
    docker image inspect "$image" >/dev/null 2>&1 || timeout 300 docker pull -q "$image" >>"$state/pull.log" 2>&1 ||
      missing+=("$image")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  [ -n "$engine" ] || die "No registry gives ${missing[*]} to the engine that runs here (.local/containers/pull.log)."
  root_with_apt || die "No registry gives ${missing[*]}, and only root with apt-get can make stand-ins."
  say "no registry gives ${missing[*]}: making them of Debian's packages"
  "$here/standins.sh" "$state/standins" "${missing[@]}"
}

need_engine
need_compose
need_images
GOWORK=off go -C pkg/test/reliability test -c -o "$bin/containers.test" ./containers
# In the background, so that a signal is heard at once.
(cd pkg/test/reliability/containers && exec "$bin/containers.test" -test.v -test.timeout 60m) &
running=$!
wait "$running"
