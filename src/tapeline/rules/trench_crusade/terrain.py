"""TC-TER, TC-CLM, TC-JMP, TC-FLY: ground, sheer surfaces, gaps and ledges, flight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tapeline.engine.clauses import Moment
from tapeline.engine.limits import more_than
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.system import TerrainKind
from tapeline.engine.verdicts import Finding
from tapeline.errors import Fault
from tapeline.rules.trench_crusade.book import BOOK, LOW_OBSTACLE_IN, TRENCH_WALL_IN
from tapeline.rules.trench_crusade.context import PATHS, SLIDING, Context, Pathed
from tapeline.rules.trench_crusade.ground import built, terrain_of
from tapeline.rules.trench_crusade.measures import fits_by, is_attempt, runs_out
from tapeline.rules.trench_crusade.rolls import end_activation, injury_roll, success_roll
from tapeline.rules.trench_crusade.state import radius
from tapeline.rules.trench_crusade.walker import barred_hits
from tapeline.table.access import out_of_reach
from tapeline.table.bodies import Body
from tapeline.table.storeys import SOLID, STANDABLE, UNCLIMBABLE, storeys_of
from tapeline.travel.route import Crossing, Stretch
from tapeline.wording import figures, told_both

__all__ = [
    "TERRAIN_KINDS",
    "TRAITS",
    "activated_in_danger",
    "terrain_faults",
]

Walked = Context[Pathed]

#: Inches. Nothing is too deep to jump down; half the Movement of the fastest models.
_ANY_DROP, _WIDEST = 1000.0, 5.0

#: A block that stands in the way and whose top is stood on.
BLOCK = frozenset({SOLID, STANDABLE, "opaque"})
#: Traits a scene may add to a piece. trench: Open for movement up to 3 inches, TC-TER-7.
TRAITS = frozenset(
    {"cover", "dangerous", "difficult", "impassable", "opaque", "trench"}
    | {SOLID, STANDABLE, UNCLIMBABLE}
)

#: Kinds of terrain: traits, usual height in inches, pattern in pictures.
TERRAIN_KINDS = {
    kind.name: kind
    for kind in (
        TerrainKind("open", frozenset(), 0.0, "plain", "marked"),
        TerrainKind("mud", frozenset({"difficult"}), 0.0, "dashes"),
        TerrainKind("crater", frozenset({"difficult"}), 0.0, "rings", "bowl"),
        TerrainKind("rubble", frozenset({"difficult"}), 0.5, "stones"),
        TerrainKind("wood", frozenset({"difficult", "cover"}), 4.0, "trees"),
        TerrainKind("wire", frozenset({"dangerous"}), 0.5, "spikes"),
        TerrainKind("minefield", frozenset({"dangerous"}), 0.0, "spikes"),
        TerrainKind("gas", frozenset({"dangerous"}), 0.0, "dots"),
        TerrainKind("trench", frozenset({"cover"}), 0.0, "hatch", "pit"),
        TerrainKind("barricade", frozenset({"cover"}), 1.0, "hatch"),
        TerrainKind("wall", frozenset({"impassable", "opaque"}), 3.0, "bricks"),
        TerrainKind("ruin", frozenset({"impassable", "opaque"}), 4.0, "bricks"),
        TerrainKind("bunker", frozenset({"impassable", "opaque"}), 3.0, "solid"),
        TerrainKind("tank trap", frozenset({"impassable"}), 1.0, "cross-hatch"),
        TerrainKind("block", BLOCK, 2.0, "solid"),
        TerrainKind("crates", BLOCK, 1.0, "cross-hatch"),
        TerrainKind("blockhouse", BLOCK, 3.0, "solid"),
        TerrainKind("building", BLOCK, 4.0, "bricks", "roof"),
        TerrainKind("deep water", frozenset({"impassable"}), 0.0, "waves"),
    )
}

BOOK.registers(
    "TC-TER-1",
    src="public",
    says="Ground is Open, Difficult, Dangerous or Impassable, as agreed before play; a piece may "
    "be Difficult and Dangerous together.",
    reason="a definition; the scene declares kind and traits of every piece",
)


def short_of_allowance(ask: Context[Any], clause: str) -> Iterator[Finding]:
    """A Climb or a Jump that does not fit in what is left of the allowance."""
    way, walk = ask.way, ask.walk
    if walk is None or not way.crossings:
        return
    out = runs_out(way, walk.allowance)
    if out is None:
        return
    hurdle, s, spent = out
    if not isinstance(hurdle, Crossing) or not is_attempt(hurdle):
        return
    if clause != fits_by(hurdle, spent, walk.allowance):
        return
    rises = clause == "TC-JMP-4"
    total, left = spent + hurdle.cost, walk.allowance - spent
    what = "Climb" if hurdle.kind == "climb" else "Jump"
    more = f", {hurdle.cost - hurdle.width:.4g} of them up," if rises else ""
    takes, has = figures(hurdle.cost, left)
    text = (
        f"The {what} takes {takes} in{more} and {ask.mover.name} has {has} left of "
        f"{walk.allowance:g}."
    )
    place = (hurdle.start.x, hurdle.start.y)
    yield Finding(text, total, walk.allowance, place, hurdle.piece or ask.mover.id, s)


@BOOK.clause("TC-TER-2", src="public", bars=PATHS, at=Moment.PATH)
def difficult_costs_double(ask: Walked) -> Iterator[Finding]:
    """Each inch across Difficult ground costs 2."""
    walk = ask.walk
    if walk is None:
        return
    ask.bears("TC-TER-2", "TC-TER-6")
    way, allowance = ask.way, walk.allowance
    out = runs_out(way, allowance)
    slow = [p for p in way.parts if isinstance(p, Stretch) and p.factor > 1.0]
    if out is None or is_attempt(out[0]) or not slow:
        return
    costs, most = told_both(way.cost, allowance, ".2f", "g")
    text = (
        f"The path costs {costs} in with Difficult ground doubled; {ask.mover.name} may "
        f"spend {most} in."
    )
    yield Finding(text, way.cost, allowance, way.place(out[1]).xy, slow[0].piece, out[1])


BOOK.resolves_each("""
TC-TER-3 (public) Entering Dangerous ground during a move: a Risky Success Roll, which covers the
    rest of that move; on a failure an Injury Roll, the Activation ends, the mover stands where it
    entered.
TC-TER-4 (public) Being activated in Dangerous ground: the same roll at once.
""")


@BOOK.clause("TC-TER-5", src="public", bars=SLIDING, at=Moment.PATH)
def impassable(ask: Walked) -> Iterator[Finding]:
    """Impassable ground is not entered or crossed."""
    if ask.walk is None:
        return
    ask.bears("TC-TER-5", "TC-MOVE-12")
    if ask.way.level:
        hits = barred_hits(ask.state, ask.mover, ask.track)
        yield from (hit.finding for hit in hits)
    else:
        yield from ask.way.findings("TC-TER-5")


BOOK.resolves_each("""
TC-TER-6 (public) A model is in a piece when more than half its base is inside the boundary.
""")


@BOOK.clause("TC-TER-7", src="public", bars=SLIDING, at=Moment.PATH)
def open_up_to_an_inch(ask: Walked) -> Iterator[Finding]:
    """Obstacles up to 1 inch and trench walls up to 3 inches are Open for movement, as are
    ladders, ramps, ropes and stairs; what is higher must be climbed."""
    ask.bears("TC-TER-7")
    yield from ask.way.findings("TC-TER-7")


@BOOK.clause("TC-CLM-1", src="public", bars=SLIDING, at=Moment.PATH)
def climbs_whole_heights(ask: Walked) -> Iterator[Finding]:
    """A sheer surface may be climbed up or down if its whole height fits in what is left of the
    allowance."""
    ask.bears("TC-CLM-1")
    yield from ask.way.findings("TC-CLM-1")
    yield from short_of_allowance(ask, "TC-CLM-1")


BOOK.resolves_each("""
TC-CLM-2 (public) A Risky Success Roll on reaching the surface: with a success the model is placed
    at the other end and goes on, with a failure it stays there.
""")


@BOOK.clause("TC-JMP-1", src="public", bars=SLIDING, at=Moment.PATH)
def jumps_half_its_movement(ask: Walked) -> Iterator[Finding]:
    """A gap may be jumped that is at most half the Movement Characteristic wide, if run-up and
    jump fit in the allowance."""
    ask.bears("TC-JMP-1", "TC-JMP-3", "TC-MOVE-14")
    yield from ask.way.findings("TC-JMP-1")
    yield from short_of_allowance(ask, "TC-JMP-1")


BOOK.resolves_each("""
TC-JMP-2 (public) A Risky Success Roll at the edge: with a success the model is placed across, with
    a failure it Falls from the side that its opponent chooses.
TC-JMP-3 (public) What it takes to set the base down beyond the gap is free.
""")


@BOOK.clause("TC-JMP-4", src="public", bars=PATHS, at=Moment.PATH)
def rise_counts_to_the_jump(ask: Walked) -> Iterator[Finding]:
    """A far side that is higher adds its height to the jump; one that is lower is a Jump Down
    too."""
    ask.bears("TC-JMP-4")
    yield from short_of_allowance(ask, "TC-JMP-4")


@BOOK.clause("TC-JMP-5", src="public", bars=SLIDING, at=Moment.PATH)
def jumps_down_from_ledges(ask: Walked) -> Iterator[Finding]:
    """Jumping Down is part of a move and its drop costs nothing; 3 inches or more are a Fall,
    resolved before the move goes on."""
    ask.bears("TC-JMP-5")
    yield from ask.way.findings("TC-JMP-5")


@BOOK.clause("TC-FLY-1", src="public", bars=SLIDING, at=Moment.PATH)
def flies(ask: Walked) -> Iterator[Finding]:
    """FLYING models measure through the air, may cross Impassable ground but not end on it, and
    end on the battlefield or on terrain."""
    ask.bears("TC-FLY-1")
    yield from ask.way.findings("TC-FLY-1")


def _danger_under(state: State, body: Body) -> str:
    """The name of the Dangerous ground a model stands in, at its height; "" if in none."""
    if built(state.table):
        return terrain_of(state).danger_under(body)
    return terrain_of(state).danger_at(None, body.x, body.y, 0.0, radius(body))


def activated_in_danger(run: Run, body_id: str) -> Procedure:
    """The roll of a model activated in Dangerous ground; on a failure its Activation is over."""
    body = run.state.bodies[body_id]
    name = _danger_under(run.state, body)
    if not name:
        return
    run.cite("TC-TER-6")
    grade = yield from success_roll(
        run, body_id, f"{body.name} is activated in {name}", "TC-TER-4", risky=True
    )
    if grade != "failure":
        return
    yield from injury_roll(run, body_id, f"{body.name} in {name}")
    end_activation(run, "danger", "TC-ROLL-5")


def terrain_faults(state: State) -> list[Fault]:
    """Pieces of a scene that no rule says how to cross, and floors nobody could come to."""
    faults = []
    table = state.table
    for piece in table.pieces:
        trench = piece.kind == "trench" or piece.has("trench")
        limit = TRENCH_WALL_IN if trench else LOW_OBSTACLE_IN
        if piece.has("impassable") or piece.kind == "wood" or piece.has(SOLID):
            continue
        high = piece.top - piece.bottom
        if more_than(high, limit):
            faults.append(
                Fault(
                    f"{table.where(piece.id)}.height",
                    f"{high:g} in must be climbed: give it the traits solid and standable, or "
                    f"impassable; a {piece.kind} is at most {limit:g} in high",
                )
            )
        if more_than(piece.bottom, 0.0) and not built(table):
            faults.append(
                Fault(
                    f"{table.where(piece.id)}.base_height",
                    "nothing is built there; only impassable pieces may hang above 0",
                )
            )
    faults += terrain_of(state).idle_faults()
    if built(table):
        storeys = storeys_of(table)
        low = terrain_of(state)
        for surface in out_of_reach(storeys, step=LOW_OBSTACLE_IN, drop=_ANY_DROP, gap=_WIDEST):
            if not more_than(surface.z, low.step(surface)):
                continue
            text = (
                f"nobody on foot can reach {surface.id!r}: no stairs, ladder, rope or sheer "
                f"surface leads to it, and nothing within {_WIDEST:g} in to jump from"
            )
            faults += [Fault(table.where(entry), text) for entry in surface.entries[:1]]
    return faults
