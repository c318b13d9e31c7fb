#!/usr/bin/env bash
# `make build`: the programs as they are delivered, stripped and static, in .local/build (OUT: another folder). The same commit
# gives the same programs, byte for byte, on any machine with the same Go.   build.sh [PACKAGE...]   (default: all three)
# Without arguments it also writes what the programs contain, with the licences, to sbom.json (CycloneDX).
# VERSION, COMMIT and DATE are taken from the checkout unless they are set: the newest tag, or else the date and the commit. An image is
# built without the history, and its version is the day of its build.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go
out=${OUT:-.local/build}
git() { command git -C "$root" "$@" 2>/dev/null || true; }
revision=${COMMIT:-$(git describe --always --abbrev=12 --exclude='*' --dirty)}
date=${DATE:-$(git log -1 --format=%cs)}
date=${date:-$(date -u +%F)}
version=${VERSION:-$(git describe --tags --dirty)}
version=${version:-$date${revision:+-$revision}}
mkdir -p "$out"
if [ $# = 0 ]; then
  folder "$bin"
  GOWORK=off go -C deploy/local build -o "$bin/licences" ./cmd/licences
  "$bin/licences" sbom >"$out/sbom.json"
  set -- "${programs[@]}"
fi
program=shop.internal/pkg/kit/program
go build \
  -ldflags "-s -w -buildid= -X $program.version=$version -X $program.commit=${revision%-dirty} -X $program.date=$date" \
  -o "$out/" "$@"
for path; do "$out/${path##*/}" -version; done
