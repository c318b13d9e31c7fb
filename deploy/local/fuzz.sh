#!/usr/bin/env bash
# Behind `make fuzz`: runs every fuzz target, one after the other. An input that breaks one is kept under the package's
# testdata/fuzz, where `make test` tries it from then on.
#   FUZZTIME (1m, for each target)   FUZZ (a pattern of target names, default all)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go

# try FOLDER TARGET - making a new input smaller may take a target's whole minute, in which nothing else is tried, so that
# is cut short; where the minute ends meanwhile, go calls it a failure, which it is not.
try() {
  local log status=0
  log=$(mktemp)
  go test -run '^$' -fuzz "^$2\$" -fuzztime "${FUZZTIME:-1m}" -fuzzminimizetime 2s "$1" 2>&1 | tee "$log" || status=1
  if grep -qx ' *context deadline exceeded' "$log" && ! grep -q 'Failing input' "$log"; then status=0; fi
  rm -f "$log"
  return $status
}

failed=()
found=0
while IFS=: read -r file _ line; do
  name=${line#func }
  name=${name%%(*}
  [[ $name =~ ${FUZZ:-.} ]] || continue
  found=$((found + 1))
  say "$name in ${file%/*}"
  try "./${file%/*}" "$name" || failed+=("$name")
done < <(grep -rnE --include='*_test.go' '^func Fuzz[A-Z]' migrations pkg services | sort)
[ $found -gt 0 ] || die "There is no fuzz target of that name."
[ ${#failed[@]} -eq 0 ] || die "These targets have failed: ${failed[*]} (see above)."
