"""What stands for what: letters of marks, tiles of kinds of terrain, middles of outlines."""

from __future__ import annotations

from tapeline.engine.badges import badges_of
from tapeline.engine.state import State
from tapeline.engine.system import Looks, System
from tapeline.picture.look import LOOK, Theme, mixed, tile
from tapeline.table.terrain import Outline

__all__ = ["middle", "shown_marks", "terrain_tiles", "tile_definitions"]


def shown_marks(state: State, looks: Looks) -> dict[str, str]:
    """What badges of bodies stand for, in words, with their letters."""
    shown: dict[str, str] = {}
    for body in state.bodies.values():
        for badge in badges_of(body.marks, looks):
            shown[badge.what] = badge.letter.rstrip("0123456789.")
    order = {
        words.replace(" {}", "").replace("{}", ""): i for i, (_, words) in enumerate(looks.values())
    }
    return dict(sorted(shown.items(), key=lambda item: order.get(item[0], 0)))


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


def tile_definitions(system: System, tiles: dict[str, tuple[str, str, str]]) -> list[str]:
    """The pattern elements for the kinds that are laid as tiles."""
    made = []
    for kind, (name, fill, ink) in tiles.items():
        pattern = system.terrain_kinds[kind].pattern
        if pattern in LOOK.tiles:
            made.append(tile(pattern, name, fill, ink))
    return made


def middle(outline: Outline) -> tuple[float, float]:
    """The middle of the box about an outline."""
    x0, y0, x1, y1 = outline.box
    return (0.5 * (x0 + x1), 0.5 * (y0 + y1))
