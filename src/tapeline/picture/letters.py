"""How wide text is: advance widths read from the font files that pictures are set in."""

from __future__ import annotations

import struct
from functools import cache
from pathlib import Path

__all__ = ["FAMILY", "FONT_FILES", "covered", "width", "wrap"]

#: The font family of all text, with what a browser falls back to.
FAMILY = "Roboto, 'Segoe UI', system-ui, 'Helvetica Neue', Arial, sans-serif"
_FOLDER = Path(__file__).parent / "fonts"
#: Regular and bold.
FONT_FILES = (_FOLDER / "Roboto-Regular.ttf", _FOLDER / "Roboto-Bold.ttf")


@cache
def _advances(bold: bool) -> dict[int, float]:
    """Advance width by code point, in em. Reads `cmap` (format 4), `hmtx`, `hhea`, `head`."""
    data = FONT_FILES[bold].read_bytes()
    count = struct.unpack_from(">H", data, 4)[0]
    tables = {}
    for index in range(count):
        tag, _, offset, _ = struct.unpack_from(">4sIII", data, 12 + 16 * index)
        tables[tag] = offset
    em = struct.unpack_from(">H", data, tables[b"head"] + 18)[0]
    metrics = struct.unpack_from(">H", data, tables[b"hhea"] + 34)[0]

    def advance(glyph: int) -> float:
        at = tables[b"hmtx"] + 4 * min(glyph, metrics - 1)
        return float(struct.unpack_from(">H", data, at)[0] / em)

    cmap = tables[b"cmap"]
    found: dict[int, float] = {}
    for index in range(struct.unpack_from(">H", data, cmap + 2)[0]):
        platform, encoding, offset = struct.unpack_from(">HHI", data, cmap + 4 + 8 * index)
        start = cmap + offset
        if (platform, encoding) != (3, 1) or struct.unpack_from(">H", data, start)[0] != 4:
            continue
        segments = struct.unpack_from(">H", data, start + 6)[0] // 2
        form = f">{segments}H"
        ends = struct.unpack_from(form, data, start + 14)
        starts = struct.unpack_from(form, data, start + 16 + 2 * segments)
        deltas = struct.unpack_from(form, data, start + 16 + 4 * segments)
        ranges_at = start + 16 + 6 * segments
        ranges = struct.unpack_from(form, data, ranges_at)
        for segment, (first, last) in enumerate(zip(starts, ends, strict=True)):
            for code in range(first, min(last, 0xFFFE) + 1):
                if ranges[segment] == 0:
                    glyph = (code + deltas[segment]) & 0xFFFF
                else:
                    at = ranges_at + 2 * segment + ranges[segment] + 2 * (code - first)
                    glyph = struct.unpack_from(">H", data, at)[0]
                    glyph = (glyph + deltas[segment]) & 0xFFFF if glyph else 0
                if glyph:
                    found[code] = advance(glyph)
    return found


def covered(text: str) -> bool:
    """Whether the fonts carried have every letter of the text."""
    known = _advances(False)
    return all(ord(letter) in known or letter in "\n\t" for letter in text)


def width(text: str, size: float, bold: bool = False) -> float:
    """Width of a line of text in pixels; a letter the font lacks counts one em."""
    known = _advances(bold)
    return size * sum(known.get(ord(letter), 1.0) for letter in text)


def wrap(text: str, size: float, room: float, bold: bool = False) -> list[str]:
    """The text in lines no wider than `room` pixels; a word too long is broken."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        while width(word, size, bold) > room:
            cut = max(1, _fits(word, size, room, bold))
            if line:
                lines.append(line)
                line = ""
            lines.append(word[:cut])
            word = word[cut:]
        wider = f"{line} {word}".strip()
        if width(wider, size, bold) <= room:
            line = wider
        else:
            lines.append(line)
            line = word
    return [*lines, line] if line else lines


def _fits(word: str, size: float, room: float, bold: bool) -> int:
    total = 0.0
    for index, letter in enumerate(word):
        total += width(letter, size, bold)
        if total > room:
            return index
    return len(word)
