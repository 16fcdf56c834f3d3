"""TC-TER: Difficult, Dangerous and Impassable ground; climbing and flying come later."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.clauses import Moment
from tapeline.engine.limits import affords, more_than
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.system import TerrainKind
from tapeline.engine.verdicts import Finding
from tapeline.errors import Fault
from tapeline.rules.trench_crusade.book import BOOK
from tapeline.rules.trench_crusade.context import PATHS, Context, Pathed
from tapeline.rules.trench_crusade.costs import cost_of, spent_at
from tapeline.rules.trench_crusade.figures import LOW_OBSTACLE_IN, TRENCH_WALL_IN
from tapeline.rules.trench_crusade.ground import ground_of
from tapeline.rules.trench_crusade.injuries import end_activation, injury_roll
from tapeline.rules.trench_crusade.rolls import success_roll
from tapeline.table.bodies import Body

__all__ = ["TERRAIN_KINDS", "TRAITS", "activated_in_danger", "cover_between", "terrain_faults"]

Walked = Context[Pathed]

#: Traits a scene may add to a piece.
TRAITS = frozenset({"cover", "dangerous", "difficult", "impassable", "opaque"})

#: Kinds of terrain: traits, usual height in inches, pattern in pictures.
TERRAIN_KINDS = {
    kind.name: kind
    for kind in (
        TerrainKind("open", frozenset(), 0.0, "plain"),
        TerrainKind("mud", frozenset({"difficult"}), 0.0, "dashes"),
        TerrainKind("crater", frozenset({"difficult"}), 0.0, "rings"),
        TerrainKind("rubble", frozenset({"difficult"}), 0.5, "stones"),
        TerrainKind("wood", frozenset({"difficult", "cover"}), 4.0, "trees"),
        TerrainKind("wire", frozenset({"dangerous"}), 0.5, "spikes"),
        TerrainKind("minefield", frozenset({"dangerous"}), 0.0, "spikes"),
        TerrainKind("gas", frozenset({"dangerous"}), 0.0, "dots"),
        TerrainKind("trench", frozenset({"cover"}), 0.0, "hatch"),
        TerrainKind("barricade", frozenset({"cover"}), 1.0, "hatch"),
        TerrainKind("wall", frozenset({"impassable", "opaque"}), 3.0, "bricks"),
        TerrainKind("ruin", frozenset({"impassable", "opaque"}), 4.0, "bricks"),
        TerrainKind("bunker", frozenset({"impassable", "opaque"}), 3.0, "solid"),
        TerrainKind("tank trap", frozenset({"impassable"}), 1.0, "cross-hatch"),
        TerrainKind("deep water", frozenset({"impassable"}), 0.0, "waves"),
    )
}

BOOK.registers(
    "TC-TER-1",
    src="public",
    where=__name__,
    says="Ground is Open, Difficult, Dangerous or Impassable, as agreed before play; a piece may "
    "be Difficult and Dangerous together.",
    reason="a definition; the scene declares kind and traits of every piece",
)


@BOOK.clause("TC-TER-2", src="public", bars=PATHS, at=Moment.PATH)
def difficult_costs_double(ask: Walked) -> Iterator[Finding]:
    """Each inch across Difficult ground costs 2."""
    walk = ask.walk
    if walk is None or not ask.difficult:
        return
    cost = cost_of(ask.track, ask.difficult)
    if not affords(cost, walk.allowance):
        s = spent_at(ask.track, ask.difficult, walk.allowance)
        text = (
            f"The path costs {cost:.2f} in with Difficult ground doubled; {ask.mover.name} may "
            f"spend {walk.allowance:g} in."
        )
        about = ask.difficult[0].piece
        yield Finding(text, cost, walk.allowance, ask.track.at(s), about, s)


BOOK.resolves(
    "TC-TER-3",
    src="public",
    where="tapeline.rules.trench_crusade.moves",
    says="Entering Dangerous ground during a move: a Risky Success Roll, which covers the rest of "
    "that move; on a failure an Injury Roll, the Activation ends, the mover stands where it "
    "entered.",
)
BOOK.resolves(
    "TC-TER-4",
    src="public",
    where=__name__,
    says="Being activated in Dangerous ground: the same roll at once.",
)


@BOOK.clause("TC-TER-5", src="public", bars=PATHS, at=Moment.PATH)
def impassable(ask: Walked) -> Iterator[Finding]:
    """Impassable ground is not entered or crossed."""
    if ask.walk is None:
        return
    for hit in ask.ground.impassable_hits(ask.track, ask.mover):
        text = f"The base runs {hit.depth:.2f} in into {hit.name}, which is impassable."
        yield Finding(text, hit.depth, 0.0, hit.place, hit.piece, hit.travelled)


BOOK.resolves(
    "TC-TER-6",
    src="public",
    where="tapeline.rules.trench_crusade.ground",
    says="A model is in a piece when more than half its base is inside the boundary.",
)


@BOOK.clause("TC-TER-7", src="public", bars=PATHS, at=Moment.PATH)
def level_ground(ask: Walked) -> Iterator[Finding]:
    """Obstacles up to 1 inch and trench walls up to 3 inches are Open for movement; what is higher
    must be climbed."""
    walk = ask.walk
    if walk is None:
        return
    for number, leg in enumerate(walk.path, start=1):
        if leg.how != "walk":
            yield Finding(
                f"Leg {number}: {leg.how!r} is not ruled yet; models walk on level ground.",
                about=ask.mover.id,
                travelled=0.0,
            )
        elif leg.z is not None and leg.z != ask.mover.z:
            yield Finding(
                f"Leg {number} changes height; models walk on level ground.",
                leg.z,
                ask.mover.z,
                leg.to,
                ask.mover.id,
                0.0,
            )
    if more_than(abs(ask.mover.z), 0.0) and ask.track.length > 0.0:
        yield Finding(
            f"{ask.mover.name} stands {ask.mover.z:g} in above the table; only models on the "
            "ground move yet.",
            ask.mover.z,
            0.0,
            ask.mover.centre,
            ask.mover.id,
            0.0,
        )


_LATER = "comes with three-dimensional terrain; scenes hold no sheer surfaces, gaps or ledges"
for _id, _says in (
    ("TC-CLM-1", "A Climb up or down a sheer surface whose whole height the allowance covers."),
    ("TC-CLM-2", "A Risky Success Roll on reaching the surface that is climbed."),
    ("TC-JMP-1", "A gap of at most half the Movement Characteristic may be jumped."),
    ("TC-JMP-2", "A Risky Success Roll at the edge of the gap; on a failure the model Falls."),
    ("TC-JMP-3", "Setting the base down beyond the gap is free."),
    ("TC-JMP-4", "A rise of the far side counts to the jump; a lower one is also a Jump Down."),
    ("TC-JMP-5", "Jumping Down costs no height; 3 inches or more are a Fall."),
    ("TC-FALL-1", "A falling model lands below and takes an Injury Roll for 3 inches or more."),
    ("TC-FALL-2", "A diving charge: Jumping Down 3 inches or more onto the target."),
):
    BOOK.registers(_id, src="public", where=__name__, says=_says, reason=_LATER)
BOOK.registers(
    "TC-FLY-1",
    src="public",
    where=__name__,
    says="FLYING models measure through the air and may cross Impassable ground.",
    reason="comes with three-dimensional terrain; FLYING models are ruled as walking ones",
)


def cover_between(state: State, attacker: Body, target: Body) -> bool:
    """Whether the target is in or behind a piece that gives cover and that the attacker is not
    in."""
    return ground_of(state).crosses(attacker.centre, target.centre, "cover")


def activated_in_danger(run: Run, body_id: str) -> Procedure:
    """The roll of a model activated in Dangerous ground; on a failure its Activation is over."""
    body = run.state.bodies[body_id]
    piece = ground_of(run.state).standing_in(body, "dangerous")
    if piece is None:
        return
    grade = yield from success_roll(
        run, body_id, f"{body.name} is activated in {piece.name}", "TC-TER-4", risky=True
    )
    if grade != "failure":
        return
    yield from injury_roll(run, body_id, f"{body.name} in {piece.name}")
    end_activation(run, "danger", "TC-ROLL-5")


def terrain_faults(state: State) -> list[Fault]:
    """Pieces of a scene that would have to be climbed."""
    faults = []
    for index, piece in enumerate(state.table.pieces):
        limit = TRENCH_WALL_IN if piece.kind == "trench" else LOW_OBSTACLE_IN
        if piece.has("impassable") or piece.kind == "wood":
            continue
        if more_than(piece.top - piece.bottom, limit):
            faults.append(
                Fault(
                    f"terrain[{index}].height",
                    f"{piece.top - piece.bottom:g} in must be climbed, which is not ruled yet; a "
                    f"{piece.kind} is at most {limit:g} in high, or give it the trait impassable",
                )
            )
        if more_than(piece.bottom, 0.0):
            faults.append(
                Fault(
                    f"terrain[{index}].base_height",
                    "upper levels are not ruled yet; only impassable pieces may hang above 0",
                )
            )
    return faults
