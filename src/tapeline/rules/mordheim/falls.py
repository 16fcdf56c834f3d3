"""MH-FALL and MH-EDGE: falls with their hits, and models that slip off an edge."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator

from tapeline.dice import Roll
from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Moved
from tapeline.engine.limits import TOLERANCE
from tapeline.engine.paths import Place
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.mordheim.actions import Crawl, DeclareCharge, Hide, Move
from tapeline.rules.mordheim.book import BOOK
from tapeline.rules.mordheim.context import Context
from tapeline.rules.mordheim.edges import nearest_edges
from tapeline.rules.mordheim.engagement import release
from tapeline.rules.mordheim.figures import FALL_STRENGTH_MAX
from tapeline.rules.mordheim.measures import touching
from tapeline.rules.mordheim.poses import hits_at
from tapeline.rules.mordheim.revealing import reveal
from tapeline.rules.mordheim.rolls import d3, initiative_test
from tapeline.rules.mordheim.wounds import apply_result, take_hits
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks
from tapeline.table.storeys import storeys_of
from tapeline.travel.landing import Landing

__all__ = ["edge_test", "fall", "fall_strength", "put_down"]

#: Inches. How far off an enemy at its foot a falling model comes to lie.
_HAIR_IN = 1e-3

BOOK.resolves(
    "MH-EDGE-1",
    src="seed",
    says="A model put down within 1 inch of the edge of a roof or building tests Initiative.",
)
BOOK.resolves(
    "MH-EDGE-2",
    src="seed",
    says="If that test is failed it slips off, lands below and takes a fall.",
)
BOOK.resolves("MH-FALL-1", src="seed", says="A fall is D3 hits at a Strength of the inches fallen.")
BOOK.resolves("MH-FALL-2", src="seed", says="No armour save against the hits of a fall.")
BOOK.resolves("MH-FALL-3", src="seed", says="The hits of a fall are never critical.")


@BOOK.clause("MH-FALL-4", src="seed", bars=(DeclareCharge, Move, Crawl, Hide), at=Moment.DECLARE)
def fallen_moves_no_more(ask: Context[DeclareCharge | Move | Crawl | Hide]) -> Iterator[Finding]:
    """A model that fell may not move further or hide that turn, hurt or not."""
    if ask.mover.has("fallen"):
        text = f"{ask.mover.name} has fallen this turn: it neither moves nor hides any more."
        yield Finding(text, about=ask.mover.id)


def fall_strength(height: float) -> int:
    """Strength of the hits of a fall: full inches, 10 at most.

    >>> fall_strength(1.9), fall_strength(4.0), fall_strength(0.9), fall_strength(14.0)
    (1, 4, 0, 10)
    """
    return min(FALL_STRENGTH_MAX, math.floor(height + TOLERANCE))


def fall(run: Run, body_id: str, down: Landing, clause: str) -> Generator[Ask, Answer, None]:
    """A model falls: it lands, takes its hits and moves no more this turn."""
    body = run.state.body(body_id)
    x, y, z = _off_enemies(run.state, body, down.place)
    run.emit(Moved(body_id, x, y, z, body.facing, (), clause))
    run.emit(Marked(body_id, Marks({"fallen": True, "hidden": None}), "MH-FALL-4"))
    release(run, body_id, "MH-FALL-1")
    reveal(run)
    run.happened(
        "falls",
        f"{body.name} falls {down.drop:.4g} in",
        "MH-FALL-1",
        about=body_id,
        outcome=True,
        height=down.drop,
    )
    run.value(fallen=down.drop)
    strength = fall_strength(down.drop)
    if strength == 0:
        run.happened("unhurt", f"{body.name} is unhurt", "MH-FALL-1", about=body_id, outcome=True)
        return
    hits = yield from d3(run, body_id, f"{body.name} falls: D3 hits", "MH-FALL-1")
    run.cite("MH-FALL-2", "MH-FALL-3")
    result = yield from take_hits(run, body_id, hits, strength, "MH-FALL-1")
    yield from put_down(run, body_id, result, "MH-INJ-1")


def _off_enemies(state: State, body: Body, place: Place) -> Place:
    """Where a fall ends: a hair off enemies it would touch, since only charges bring combat."""
    here = body.at(*place)
    touched = [enemy for enemy in state.enemies(here) if touching(here, enemy)]
    if not touched:
        return place
    away = [math.atan2(place.y - enemy.y, place.x - enemy.x) for enemy in touched]
    for angle in (*away, sum(away) / len(away), *(k * math.tau / 16 for k in range(16))):
        x, y = place.x + _HAIR_IN * math.cos(angle), place.y + _HAIR_IN * math.sin(angle)
        there = body.at(x, y, place.z)
        if any(touching(there, enemy) for enemy in state.enemies(there)):
            continue
        carried = storeys_of(state.table).support(x, y, place.z, TOLERANCE) is not None
        if carried and not hits_at(state, there, Place(x, y, place.z)):
            return Place(x, y, place.z)
    return place


def put_down(run: Run, body_id: str, result: str, clause: str) -> Generator[Ask, Answer, None]:
    """Apply a result to a model, with the test of one put down beside an edge."""
    if apply_result(run, body_id, result, clause):
        yield from edge_test(run, body_id)
    elif result == "out" and run.state.option("models_block_sight") == "yes":
        reveal(run)


def _edges_beside(state: State, body_id: str) -> list[tuple[float, Landing]]:
    return nearest_edges(state, state.body(body_id))


def edge_test(run: Run, body_id: str) -> Generator[Ask, Answer, None]:
    """The test of a model put down, if it lies within 1 inch of an edge."""
    body = run.state.body(body_id)
    edges = run.measure(_edges_beside, body_id)
    if not edges:
        return
    passed = yield from initiative_test(run, body_id, "may slip off the edge", "MH-EDGE-1")
    if passed:
        run.happened(
            "holds on", f"{body.name} stays where it is", "MH-EDGE-1", about=body_id, outcome=True
        )
        return
    _, down = edges[0]
    if len(edges) > 1:
        roll = Roll(1, f"{body.name}: over which edge", "MH-EDGE-2", body.side, len(edges), body_id)
        (face,) = yield from run.roll(roll)
        _, down = edges[face - 1]
    yield from fall(run, body_id, down, "MH-EDGE-2")
