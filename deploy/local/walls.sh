#!/usr/bin/env bash
# The checks of check.sh on the source: allowed imports, forbidden text, the length of files.
# Sourced after modules.sh. Each function prints the violations and fails if there are any.
# shellcheck disable=SC2154  # workspace comes from modules.sh

# none WHY fails if there is any standard input, and prints WHY before it.
none() {
  local found
  found=$(cat)
  [ -z "$found" ] || {
    printf '%s\n%s\n' "$1:" "$found"
    return 1
  }
}

# imports prints a line PACKAGE IMPORT for each import, including those of tests.
imports() {
  # shellcheck disable=SC2016  # a template of go list
  go list -f '{{$p := .ImportPath}}{{range .Imports}}{{$p}} {{.}}
{{end}}{{range .TestImports}}{{$p}} {{.}}
{{end}}{{range .XTestImports}}{{$p}} {{.}}
{{end}}' work | grep . | sort -u
}

# may IMPORT_REGEX PACKAGE_REGEX FILE prints the packages other than PACKAGE_REGEX that import IMPORT_REGEX.
may() { awk -v i="$1" -v p="$2" '$2 ~ i && $1 !~ p { print "  " $1 " imports " $2 }' "$3"; }

walls() {
  local rc=0 list our='^shop[.]internal/'
  list=$(mktemp)
  imports >"$list" || return 1
  # The module's own go.mod is the wall, so its dependencies are listed without the workspace.
  GOWORK=off go -C pkg/domain list -deps -test ./... | { grep -E '^github.com/(gin-gonic/gin|spf13/viper)(/|$)' || true; } |
    none "pkg/domain reaches HTTP or configuration libraries" || rc=1
  may '^gorm[.]io/' "${our}pkg/domain(/|$)" "$list" | none "only pkg/domain may import GORM" || rc=1
  may '^github[.]com/spf13/viper' "${our}pkg/kit/config$" "$list" | none "only pkg/kit/config may import viper" || rc=1
  may '^github[.]com/gin-gonic/gin' "${our}(pkg/kit/|pkg/test/bench/operation$|services/[a-z]+/internal/(app|apitest)$)" "$list" |
    none "only pkg/kit and the wiring of a service may import Gin" || rc=1
  may "${our}services/storefront" "${our}services/storefront" "$list" | none "nobody may import the storefront" || rc=1
  may "${our}services/admin" "${our}services/admin" "$list" | none "nobody may import the administration" || rc=1
  may "${our}pkg/contract" "${our}(pkg/contract|services)" "$list" | none "imports go from services to contract to kit" || rc=1
  may "${our}pkg/kit" "${our}(pkg/kit|pkg/contract|pkg/test/bench|services)" "$list" | none "imports go from services to contract to kit" || rc=1
  may "${our}pkg/domain" "${our}(pkg/domain|pkg/contract|pkg/test/bench|services)" "$list" | none "pkg/kit and pkg/base know nothing of the domain" || rc=1
  may "${our}pkg/base" "${our}(pkg|services)" "$list" | none "migrations may import nothing of ours" || rc=1
  local outside
  for outside in pkg/test/e2e pkg/test/reliability; do
    GOWORK=off go -C "$outside" list -deps -test ./... | { grep -E "$our" || true; } | { grep -v "^shop.internal/$outside" || true; } |
      none "$outside sees the shop from outside and imports nothing of it" || rc=1
  done
  rm -f "$list"
  return $rc
}

# sources prints the names of all handwritten files, separated by NUL, whether committed or not.
sources() { find . \( -name .git -o -name .local -o -name node_modules -o -path '*/web/dist' \) -prune -o -type f -print0; }

# matches REGEX prints the matching lines of handwritten files, except checksums, data and these rules.
matches() {
  sources | xargs -0 grep -nIE "$1" | grep -vE '^\./(deploy/local/walls[.]sh|LICENSE|.*[.]sum|.*/testdata/.*):' || true
}

# allowlist: every nolint names enabled linters. nolintlint does not report disabled ones.
allowlist() {
  local on
  # awk reads all input: a program that writes to a closed pipe fails.
  on=$("$bin/golangci-lint" linters | awk -F: '/^Disabled/ { off = 1 } !off && NR > 1 && NF > 1 { print $1 }') || return 1
  { grep -rnE --include='*.go' '//nolint:' migrations pkg services deploy || true; } |
    awk -v on="${on//$'\n'/,}" 'BEGIN { n = split(on, l, ","); for (i = 1; i <= n; i++) known[l[i]] = 1 }
      { names = $0; sub(/.*\/\/nolint:/, "", names); sub(/[^a-z0-9_,].*/, "", names); n = split(names, l, ",")
        for (i = 1; i <= n; i++) if (!(l[i] in known)) { print "  " $0; next } }' |
    none "a nolint names a linter that is not enabled"
}

# text: no file names places outside the project or leaves work for later; packages are named by what they own; the tests
# that the documents name exist.
text() {
  local rc=0
  matches '[.][.]/shared|(^|[^[:alnum:]_./-])/(work|root|home)/[[:alnum:]_.-]+' |
    none "places of one machine are named" || rc=1
  matches '(^|[^[:alnum:]_])(TODO|FIXME)([^[:alnum:]_]|$)' | none "work is left for later" || rc=1
  matches 'LOCK IN SHARE MODE|FOR SHARE' |
    none "shared locks are taken, which TiDB does not know and which stop each other: lock with FOR UPDATE" || rc=1
  find "${workspace[@]}" -type d -regextype posix-extended -regex '.*/(utils?|common|models?|dto|managers?|impl|helpers?|misc)' |
    none "packages are named by what they own" || rc=1
  grep -rohE '`Test[A-Z][A-Za-z0-9]+' README.md docs | tr -d '`' | sort -u |
    comm -23 - <(grep -rohE --include='*_test.go' '^func Test[A-Za-z0-9]+' "${coded[@]}" | cut -d' ' -f2 | sort -u) |
    none "the documents name tests that do not exist" || rc=1
  return $rc
}

# words: what people read stands in the catalogue of texts, in every language; the code speaks the words of the field.
words() {
  local rc=0 list word instead except
  list=$(mktemp)
  find migrations pkg services deploy \( -name node_modules -o -path pkg/test \) -prune -o -name '*.go' ! -name '*_test.go' ! -path '*/testdata/*' -print0 >"$list"
  # Data of a shop is no text: its samples, and the unit, the specification and the category that the contract names. A payment
  # provider is one package, with its names.
  { xargs -0 grep -nHP '\p{Han}' <"$list" || true; } |
    { grep -vE '^pkg/(base/text|domain/(seed|domaintest)|kit/optest)/|^services/admin/internal/demo/|default=件|text\.Of\(|"(件|规格|规格%d|推荐)"' || true; } |
    none "texts of people stand in pkg/base/text, in every language" || rc=1
  while IFS=$'\t' read -r word instead except; do
    case $word in '' | '#'*) continue ;; esac
    { xargs -0 grep -nHwE -e "$word" <"$list" || true; } | { grep -vE -e "${except:-^$}" || true; } | none "say $instead" || rc=1
  done <"$here/words.tsv"
  rm -f "$list"
  return $rc
}

# size: no file is longer than 400 lines.
size() {
  local rc=0
  find "${workspace[@]}" pkg/test/e2e pkg/test/reliability deploy/local -name testdata -prune -o -type f \( -name '*.go' -o -name '*.sh' \) ! -name '*_gen.go' -print0 |
    xargs -0 awk 'FNR > 400 && !seen[FILENAME]++ { print "  " FILENAME }' | none "files over 400 lines" || rc=1
  return $rc
}
