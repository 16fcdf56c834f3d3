"""What a scene may choose of contested readings and what is wrong with it, and what a state means
in words."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.faults import at_body
from tapeline.engine.limits import same, sunk
from tapeline.engine.state import State
from tapeline.engine.system import Activity, OptionSpec
from tapeline.errors import Fault
from tapeline.geometry.rectangles.rectangle import separation
from tapeline.ranks.bases import box_about, shape_of
from tapeline.rules.warmaster.figures import (
    KEYWORDS,
    POLICIES,
    RANKS,
    TYPES,
    flies,
    is_character,
)
from tapeline.rules.warmaster.formation import Formation, engaged_units, formation_now, islands
from tapeline.rules.warmaster.initiative import targets_of
from tapeline.rules.warmaster.state import (
    CHARACTERS,
    END,
    HOME,
    INITIATIVE,
    ORDERS,
    OTHER,
    characters,
    rects_of,
    stands_of,
    units_on_table,
)
from tapeline.rules.warmaster.terrain import ground_of
from tapeline.table.bodies import Body, Rectangle, Round, Unit
from tapeline.table.terrain import Circle

__all__ = [
    "DECIDED",
    "OPTIONS",
    "STEPS",
    "acting",
    "activity",
    "faults",
    "may_share_ground",
    "notes",
    "status",
    "unit_words",
]

OPTIONS = (
    OptionSpec(
        "dist_metric",
        "How is the distance of a corner measured?",
        {
            "straight": "on each leg in a straight line from where it starts to where it ends",
            "arc": "along the way that it follows",
        },
        ("WM-STAND-6",),
    ),
    OptionSpec(
        "column_joint",
        "Which contacts join two stands of a column?",
        {
            "strict": "edge to edge, or corner to corner on one side",
            "any_point": "any contact of a rear edge with the front edge behind it",
        },
        ("WM-FORM-3",),
    ),
    OptionSpec(
        "gap_test",
        "When does a stand break the rule of gaps?",
        {
            "enter": "when it comes into the narrow place",
            "cross": "when it goes in and ends on the other side",
        },
        ("WM-GAP-2",),
    ),
    OptionSpec(
        "gap_feature",
        "Which features bound a gap beside an enemy?",
        {"impassable_to_mover": "those the mover may not enter", "any": "every feature"},
        ("WM-GAP-2",),
    ),
    OptionSpec(
        "river",
        "Who may enter a deep river?",
        {"deep_blocks_all": "nobody", "infantry_cross": "infantry"},
        ("WM-TER-8", "WM-TER-14"),
    ),
    OptionSpec(
        "dense_access",
        "Who may enter villages and broken or marshy ground?",
        {"infantry_only": "infantry", "public_all": "everybody"},
        ("WM-TER-2", "WM-TER-14"),
    ),
    OptionSpec(
        "fort_ignore",
        "When is an enemy unit in fortified positions, so that it may be left out of account?",
        {"all_stands": "when all its stands are", "any_stand": "when any stand is"},
        ("WM-INIT-11",),
    ),
    OptionSpec(
        "init_close",
        "What ends moves by initiative?",
        {
            "first_attempt": "the first attempt to give an order",
            "first_success": "the first order given",
        },
        ("WM-INIT-3",),
    ),
    OptionSpec(
        "failed_order",
        "What may a unit do whose first order of the turn fails?",
        {"half_pace": "move at half pace, without charging", "none": "nothing"},
        ("WM-PACE-11", "WM-CMD-5"),
    ),
)

#: Readings built once: the question, what is built, why.
DECIDED = (
    ("formation", "A unit is in formation when its stands hang together by contact.",
     "one body is meant; touching one other differs only for four stands and more"),
    ("line", "Stands of a line share whole side edges.",
     "it is straight and the stands are butted"),
    ("column bend", "A column bends by at most 90 degrees at a joint.", "a road bend at most"),
    ("order of stands", "Each stand after the first touches one already placed.",
     "stands are moved into formation one by one"),
    ("on unmoved stands", "A stand may end on a stand of its unit that is still to move.",
     "only moved and engaged stands are named as barred"),
    ("enemy contact", "Only a charge touches an enemy stand, at any time of the move.",
     "touching an enemy is a charge"),
    ("own stands at gaps",
     "A moved or engaged stand of the own unit bounds a gap as another unit's does.",
     "it bars the way as they do"),
    ("table edge at gaps", "The table edge bounds no gap.", "the edge is no feature"),
    ("gaps in a charge", "Only gaps beside units that the charge ends in contact with are waived.",
     "the exemption is for charging those stands"),
    ("distance of visible units", "The closest enemy is told by the whole unit.",
     "the rule speaks of units"),
    ("round a barrier",
     "A barrier counts when contact round it would take more than a full-pace move.",
     "it can be decided exactly"),
    ("evade", "The centre of the first stand runs straight.", "it is unique"),
    ("clear of enemies", "Evades end 5 cm away.", "a variant text has 1"),
    ("leaving in a chosen move", "A chosen move may not leave the table.",
     "only forced exits are listed"),
    ("point of return", "A unit returns where it last stood wholly on the table.",
     "the same point that it left"),
    ("point of return taken", "It shifts along the edge by the least distance that clears.",
     "the return is not put off"),
    ("command distance", "Exactly 20, 40, 60 cm count to the nearer band.", "by the table"),
    ("irregular flyers", "A charge from irregular formation is at half pace.",
     "the special rule wins"),
)  # fmt: skip


def may_share_ground(a: Body, b: Body) -> bool:
    """Whether two bases may overlap: a character takes no room (WM-CHAR-8)."""
    return is_character(a) or is_character(b)


def faults(state: State) -> list[Fault]:
    """Every fault of a scene that the shape of the document does not show."""
    found: list[Fault] = []
    if len(state.sides) != 2:
        found.append(Fault("sides", f"Warmaster is played by two sides; got {len(state.sides)}"))
    member = {name for unit in state.units.values() for name in unit.members}
    for body in state.bodies.values():
        found.extend(_body_faults(body, at_body(body), body.id in member))
    if found:
        return found
    for index, unit in enumerate(state.units.values()):
        found.extend(_unit_faults(state, unit, f"units[{index}]"))
    for body in characters(state):
        found.extend(_barred_ground(state, body, f"{at_body(body)}.position"))
    for index, piece in enumerate(state.table.pieces):
        if piece.kind in ("bridge", "gateway", "ford", "road") and any(
            isinstance(outline, Circle) for outline in piece.outlines
        ):
            where = f"terrain[{index}].shape"
            found.append(Fault(where, f"a {piece.kind} is a polygon or a rectangle, no circle"))
    found.extend(_memory_faults(state))
    return found


def notes(state: State) -> Iterator[str]:
    """Sides whose units nobody can order (WM-CMD-2)."""
    for side in state.sides:
        units = any(unit.side == side.id for unit in units_on_table(state))
        if units and next(characters(state, side.id), None) is None:
            yield f"{side.name} has no character to give orders"


def _body_faults(body: Body, where: str, member: bool) -> Iterator[Fault]:
    if not same(body.z, 0.0):
        yield Fault(f"{where}.z", f"must be 0, the table is flat; got {body.z:g}")
    kind = body.stats.get("type")
    if kind == "character":
        if not isinstance(body.base, Round):
            yield Fault(f"{where}.base", "a character stands on a round base")
        if body.stats.get("rank") not in RANKS:
            yield Fault(f"{where}.profile.rank", f"must be one of {', '.join(RANKS)}")
        if body.stats.get("mount", "infantry") not in TYPES:
            yield Fault(f"{where}.profile.mount", f"must be one of {', '.join(TYPES)}")
        if member:
            yield Fault(where, f"{body.id!r} is a character and belongs to no unit's members")
    elif not isinstance(kind, str) or kind not in TYPES:
        yield Fault(f"{where}.profile.type", f"must be one of {', '.join(TYPES)} or character")
    else:
        if not isinstance(body.base, Rectangle):
            yield Fault(f"{where}.base", "a stand is a rectangle")
        if not member:
            yield Fault(where, f"the stand {body.id!r} belongs to no unit")
    for name in ("full", "half"):
        if body.stat(name, -1.0) < 0.0:
            yield Fault(f"{where}.profile.{name}", "must be a number, 0 or more")
    words = body.stats.get("keywords", ())
    if not isinstance(words, tuple) or any(item not in KEYWORDS for item in words):
        yield Fault(f"{where}.profile.keywords", f"must be among {', '.join(KEYWORDS)}")
    if body.stats.get("policy", "") not in POLICIES:
        yield Fault(f"{where}.profile.policy", f"must be one of {', '.join(POLICIES[1:])} or empty")


def _unit_faults(state: State, unit: Unit, where: str) -> Iterator[Fault]:
    stands = stands_of(state, unit)
    for index, name in enumerate(unit.members):
        if name in state.bodies and state.bodies[name].side != unit.side:
            yield Fault(f"{where}.members[{index}]", f"{name!r} is of another side")
    if not stands:
        return
    if len({(body.stats, body.base) for body in stands}) > 1:
        yield Fault(f"{where}.members", "the stands of a unit are all of one kind")
        return
    if len(islands(rects_of(state, unit))) > 1:
        yield Fault(f"{where}.members", "the stands do not hang together by contact")
    for body in stands:
        yield from _barred_ground(state, body, f"{where}.members")


def _barred_ground(state: State, body: Body, where: str) -> Iterator[Fault]:
    """Ground that a body stands in and may not: that barred to it, or where flyers do not land."""
    shape, on_road = shape_of(body), not is_character(body)
    for feature in ground_of(state).closed_to(body, box_about(shape), on_road=on_road):
        depth = separation(shape, feature.region).depth
        if sunk(depth):
            message = f"{body.id!r} stands {depth:.4g} cm inside {feature.id!r}, barred to it"
            yield Fault(where, message)


def _memory_faults(state: State) -> Iterator[Fault]:
    """Marks that contradict where their holder is, or that nothing would ask for."""
    for body in state.bodies.values():
        for name in body.marks:
            if not is_character(body):
                text = "is a state of units and of characters, not of a stand"
                yield Fault(f"{at_body(body)}.state.{name}", text)
            elif name in ("off", "slain") and body.has(name):
                yield Fault(f"{at_body(body)}.state.{name}", f"{body.id!r} is on the table")
    for index, unit in enumerate(state.units.values()):
        where = f"units[{index}].state"
        for name in ("off", "edge"):
            if unit.marks.get(name) and stands_of(state, unit):
                yield Fault(f"{where}.{name}", f"{unit.id!r} is on the table")
        if ("allowance" in unit.marks) != (unit.marks.text("may_move") == "fall_back"):
            text = "goes with may_move 'fall_back': how far the unit may fall back, cm"
            yield Fault(f"{where}.allowance", text)
    yield from _progress_faults(state)


def _progress_faults(state: State) -> Iterator[Fault]:
    """Entries of progress that name who is not of the side whose turn it is, or no commander."""
    side = state.turn.active
    commander = state.bodies.get(str(state.progress.get("commander")))
    if commander is not None and (commander.side != side or not is_character(commander)):
        text = f"{commander.id!r} is no character of the side whose turn it is"
        yield Fault("turn.progress.commander", text)
    for name in ("group", "home"):
        for unit in state.progress.texts(name):
            if state.units[unit].side != side:
                text = f"{unit!r} is no unit of the side whose turn it is"
                yield Fault(f"turn.progress.{name}", text)


#: What the steps are called for people.
STEPS = {
    INITIATIVE: "moves on initiative",
    HOME: "flyers go home",
    ORDERS: "orders",
    CHARACTERS: "characters move",
    END: "the Command phase is over",
    OTHER: "shooting and combat",
}


#: What may be done in a step, and what leads on; in a step for which nobody is there.
_OPEN = {
    INITIATIVE: "Units near an enemy may charge or evade on initiative; then End initiative.",
    HOME: "Flyers may go home; then End the flights home.",
    ORDERS: "Characters give orders, and who has one moves; then End orders.",
    CHARACTERS: "Each character may move; then the Command phase ends.",
    END: "Go on to shooting and combat.",
    OTHER: "Shooting and combat are fought on the real table and told here; then End the turn.",
}
_NOBODY = {
    INITIATIVE: "Nobody is near enough to an enemy to act on initiative: give orders.",
    HOME: "There are no flyers to go home: give orders.",
    ORDERS: "There is no character to give orders: End orders.",
}


def acting(state: State) -> tuple[str, ...]:
    """The sides that may act: both outside the Command phase, where rules move units of either."""
    if state.turn.phase == OTHER:
        return tuple(side.id for side in state.sides)
    return (state.turn.active,)


def activity(state: State) -> Activity:
    """The units that have an order to move, which are lost with the step."""
    units = (unit for unit in units_on_table(state) if unit.side == state.turn.active)
    may = tuple(unit.id for unit in units if unit.marks.text("may_move"))
    return Activity(may, may, "were ordered and have not moved")


def status(state: State) -> list[str]:
    """Where the game is and what is still open, a line each."""
    side = next((s.name for s in state.sides if s.id == state.turn.active), state.turn.active)
    step = STEPS.get(state.turn.phase, state.turn.phase)
    lines = [f"Turn {state.turn.round}, {side}: {step}."]
    lines += [_to_do(state)] if state.turn.phase in _OPEN else []
    over = state.progress.get("over")
    if over:
        lines.append(f"The battle is over: the army of {over} withdraws.")
    fighting = engaged_units(state)
    for unit in units_on_table(state):
        says, may = [], unit.marks.text("may_move")
        if may:
            says.append("may move at half pace" if may == "half" else "may move")
        if unit.has("confused"):
            says.append("confused")
        if unit.id in fighting:
            says.append("in combat")
        if unit.has("no_move"):
            says.append("does not move this turn")
        if formation_now(state, unit) is Formation.IRREGULAR:
            says.append("irregular")
        if says:
            lines.append(f"{unit.name}: {', '.join(says)}.")
    failed = (b.name for b in characters(state, state.turn.active) if b.has("failed"))
    return [*lines, *(f"{name} has failed to give an order." for name in failed)]


def _to_do(state: State) -> str:
    phase = state.turn.phase
    mine = [unit for unit in units_on_table(state) if unit.side == state.turn.active]
    nobody = (phase == INITIATIVE and not any(targets_of(state, unit) for unit in mine)) or (
        phase == HOME and not any(flies(stands_of(state, unit)) for unit in mine)
    )
    nobody |= phase == ORDERS and next(characters(state, state.turn.active), None) is None
    return (_NOBODY if nobody else _OPEN)[phase]


def unit_words(state: State, unit: Unit) -> str:
    """The formation of a unit, and whether it is confused."""
    stands = stands_of(state, unit)
    if not stands:
        return ""
    words = [str(formation_now(state, unit))] if len(stands) > 1 else []
    return ", ".join([*words, *(["confused"] if unit.has("confused") else [])])
