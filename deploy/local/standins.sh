#!/usr/bin/env bash
# Makes images of Debian's packages under the names of the official ones, for a drill where no registry can be reached. They do what
# compose.yaml and the Dockerfiles need of the official ones and nothing more.   standins.sh DIR IMAGE...   (as root)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
dir=${1:?folder}
shift
mkdir -p "$dir"

# system NAME SUITE PACKAGE... imports a Debian with these packages, and what files adds to it, as the image standin:NAME.
system() {
  local tree=$dir/$1
  if [ ! -e "$tree.made" ]; then
    rm -rf "$tree"
    debootstrap --variant=minbase --include="$(IFS=, && echo "${*:3}")" "$2" "$tree" "$mirror" >"$dir/$1.log" 2>&1 || {
      tail -n 20 "$dir/$1.log" >&2
      die "debootstrap failed (see above): let Docker pull the images."
    }
    rm -rf "$tree"/var/cache/apt/archives/*.deb "$tree"/var/lib/apt/lists/*
    touch "$tree.made"
  fi
  files "$1" "$tree"
  tar -C "$tree" --one-file-system -cf - . | docker import - "standin:$1" >/dev/null
}

# files NAME TREE adds what no package has.
files() {
  case $1 in
  golang)
    # With the machine's own certificates and settings, since a module proxy may need them.
    mkdir -p "$2/usr/local/go" "$2/root/.config/go"
    cp -a "$(go env GOROOT)/." "$2/usr/local/go/"
    cp -L /etc/ssl/certs/ca-certificates.crt "$2/etc/ssl/certs/ca-certificates.crt"
    local name
    for name in GOPROXY GOSUMDB GONOSUMDB GONOPROXY; do printf '%s=%s\n' "$name" "$(go env "$name")"; done >"$2/root/.config/go/env"
    ;;
  servers)
    ln -sfn redis-check-rdb "$2/usr/bin/redis-server"
    mkdir -p "$2/data" "$2/config" "$2/etc/caddy"
    chown 999:1000 "$2/data"
    install -m 755 "$here/standin-mysql.sh" "$2/usr/local/bin/standin-mysql"
    chroot "$2" id mysql >/dev/null 2>&1 || chroot "$2" useradd --system --no-create-home mysql
    ;;
  esac
}

# image NAME LINE... builds an image from the lines of a Dockerfile.
image() { printf '%s\n' "${@:2}" | DOCKER_BUILDKIT=0 docker build -q -t "$1" - >/dev/null 2>"$dir/image.log" || die "$(cat "$dir/image.log")"; }

command -v debootstrap >/dev/null || apt_install "$dir/apt.log" debootstrap || {
  tail -n 20 "$dir/apt.log" >&2
  die "debootstrap could not be installed (see above): let Docker pull the images."
}
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v -- '-security' | sort -u | head -n 1)
servers=
for name; do
  case $name in
  golang:*)
    system golang bookworm ca-certificates git
    image "$name" 'FROM standin:golang' 'ENV PATH=/usr/local/go/bin:/usr/sbin:/usr/bin:/sbin:/bin GOTOOLCHAIN=local'
    continue
    ;;
  esac
  [ -n "$servers" ] || system servers sid ca-certificates mysql-server-core mysql-client-core redis-tools caddy
  servers=made
  case $name in
  mysql:*) image "$name" 'FROM standin:servers' 'ENTRYPOINT ["standin-mysql"]' ;;
  redis:*) image "$name" 'FROM standin:servers' 'WORKDIR /data' 'VOLUME /data' ;;
  caddy:*)
    image "$name" 'FROM standin:servers' 'ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data' \
      'CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]'
    ;;
  *) die "There is no stand-in for $name." ;;
  esac
done
