#!/usr/bin/env bash
# `make check`: all checks that are not tests.   check.sh [quick|rest|CHECK...]   (default: all)
# A passing check prints nothing but a line with its time; all are run, and the failed ones are listed at the end.
#   check.sh quick       those that .ci/run begins with: whoever has to format or does not compile need not wait for more
#   check.sh rest        all others but lint
#   check.sh one CHECK   a single check with all that it prints
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$here/modules.sh"
. "$here/walls.sh"
need_go
logs=$root/.local/check/log
. "$here/parts.sh"
quick=(scripts text size sleeps format format-pages compiled)
in_turn=(tools versions tidy macos generated)
beside=(walls watched manifests web) # they use little of the processors
checks=("${quick[@]}" lint "${in_turn[@]}" "${beside[@]}")

# again NAME prints the command that repeats a check.
again() { printf 'deploy/local/check.sh one %s\n' "$1"; }

tools() { "$here/tools.sh"; }

# scripts: every shell script parses; shellcheck runs too if it is installed. None has grep -q read from a pipe: it leaves at the
# first hit, and with pipefail the pipe fails if the other side had more to write, which is a matter of chance.
scripts() {
  local rc=0 f list=()
  while IFS= read -r -d '' f; do list+=("$f"); done < <(find deploy .ci -name node_modules -prune -o -type f \( -name '*.sh' -o -path .ci/run \) -print0)
  for f in "${list[@]}"; do bash -n "$f" || rc=1; done
  if command -v shellcheck >/dev/null; then shellcheck "${list[@]}" || rc=1; fi
  ! grep -nE '[|] *grep -[a-zA-Z]*q' "${list[@]}" || rc=1
  return $rc
}

# tidy: go.mod and go.sum of each module list exactly what it uses. Inside the workspace all share one build list, so a missing
# requirement of a module would go unnoticed.
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

# versions: the modules of the workspace require the versions that the workspace selects. What they are compiled and tested with is
# then what they ask for.
versions() {
  local m rc=0 selected
  selected=$(go list -m -f '{{.Path}} {{.Version}}' all | sort)
  for m in "${workspace[@]}"; do
    GOWORK=off go -C "$m" list -deps -test -f '{{with .Module}}{{if not .Replace}}{{.Path}} {{.Version}}{{end}}{{end}}' ./... | sort -u |
      join - <(printf '%s\n' "$selected") | awk -v m="$m" '$2 != $3 { print "  " m " requires " $1 " " $2 ", the workspace takes " $3 }' |
      none "go work sync would change a go.mod" || rc=1
  done
  return $rc
}

# may_differ reads names of files, and succeeds if one of them can make a difference on another system.
may_differ() {
  local file
  while read -r file; do
    case $file in
    *go.mod | *go.sum | go.work | *_linux.go | *_other.go) return 0 ;;
    *.go) ! grep -qsE '^//go:build|"syscall"|"golang.org/x/sys/' "$file" || return 0 ;;
    esac
  done
  return 1
}

# macos: what make run and make test build compiles for macOS too. (Only make prove and the drills need Linux.)
macos() {
  local m rc=0 why
  GOWORK=off go -C deploy/local build -o "$bin/change" ./cmd/change
  why=$("$bin/change" why)
  if [[ $why != everything* ]] && ! "$bin/change" files | may_differ; then
    say "no file has changed that could differ there, $why"
    return 3
  fi
  local -x GOOS=darwin GOARCH=arm64
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

# compiled: every package compiles, with its tests.
compiled() {
  local m rc=0
  go list -export -test -f '{{""}}' work || rc=1
  for m in "${coded[@]}"; do [[ $m != deploy/* ]] || GOWORK=off go -C "$m" list -export -test -f '{{""}}' ./... || rc=1; done
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

# sleeps: no result depends on a pause that happens to be long enough.
sleeps() { GOWORK=off go -C deploy/local run ./cmd/sleeps "${coded[@]/#/$root/}"; }

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
    page=docs/${f#./}
    [ "$f" != ./console.ts ] || page=$console
    diff -u "$page" "$tmp/docs/$f" || {
      echo "$page is not what the code generates: run make docs"
      exit 1
    }
  done
}

# watched: the dashboards and alerts name metrics that exist, in expressions that parse, and each alert has its entry.
watched() { GOWORK=off go -C deploy/local run ./cmd/watch check "$root"; }

# format-pages: what prettier formats, among it documents.
format-pages() { "$here/web.sh" format; }

# web: the pages keep their rules, and what is committed is what the sources build. 3 where the machine has no Node.js.
web() {
  GOWORK=off go -C deploy/local build -o "$bin/change" ./cmd/change
  "$bin/change" web || return 3
  "$here/web.sh" check
}

# known NAME... fails for what is no check.
known() {
  local name
  for name; do [[ " ${checks[*]} " = *" $name "* ]] || die "There is no check $name: ${checks[*]}."; done
}

# run NAME... runs checks, one after the other.
run() {
  local name
  for name; do part "$name" "$here/check.sh" one "$name"; done
}

if [ "${1:-}" = one ]; then
  known "${2:?check}"
  tmp=$(mktemp -d)
  trap 'rm -rf "$tmp"' EXIT
  trap 'exit 130' INT TERM HUP
  "$2"
  exit
fi
trap interrupted INT TERM HUP

# others LINT... runs what is left, with lint or without it.
others() {
  lane run "${beside[@]}"
  run "${in_turn[@]}" "$@"
  finish
}

begin_run
case ${1:-all} in
all) run "${quick[@]}" && others lint ;;
quick) run "${quick[@]}" ;;
rest) others ;;
*)
  known "$@"
  run "$@"
  ;;
esac
report "make check"
reasons
names=$(failed)
[ -z "$names" ] || die "make check failed: $names."
say "all checks passed"
