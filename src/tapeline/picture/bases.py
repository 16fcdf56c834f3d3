"""Bases in their true size: side by colour and by rim, facing as notch or front edge."""

from __future__ import annotations

import math

from tapeline.picture import svg
from tapeline.picture.look import SideLook, Theme
from tapeline.picture.svg import element, group, number
from tapeline.table.bodies import Body, Rectangle, Round

__all__ = ["RIMS", "chord", "elsewhere", "extent", "ghost", "sample", "standing"]


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


def standing(
    body: Body, x: float, y: float, scale: float, look: SideLook, theme: Theme, sign: str = ""
) -> list[str]:
    """The base of a body at pixel x, y, with its title for screen readers and pointers: its shadow,
    the base, and upright on it the sign (path data in a box of 20) if there is one."""
    title = svg.title(f"{body.name} ({body.id}), side {body.side}")
    if isinstance(body.base, Round):
        radius = body.base.radius * scale
        parts, size, back = _disc(radius, look, theme), 0.6 * radius, 0.0
        off = 0.14 * radius
        shade = svg.circle(x + off, y + 1.1 * off, radius, **_shade(theme))
    else:
        parts, size, back = _block(body, body.base, scale, look, theme)
        half = 0.5 * min(body.base.depth, body.base.width) * scale
        off = min(0.15 * half, 0.12 * scale)
        cast = _plan(body, scale, **_shade(theme))
        shade = _placed([cast], x + off, y + 1.1 * off, body.facing)
    turn = math.radians(body.facing)
    signs = []
    if sign and size >= _LEAST_SIGN:
        middle = (x - back * math.cos(turn), y + back * math.sin(turn))
        signs = [_sign(sign, middle, size, _models(body) > 1, look, theme)]
    base = _placed(
        [title, *parts], x, y, body.facing, class_="body", data_body=body.id, data_side=body.side
    )
    return [shade, base, *signs]


#: Rims in words, by `SideLook.rim`.
RIMS = (
    "light with a plain rim",
    "dark with a milled rim",
    "light with a double rim",
    "dark with a milled rim",
)


def sample(x: float, y: float, radius: float, look: SideLook, theme: Theme) -> str:
    """A round base to show how a side looks, its front to the right."""
    return _placed(_disc(radius, look, theme), x, y, 0.0)


#: Half the box of a sign, pixels, below which none is drawn.
_LEAST_SIGN = 3.0
#: Parts of a milled rim: so many, each with a gap of two thirds of it.
_MILLED = 36


def _shade(theme: Theme) -> dict[str, object]:
    return {"fill": theme["shade"], "fill_opacity": 0.3}


def _models(body: Body) -> int:
    models = body.marks.get("models")
    return models if isinstance(models, int) else 1


def _sign(
    path: str, middle: tuple[float, float], size: float, medal: bool, look: SideLook, theme: Theme
) -> str:
    """A sign, on a medallion where models stand below it."""
    at = f"translate({number(middle[0])} {number(middle[1])})"
    ring = element("circle", r=1.6 * size, fill=theme["halo"], edge=(look.colour, 1.4))
    fill, scale = look.colour if medal else look.mark, f"scale({size / 10:.4f})"
    mark = svg.path(path, fill, fill_rule="evenodd", transform=scale)
    return group([ring, mark] if medal else [mark], transform=at, class_="sign")


def _front(d: str, theme: Theme) -> str:
    style = {"edge": (theme["front-ink"], 0.8), "stroke_linejoin": "round", "class_": "facing"}
    return svg.path(d, theme["front"], **style)


def _disc(r: float, look: SideLook, theme: Theme) -> list[str]:
    rim = 0.18 * r
    parts = [
        element("circle", r=r - rim / 2, fill=look.face, edge=(look.colour, rim), class_="base")
    ]
    if look.rim:
        part = 2 * math.pi * 0.89 * r / _MILLED
        dash = f"{0.6 * part:.3f} {0.4 * part:.3f}" if look.rim % 2 else None
        edge = (look.pale, 0.085 * r, dash)
        parts.append(element("circle", r=0.89 * r, fill="none", edge=edge, class_="rim"))
    tip, far, near = number(r), number(0.56 * r), number(0.76 * r)
    return [*parts, _front(f"M{tip} 0L{far} {far}Q{near} 0 {far} -{far}z", theme)]


def _block(
    body: Body, base: Rectangle, scale: float, look: SideLook, theme: Theme
) -> tuple[list[str], float, float]:
    """A stand or a regiment: its parts, half the box of its sign, how far back that is."""
    depth, width = base.depth * scale, base.width * scale
    half, several = 0.5 * min(depth, width), _models(body) > 1
    edge = min(0.12 * depth, 0.3 * half) if several else 0.22 * depth
    rim = max(1.0, min(0.16 * half, 0.04 * scale + 0.05 * half))
    frame = {"x": (rim - depth) / 2, "y": (rim - width) / 2}
    frame |= {"width": max(depth - rim, 0.5), "height": max(width - rim, 0.5)}
    parts = [
        element("rect", **frame, fill=look.face, class_="base"),
        *_ranks(body, depth, width, look),
    ]
    parts.append(element("rect", **frame, fill="none", edge=(look.colour, rim)))
    if look.rim:
        part = 2 * (depth + width) / (_MILLED * max(1, round((depth + width) / (4 * half or 1))))
        dash = f"{0.6 * part:.3f} {0.4 * part:.3f}" if look.rim % 2 else None
        parts.append(
            element("rect", **frame, fill="none", edge=(look.pale, rim / 2, dash), class_="rim")
        )
    notch = min(0.5 * edge, 0.2 * width)
    far, side, n = number(depth / 2), number(width / 2), number(notch)
    d = f"M{far} -{side}v{number(width)}h{number(-edge)}V{n}l{n} -{n}l-{n} -{n}V-{side}z"
    parts.append(_front(d, theme))
    size = min(0.3 * half, 0.7 * scale) if several else 0.36 * min(depth - edge, width)
    return parts, size, edge / 2


def _ranks(body: Body, depth: float, width: float, look: SideLook) -> list[str]:
    """The models on it as blocks: ranks from the front, the last one may be short."""
    models, files = _models(body), body.marks.get("files")
    if not isinstance(files, int) or files < 1 or models < 2:
        return []
    deep, wide = depth / -(-models // files), width / files
    if min(deep, wide) < 3:
        return []
    high, across = 0.78 * deep, 0.78 * wide
    blocks = []
    for n in range(models):
        rank, file = divmod(n, files)
        here = min(files, models - rank * files)
        x, y = depth / 2 - (rank + 0.5) * deep, (file + 0.5 - here / 2) * wide
        style = {"rx": 0.24 * min(high, across), "fill_opacity": 0.55 if rank else None}
        blocks.append(svg.rect(x - high / 2, y - across / 2, high, across, **style))
    return [group(blocks, fill=look.mark, class_="ranks")]


def ghost(
    body: Body, x: float, y: float, facing: float, scale: float, colour: str, dotted: bool
) -> str:
    """The outline of a base where it would stand."""
    style: dict[str, object] = {
        "fill": colour,
        "fill_opacity": 0.13,
        "edge": (colour, 1.7, "1.5 3" if dotted else "5 3"),
        "stroke_linecap": "round" if dotted else None,
    }
    if isinstance(body.base, Round):
        radius = body.base.radius * scale
        shape = element("circle", r=radius - 0.8, **style)
        tick = f"M{number(radius - 0.8)} 0h{number(-0.55 * radius)}"
    else:
        depth, width = body.base.depth * scale, body.base.width * scale
        shape = _plan(body, scale, **style)
        tick = (
            f"M{number(depth / 2)} {number(-width / 2)}v{number(width)}"
            f"M{number(depth / 2)} 0l{number(-6)} {number(-4)}m6 4l-6 4"
        )
    mark = element("path", d=tick, edge=(colour, 2.2), fill="none")
    return _placed([shape, mark], x, y, facing, class_="ghost", data_body=body.id)


def elsewhere(body: Body, x: float, y: float, scale: float, theme: Theme) -> str:
    """The faint outline of a body that stands on another storey."""
    title = svg.title(f"{body.name} ({body.id}), at height {body.z:g}")
    shape = _plan(body, scale, fill="none", edge=theme.faint)
    return _placed([title, shape], x, y, body.facing, class_="elsewhere", data_body=body.id)


def _plan(body: Body, scale: float, **style: object) -> str:
    """The base about its centre, its front to the right."""
    if isinstance(body.base, Round):
        return element("circle", r=body.base.radius * scale, **style)
    deep, wide = body.base.depth * scale, body.base.width * scale
    return svg.rect(-deep / 2, -wide / 2, deep, wide, **style)
