"""PNG with the extra `png`: text shows without any font installed; without it a plain error."""

from __future__ import annotations

import struct
import sys
import zlib

import pytest

from tapeline.picture import PngError, png
from tapeline.picture.letters import FAMILY

resvg = pytest.importorskip("resvg_py")

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="40" viewBox="0 0 100 40">'


def size_and_dark(data: bytes) -> tuple[int, int, int]:
    """Width, height and how many bytes of the pixels are not white, of an 8-bit RGBA PNG."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert (depth, kind) == (8, 6)
    at, packed = 8, b""
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at : at + 8])
        if name == b"IDAT":
            packed += data[at + 8 : at + 8 + length]
        at += length + 12
    raw = zlib.decompress(packed)
    # Without undoing the filters: a line of one colour is zeros after its first pixel.
    stride = 4 * width + 1
    busy = sum(any(raw[row * stride + 5 : (row + 1) * stride]) for row in range(height))
    return width, height, busy


def test_text_shows_with_the_fonts_carried_alone() -> None:
    rect = '<rect width="100" height="40" fill="#fff"/>'
    blank = png(HEAD + rect + "</svg>", 1)
    text = f'<text x="5" y="30" font-size="24" font-family="{FAMILY}">Wq8</text>'
    shown = png(HEAD + rect + text + "</svg>", 1)
    assert size_and_dark(blank)[2] <= 1
    assert size_and_dark(shown)[2] > 15


def test_only_letters_we_lack_look_for_fonts_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def watch(**options: object) -> bytes:
        asked.append(options["skip_system_fonts"])
        return b""

    monkeypatch.setattr(resvg, "svg_to_bytes", watch)
    png(HEAD + "<text>plain</text></svg>")
    png(HEAD + "<text>鉄砲</text></svg>")
    assert asked == [True, False]


def test_zoom_makes_more_pixels() -> None:
    assert size_and_dark(png(HEAD + "</svg>", 2))[:2] == (200, 80)


def test_without_the_extra_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(PngError, match=r"pip install 'tapeline\[png\]'"):
        png(HEAD + "</svg>")
