"""Colours, signs and textures of the page, written from the one look of boards and pictures."""

from __future__ import annotations

import json
from pathlib import Path

from tapeline.picture.look import LOOK

__all__ = ["FILES"]

_STATIC = Path("src/tapeline/web/static")
_SHEET = "/* Colours of every page, written by make docs: light-dark(by day, by night). */\n"
_SIGNS = """\
// @ts-check
// Signs of troop types: own drawings about 0, 0 in a box of 20 by 20, one path each; written by
// make docs.

/** By role, as the document of a figure has it. */
export const SIGNS = /** @type {Record<string, string>} */ ({
"""
_TILES = """\
// @ts-check
// Textures that are laid as tiles; written by make docs.

/** Size of the tile in pixels; marks: path and weight of its line, 0 where it is filled. */
export const TILES = /** @type {Record<string, {size: number, marks: string, weight: number}>} */ ({
"""


def _rule(selector: str, colours: dict[str, tuple[str, str]]) -> str:
    lines = [f"  --{name}: light-dark({day}, {night});" for name, (day, night) in colours.items()]
    return "\n".join([f"\n{selector} {{", *lines, "}", ""])


def _sheet() -> str:
    grounds = [_rule(f'[data-ground="{name}"]', own) for name, own in LOOK.grounds.items()]
    return "".join([_SHEET, _rule(":root", LOOK.colours), *grounds])


def _signs() -> str:
    lines = [f'  {name}: "{path}",\n' for name, path in LOOK.signs.items()]
    return "".join([_SIGNS, *lines, "});\n"])


def _tiles() -> str:
    lines = [
        f"  {name}: {{ size: {tile.size}, weight: {tile.weight}, "
        f"marks: {json.dumps(tile.marks)} }},\n"
        for name, tile in LOOK.tiles.items()
    ]
    return "".join([_TILES, *lines, "});\n"])


#: What is written where.
FILES = {
    _STATIC / "style/colours.css": _sheet,
    _STATIC / "board/signs.js": _signs,
    _STATIC / "board/tiles.js": _tiles,
}
