#!/usr/bin/env bash
# Unpacks Debian packages and all their dependencies into a folder: no root, no change to the system.
#   extract.sh DIR PACKAGE...      -> DIR/root/usr/bin/..., DIR/root/usr/sbin/...
# Needs apt-get and dpkg-deb. Each program becomes a wrapper that starts NAME.bin with the C library of the packages,
# independent of the machine's. An interrupted run leaves no DIR/root. SUITE takes the packages of another suite of the same mirror.
set -euo pipefail
dir=${1:?folder}
shift
mkdir -p "$dir"
dir=$(cd "$dir" && pwd -P)
a=$dir/apt
rm -rf "$a" "$dir/root.new"
mkdir -p "$a/lists/partial" "$a/cache/archives/partial" "$dir/root.new"

# The machine's own sources with our own lists and cache, so that apt needs no lock and writes nothing to the system. An empty
# status file makes it fetch every dependency, including installed ones. (The clean-up hook of a container image may complain
# about folders that an ordinary user cannot write; this is harmless.)
options=(-o "Dir::State::lists=$a/lists" -o "Dir::Cache=$a/cache" -o Dir::State::status=/dev/null -o Debug::NoLocking=1
  -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3
  -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false)
if [ -n "${SUITE:-}" ]; then
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v -- '-security' | sort -u | head -n 1)
  [ -n "$mirror" ] || {
    echo "apt-get has no source to take the suite $SUITE from" >&2
    exit 1
  }
  printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' \
    "$mirror" "$SUITE" >"$a/suite.sources"
  options+=(-o "Dir::Etc::sourcelist=$a/suite.sources" -o Dir::Etc::sourceparts=/dev/null)
fi
apt-get "${options[@]}" -qq update
apt-get "${options[@]}" -qq install -y --download-only --no-install-recommends "$@"

for d in "$a"/cache/archives/*.deb; do
  # Perl, the compiler's base and the like are only for the installation scripts, which are not run here.
  case ${d##*/} in perl* | libperl* | gcc-*) continue ;; esac
  dpkg-deb --fsys-tarfile "$d" | tar -x -C "$dir/root.new" --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' \
    --exclude='./usr/share/locale/*' --exclude='*/gconv/*'
done

arch=$(uname -m)-linux-gnu
# Newer suites have no /lib, which find complains about.
loader=$(cd "$dir/root.new" && { find usr/lib lib -name 'ld-linux*.so.*' 2>/dev/null || true; } | head -n 1)
[ -n "$loader" ] || {
  echo "no C library among the packages" >&2
  exit 1
}
for f in "$dir/root.new"/usr/bin/* "$dir/root.new"/usr/sbin/*; do
  [ -f "$f" ] && [ ! -L "$f" ] && [ "$(head -c 4 "$f" | tail -c 3)" = ELF ] || continue
  mv "$f" "$f.bin"
  # shellcheck disable=SC2016  # the wrapper expands these when it runs
  printf '#!/bin/sh\nr=$(dirname "$(readlink -f "$0")")/../..\nexec "$r/%s" --argv0 "$0" --library-path "$r/usr/lib/%s:$r/lib/%s:$r/usr/lib/mysql/private" "$(readlink -f "$0").bin" "$@"\n' \
    "$loader" "$arch" "$arch" >"$f"
  chmod +x "$f"
done
rm -rf "$dir/root"
mv "$dir/root.new" "$dir/root"
rm -rf "$a"
echo "extracted: $dir/root"
