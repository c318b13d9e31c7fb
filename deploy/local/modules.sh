#!/usr/bin/env bash
# The modules of the project. Sourced after lib.sh.
# shellcheck disable=SC2034  # the scripts that source this file use the variables

workspace=(migrations pkg/domain pkg/kit pkg/contract services/storefront services/admin) # in go.work
coded=("${workspace[@]}" deploy/e2e deploy/prove deploy/local deploy/manifests)           # and the other modules with code
modules=("${coded[@]}" deploy/tools)
