"""Bases in their true size: side by colour and by rim, facing as notch or front edge."""

from __future__ import annotations

import math

from tapeline.picture import svg
from tapeline.picture.look import SideLook, Theme
from tapeline.picture.svg import element, group, number, text_content
from tapeline.table.bodies import Body, Rectangle, Round

__all__ = ["chord", "elsewhere", "extent", "ghost", "standing"]


def extent(body: Body, scale: float) -> tuple[float, float]:
    """Half width and half height of the box about the base as it stands, pixels."""
    if isinstance(body.base, Round):
        return body.base.radius * scale, body.base.radius * scale
    turn = math.radians(body.facing)
    c, s = abs(math.cos(turn)), abs(math.sin(turn))
    half_d, half_w = 0.5 * body.base.depth * scale, 0.5 * body.base.width * scale
    return c * half_d + s * half_w, s * half_d + c * half_w


def chord(body: Body, scale: float) -> float:
    """How wide the base is from left to right through its centre, pixels."""
    if isinstance(body.base, Round):
        return 2 * body.base.radius * scale
    turn = math.radians(body.facing)
    c, s = abs(math.cos(turn)), abs(math.sin(turn))
    across = body.base.depth / c if c > 1e-9 else math.inf
    along = body.base.width / s if s > 1e-9 else math.inf
    return min(across, along) * scale


def _placed(parts: list[str], x: float, y: float, facing: float, **attributes: object) -> str:
    turn = f"translate({number(x)} {number(y)}) rotate({number(-facing)})"
    return group(parts, transform=turn, **attributes)


def standing(body: Body, x: float, y: float, scale: float, look: SideLook, theme: Theme) -> str:
    """The base of a body at pixel x, y, with its title for screen readers and pointers."""
    title = element("title", text_content(f"{body.name} ({body.id}), side {body.side}"))
    if isinstance(body.base, Round):
        parts = _disc(body.base.radius * scale, look)
    else:
        parts = _block(body, body.base, scale, look, theme)
    return _placed(
        [title, *parts],
        x,
        y,
        body.facing,
        class_="body",
        data_body=body.id,
        data_side=body.side,
    )


def _disc(radius: float, look: SideLook) -> list[str]:
    rim = max(1.6, min(2.6, 0.2 * radius))
    notch = max(5.0, 0.5 * radius)
    tip, root = radius + 0.3 * notch, radius - 0.75 * notch
    return [
        element("circle", r=radius - rim / 2, fill=look.fill, edge=(look.colour, rim, look.rim)),
        svg.polygon(
            ([(tip, 0), (root, 0.62 * notch), (root, -0.62 * notch)]),
            fill=look.colour,
            class_="facing",
        ),
    ]


def _block(body: Body, base: Rectangle, scale: float, look: SideLook, theme: Theme) -> list[str]:
    depth, width = base.depth * scale, base.width * scale
    front, side = depth / 2, width / 2
    rim = 1.8
    parts = [
        svg.rect(
            -front + rim / 2,
            -side + rim / 2,
            max(depth - rim, 0.5),
            max(width - rim, 0.5),
            fill=look.fill,
            edge=(look.colour, rim, look.rim),
        ),
    ]
    parts.extend(_ranks(body, depth, width, look))
    edge = max(2.5, min(5.0, 0.16 * depth))
    arrow = max(4.0, min(8.0, 0.14 * width))
    parts.append(svg.rect(front - edge, -side, edge, width, fill=look.colour))
    parts.append(
        svg.polygon(
            ([(front + arrow, 0), (front - 0.5, arrow), (front - 0.5, -arrow)]),
            fill=look.colour,
            class_="facing",
        )
    )
    return parts


def _ranks(body: Body, depth: float, width: float, look: SideLook) -> list[str]:
    models, files = body.marks.get("models"), body.marks.get("files")
    if not isinstance(models, int) or not isinstance(files, int) or files < 1 or models < 1:
        return []
    ranks = -(-models // files)
    deep, wide = depth / ranks, width / files
    if min(deep, wide) < 4:
        return []
    lines = []
    for rank in range(ranks):
        front = depth / 2 - rank * deep
        here = min(files, models - rank * files)
        first = -0.5 * here * wide
        if rank:
            lines.append(f"M{number(front)} {number(-width / 2)}V{number(width / 2)}")
        for file in range(here + 1):
            y = number(first + file * wide)
            if 0 < file < here or here < files:
                lines.append(f"M{number(front)} {y}h{number(-deep)}")
    if not lines:
        return []
    return [
        element(
            "path",
            d="".join(lines),
            edge=(look.colour, 0.8),
            stroke_opacity=0.45,
            fill="none",
            class_="ranks",
        )
    ]


def ghost(
    body: Body, x: float, y: float, facing: float, scale: float, colour: str, dotted: bool
) -> str:
    """The outline of a base where it would stand."""
    dash = "1.5 3" if dotted else "5 3"
    style: dict[str, object] = {
        "fill": colour,
        "fill_opacity": 0.13,
        "stroke": colour,
        "stroke_width": 1.7,
        "stroke_dasharray": dash,
        "stroke_linecap": "round" if dotted else None,
    }
    if isinstance(body.base, Round):
        radius = body.base.radius * scale
        shape = element("circle", r=radius - 0.8, **style)
        tick = f"M{number(radius - 0.8)} 0h{number(-0.55 * radius)}"
    else:
        depth, width = body.base.depth * scale, body.base.width * scale
        shape = svg.rect(-depth / 2, -width / 2, depth, width, **style)
        tick = (
            f"M{number(depth / 2)} {number(-width / 2)}v{number(width)}"
            f"M{number(depth / 2)} 0l{number(-6)} {number(-4)}m6 4l-6 4"
        )
    mark = element("path", d=tick, edge=(colour, 2.2), fill="none")
    return _placed([shape, mark], x, y, facing, class_="ghost", data_body=body.id)


def elsewhere(body: Body, x: float, y: float, scale: float, colour: str) -> str:
    """The faint outline of a body that stands on another storey."""
    title = element("title", text_content(f"{body.name} ({body.id}), at height {body.z:g}"))
    style: dict[str, object] = {
        "fill": "none",
        "stroke": colour,
        "stroke_width": 1,
        "stroke_dasharray": "1.5 3",
    }
    if isinstance(body.base, Round):
        shape = element("circle", r=body.base.radius * scale, **style)
    else:
        depth, width = body.base.depth * scale, body.base.width * scale
        shape = svg.rect(-depth / 2, -width / 2, depth, width, **style)
    return _placed([title, shape], x, y, body.facing, class_="elsewhere", data_body=body.id)
