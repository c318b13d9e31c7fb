#!/usr/bin/env bash
# What the scripts of this folder share. Sourced, never run.
# shellcheck disable=SC2034  # the scripts that source this file use the variables

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
here=$root/deploy/local
bin=$root/.local/bin
cd "$root"

say() { printf '%s\n' "$*"; }
die() {
  printf '%s\n' "$*" >&2
  exit 1
}

# folder DIR makes a folder for what a run leaves behind and says plainly why that may be impossible.
folder() {
  mkdir -p "$1" 2>/dev/null && [ -w "$1" ] ||
    die "$1 cannot be written by $(id -un): make the project folder yours, or remove .local if another user made it."
}

# need_go: everything here is built from source.
need_go() {
  command -v go >/dev/null || die "Go is not installed or not in PATH: install Go 1.26 or newer and start again."
}

# http_ok URL: GET answers 200. In the shell's own words, which spare a program that a bare machine may lack.
http_ok() {
  local rest=${1#http://} host line
  host=${rest%%/*}
  { exec 3<>"/dev/tcp/${host%:*}/${host##*:}"; } 2>/dev/null || return 1
  printf 'GET /%s HTTP/1.0\r\nHost: %s\r\n\r\n' "${rest#*/}" "$host" >&3
  read -r -t 3 line <&3 || line=
  exec 3<&- 3>&-
  [[ $line == *" 200"* ]]
}

# apt_install LOG PACKAGE... as root. An image without package lists needs an update first; one with fresh lists is
# spared the download.
apt_install() {
  local log=$1 get=(apt-get install -y -qq -o DPkg::Lock::Timeout=120 --no-install-recommends "${@:2}")
  export DEBIAN_FRONTEND=noninteractive
  { "${get[@]}" || { apt-get update -qq && "${get[@]}"; }; } >"$log" 2>&1
}
