#!/usr/bin/env bash
# The modules of the project. Sourced after lib.sh.
# shellcheck disable=SC2034  # the scripts that source this file use the variables

workspace=(migrations pkg/base pkg/domain pkg/kit pkg/contract pkg/test/bench services/storefront services/admin) # in go.work
coded=("${workspace[@]}" pkg/test/e2e pkg/test/reliability deploy/local deploy/manifests) # and the other modules with code
modules=("${coded[@]}" deploy/tools)
