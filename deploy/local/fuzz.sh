#!/usr/bin/env bash
# `make fuzz`: runs every fuzz target, one after the other. A failing input is stored in the package's testdata/fuzz, so that
# `make test` runs it from then on.
#   FUZZTIME (1m, for each target)   FUZZ (a pattern of target names, default all)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_go

# try FOLDER TARGET runs one target. Minimizing an input may take the target's whole minute and is therefore limited; if the
# minute ends during it, go reports a failure that is none.
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
