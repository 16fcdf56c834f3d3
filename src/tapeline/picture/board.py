"""The table: ground, ticks, terrain, ways, bases, labels, findings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.engine.verdicts import Finding
from tapeline.picture import bases, letters
from tapeline.picture.labels import Box, Crowd, around, box
from tapeline.picture.look import SideLook, Theme, mixed, tile
from tapeline.picture.storeys import Storey, heights_of
from tapeline.picture.structures import middle_of, size_of, structure
from tapeline.picture.svg import element, group, number, points, text_content
from tapeline.picture.traces import Stretch, Trace
from tapeline.picture.words import figure
from tapeline.table.bodies import Body, Round
from tapeline.table.terrain import Circle, Entry, Floor, Ladder, Outline, Piece, Ramp

__all__ = ["Board", "Frame", "badges_of", "terrain_tiles"]

_NAME = 10.5
_SMALL = 8.5
_TICK = 9.5
#: Marks that describe a base and are drawn as such.
_SHAPE_MARKS = frozenset({"models", "files", "file_width", "rank_depth", "gone"})


@dataclass(frozen=True, slots=True)
class Frame:
    """From table units to pixels: y up becomes y down."""

    left: float
    top: float
    scale: float
    width: float
    depth: float

    def at(self, point: tuple[float, float]) -> tuple[float, float]:
        """Pixels of a point of the table."""
        return (self.left + point[0] * self.scale, self.top + (self.depth - point[1]) * self.scale)

    @property
    def area(self) -> Box:
        """The table in pixels."""
        return (
            self.left,
            self.top,
            self.left + self.width * self.scale,
            self.top + self.depth * self.scale,
        )

    @property
    def span(self) -> float:
        """The longer side of what is shown, table units."""
        left, top, right, bottom = self.area
        return max(right - left, bottom - top) / self.scale


def badges_of(state: State, system: System) -> dict[str, str]:
    """The letters that stand for the marks of this system, by mark, each its own.

    The first letter of the mark, or as many more as it takes to tell marks apart.
    """
    seen: dict[str, None] = dict.fromkeys(system.state_marks)
    for body in state.bodies.values():
        seen.update(dict.fromkeys(body.marks))
    letters_of: dict[str, str] = {}
    for name in seen:
        if name in _SHAPE_MARKS:
            continue
        word = name.replace("_", " ").replace("-", " ").title().replace(" ", "") or "?"
        size = 1
        while word[:size] in letters_of.values() and size < len(word):
            size += 1
        letters_of[name] = word[:size]
    return letters_of


def _badges(body: Body, letters_of: dict[str, str]) -> list[str]:
    found = []
    for name, value in body.marks.items():
        if name not in letters_of or value is None or value is False:
            continue
        if value is True:
            found.append(letters_of[name])
        elif isinstance(value, int) and value > 0:
            found.append(f"{letters_of[name]}{value}")
    return found


def shown_marks(state: State, letters_of: dict[str, str]) -> dict[str, str]:
    """Marks that some body shows as a badge, with their letters."""
    shown = {}
    for body in state.bodies.values():
        for name, value in body.marks.items():
            if name in letters_of and (value is True or (isinstance(value, int) and value > 0)):
                shown[name] = letters_of[name]
    return {name: shown[name] for name in letters_of if name in shown}


def terrain_tiles(state: State, system: System, theme: Theme) -> dict[str, tuple[str, str, str]]:
    """For each kind of terrain on the table: name of its tile, fill and ink.

    Kinds with the same pattern differ in tint.
    """
    used = {piece.kind for piece in state.table.pieces}
    turns: dict[str, int] = {}
    tiles: dict[str, tuple[str, str, str]] = {}
    for kind in system.terrain_kinds.values():
        pattern = kind.pattern if kind.pattern in theme.terrain else "plain"
        turn = turns.get(pattern, 0)
        turns[pattern] = turn + 1
        if kind.name in used:
            fill, ink = theme.terrain[pattern]
            if turn:
                fill = mixed(fill, theme.tints[(turn - 1) % len(theme.tints)], 0.35)
            tiles[kind.name] = (f"tile-{len(tiles)}", fill, ink)
    return tiles


def tile_definitions(
    system: System, tiles: dict[str, tuple[str, str, str]], theme: Theme
) -> list[str]:
    """The pattern elements for the tiles."""
    made = []
    for kind, (name, fill, ink) in tiles.items():
        pattern = system.terrain_kinds[kind].pattern
        made.append(tile(pattern if pattern in theme.terrain else "plain", name, fill, ink))
    return made


def halo_text(
    x: float,
    y: float,
    text: str,
    size: float,
    colour: str,
    halo: str,
    *,
    anchor: str = "middle",
    bold: bool = False,
    kind: str | None = None,
    outline: float = 3.2,
) -> str:
    """Text with an outline of the ground about it, so that it can be read on any pattern."""
    return element(
        "text",
        text_content(text),
        x=x,
        y=y,
        font_size=size,
        fill=colour,
        stroke=halo,
        stroke_width=outline,
        stroke_linejoin="round",
        paint_order="stroke",
        text_anchor=anchor,
        font_weight="bold" if bold else None,
        class_=kind,
    )


@dataclass
class Board:
    """The drawing of a table, layer by layer; labels are placed once all bases are known.

    storey: the part of the table drawn in full, as a plan; None is the whole table from above.
    """

    state: State
    system: System
    theme: Theme
    frame: Frame
    looks: dict[str, SideLook]
    tiles: dict[str, tuple[str, str, str]]
    letters_of: dict[str, str]
    storey: Storey | None = None
    crowd: Crowd = field(init=False)
    _under: list[str] = field(default_factory=list)
    _ways: list[str] = field(default_factory=list)
    _bases: list[str] = field(default_factory=list)
    _over: list[str] = field(default_factory=list)
    _pins: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.crowd = Crowd(self.frame.area)

    def on(self, z: float) -> bool:
        """Whether what is at a height is drawn in full here."""
        return self.storey is None or self.storey.holds(max(z, 0.0))

    def markup(self) -> str:
        """The whole board."""
        left, top, right, bottom = self.frame.area
        clip = element("rect", x=left, y=top, width=right - left, height=bottom - top)
        name = "table" if self.storey is None else f"table-{self.storey.index}"
        inside = group(
            [*self._under, *self._ways], clip_path=f"url(#{name})", class_="ground-and-ways"
        )
        border = element(
            "rect",
            x=left,
            y=top,
            width=right - left,
            height=bottom - top,
            fill="none",
            stroke=self.theme.line,
            stroke_width=1.5,
        )
        return "\n".join(
            [
                element("defs", element("clipPath", clip, id=name)),
                inside,
                border,
                group(self._bases, class_="bodies"),
                group(self._over, class_="labels"),
                group(self._pins, class_="findings"),
            ]
        )

    # Ground and ticks

    def ground(self) -> list[str]:
        """The ground with a faint grid; returns the figures along the edges, outside the table."""
        left, top, right, bottom = self.frame.area
        theme = self.theme
        self._under.append(
            element(
                "rect",
                x=left,
                y=top,
                width=right - left,
                height=bottom - top,
                fill=theme.ground if self.on(0.0) else mixed(theme.ground, theme.grid, 0.75),
                class_="ground",
            )
        )
        step = tick_step(self.state.table.unit, self.frame.span)
        lines, labels = [], []
        for index in range(int(self.frame.width / step + 1e-9) + 1):
            value = index * step
            x, _ = self.frame.at((value, 0.0))
            if not left - 1e-6 <= x <= right + 1e-6:
                continue
            lines.append(f"M{number(x)} {number(top)}V{number(bottom)}")
            labels.append(self._tick(x, bottom + 14, figure(value), "middle"))
        for index in range(int(self.frame.depth / step + 1e-9) + 1):
            value = index * step
            _, y = self.frame.at((0.0, value))
            if not top - 1e-6 <= y <= bottom + 1e-6:
                continue
            lines.append(f"M{number(left)} {number(y)}H{number(right)}")
            labels.append(self._tick(left - 6, y + 3.3, figure(value), "end"))
        self._under.append(
            element("path", d="".join(lines), stroke=theme.grid, stroke_width=1, class_="grid")
        )
        return labels

    def _tick(self, x: float, y: float, text: str, anchor: str) -> str:
        return element(
            "text",
            text,
            x=x,
            y=y,
            font_size=_TICK,
            fill=self.theme.muted,
            text_anchor=anchor,
            class_="tick",
        )

    # Terrain

    def terrain(self) -> None:
        """Every piece and structure, lower ones first."""
        table = self.state.table
        entries: list[Entry] = [*table.pieces, *table.structures]
        for entry in sorted(entries, key=_depth):
            if isinstance(entry, Piece):
                self._piece(entry)
            else:
                self._under.append(structure(entry, self.frame, self.theme, self.storey))

    def _piece(self, piece: Piece) -> None:
        name, _, ink = self.tiles[piece.kind]
        title = element("title", text_content(f"{piece.name}: {piece.kind}{_tall(piece)}"))
        several = len(piece.outlines) > 1
        if self.storey is not None and not self.storey.shows(piece):
            faint = {"fill": "none", "stroke": self.theme.line, "stroke_dasharray": "1.5 3"}
            self._under.append(
                group(
                    [title, *(self._outline(o, **faint) for o in piece.outlines)],
                    class_="terrain faint",
                    data_piece=piece.id,
                )
            )
            return
        style: dict[str, object] = {"fill": f"url(#{name})", "stroke_linejoin": "round"}
        edge = {"stroke": ink, "stroke_width": 2.2 if several else 1.5}
        shapes = [title, *(self._outline(o, **style, **edge) for o in piece.outlines)]
        if several:
            # The piece is their union: the ground again covers the edges inside it.
            shapes.extend(self._outline(outline, **style) for outline in piece.outlines)
        self._under.append(
            group(shapes, class_="terrain", data_piece=piece.id, data_kind=piece.kind)
        )

    def _outline(self, outline: Outline, **style: object) -> str:
        if isinstance(outline, Circle):
            x, y = self.frame.at((outline.x, outline.y))
            return element("circle", cx=x, cy=y, r=outline.radius * self.frame.scale, **style)
        return element("polygon", points=points(map(self.frame.at, outline.corners)), **style)

    def terrain_labels(self) -> None:
        """Name and height of every piece shown in full, inside it where there is room."""
        theme = self.theme
        self._structure_labels()
        for piece in sorted(self.state.table.pieces, key=_size, reverse=True):
            if self.storey is not None and not self.storey.shows(piece):
                continue
            lines = [(piece.name, _NAME - 0.5, False, theme.ink)]
            if piece.top > 0:
                lines.append((_height_words(piece), _SMALL, False, theme.ink))
            wide = max(letters.width(text, size, bold) for text, size, bold, _ in lines)
            high = sum(size + 2 for _, size, _, _ in lines)
            places, inside = self._inside(piece.outlines, wide, high)
            index, _ = self.crowd.best(places, penalty=1.5)
            place = places[index]
            self.crowd.take(place, 2.0)
            x, y = 0.5 * (place[0] + place[2]), place[1] - 2
            halo = self.tiles[piece.kind][1] if index in inside else theme.ground
            parts = []
            for text, size, bold, colour in lines:
                y += size + 2
                parts.append(
                    halo_text(
                        x, y, text, size, colour, halo, bold=bold, kind="piece-name", outline=4.4
                    )
                )
            self._over.append(group(parts, data_label=piece.id))

    def _structure_labels(self) -> None:
        """Names and heights of floors, ramps and ladders; walls only where they have names."""
        theme, unit = self.theme, self.state.table.unit
        for entry in sorted(self.state.table.structures, key=size_of, reverse=True):
            if self.storey is not None and not self.storey.shows(entry):
                continue
            low, high = heights_of(entry)
            name = entry.name or entry.id
            if isinstance(entry, Floor):
                words = f"{name}: {figure(low)} {unit} up"
            elif isinstance(entry, Ramp | Ladder):
                words = f"{figure(low)} to {figure(high)}"
            elif entry.name not in ("", entry.id):
                words = f"{name}, {figure(low)} to {figure(high)}"
            else:
                continue
            wide = letters.width(words, _SMALL) + 2
            x, y = self.frame.at(middle_of(entry))
            places = [box(x, y, wide, _SMALL + 3), *around(x, y, 8, 8, wide, _SMALL + 3)]
            if isinstance(entry, Floor):
                places = self._inside(entry.outlines, wide, _SMALL + 3)[0]
            index, _ = self.crowd.best(places, penalty=1.5)
            place = places[index]
            self.crowd.take(place, 1.5)
            text = halo_text(
                0.5 * (place[0] + place[2]),
                place[3] - 3.5,
                words,
                _SMALL,
                theme.ink,
                theme.ground,
                kind="structure-name",
            )
            self._over.append(group([text], data_label=entry.id))

    def _inside(
        self, outlines: Sequence[Outline], wide: float, high: float
    ) -> tuple[list[Box], range]:
        """Places for a label, and which of them lie on the piece: over its middle first, then
        elsewhere on it, then just outside; the other way round where it is too thin."""
        spots: list[tuple[float, float, float]] = []
        low_x = low_y = math.inf
        high_x = high_y = -math.inf
        for outline in outlines:
            x0, y0, x1, y1 = _bounds(outline)
            low_x, low_y = min(low_x, x0), min(low_y, y0)
            high_x, high_y = max(high_x, x1), max(high_y, y1)
            cx, cy = _middle(outline)
            for i in range(1, 10):
                for j in range(1, 10):
                    x, y = x0 + (x1 - x0) * i / 10, y0 + (y1 - y0) * j / 10
                    if _holds(outline, x, y):
                        spots.append((math.hypot(x - cx, y - cy), x, y))
        spots.sort()
        chosen = [spot for index, spot in enumerate(spots) if index % 3 == 0][:24]
        places = [box(*self.frame.at((x, y)), wide, high) for _, x, y in chosen]
        x, y = self.frame.at((0.5 * (low_x + high_x), 0.5 * (low_y + high_y)))
        reach_x = 0.5 * (high_x - low_x) * self.frame.scale
        reach_y = 0.5 * (high_y - low_y) * self.frame.scale
        beside = around(x, y, reach_x, reach_y, wide, high)[:8]
        if 2 * min(reach_x, reach_y) < high:
            return [*beside, *places], range(len(beside), len(beside) + len(places))
        return [*places, *beside], range(len(places))

    # Ways

    def way(self, way: Trace, colour: str, kind: str) -> None:
        """The way of a body, the room it takes, its lengths, and the base at the end.

        kind: "moved", "wanted" (dashed) or "nearest" (dotted).
        """
        body = self.state.bodies.get(way.body) or self.state.gone.get(way.body)
        if body is None:
            return
        scale = self.frame.scale
        dash = {"moved": None, "wanted": "7 4", "nearest": "1.5 4"}[kind]
        here = [stretch for stretch in way.stretches if any(map(self.on, stretch.heights))]
        line = "".join(
            self._stretch(stretch, index == 0 or here[index - 1].end != stretch.start)
            for index, stretch in enumerate(here)
        )
        parts = []
        if line and isinstance(body.base, Round) and kind != "nearest":
            parts.append(
                element(
                    "path",
                    d=line,
                    fill="none",
                    stroke=colour,
                    stroke_opacity=0.13,
                    stroke_width=2 * body.base.radius * scale,
                    stroke_linecap="round",
                    stroke_linejoin="round",
                    class_="swath",
                )
            )
        if line and kind == "nearest":
            under = {"stroke": self.theme.ground, "stroke_width": 5}
            parts.append(element("path", d=line, fill="none", **under))
        if line:
            parts.append(
                element(
                    "path",
                    d=line,
                    fill="none",
                    stroke=colour,
                    stroke_width=2.2,
                    stroke_dasharray=dash,
                    stroke_linecap="round" if kind == "nearest" else None,
                    class_="path",
                )
            )
        ends = ((way.start, way.start_facing, way.z), (way.end, way.facing, way.end_z))
        for point, facing, z in ends:
            if not self.on(z):
                continue
            turned = abs((facing - body.facing + 180) % 360 - 180) > 1e-6
            if math.dist(point, body.centre) > 1e-6 or abs(z - body.z) > 1e-6 or turned:
                x, y = self.frame.at(point)
                parts.append(bases.ghost(body, x, y, facing, scale, colour, kind == "nearest"))
                moved = body.at(point[0], point[1], None, facing)
                half_w, half_h = bases.extent(moved, scale)
                self.crowd.take(box(x, y, 2 * half_w, 2 * half_h), 1.5)
        for stretch in here:
            self._along(stretch)
        for stretch in here:
            self._upright(stretch, colour)
        self._ways.append(group(parts, class_=f"way {kind}", data_body=way.body))

    def _upright(self, stretch: Stretch, colour: str) -> None:
        """Where a way changes height, or jumps: an arrow up or down and how far."""
        rise = stretch.heights[1] - stretch.heights[0]
        if stretch.how == "walk" and abs(rise) < 1e-6:
            return
        unit = self.state.table.unit
        word = {"walk": "", "climb": "climb ", "drop": "down ", "jump": "jump ", "fall": "fall "}
        if abs(rise) < 1e-6:
            text = f"{word.get(stretch.how, stretch.how + ' ')}{figure(stretch.length)} {unit}"
        else:
            arrow = "\u2191" if rise > 0 else "\u2193"
            text = f"{word.get(stretch.how, stretch.how + ' ')}{arrow} {figure(abs(rise))} {unit}"
        x, y = self.frame.at(stretch.middle)
        wide = letters.width(text, _NAME, True) + 2
        places = around(x, y, 5, 5, wide, _NAME + 3)
        index, _ = self.crowd.best(places, penalty=1.0)
        place = places[index]
        self.crowd.take(place, 3.0)
        self._over.append(
            halo_text(
                0.5 * (place[0] + place[2]),
                place[3] - 3.5,
                text,
                _NAME,
                colour,
                self.theme.ground,
                bold=True,
                kind="rise",
            )
        )
        self._ways.append(
            element(
                "circle",
                cx=x,
                cy=y,
                r=4,
                fill=self.theme.ground,
                stroke=colour,
                stroke_width=2,
                class_="rise",
            )
        )

    def _stretch(self, stretch: Stretch, begins: bool) -> str:
        x, y = self.frame.at(stretch.end)
        head = ""
        if begins:
            x0, y0 = self.frame.at(stretch.start)
            head = f"M{number(x0)} {number(y0)}"
        if stretch.centre is None:
            return f"{head}L{number(x)} {number(y)}"
        radius = number(math.dist(stretch.start, stretch.centre) * self.frame.scale)
        sweep = 0 if stretch.by > 0 else 1
        middle = self.frame.at(stretch.middle)
        # Two halves, so that arcs of more than half a turn are drawn right.
        half = f"A{radius} {radius} 0 0 {sweep} {number(middle[0])} {number(middle[1])}"
        return f"{head}{half}A{radius} {radius} 0 0 {sweep} {number(x)} {number(y)}"

    def _along(self, stretch: Stretch) -> None:
        if stretch.centre is not None:
            middle = self.frame.at(stretch.middle)
            self.crowd.take(box(*middle, 10, 10), 0.8)
            return
        (x0, y0), (x1, y1) = self.frame.at(stretch.start), self.frame.at(stretch.end)
        steps = max(1, int(math.hypot(x1 - x0, y1 - y0) / 8))
        for step in range(steps + 1):
            share = step / steps
            self.crowd.take(box(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share, 8, 8), 0.8)

    def lengths(self, way: Trace, colour: str) -> None:
        """The length beside each leg that is long enough to carry it."""
        unit = self.state.table.unit
        legs = [
            stretch
            for stretch in way.stretches
            if stretch.length * self.frame.scale >= 26
            and stretch.how == "walk"
            and any(map(self.on, stretch.heights))
        ]
        for stretch in legs[:12]:
            text = f"{figure(stretch.length)} {unit}"
            x, y = self.frame.at(stretch.middle)
            wide = letters.width(text, _NAME, True) + 2
            (x0, y0), (x1, y1) = self.frame.at(stretch.start), self.frame.at(stretch.end)
            length = math.hypot(x1 - x0, y1 - y0) or 1.0
            ax, ay = -(y1 - y0) / length, (x1 - x0) / length
            places = []
            for off in (11.0, -11.0, 18.0, -18.0, 26.0, -26.0):
                reach = off + math.copysign(abs(ax) * wide / 2, off)
                places.append(box(x + ax * reach, y + ay * reach, wide, _NAME + 3))
            index, _ = self.crowd.best(places, penalty=1.0)
            place = places[index]
            self.crowd.take(place, 3.0)
            self._over.append(
                halo_text(
                    0.5 * (place[0] + place[2]),
                    place[3] - 3.5,
                    text,
                    _NAME,
                    colour,
                    self.theme.ground,
                    bold=True,
                    kind="length",
                )
            )

    def aim(self, actor: Body, target: Body) -> None:
        """A thin line from who acts to whom it is about."""
        if not (self.on(actor.z) or self.on(target.z)):
            return
        (x0, y0), (x1, y1) = self.frame.at(actor.centre), self.frame.at(target.centre)
        half_w, half_h = bases.extent(target, self.frame.scale)
        reach = max(half_w, half_h) + 5
        theme = self.theme
        line = element(
            "line",
            x1=x0,
            y1=y0,
            x2=x1,
            y2=y1,
            stroke=theme.muted,
            stroke_width=1.2,
            stroke_dasharray="2 3",
        )
        ring = element(
            "circle",
            cx=x1,
            cy=y1,
            r=reach,
            fill="none",
            stroke=theme.muted,
            stroke_width=1.6,
            stroke_dasharray="4 2",
        )
        self._ways.append(group([line, ring], class_="aim", data_target=target.id))

    # Bodies

    def bodies(self) -> None:
        """Every base; those on other storeys as faint rings."""
        for body in self.state.bodies.values():
            x, y = self.frame.at(body.centre)
            if not self.on(body.z):
                self._bases.append(bases.elsewhere(body, x, y, self.frame.scale, self.theme.line))
                continue
            half_w, half_h = bases.extent(body, self.frame.scale)
            self.crowd.take(box(x, y, 2 * half_w, 2 * half_h), 3.0)
            look = self.looks[body.side]
            self._bases.append(bases.standing(body, x, y, self.frame.scale, look, self.theme))

    def body_labels(self) -> None:
        """Badges and counts on the bases, names below or beside them."""
        shown = [body for body in self.state.bodies.values() if self.on(body.z)]
        for body in shown:
            self._badges(body)
        for body in sorted(shown, key=lambda b: (-b.y, b.x)):
            self._name(body)

    def _badges(self, body: Body) -> None:
        texts = _badges(body, self.letters_of)
        models = body.marks.get("models")
        x, y = self.frame.at(body.centre)
        half_w, half_h = bases.extent(body, self.frame.scale)
        look, theme = self.looks[body.side], self.theme
        sizes = [max(11.0, letters.width(text, _SMALL, True) + 5) for text in texts]
        total = sum(sizes) + max(0, len(sizes) - 1)
        if isinstance(models, int):
            text = str(models)
            wide = letters.width(text, 12, True)
            start = x - 0.5 * (wide + (total + 3 if texts else 0))
            at, level = start + wide + 3, y
            if texts and wide + total + 7 > bases.chord(body, self.frame.scale):
                # Too narrow for one line: the count above, the badges below.
                start, at, level, y = x - 0.5 * wide, x - 0.5 * total, y + 7, y - 6
            self._over.append(
                halo_text(
                    start,
                    y + 4.3,
                    text,
                    12,
                    look.colour,
                    look.fill,
                    anchor="start",
                    bold=True,
                    kind="count",
                )
            )
        elif isinstance(body.base, Round):
            at, level = x + 0.62 * half_w, y - 0.78 * half_h - 2
        else:
            at, level = x - 0.5 * total, y
        for text, size in zip(texts, sizes, strict=True):
            shape = element(
                "rect",
                x=at,
                y=level - 5.5,
                width=size,
                height=11,
                rx=5.5,
                fill=theme.paper,
                stroke=look.colour,
                stroke_width=1.1,
            )
            letter = element(
                "text",
                text_content(text),
                x=at + size / 2,
                y=level + 3.1,
                font_size=_SMALL,
                font_weight="bold",
                fill=theme.ink,
                text_anchor="middle",
            )
            self._over.append(group([shape, letter], class_="badge", data_body=body.id))
            self.crowd.take((at, level - 5.5, at + size, level + 5.5), 3.0)
            at += size + 1

    def _name(self, body: Body) -> None:
        theme, look = self.theme, self.looks[body.side]
        lines = [(body.name, _NAME, True, look.colour)]
        if body.name != body.id:
            lines.append((body.id, _SMALL, False, theme.ink))
        if abs(body.z) > 1e-6:
            lines[-1] = (f"{lines[-1][0]}, at {figure(body.z)} up", *lines[-1][1:])
        wide = max(letters.width(text, size, bold) for text, size, bold, _ in lines)
        high = sum(size + 1 for _, size, _, _ in lines) + 1
        x, y = self.frame.at(body.centre)
        half_w, half_h = bases.extent(body, self.frame.scale)
        places = around(x, y, half_w + 1, half_h + 1, wide, high)
        index, _ = self.crowd.best(places, penalty=3.0)
        place = places[index]
        self.crowd.take(place, 2.5)
        cx, level = 0.5 * (place[0] + place[2]), place[1] - 1
        parts = []
        if index >= 8:
            edge = (min(max(x, place[0]), place[2]), min(max(y, place[1]), place[3]))
            parts.append(
                element(
                    "line", x1=x, y1=y, x2=edge[0], y2=edge[1], stroke=look.colour, stroke_width=0.8
                )
            )
        for text, size, bold, colour in lines:
            level += size + 1
            parts.append(
                halo_text(cx, level, text, size, colour, theme.ground, bold=bold, kind="name")
            )
        self._over.append(group(parts, data_label=body.id))

    # Findings

    def pins(self, findings: Sequence[Finding], actor: Body | None = None) -> None:
        """A numbered pin for every finding that has a place or is about something.

        On the plan of a storey only those that are about something there, or about nothing if
        the actor stands there.
        """
        for index, finding in enumerate(findings, 1):
            place = self.place_of(finding)
            if place is None or not self._concerns(finding, actor):
                continue
            x, y = self.frame.at(place)
            left, top, right, bottom = self.frame.area
            x, y = min(max(x, left), right), min(max(y, top), bottom)
            choices = [
                box(x + reach * math.cos(turn), y - reach * math.sin(turn), 19, 19)
                for reach in (22.0, 36.0)
                for turn in (math.radians(a) for a in (60, 120, 30, 150, 90, 300, 240, 0, 180, 270))
            ]
            chosen, _ = self.crowd.best(choices, penalty=0.5)
            spot = choices[chosen]
            self.crowd.take(spot, 6.0)
            self.crowd.take(box(x, y, 8, 8), 2.0)
            self._pin(x, y, 0.5 * (spot[0] + spot[2]), 0.5 * (spot[1] + spot[3]), str(index))

    def _concerns(self, finding: Finding, actor: Body | None) -> bool:
        if self.storey is None:
            return True
        body = self.state.bodies.get(finding.about or "")
        if body is None:
            entry = next((e for e in self.state.table.entries if e.id == finding.about), None)
            if entry is not None:
                return self.storey.shows(entry)
            body = actor
        return self.storey.index == 0 if body is None else self.on(body.z)

    def place_of(self, finding: Finding) -> tuple[float, float] | None:
        """Where a finding is shown: where it bites, else what it is about."""
        if finding.place is not None:
            return finding.place
        if finding.about is not None:
            body = self.state.bodies.get(finding.about)
            if body is not None:
                return body.centre
            for entry in self.state.table.entries:
                if entry.id == finding.about:
                    if isinstance(entry, Piece):
                        return _middle(entry.outlines[0])
                    return middle_of(entry)
        return None

    def _pin(self, x: float, y: float, px: float, py: float, text: str) -> None:
        theme = self.theme
        parts = [
            element("line", x1=x, y1=y, x2=px, y2=py, stroke=theme.ground, stroke_width=4),
            element("line", x1=x, y1=y, x2=px, y2=py, stroke=theme.fault, stroke_width=1.6),
            element(
                "circle", cx=x, cy=y, r=3.4, fill=theme.fault, stroke=theme.ground, stroke_width=1.2
            ),
            element(
                "circle", cx=px, cy=py, r=9, fill=theme.fault, stroke=theme.ground, stroke_width=1.5
            ),
            element(
                "text",
                text,
                x=px,
                y=py + 3.9,
                font_size=11,
                font_weight="bold",
                fill=theme.on_fault,
                text_anchor="middle",
            ),
        ]
        self._pins.append(group(parts, class_="pin", data_number=text))


def tick_step(unit: str, longest: float) -> float:
    """Distance of the ticks: 6 in or 10 cm, wider on very large tables, closer on small ones."""
    step = 6.0 if unit == "in" else 10.0
    while longest / step > 30:
        step *= 2
    while longest / step < 3:
        step /= 2
    return step


def _depth(entry: Entry) -> tuple[float, float]:
    """The order of drawing: by the height that hides what is below, ladders over all."""
    low, high = heights_of(entry)
    if isinstance(entry, Ladder):
        return math.inf, high
    return (high if isinstance(entry, Floor | Ramp) else low), high


def _tall(piece: Piece) -> str:
    return f", {_height_words(piece)}" if piece.top > 0 else ""


def _height_words(piece: Piece) -> str:
    if piece.bottom > 0:
        return f"height {figure(piece.bottom)} to {figure(piece.top)}"
    return f"height {figure(piece.top)}"


def _bounds(outline: Outline) -> Box:
    if isinstance(outline, Circle):
        r = outline.radius
        return (outline.x - r, outline.y - r, outline.x + r, outline.y + r)
    xs, ys = [x for x, _ in outline.corners], [y for _, y in outline.corners]
    return (min(xs), min(ys), max(xs), max(ys))


def _middle(outline: Outline) -> tuple[float, float]:
    x0, y0, x1, y1 = _bounds(outline)
    return (0.5 * (x0 + x1), 0.5 * (y0 + y1))


def _size(piece: Piece) -> float:
    return sum(
        (x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in (_bounds(outline) for outline in piece.outlines)
    )


def _holds(outline: Outline, x: float, y: float) -> bool:
    if isinstance(outline, Circle):
        return math.hypot(x - outline.x, y - outline.y) <= outline.radius
    inside = False
    corners = outline.corners
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
    return inside
