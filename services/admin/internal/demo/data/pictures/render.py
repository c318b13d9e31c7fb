#!/usr/bin/env python3
"""Renders the pictures of the demo shop from their sources: render.py [NAME.png ...]   (default: all that are here)

A name says what its picture shows, in things that are drawn in source/:
  mug-2.png            the mug in the second of its colours; there are three, each on a ground of its own
  mug-icon.png         the mug on a disc, for a category or a shopper
  mug+tea-banner.png   a mug and a tin of tea in a row
A colour that a source writes as hsl() is turned around the colour wheel; one in hexadecimal stays as it is.
It needs rsvg-convert and pngquant (apt install librsvg2-bin pngquant). Nothing that is built or tested needs them.
"""

import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).parent
source = here / "source"
things = sorted(f.stem for f in source.glob("*.svg") if not f.stem.startswith("ground-"))


def shapes(name, hue):
    """The shapes of a source with its colours turned by hue degrees."""
    body = re.search(r"<svg[^>]*>(.*)</svg>", (source / f"{name}.svg").read_text(), re.S)[1]
    return re.sub(r"hsl\((\d+)", lambda m: f"hsl({round(int(m[1]) + hue) % 360}", body)


def first_hue(thing):
    """The hues of neighbouring things lie far apart: by the golden angle."""
    return 12 + 137.508 * things.index(thing)


def picture(name):
    """Width and height in pixels, width in units of a hundredth of the height, and the shapes."""
    what, _, kind = name.removesuffix(".png").rpartition("-")
    if kind == "banner":
        row = what.split("+")
        hue, step = first_hue(row[0]) + 60 * len(row), 250 / (len(row) + 1)
        body = shapes("ground-banner", hue)
        for i, thing in enumerate(row):
            place = f'translate({step * (i + 1) - 39:g} 11) scale(0.78)'
            body += f'<g transform="{place}">{shapes(thing, hue + 137.508 * (i + 1))}</g>'
        return 750, 300, 250, body
    if kind == "icon":
        hue = first_hue(what) + 60
        return 160, 160, 100, shapes("ground-icon", hue) + f'<g transform="translate(14 14) scale(0.72)">{shapes(what, hue)}</g>'
    hue = first_hue(what) + 120 * (int(kind) - 1)
    return 400, 400, 100, shapes(f"ground-{kind}", hue) + shapes(what, hue)


for name in sys.argv[1:] or sorted(f.name for f in here.glob("*.png")):
    width, height, units, body = picture(name)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {units} 100">{body}</svg>'
    png = subprocess.run(["rsvg-convert"], input=svg.encode(), stdout=subprocess.PIPE, check=True).stdout
    png = subprocess.run(["pngquant", "--speed", "1", "--strip", "64", "-"], input=png, stdout=subprocess.PIPE, check=True).stdout
    (here / name).write_bytes(png)
