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
# An icon file with one picture: its head, the length of the picture in four bytes, where it begins, and the picture.
length=$(wc -c <shop-192.png)
{
  printf '\0\0\1\0\1\0\300\300\0\0\1\0\40\0'
  for shift in 0 8 16 24; do printf "\\$(printf %o $((length >> shift & 255)))"; done
  printf '\26\0\0\0'
  cat shop-192.png
} >../favicon.ico
