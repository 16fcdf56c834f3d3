"""TC-ROLL, TC-INJ, TC-DOWN, TC-FALL: Success Rolls, Injury Rolls and what comes of them; falls."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import Literal

from tapeline.dice import Band, Reading, Roll, said_reading
from tapeline.engine.asks import Answer, Ask, Choice
from tapeline.engine.events import Marked, Moved, Progressed, Removed, TurnChanged
from tapeline.engine.limits import TOLERANCE, overlaps, same, within
from tapeline.engine.paths import Place
from tapeline.engine.referee import Run
from tapeline.engine.state import State
from tapeline.geometry.plane.legs import Point
from tapeline.rules.trench_crusade.book import (
    ARMOUR_FLOOR,
    BLOODBATH_BLOOD,
    BLOODBATH_BLOOD_DOWN,
    BLOODBATH_DICE,
    BOOK,
    CRITICAL_TOTAL,
    DOWN_DICE,
    DOWN_TOTAL,
    FALL_IN,
    INJURY_DICE,
    LEDGE_NEAR_IN,
    LOW_OBSTACLE_IN,
    MARKERS_MAX,
    MINOR_TOTAL,
    OUT_TOTAL,
    SUCCESS_DICE,
    SUCCESS_TOTAL,
)
from tapeline.rules.trench_crusade.ground import JUST_IN, built, terrain_of
from tapeline.rules.trench_crusade.measures import base_of
from tapeline.rules.trench_crusade.state import (
    activation,
    flies,
    height,
    is_down,
    next_side,
    radius,
)
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks, Value
from tapeline.table.storeys import Surface
from tapeline.travel.edges import NearEdge, open_edges
from tapeline.travel.landing import Borders, Landing, landing, nearest_free
from tapeline.travel.terrain import Terrain
from tapeline.wording import told_apart

__all__ = [
    "Grade",
    "Injury",
    "Pool",
    "end_activation",
    "fall",
    "falling_dice",
    "free_place",
    "goes_over",
    "injury_roll",
    "landing_off",
    "ledges_near",
    "pool",
    "reading",
    "risky_roll",
    "spend_markers",
    "success_roll",
    "take_injury",
]


Grade = Literal["failure", "success", "critical"]

BOOK.resolves_each("""
TC-ROLL-1 (public) A Success Roll is 2D6: 2 to 6 fails, 7 to 11 succeeds, 12 or more is critical.
TC-ROLL-2 (public) +DICE and -DICE cancel; what is left adds that many dice, of which the highest
    two (or the lowest two) count.
TC-ROLL-3 (public) On a Success Roll the opponent may spend the model's BLOOD MARKERs for -1 DICE
    each, its owner BLESSING MARKERs for +1 DICE each.
TC-ROLL-4 (public) When both sides could act on one roll, the side with the Initiative sets the
    order.
TC-ROLL-6 (public) A D3 is a D6 halved, rounded up.
""")


@dataclass(frozen=True, slots=True)
class Pool:
    """How many dice to roll and how many of them count: +n the highest, -n the lowest, 0 all."""

    count: int
    keep: int


def pool(base: int, net: int) -> Pool:
    """The dice of a roll of `base` dice under a net number of +DICE or -DICE.

    >>> pool(2, 1), pool(2, -2), pool(3, 0)
    (Pool(count=3, keep=2), Pool(count=4, keep=-2), Pool(count=3, keep=0))
    """
    if net == 0:
        return Pool(base, 0)
    return Pool(base + abs(net), base if net > 0 else -base)


def spend_markers(
    run: Run, body_id: str, purpose: str, clause: str, price: float = math.inf
) -> Generator[Ask, Answer, tuple[bool, int, int]]:
    """Ask both sides what they spend on a roll; take the markers off.

    price: BLOOD MARKERs that a Bloodbath costs. Returns whether there is one, and BLOOD and
    BLESSING MARKERs spent besides.
    """
    body = run.state.bodies[body_id]
    owner, opponent = body.side, run.state.other_side(body.side)
    order = []
    if body.marks.whole("blood"):
        order.append("blood")
    if body.marks.whole("blessing"):
        order.append("blessing")
    if len(order) == 2:
        first = yield from run.pick(
            run.state.turn.initiative,
            f"{purpose}: which side decides first on markers?",
            "TC-ROLL-4",
            {opponent: "the opponent", owner: "the owner"},
            default=opponent,
            about=body_id,
        )
        if first == owner:
            order.reverse()
    bathed, spent = False, {"blood": 0, "blessing": 0}
    for marker in order:
        have = body.marks.whole(marker)
        if marker == "blood" and have >= price:
            asked = f"{purpose}: Bloodbath for {price:g} BLOOD MARKERs of {body.name}?"
            options = {False: "no", True: "yes: the Injury Roll is of 3D6"}
            way = yield from run.pick(
                opponent, asked, "TC-INJ-3", options, default=False, about=body_id
            )
            bathed = way is True
            if bathed:
                have -= int(price)
                run.emit(Marked(body_id, Marks({marker: have or None}), "TC-INJ-3"))
            if not have:
                continue
        value = yield from run.choose(
            Choice(
                opponent if marker == "blood" else owner,
                f"{purpose}: how many {marker.upper()} MARKERs of {body.name} to spend?",
                clause,
                "number",
                low=0.0,
                high=float(have),
                default=0,
                about=body_id,
            )
        )
        count = int(value) if isinstance(value, int | float) else 0
        if count:
            run.emit(Marked(body_id, Marks({marker: (have - count) or None}), clause))
        spent[marker] = count
    return bathed, spent["blood"], spent["blessing"]


#: How the purpose of every Success Roll ends.
SUCCESS_ROLL = "Success Roll"


def success_roll(
    run: Run, body_id: str, purpose: str, clause: str, *dice: int, risky: bool = False
) -> Generator[Ask, Answer, Grade]:
    """A Success Roll for a model. dice: + and -DICE from profile, keywords and cover, each apart.

    What follows from a failed Risky roll is the caller's; the grade is returned.
    """
    body = run.state.bodies[body_id]
    if is_down(body):
        dice += (DOWN_DICE,)
        run.cite("TC-DOWN-2")
    _, blood, blessing = yield from spend_markers(run, body_id, purpose, "TC-ROLL-3")
    if any(dice) or blood or blessing:
        run.cite("TC-ROLL-2")
    thrown = pool(SUCCESS_DICE, sum(dice) - blood + blessing)
    name = f"{purpose}: {'Risky ' if risky else ''}{SUCCESS_ROLL}"
    roll = Roll(thrown.count, name, clause, body.side, 6, body_id, "sum", thrown.keep)
    faces = yield from run.roll(roll, lambda faces: _grade(roll.total(faces)))
    run.cite("TC-ROLL-1")
    total = roll.total(faces)
    run.value(total=total)
    if risky:
        run.cite("TC-ROLL-5")
    return _grade(total)


def risky_roll(
    run: Run, body_id: str, purpose: str, clause: str, figure: str
) -> Generator[Ask, Answer, Grade]:
    """A Risky Success Roll with the DICE that a figure of the model's profile gives."""
    dice = int(run.state.bodies[body_id].stat(figure))
    if dice:
        run.cite("TC-KW-3")
    return (yield from success_roll(run, body_id, purpose, clause, dice, risky=True))


def _grade(total: int) -> Grade:
    if total >= CRITICAL_TOTAL:
        return "critical"
    return "success" if total >= SUCCESS_TOTAL else "failure"


#: Verbs of success and failure where a roll has its own, by clause.
_VERBS = {"TC-MEL-1": ("hits", "misses"), "TC-DASH-1": ("dashes", "fails to dash")}


def reading(state: State, roll: Roll) -> Reading | None:
    """How a Success Roll or an Injury Roll is read."""
    if roll.purpose.endswith(SUCCESS_ROLL):
        done, failed = _VERBS.get(roll.clause, ("succeeds", "fails"))
        return Reading(
            (
                Band("Critical", f"{done}, a critical success", CRITICAL_TOTAL, good=True),
                Band("Success", done, SUCCESS_TOTAL, good=True),
                Band("Failed", failed, good=False),
            )
        )
    body = state.bodies.get(roll.about or "")
    if roll.clause == "TC-INJ-1" and body is not None:
        return Reading(
            (
                Band("Out of Action", "is Out of Action", OUT_TOTAL),
                Band("Down", "is Down", DOWN_TOTAL),
                Band("Minor Hit", "takes a Minor Hit", MINOR_TOTAL),
                Band("Unhurt", "is unhurt"),
            ),
            plus=armour_of(body),
        )
    return said_reading(roll)


def armour_of(body: Body) -> int:
    """The INJURY MODIFIER of a model's armour, 0 or less."""
    return max(ARMOUR_FLOOR, int(body.stat("armour")))


Injury = Literal["nothing", "minor", "down", "out"]

BOOK.resolves_each("""
TC-INJ-1 (public) Injury Roll: 2D6 with INJURY DICE, plus INJURY MODIFIERs of -3 at worst; 1 or less
    nothing, 2 to 6 a Minor Hit, 7 or 8 Down, 9 or more Out of Action.
TC-INJ-2 (public) The enemy makes the Injury Roll and may spend the model's BLOOD MARKERs for +1
    INJURY DICE each, its owner BLESSING MARKERs for -1 each; +1 in melee against a Down model.
TC-INJ-3 (public) Bloodbath: for 6 BLOOD MARKERs, 3 if the model is Down, the Injury Roll is of 3D6.
TC-INJ-4 (public) TOUGH: the first Out of Action result of the game becomes a Down result.
TC-DOWN-4 (public) A model within 1 inch of a ledge that is about to be marked Down takes a Success
    Roll; on a failure it Falls off the nearest ledge first.
TC-FALL-1 (public) A falling model goes to the first flat surface below that can hold it; a drop of
    3 inches or more is an Injury Roll with +1 INJURY DICE for each full 3 inches.
""")


def end_activation(run: Run, why: str, clause: str) -> None:
    """End the Activation under way; the other side is next while it has a model left."""
    current = activation(run.state)
    if current is None or current.over:
        return
    run.emit(Progressed(Marks({"over": why}), clause))
    body = run.state.bodies.get(current.actor) or run.state.gone[current.actor]
    following = next_side(run.state, body.side)
    if following != run.state.turn.active:
        run.emit(TurnChanged(active=following, clause="TC-ACT-10"))


def in_own_activation(run: Run, body_id: str) -> bool:
    """Whether the Activation under way is this model's."""
    current = activation(run.state)
    return current is not None and current.actor == body_id and not current.over


def falling_dice(drop: float) -> int:
    """INJURY DICE of a Fall: one for each full 3 inches.

    >>> falling_dice(2.99), falling_dice(3.0), falling_dice(6.5)
    (0, 1, 2)
    """
    return int((drop + TOLERANCE) // FALL_IN)


def fall(
    run: Run, body_id: str, place: Place, drop: float, clause: str
) -> Generator[Ask, Answer, Injury]:
    """A model Falls to a place, so far down, and is hurt by it. What it came to."""
    body = run.state.bodies[body_id]
    run.emit(Moved(body_id, *place, body.facing, (), clause))
    text = f"{body.name} Falls {told_apart(drop, FALL_IN)} in"
    run.happened("falls", text, clause, about=body_id, outcome=True)
    run.cite("TC-FALL-1")
    if falling_dice(drop) < 1:
        return "nothing"
    if flies(body):
        run.cite("TC-FLY-1")
        return "nothing"
    return (yield from injury_roll(run, body_id, text, dice=falling_dice(drop)))


def goes_over(run: Run, body_id: str) -> Generator[Ask, Answer, bool]:
    """TC-DOWN-4: whether a model about to be marked Down is gone, having Fallen off a ledge."""
    state, body = run.state, run.state.bodies[body_id]
    ledges = [] if is_down(body) else ledges_near(state, body)
    nearest = [edge for edge in ledges if same(edge.distance, ledges[0].distance)]
    found = [landing_off(state, body, edge.point, edge.normal, body.z) for edge in nearest]
    landings: list[Landing] = []
    for it in found:
        # Sides that go on in one line are one ledge: they lead to one place.
        if it and not any(same(math.dist(it.place, one.place), 0.0) for one in landings):
            landings.append(it)
    if not landings:
        return False
    grade = yield from success_roll(
        run, body_id, f"{body.name} is {ledges[0].distance:.2f} in from a ledge", "TC-DOWN-4"
    )
    if grade == "failure":
        which: Value = 0
        if len(landings) > 1:
            ends = enumerate(one.place for one in landings)
            options = {k: f"to ({at.x:.1f}, {at.y:.1f})" for k, at in ends}
            asked = f"{body.name} Falls off one of {len(landings)} ledges as near: which?"
            by = state.other_side(body.side)
            which = yield from run.pick(by, asked, "TC-DOWN-4", options, default=0, about=body_id)
        landing = landings[which if isinstance(which, int) else 0]
        yield from fall(run, body_id, landing.place, landing.drop, "TC-DOWN-4")
    return body_id not in run.state.bodies


def take_injury(
    run: Run, body_id: str, injury: Injury, clause: str
) -> Generator[Ask, Answer, Injury]:
    """Carry out a result on a model. Returns what it came to once TOUGH has had its say."""
    body = run.state.bodies[body_id]
    if injury == "out" and body.keyword("TOUGH") and not body.has("tough_used"):
        run.emit(Marked(body_id, Marks({"tough_used": True}), "TC-INJ-4"))
        injury = "down"
    if injury == "nothing":
        run.happened("unhurt", f"{body.name} is unhurt", clause, about=body_id, outcome=True)
        return injury
    if injury == "out":
        run.happened(
            "out of action", f"{body.name} is Out of Action", clause, about=body_id, outcome=True
        )
        mine = in_own_activation(run, body_id)
        run.emit(Removed(body_id, "out of action", clause))
        if mine:
            end_activation(run, "out", clause)
        return injury
    if injury == "down" and (yield from goes_over(run, body_id)):
        return "out"
    body = run.state.bodies[body_id]
    more = 2 if injury == "down" and is_down(body) else 1
    blood = body.marks.whole("blood") + more
    if blood > MARKERS_MAX:
        blood = MARKERS_MAX
        run.cite("TC-ROLL-3")
    if injury == "minor":
        run.emit(Marked(body_id, Marks({"blood": blood}), clause))
        run.happened(
            "minor hit", f"{body.name} takes a Minor Hit", clause, about=body_id, outcome=True
        )
        return injury
    run.emit(Marked(body_id, Marks({"blood": blood, "down": True}), clause))
    run.happened("down", f"{body.name} is Down", clause, about=body_id, outcome=True)
    if in_own_activation(run, body_id):
        end_activation(run, "down", "TC-DOWN-1")
    return injury


def injury_roll(
    run: Run, body_id: str, purpose: str, *, dice: int = 0
) -> Generator[Ask, Answer, Injury]:
    """An Injury Roll against a model and its result. dice: net +INJURY DICE so far."""
    body = run.state.bodies[body_id]
    opponent = run.state.other_side(body.side)
    price = BLOODBATH_BLOOD_DOWN if is_down(body) else BLOODBATH_BLOOD
    bathed, blood, blessing = yield from spend_markers(run, body_id, purpose, "TC-INJ-2", price)
    base = BLOODBATH_DICE if bathed else INJURY_DICE
    thrown = pool(base, dice + blood - blessing)
    name = f"{purpose}: Injury Roll"
    roll = Roll(thrown.count, name, "TC-INJ-1", opponent, 6, body_id, "sum", thrown.keep)
    armour = armour_of(body)
    faces = yield from run.roll(roll, lambda faces: _injury(roll.total(faces) + armour))
    total = roll.total(faces) + armour
    run.value(injury=total)
    return (yield from take_injury(run, body_id, _injury(total), "TC-INJ-1"))


def _injury(total: int) -> Injury:
    if total >= OUT_TOTAL:
        return "out"
    if total >= DOWN_TOTAL:
        return "down"
    return "minor" if total >= MINOR_TOTAL else "nothing"


#: Inches. On a surface less than half as wide a free place is looked for so far at most.
_ROOM = 4.0


def landing_off(state: State, body: Body, lip: Point, normal: Point, z: float) -> Landing | None:
    """Where a model lands that Falls over a lip: on the first surface below that can hold it.

    One base radius beyond the lip; the nearest place on that surface where nothing stands, if the
    base does not fit there. None if nothing below can hold it.
    """
    heights, r = terrain_of(state), radius(body)
    w, d = heights.table.width, heights.table.depth
    x = min(max(lip[0] + r * normal[0], r), w - r)
    y = min(max(lip[1] + r * normal[1], r), d - r)

    def free(below: Surface) -> Place | None:
        found = free_place(state, heights, body, x, y, below)
        return None if found is None else Place(*found, below.height(*found))

    return landing(heights.storeys, x, y, z, free)


def ledges_near(state: State, body: Body) -> list[NearEdge]:
    """The ledges within 1 inch of a base, the nearest first.

    What is too high to step over, as the wall of a bridge, keeps a base from a ledge behind it.
    """
    if not built(state.table):
        return []
    heights = terrain_of(state)
    surface = heights.storeys.support(body.x, body.y, body.z, TOLERANCE)
    found = open_edges(heights, body, LEDGE_NEAR_IN, LOW_OBSTACLE_IN + 2.0 * TOLERANCE)
    return [edge for edge in found if surface and not heights.low(edge.drop, surface)]


def free_place(
    state: State, heights: Terrain, body: Body, x: float, y: float, surface: Surface
) -> Point | None:
    """The nearest place to (x, y) on a surface where the base fits; None if there is none."""
    r, tall, z, table = radius(body), height(body), surface.height(x, y), heights.table

    def able(px: float, py: float) -> bool:
        inside = r - TOLERANCE <= px <= table.width - r + TOLERANCE
        inside = inside and r - TOLERANCE <= py <= table.depth - r + TOLERANCE
        if not inside or surface.depth(px, py) < -TOLERANCE:
            return False
        place = Place(px, py, surface.height(px, py))
        if heights.overlapped(body.at(*place)) is not None:
            return False
        if heights.support(surface, px, py, r) <= 0.5 + TOLERANCE:
            return False
        return not any(overlaps(base_of(state, body, o).overlap(place)) for o in state.others(body))

    def borders(room: float) -> Borders:
        found = Borders(r)
        for other in state.others(body):
            reach = r + radius(other)
            if within(abs(other.z - z), 0.0) and math.dist(other.centre, (x, y)) <= room + reach:
                found.circles.append((other.x, other.y, reach))
        box = (x - room - r, y - room - r, x + room + r, y + room + r)
        beside = heights.beside(box, z, tall, r)
        found.add(o.ground for o in beside if heights.takes_room(o, z, tall))
        found.add((o.ground for o in beside if heights.rises(o, z)), 0.0)
        if surface.ramp is None:
            found.add_within(surface, JUST_IN)
            found.add_within(surface, r)
        return found

    across = surface.outer.box[2] - surface.outer.box[0]
    farthest = min(2.0 * max(table.width, table.depth), max(_ROOM, 2.0 * across))
    return nearest_free(x, y, able, borders, farthest)
