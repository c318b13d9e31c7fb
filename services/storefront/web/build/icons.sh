#!/usr/bin/env bash
# Draws the icons of the installed page from public/icons/shop.svg. Needs rsvg-convert (apt install librsvg2-bin), which
# builds and tests do not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../public/icons"
masked=$(mktemp)
trap 'rm -f "$masked"' EXIT
# The mask of a launcher cuts up to a fifth off each side: there the drawing is smaller and its ground fills all.
sed -e 's| rx="15"||' -e 's|<g |<g transform="translate(12.8 12.8) scale(.6)" |' shop.svg >"$masked"
draw() { rsvg-convert --width "$2" --height "$2" --output "$1.png" "$3"; }
draw shop-180 180 "$masked"
draw shop-192 192 shop.svg
draw shop-512 512 shop.svg
draw shop-mask-512 512 "$masked"
