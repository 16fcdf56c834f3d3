"""PNG from our SVG, with the fonts we carry, so that a machine without fonts shows the same."""

from __future__ import annotations

import io
import re
from typing import Any

from tapeline.errors import TapelineError
from tapeline.picture import letters

__all__ = ["PngError", "pixels", "png"]


class PngError(TapelineError):
    """The picture cannot be made into a PNG here; the message says what to install."""


def png(svg: str, zoom: float = 1.25) -> bytes:
    """The SVG as PNG bytes; `zoom` is how many pixels of it a pixel of the SVG becomes.

    Raises PngError when the extra `png` is not installed.
    """
    try:
        import resvg_py
    except ImportError:
        raise PngError("PNG pictures need an extra: pip install 'tapeline[png]'") from None
    words = re.sub(r"<[^>]*>", "", svg)
    made = resvg_py.svg_to_bytes(
        svg_string=svg,
        zoom=zoom,
        # Letters that our fonts lack are looked for among those of the machine.
        skip_system_fonts=letters.covered(words),
        font_files=[str(path) for path in letters.FONT_FILES],
        font_family="Roboto",
        sans_serif_family="Roboto",
    )
    return bytes(made)


def pixels(svg: str, zoom: float = 1.0) -> Any:
    """The SVG as an array of uint8: height, width, and red, green, blue.

    Raises PngError when the extras `png` and `env` are not installed.
    """
    try:
        import numpy as np
        from PIL import Image
    except ImportError:
        raise PngError("Pictures as arrays need extras: pip install 'tapeline[env,png]'") from None
    return np.asarray(Image.open(io.BytesIO(png(svg, zoom))).convert("RGB"))
