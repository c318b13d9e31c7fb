#!/usr/bin/env bash
# `make check`: all checks that are not tests.   check.sh [CHECK...]   (default: all, in this order)
# A passing check prints nothing; all are run, and the failed ones are listed at the end.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$here/modules.sh"
. "$here/walls.sh"
need_go
checks=(tools scripts text size tidy isolation macos walls format lint generated watched manifests web)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM HUP

tools() { "$here/tools.sh"; }

# scripts: every shell script parses; shellcheck runs too if it is installed.
scripts() {
  local rc=0 f list=()
  while IFS= read -r -d '' f; do list+=("$f"); done < <(find deploy .ci -name node_modules -prune -o -type f \( -name '*.sh' -o -path .ci/run \) -print0)
  for f in "${list[@]}"; do bash -n "$f" || rc=1; done
  if command -v shellcheck >/dev/null; then shellcheck "${list[@]}" || rc=1; fi
  return $rc
}

# tidy: go.mod and go.sum list exactly what is used.
tidy() {
  local m rc=0
  for m in "${modules[@]}"; do
    GOWORK=off go -C "$m" mod tidy -diff >"$tmp/tidy" 2>&1 && continue
    rc=1
    printf '%s is not tidy (make tidy):\n' "$m"
    head -n 30 "$tmp/tidy" # the rest is checksums
  done
  return $rc
}

# isolation: each module builds and passes vet with its own go.mod. Inside the workspace all share one build list, so a missing
# requirement of a module would go unnoticed.
isolation() {
  local m rc=0
  for m in "${coded[@]}"; do
    GOWORK=off go -C "$m" build -buildvcs=false -o /dev/null ./... || rc=1
    GOWORK=off go -C "$m" vet ./... || rc=1
  done
  return $rc
}

# macos: what make run and make test build compiles for macOS too. (Only make prove and the drills need Linux.)
macos() {
  local m rc=0
  local -x GOOS=darwin GOARCH=arm64 CGO_ENABLED=0
  # It compiles, and links nothing.
  go list -export -f '{{""}}' work || rc=1
  for m in deploy/local deploy/e2e; do GOWORK=off go -C "$m" list -export -f '{{""}}' ./... || rc=1; done
  return $rc
}

format() {
  local m rc=0
  tools
  for m in "${coded[@]}"; do (cd "$m" && "$bin/golangci-lint" fmt --diff ./...) || rc=1; done
  return $rc
}

lint() {
  local m rc=0
  tools
  excuses || rc=1
  for m in "${coded[@]}"; do (
    cd "$m"
    [[ $m != deploy/* ]] || export GOWORK=off
    "$bin/golangci-lint" run --allow-parallel-runners ./...
  ) || rc=1; done
  return $rc
}

# manifests: the files of deploy are valid, and hold what docs/operate promises of them.
manifests() { GOWORK=off go -C deploy/manifests test -count=1 ./... >"$tmp/manifests" 2>&1 || { cat "$tmp/manifests" && return 1; }; }

# generated: the files of `make docs` are up to date.
generated() {
  mkdir -p "$tmp/docs"
  "$here/dev.sh" docs "$tmp/docs" >"$tmp/docs.log" 2>&1 || {
    cat "$tmp/docs.log"
    return 1
  }
  (cd "$tmp/docs" && find . -type f) | while read -r f; do
    diff -u "docs/$f" "$tmp/docs/$f" || {
      echo "docs/${f#./} is not what the code generates: run make docs"
      exit 1
    }
  done
}

# watched: the dashboards and alerts name metrics that exist, in expressions that parse, and each alert has its entry.
watched() { GOWORK=off go -C deploy/local run -buildvcs=false ./cmd/watch check "$root"; }

# web: the pages keep their rules, and what is committed is what the sources build. 3 where the machine has no Node.js.
web() { "$here/web.sh" check; }

failed=()
for check in "${@:-${checks[@]}}"; do
  declare -F "$check" >/dev/null || die "check.sh knows: ${checks[*]}."
  began=$SECONDS
  rc=0
  "$check" >"$tmp/out" 2>&1 || rc=$?
  if [ $rc -eq 0 ]; then
    printf 'ok    %-10s %4d s\n' "$check" $((SECONDS - began))
  elif [ $rc -eq 3 ]; then
    printf 'skip  %-10s %s\n' "$check" "$(tail -n 1 "$tmp/out")"
  else
    failed+=("$check")
    cat "$tmp/out"
    printf 'FAIL  %-10s %4d s\n' "$check" $((SECONDS - began))
  fi
done
[ ${#failed[@]} -eq 0 ] || die "make check failed: ${failed[*]}."
say "all checks passed"
