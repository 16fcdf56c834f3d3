"""SVG as text: elements, attributes, numbers. Nothing here knows what is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tapeline.geometry.plane.legs import Point

__all__ = [
    "circle",
    "element",
    "group",
    "line",
    "number",
    "over",
    "path",
    "path_data",
    "pattern",
    "points",
    "polygon",
    "rect",
    "text",
    "text_content",
    "title",
]


#: What XML 1.0 has no way to write, not even escaped.
_UNWRITABLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_EDGE = ("stroke", "stroke_width", "stroke_dasharray")
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
        if name == "edge" and isinstance(value, tuple):
            parts.append(_attributes(dict(zip(_EDGE, value, strict=False))))
            continue
        shown = number(value) if isinstance(value, float | int) else text_content(str(value))
        parts.append(f' {name.rstrip("_").replace("_", "-")}="{shown}"')
    return "".join(parts)


def element(name: str, body: str | None = None, /, **attributes: object) -> str:
    """One element; `body` is markup already. Underscores in names become hyphens.

    edge: the line about it: colour, weight and, if it is broken, dashes.

    >>> element("circle", r=2.5, edge=("red", 1), fill_opacity=0.5)
    '<circle r="2.5" stroke="red" stroke-width="1" fill-opacity="0.5"/>'
    """
    head = f"<{name}{_attributes(attributes)}"
    return f"{head}/>" if body is None else f"{head}>{body}</{name}>"


def group(parts: Iterable[str], /, **attributes: object) -> str:
    """A `g` around parts, one a line."""
    return element("g", "\n" + "\n".join(parts) + "\n", **attributes)


def points(corners: Iterable[Point]) -> str:
    """Corners as the `points` of a polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)


def path_data(corners: Iterable[Point], end: str = "") -> str:
    """Corners as the data of a path, one after another. end: "z" or "Z" where it is closed."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in corners) + end


def path(data: str, fill: str | None = "none", **style: object) -> str:
    """A path of its data."""
    return element("path", d=data, fill=fill, **style)


def pattern(name: str, side: float, body: str, **style: object) -> str:
    """A square tile by its name and side, to fill something with."""
    style = {"width": side, "height": side, "patternUnits": "userSpaceOnUse", **style}
    return element("pattern", body, id=name, **style)


def title(words: str) -> str:
    """What pointers and screen readers are told of the element that it stands in."""
    return element("title", text_content(words))


def circle(x: float, y: float, r: float, **style: object) -> str:
    """A circle about a place."""
    return element("circle", cx=x, cy=y, r=r, **style)


def rect(x: float, y: float, width: float, height: float, **style: object) -> str:
    """A rectangle from its left upper corner."""
    return element("rect", x=x, y=y, width=width, height=height, **style)


def over(box: tuple[float, float, float, float], **style: object) -> str:
    """A rectangle over a box: left, top, right, bottom."""
    left, top, right, bottom = box
    return rect(left, top, right - left, bottom - top, **style)


def polygon(corners: Iterable[Point], **style: object) -> str:
    """A closed shape with straight sides."""
    return element("polygon", points=points(corners), **style)


def line(
    a: Point, b: Point, colour: str, weight: float, dash: str | None = None, **style: object
) -> str:
    """A straight line."""
    ends = {"x1": a[0], "y1": a[1], "x2": b[0], "y2": b[1]}
    return element(
        "line", **ends, stroke=colour, stroke_width=weight, stroke_dasharray=dash, **style
    )


def text(
    words: str, x: float, y: float, size: float, colour: str, *, bold: bool = False, **style: object
) -> str:
    """A line of text from a place on its base line."""
    letters: dict[str, object] = {"font_weight": "bold"} if bold else {}
    style = {**letters, "fill": colour, **style}
    return element("text", text_content(words), x=x, y=y, font_size=size, **style)
