#!/usr/bin/env bash
# The checks of check.sh that read the source: who may import whom, what may not be written, how long a file may be.
# Sourced after modules.sh. Each function prints what offends and fails if anything does.
# shellcheck disable=SC2154  # workspace comes from modules.sh

# none WHY: fails and prints WHY before what comes on the standard input, if anything comes.
none() {
  local found
  found=$(cat)
  [ -z "$found" ] || {
    printf '%s\n%s\n' "$1:" "$found"
    return 1
  }
}

# imports prints one line a package and import, of programs and tests alike: PACKAGE IMPORT.
imports() {
  # shellcheck disable=SC2016  # a template of go list
  go list -f '{{$p := .ImportPath}}{{range .Imports}}{{$p}} {{.}}
{{end}}{{range .TestImports}}{{$p}} {{.}}
{{end}}{{range .XTestImports}}{{$p}} {{.}}
{{end}}' work | grep . | sort -u
}

# may IMPORT_REGEX PACKAGE_REGEX FILE: the packages that import what they may not; only PACKAGE_REGEX may.
may() { awk -v i="$1" -v p="$2" '$2 ~ i && $1 !~ p { print "  " $1 " imports " $2 }' "$3"; }

walls() {
  local rc=0 list our='^shop[.]internal/'
  list=$(mktemp)
  imports >"$list" || return 1
  # The module's own go.mod is the wall: what it reaches is asked without the workspace.
  GOWORK=off go -C pkg/domain list -deps -test ./... | { grep -E '^github.com/(gin-gonic/gin|spf13/viper)(/|$)' || true; } |
    none "pkg/domain reaches HTTP or configuration libraries" || rc=1
  may '^gorm[.]io/' "${our}pkg/domain(/|$)" "$list" | none "only pkg/domain may import GORM" || rc=1
  may '^github[.]com/spf13/viper' "${our}pkg/kit/config$" "$list" | none "only pkg/kit/config may import viper" || rc=1
  may '^github[.]com/gin-gonic/gin' "${our}(pkg/kit/|services/[a-z]+/internal/(app|apitest)$)" "$list" |
    none "only pkg/kit and the wiring of a service may import Gin" || rc=1
  may "${our}services/storefront" "${our}services/storefront" "$list" | none "nobody may import the storefront" || rc=1
  may "${our}services/admin" "${our}services/admin" "$list" | none "nobody may import the administration" || rc=1
  may "${our}pkg/contract" "${our}(pkg/contract|services)" "$list" | none "imports go from services to contract to kit" || rc=1
  may "${our}pkg/kit" "${our}(pkg/kit|pkg/contract|services)" "$list" | none "imports go from services to kit to domain" || rc=1
  may "${our}pkg/domain(/([^p]|p[^l])|$)" "${our}(pkg/domain|pkg/contract|services)" "$list" |
    none "pkg/kit may import nothing of the domain but its plumbing" || rc=1
  may "${our}pkg/domain" "${our}(pkg|services)" "$list" | none "migrations may import nothing of ours" || rc=1
  GOWORK=off go -C deploy/e2e list -deps -test ./... | { grep -E "$our" || true; } | { grep -v '^shop.internal/deploy/e2e' || true; } |
    none "the end-to-end scenarios see the shop from outside and import nothing of it" || rc=1
  rm -f "$list"
  return $rc
}

# sources NUL-separated names of all files that are written by hand, whether committed yet or not.
sources() { find . \( -name .git -o -name .local -o -name node_modules \) -prune -o -type f -print0; }

# matches REGEX prints the lines of our own words that match; sums, data and the rules themselves are none.
matches() {
  sources | xargs -0 grep -nIE "$1" | grep -vE '^\./(deploy/local/walls[.]sh|LICENSE|.*[.]sum|.*/testdata/.*):' || true
}

# excuses: a nolint names linters that are on. nolintlint cannot tell of the others, which never run.
excuses() {
  local on
  # awk reads to the end: a program that writes to a closed pipe fails.
  on=$("$bin/golangci-lint" linters | awk -F: '/^Disabled/ { off = 1 } !off && NR > 1 && NF > 1 { print $1 }') || return 1
  { grep -rnE --include='*.go' '//nolint:' migrations pkg services deploy || true; } |
    awk -v on="${on//$'\n'/,}" 'BEGIN { n = split(on, l, ","); for (i = 1; i <= n; i++) known[l[i]] = 1 }
      { names = $0; sub(/.*\/\/nolint:/, "", names); sub(/[^a-z0-9_,].*/, "", names); n = split(names, l, ",")
        for (i = 1; i <= n; i++) if (!(l[i] in known)) { print "  " $0; next } }' |
    none "a nolint names a linter that is not enabled"
}

# text: nothing names places outside the project or leaves work for later; packages have names of the shop.
text() {
  local rc=0
  matches '[.][.]/shared|(^|[^[:alnum:]_./-])/(work|root|home)/[[:alnum:]_.-]+' |
    none "places of one machine are named" || rc=1
  matches '(^|[^[:alnum:]_])(TODO|FIXME)([^[:alnum:]_]|$)' | none "work is left for later" || rc=1
  matches 'LOCK IN SHARE MODE|FOR SHARE' |
    none "shared locks are taken, which TiDB does not know and which stop each other: lock with FOR UPDATE" || rc=1
  find "${workspace[@]}" -type d -regextype posix-extended -regex '.*/(utils?|common|models?|dto|managers?|impl|helpers?|misc)' |
    none "packages are named by what they own" || rc=1
  return $rc
}

# size: a file fits a reader's head.
size() {
  local rc=0
  find "${workspace[@]}" deploy/e2e deploy/local -name testdata -prune -o -type f \( -name '*.go' -o -name '*.sh' \) ! -name '*_gen.go' -print0 |
    xargs -0 awk 'FNR > 400 && !seen[FILENAME]++ { print "  " FILENAME }' | none "files over 400 lines" || rc=1
  return $rc
}
