"""TC-RET: attacks on a model that retreats, whether it can get away, and where it may go."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator

from tapeline.engine.asks import Answer, Ask, Choice, Option
from tapeline.engine.clauses import Moment
from tapeline.engine.limits import more_than, within
from tapeline.engine.paths import LegPath, legs_from_value
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.legs import Arc
from tapeline.rules.trench_crusade import spatial
from tapeline.rules.trench_crusade.actions import ForcedRetreat, Retreat, Walk
from tapeline.rules.trench_crusade.book import BOOK
from tapeline.rules.trench_crusade.context import Context
from tapeline.rules.trench_crusade.escape import way_out
from tapeline.rules.trench_crusade.figures import NEAR_IN
from tapeline.rules.trench_crusade.measures import away_from, gap, gap_at, holding, ignored_by
from tapeline.rules.trench_crusade.melee import melee_attack
from tapeline.rules.trench_crusade.moves import carry_out, too_far
from tapeline.rules.trench_crusade.nearest import refuse_path
from tapeline.rules.trench_crusade.sequence import take
from tapeline.rules.trench_crusade.sight import visible
from tapeline.rules.trench_crusade.state import is_down, melee_armed, movement
from tapeline.table.bodies import Body

__all__ = ["forced_retreat", "retreat"]

Retreating = Context[Retreat | ForcedRetreat | Walk]


@BOOK.clause("TC-RET-1", src="seed", bars=(Retreat, ForcedRetreat), at=Moment.DECLARE)
def near_an_enemy(ask: Context[Retreat | ForcedRetreat]) -> Iterator[Finding]:
    """Retreat is for a model within 1 inch of at least one enemy."""
    if ask.held:
        ask.cite("TC-RET-1")
        return
    near = min(ask.state.enemies(ask.mover), key=lambda e: gap(ask.mover, e), default=None)
    if near is None:
        yield Finding("There is no enemy to retreat from.", about=ask.mover.id)
        return
    measured = gap(ask.mover, near)
    text = f"No enemy is within 1 in; the nearest, {near.name}, is {measured:.2f} in away."
    yield Finding(text, measured, NEAR_IN, near.centre, near.id)


BOOK.resolves(
    "TC-RET-2",
    src="seed",
    says="Before a retreat move the opponent may make a Melee Attack on the model with each enemy "
    "within 1 inch of it.",
)
BOOK.resolves(
    "TC-RET-3", src="seed", says="The attacks are made also when a rule forces the retreat."
)
BOOK.resolves(
    "TC-RET-4",
    src="seed",
    says="The model may be moved only if no attack gave a Down or an Out of Action result.",
)


@BOOK.clause("TC-RET-5", src="seed", bars=(Retreat, ForcedRetreat, Walk), at=Moment.END)
def ends_clear_of_enemies(ask: Retreating) -> Iterator[Finding]:
    """A retreat move finishes more than 1 inch from every enemy."""
    walk = ask.walk
    if walk is None or walk.manner != "retreat" or ask.track.length <= 0.0:
        return
    ask.cite("TC-RET-5")
    if ask.way is not None:
        yield from spatial.ends_near(ask)
        if ask.state.option("retreat_direction") == "directly_away":
            yield from _not_directly_away(ask)
        return
    x, y = ask.track.end
    for enemy in ask.around.enemies:
        measured = gap_at(math.hypot(enemy.x - x, enemy.y - y), ask.mover, enemy)
        if not more_than(measured, NEAR_IN):
            text = f"Ends {measured:.2f} in from {enemy.name}, must be more than 1 in."
            yield Finding(text, measured, NEAR_IN, ask.track.end, enemy.id, ask.track.length)
    if ask.state.option("retreat_direction") == "directly_away":
        yield from _not_directly_away(ask)


def _not_directly_away(ask: Retreating) -> Iterator[Finding]:
    away = away_from(ask.mover, ask.held)
    if away is None:
        text = "The enemies are on opposite sides: no way leads directly away."
        yield Finding(text, about=ask.mover.id, travelled=0.0)
        return
    before = 0.0
    for part in ask.track.parts:
        if part.length <= 0.0:
            continue
        dx, dy = part.end[0] - ask.mover.x, part.end[1] - ask.mover.y
        along, off = dx * away[0] + dy * away[1], dx * away[1] - dy * away[0]
        if isinstance(part.shape, Arc) or along < before or not within(abs(off), 0.0):
            text = f"Leaves the line directly away from the enemies by {abs(off):.2f} in."
            if 0.0 <= along < before:
                text = f"Turns back {before - along:.2f} in toward the enemies."
            yield Finding(text, abs(off), 0.0, part.end, ask.mover.id, part.before)
            return
        before = along


BOOK.resolves(
    "TC-RET-6",
    src="seed",
    says="If no finish more than 1 inch from every enemy can be reached, the model does not move.",
)
BOOK.resolves(
    "TC-RET-7",
    src="public",
    says="Retreat may be declared even by a model that cannot move; it is attacked all the same.",
)
BOOK.resolves(
    "TC-RET-8", src="public", says="Each of the attacks is one Melee Attack with one weapon."
)


@BOOK.clause("TC-RET-9", src="public", bars=(Retreat, ForcedRetreat, Walk), at=Moment.PATH)
def retreats_up_to_movement(ask: Retreating) -> Iterator[Finding]:
    """A retreat move may be as long as the Movement Characteristic."""
    walk = ask.walk
    if walk is None or walk.manner != "retreat":
        return
    ask.cite("TC-RET-9")
    yield from too_far(ask, walk)


def _attackers(state: State, body: Body) -> list[Body]:
    found = []
    for enemy in holding(state, body):
        if not melee_armed(enemy) or not visible(state, enemy, body):
            continue
        if body.keyword("DISENGAGE") or ignored_by(body, enemy):
            continue
        found.append(enemy)
    return found


def _attacks(run: Run, body_id: str) -> Generator[Ask, Answer, bool]:
    """The attacks on a retreating model. Whether it may still be moved."""
    body = run.state.bodies[body_id]
    opponent = run.state.other_side(body.side)
    attackers = _attackers(run.state, body)
    if len(attackers) < len(holding(run.state, body)) and (
        body.keyword("DISENGAGE") or body.stat("retreat_guard_base_mm")
    ):
        run.cite("TC-KW-3")
    left = {enemy.id: enemy for enemy in attackers}
    may_move = True
    while left:
        # Who has been struck off a ledge may be out of reach of the others.
        able = {enemy.id for enemy in _attackers(run.state, run.state.bodies[body_id])}
        left = {enemy_id: enemy for enemy_id, enemy in left.items() if enemy_id in able}
        if not left:
            break
        options = tuple(Option(e.id, f"attack with {e.name}") for e in left.values())
        value = yield from run.choose(
            Choice(
                opponent,
                f"{body.name} retreats: attack with whom?",
                "TC-RET-2",
                "one",
                (*options, Option("pass", "no more attacks")),
                default=next(iter(left)),
                about=body_id,
            )
        )
        if value == "pass":
            break
        enemy = left.pop(str(value))
        run.cite("TC-RET-8")
        injury = yield from melee_attack(
            run, enemy.id, body_id, f"{enemy.name} attacks {body.name}"
        )
        if injury == "out":
            run.cite("TC-RET-4")
            return False
        run.cite("TC-RET-4")
        if injury == "down":
            may_move = False
    return may_move


def _get_away(run: Run, body_id: str, path: LegPath | None, held: tuple[str, ...]) -> Procedure:
    """What follows the attacks: the possibility test, the path, the move."""
    body = run.state.bodies[body_id]
    allowance = movement(run.state, body)
    if not way_out(run.state, body, allowance).possible:
        run.happened(
            "retreat impossible",
            f"{body.name} has no way to get more than 1 in from all enemies and stays",
            "TC-RET-6",
            about=body_id,
            outcome=True,
        )
        run.cite("TC-MOVE-12")
        return
    run.cite("TC-ACT-3")
    if path is None:
        value = yield from run.choose(
            Choice(
                body.side,
                f"{body.name} may retreat up to {allowance:g} in: along which path? None: it stays",
                "TC-RET-5",
                "path",
                default=(),
                about=body_id,
            )
        )
        path = legs_from_value(value)
        refuse_path(run, Walk(body_id, path, allowance, "retreat", held))
    gone = yield from carry_out(run, body_id, path, "TC-RET-9", allowance=allowance)
    if path and gone:
        run.happened(
            "retreated", f"{body.name} has retreated", "TC-RET-5", about=body_id, outcome=True
        )


def retreat(run: Run, action: Retreat) -> Procedure:
    """The Retreat ACTION: attacks, then the move if it is still possible."""
    body = run.state.body(action.actor)
    held = tuple(enemy.id for enemy in holding(run.state, body))
    take(run, "retreat", "TC-RET-1")
    yield from _carry_out_retreat(run, body.id, action.path, held)


def _carry_out_retreat(
    run: Run, body_id: str, path: LegPath | None, held: tuple[str, ...]
) -> Procedure:
    was_down = is_down(run.state.bodies[body_id])
    may_move = yield from _attacks(run, body_id)
    if body_id not in run.state.bodies:
        return
    if was_down:
        run.cite("TC-RET-7")
        run.happened(
            "cannot be moved",
            f"{run.state.bodies[body_id].name} is Down and stays",
            "TC-DOWN-2",
            about=body_id,
        )
        return
    if may_move:
        yield from _get_away(run, body_id, path, held)


def forced_retreat(run: Run, action: ForcedRetreat) -> Procedure:
    """A retreat that a rule brings about: attacks as usual; no ACTION is spent."""
    body = run.state.body(action.actor)
    run.forced()
    run.cite("TC-RET-3", "TC-ACT-4")
    held = tuple(enemy.id for enemy in holding(run.state, body))
    yield from _carry_out_retreat(run, body.id, action.path, held)
