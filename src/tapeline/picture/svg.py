"""SVG as text: elements, attributes, numbers. Nothing here knows what is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["element", "group", "number", "points", "text_content"]

#: What XML 1.0 has no way to write, not even escaped.
_UNWRITABLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def number(value: float) -> str:
    """A coordinate with at most two decimals, never "-0".

    >>> number(3.0), number(-0.001), number(2.456)
    ('3', '0', '2.46')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def text_content(value: str) -> str:
    """Text made safe for element content and attributes.

    >>> text_content('a < "b" & c')
    'a &lt; &quot;b&quot; &amp; c'
    """
    return _UNWRITABLE.sub("\ufffd", value).translate(_ESCAPES)


def _attributes(attributes: dict[str, object]) -> str:
    parts = []
    for name, value in attributes.items():
        if value is None:
            continue
        shown = number(value) if isinstance(value, float | int) else text_content(str(value))
        parts.append(f' {name.rstrip("_").replace("_", "-")}="{shown}"')
    return "".join(parts)


def element(name: str, body: str | None = None, /, **attributes: object) -> str:
    """One element; `body` is markup already. Underscores in names become hyphens.

    >>> element("circle", r=2.5, stroke_width=1)
    '<circle r="2.5" stroke-width="1"/>'
    """
    head = f"<{name}{_attributes(attributes)}"
    return f"{head}/>" if body is None else f"{head}>{body}</{name}>"


def group(parts: Iterable[str], /, **attributes: object) -> str:
    """A `g` around parts, one a line."""
    return element("g", "\n" + "\n".join(parts) + "\n", **attributes)


def points(corners: Iterable[tuple[float, float]]) -> str:
    """Corners as the `points` of a polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)
