"""What stands for what: letters of marks, tiles of kinds of terrain, boxes of outlines."""

from __future__ import annotations

from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.picture.labels import Box
from tapeline.picture.look import Theme, mixed, tile
from tapeline.table.terrain import Circle, Outline

__all__ = ["badges_of", "bounds", "middle", "shown_marks", "terrain_tiles", "tile_definitions"]

#: Marks that describe a base and are drawn as such.
_SHAPE_MARKS = frozenset({"models", "files", "file_width", "rank_depth", "gone"})


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


def bounds(outline: Outline) -> Box:
    """The box about an outline, table units: left, bottom, right, top."""
    if isinstance(outline, Circle):
        r = outline.radius
        return (outline.x - r, outline.y - r, outline.x + r, outline.y + r)
    xs, ys = [x for x, _ in outline.corners], [y for _, y in outline.corners]
    return (min(xs), min(ys), max(xs), max(ys))


def middle(outline: Outline) -> tuple[float, float]:
    """The middle of the box about an outline."""
    x0, y0, x1, y1 = bounds(outline)
    return (0.5 * (x0 + x1), 0.5 * (y0 + y1))
