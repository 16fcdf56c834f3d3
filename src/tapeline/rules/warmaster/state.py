"""What the state remembers, as clauses are given it, and what marks and figures are called."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from tapeline.engine import context
from tapeline.engine.allowed import Mark
from tapeline.engine.clauses import Clause
from tapeline.engine.names import Names
from tapeline.engine.paths import Leg
from tapeline.engine.state import State
from tapeline.engine.system import Looks
from tapeline.engine.verdicts import Finding
from tapeline.errors import Fault, UnknownIdError
from tapeline.geometry.plane.grid import Box, boxes_meet
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.ranks.bases import box_about_all, nearest_to, rect_of, unit_gap
from tapeline.rules.warmaster.figures import (
    BOOK,
    KEYWORDS,
    ORDERS_MOST,
    POLICIES,
    RANKS,
    TYPES,
    is_character,
)
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks
from tapeline.wording import told_apart

__all__ = [
    "BADGES",
    "CHARACTERS",
    "END",
    "HOME",
    "INITIATIVE",
    "MARKS",
    "NAMES",
    "OF_TURN",
    "ORDERS",
    "OTHER",
    "PHASES",
    "PROGRESS",
    "UnitContext",
    "called",
    "characters",
    "cm",
    "company_of",
    "distance_to",
    "enemies_near",
    "enemy_units",
    "findings",
    "is_legal",
    "kept",
    "kept_as_placed",
    "kept_for",
    "kept_of_places",
    "kept_while_near",
    "kept_while_placed",
    "lost",
    "on_the_table",
    "rects_of",
    "remembered",
    "stands_of",
    "stands_on_table",
    "unit_joined",
    "unit_of",
    "units_apart",
    "units_on_table",
]


SubjectT = TypeVar("SubjectT")
P = ParamSpec("P")
T = TypeVar("T")

#: Steps of the Command phase; OTHER is every other phase, in which rules move units.
INITIATIVE, HOME, ORDERS, CHARACTERS, END = "initiative", "home", "orders", "characters", "end"
OTHER = "other"
PHASES = (INITIATIVE, HOME, ORDERS, CHARACTERS, END, OTHER)

#: What a unit may do now.
MAY_MOVE = ("order", "half", "rush", "fall_back")
#: Edges of the table.
EDGES = ("left", "right", "bottom", "top")
#: Marks a scene may set on a unit or a character.
MARKS = {
    "confused": Mark(bool, "a unit is confused", on="unit"),
    "initiative": Mark(bool, "a unit has acted on initiative this phase", on="unit"),
    "charged": Mark(bool, "a unit has charged this phase", on="unit"),
    "no_move": Mark(bool, "does not move this turn"),
    "fortified": Mark(bool, "all stands of a unit are fortified, or this one is"),
    "lost": Mark(int, "stands that a unit has lost", least=0, on="unit"),
    "orders": Mark(int, "orders that a unit got this turn", least=0, most=ORDERS_MOST, on="unit"),
    "failed": Mark(bool, "the last order that a character tried to give has failed"),
    "ordered_by": Mark(
        str, "id of the character whose orders a unit takes this turn", ids="friend", on="unit"
    ),
    "may_move": Mark(str, "what a unit may do now; absent: nothing", words=MAY_MOVE, on="unit"),
    "allowance": Mark(int, "how far a unit may fall back, cm", least=0, on="unit"),
    "command": Mark(int, "lasting change of a character's Command", most=0, on="model"),
    "joined": Mark(str, "id of the unit that a character is with", ids="friendly unit", on="model"),
    "moved": Mark(bool, "a character has made its move", on="model"),
    "done": Mark(bool, "a character has given its orders: another began to give his", on="model"),
    "off": Mark(bool, "is off the table and may come back"),
    "edge": Mark(str, "over which edge of the table it left", words=EDGES, on="unit"),
    "slain": Mark(bool, "a character has been slain", on="model"),
}

#: Marks that last for one Command phase.
OF_TURN = (
    "initiative",
    "charged",
    "orders",
    "failed",
    "ordered_by",
    "may_move",
    "allowance",
    "moved",
    "done",
    "no_move",
)

#: Entries of progress.
PROGRESS = {
    "closed": Mark(
        bool, "initiative moves are over: an order has been tried, or a flyer went home"
    ),
    "general_failed": Mark(bool, "the General has failed to give an order"),
    "commander": Mark(str, "id of the character who gives orders now", ids="body"),
    "group": Mark(
        tuple, "ids of the units ordered last: to be ordered on, several as a brigade", ids="unit"
    ),
    "home": Mark(tuple, "ids of the flyers that have gone home this turn", ids="unit"),
    "over": Mark(str, "id of the side whose army withdraws: the battle is over", ids="side"),
}


class _Kept:
    """What follows from the state looked at last, from where the stands of all units are, and from
    where those of single units are: `places` holds a number for where each unit is, `numbers` those
    given so far."""

    __slots__ = (
        "as_placed", "numbers", "of_places", "of_state", "options", "placed", "places", "state"
    )  # fmt: skip

    def __init__(self) -> None:
        self.state: State | None = None
        self.options: Marks | None = None
        self.of_state: defaultdict[str, dict[Any, Any]] = defaultdict(dict)
        self.placed: dict[str, tuple[Any, ...]] = {}
        self.as_placed: defaultdict[str, dict[Any, Any]] = defaultdict(dict)
        self.places: dict[str, int] = {}
        self.numbers: dict[tuple[str, tuple[Any, ...]], int] = {}
        self.of_places: defaultdict[str, dict[Any, Any]] = defaultdict(dict)

    def look_at(self, state: State) -> None:
        """Forget what does not hold in another state."""
        placed = {name: _standing(unit, state) for name, unit in state.units.items()}
        if state.options != self.options:
            self.options, self.placed = state.options, {}
            self.of_places = defaultdict(dict)
        if placed != self.placed or list(placed) != list(self.placed):
            for name, standing in placed.items():
                if standing != self.placed.get(name):
                    self.places[name] = self._number(name, standing)
            self.as_placed = defaultdict(dict)
        self.state, self.placed, self.of_state = state, placed, defaultdict(dict)

    def _number(self, name: str, standing: tuple[Any, ...]) -> int:
        """That of where a unit is: the one it had if it has been there before."""
        if (name, standing) not in self.numbers:
            if len(self.numbers) >= _REMEMBERED:
                self.numbers.clear()
            self.numbers[name, standing] = next(_PLACES)
        return self.numbers[name, standing]


#: Numbers of the places of units, never the same for two.
_PLACES = itertools.count()
#: Answers of one kind about units where they stand that are remembered.
_REMEMBERED = 1 << 14


#: What was asked for last, of whatever table.
_LATEST = [_Kept()]


def _kept(state: State) -> _Kept:
    latest = _LATEST[0]
    if latest.state is state:
        return latest
    found = state.table.prepared.get("warmaster:kept")
    if not isinstance(found, _Kept):
        found = state.table.prepared["warmaster:kept"] = _Kept()
    if found.state is not state:
        found.look_at(state)
    _LATEST[0] = found
    return found


def _standing(unit: Unit, state: State) -> tuple[Any, ...]:
    """What planned moves and sight follow from: whose stands are where, and what holds them."""
    return unit.side, unit.has("fortified"), *map(state.bodies.get, unit.members)


def kept_for(state: State, what: str) -> dict[Any, Any]:
    """Where to remember what follows from a state; forgotten as soon as another is looked at."""
    return _kept(state).of_state[what]


def kept_as_placed(state: State, what: str) -> dict[Any, Any]:
    """As `kept_for`, of what follows from the stands of units alone: forgotten when one moves, not
    when a mark of a unit, a character or the sequence changes."""
    return _kept(state).as_placed[what]


def kept(work: Callable[Concatenate[State, P], T]) -> Callable[Concatenate[State, P], T]:
    """Remember what a function of a state and of things with ids gives, for the state looked at
    last."""
    return _remembering(work, kept_for)


def kept_while_placed(
    work: Callable[Concatenate[State, P], T],
) -> Callable[Concatenate[State, P], T]:
    """As `kept`, for what follows from the stands of units alone."""
    return _remembering(work, kept_as_placed)


def kept_of_places(work: Callable[Concatenate[State, P], T]) -> Callable[Concatenate[State, P], T]:
    """As `kept`, for what follows from where the stands of the units given are, and bodies given,
    alone: it holds until one of these moves, whatever else does."""
    name = f"{work.__module__}:{work.__name__}"

    @wraps(work)
    def once(state: State, /, *of: P.args, **more: P.kwargs) -> T:
        kept = _kept(state)
        known = kept.of_places[name]
        key = tuple([_place(each, kept.places) for each in (*of, *more.values())])
        if key not in known:
            if len(known) >= _REMEMBERED:
                known.clear()
            known[key] = work(state, *of, **more)
        found: T = known[key]
        return found

    return once


def kept_while_near(
    state: State, key: tuple[Any, ...], units: Sequence[Unit], far: float, work: Callable[[], T]
) -> T:
    """What `work` gives, remembered as long as no unit moves that has a stand in a box about some
    units, or no farther than that, cm, from one about the first. key: what else it follows from."""
    kept = _kept(state)
    known = kept.of_places["near"]
    boxes = _boxes(state)
    lefts, lows, rights, highs = zip(*(boxes[unit.id] for unit in units), strict=True)
    whole, first = (min(lefts), min(lows), max(rights), max(highs)), boxes[units[0].id]
    places = kept.places
    near = [
        places[name]
        for name, box in boxes.items()
        if boxes_meet(whole, box) or boxes_meet(first, box, far)
    ]
    return remembered(known, (*key, *near), work)


def remembered(
    known: dict[Any, Any], key: Hashable, work: Callable[[], T], most: int = _REMEMBERED
) -> T:
    """What `work` gives, worked out once for a key; all that is known is forgotten where so many
    are."""
    if key not in known:
        if len(known) >= most:
            known.clear()
        known[key] = work()
    found: T = known[key]
    return found


def _place(thing: Any, places: Mapping[str, int]) -> Any:
    """What tells where a unit or a body is; anything else is itself."""
    if isinstance(thing, Unit):
        return places[thing.id]
    return (thing.x, thing.y, thing.facing, thing.base) if isinstance(thing, Body) else thing


def _remembering(
    work: Callable[Concatenate[State, P], T], where: Callable[[State, str], dict[Any, Any]]
) -> Callable[Concatenate[State, P], T]:
    name = f"{work.__module__}:{work.__name__}"

    @wraps(work)
    def once(state: State, /, *of: P.args, **more: P.kwargs) -> T:
        known = where(state, name)
        given = (*of, *more.values()) if more else of
        key = tuple([getattr(each, "id", each) for each in given])
        if key not in known:
            known[key] = work(state, *of, **more)
        found: T = known[key]
        return found

    return once


def unit_of(state: State, unit_id: str) -> Unit:
    """The unit of that id. Raises UnknownIdError."""
    unit = state.units.get(unit_id)
    if unit is None:
        fault = Fault("", f"there is no unit with the id {unit_id!r}")
        raise UnknownIdError("no such unit", [fault], unit_id)
    return unit


def called(state: State, known_as: str) -> str:
    """What to call what has an id: a unit or character by its name, a stand by its own or as one
    of its unit's, "Pikes 2"; the id in quotes where there is nothing of that id."""
    if known_as in state.units:
        return state.units[known_as].name
    body = state.bodies.get(known_as)
    if body is not None and body.name != known_as:
        return body.name
    return _stand_names(state).get(known_as, repr(known_as) if body is None else known_as)


def cm(measured: float, limit: float = 0.0) -> str:
    """A length in a sentence about the limit that it breaks.

    >>> cm(60.25, 60.0), cm(60.00001, 60.0), cm(0.00002)
    ('60.2500 cm', '60.00001 cm', '0.00002 cm')
    """
    return told_apart(measured, limit, ".4f") + " cm"


@kept
def _stand_names(state: State) -> dict[str, str]:
    return {
        name: name if unit.name == unit.id else f"{unit.name} {place}"
        for unit in state.units.values()
        for place, name in enumerate(unit.members, 1)
    }


def stands_of(state: State, unit: Unit) -> tuple[Body, ...]:
    """The stands of a unit that are on the table, in its order."""
    bodies = state.bodies
    return tuple([bodies[name] for name in unit.members if name in bodies])


def rects_of(state: State, unit: Unit) -> list[Rect]:
    """The stands of a unit that are on the table, as rectangles."""
    return [rect_of(body) for body in stands_of(state, unit)]


@kept
def units_on_table(state: State) -> tuple[Unit, ...]:
    """Units with a stand on the table, in scene order."""
    return tuple(unit for unit in state.units.values() if stands_of(state, unit))


@kept_while_placed
def stands_on_table(state: State) -> tuple[tuple[str, Rect], ...]:
    """The stands of units on the table, by id."""
    return tuple(
        (body.id, rect_of(body))
        for unit in units_on_table(state)
        for body in stands_of(state, unit)
    )


@kept_while_placed
def _boxes(state: State) -> dict[str, Box]:
    """About each unit a box that the circles about its stands are in; of none one about nothing."""
    return {name: _box_about(state, unit) for name, unit in state.units.items()}


@kept_of_places
def _box_about(state: State, unit: Unit) -> Box:
    return box_about_all(rects_of(state, unit))


@kept_of_places
def units_apart(state: State, unit: Unit, other: Unit) -> float:
    """The least distance between stands of two units, cm; infinite if one has none."""
    return unit_gap(stands_of(state, unit), stands_of(state, other))


@kept_of_places
def distance_to(state: State, character: Body, unit: Unit) -> float:
    """From a character to the nearest part of a unit, cm."""
    return nearest_to(stands_of(state, unit), character).gap


def enemy_units(state: State, side: str) -> Iterator[Unit]:
    """Units of other sides on the table."""
    return (unit for unit in units_on_table(state) if unit.side != side)


def enemies_near(state: State, unit: Unit, far: float) -> list[tuple[float, Unit]]:
    """Enemy units, with how far they are, but for those plainly farther than that, cm: most."""
    boxes = _boxes(state)
    return [
        (units_apart(state, unit, enemy), enemy)
        for enemy in enemy_units(state, unit.side)
        if boxes_meet(boxes[unit.id], boxes[enemy.id], far + 1.0)
    ]


def characters(state: State, side: str | None = None) -> Iterator[Body]:
    """Characters on the table, of one side or of all."""
    return (body for body in _characters(state) if side is None or body.side == side)


@kept
def _characters(state: State) -> list[Body]:
    return [body for body in state.bodies.values() if is_character(body)]


def company_of(state: State, unit: Unit) -> list[Body]:
    """Characters on the table that have joined a unit."""
    return [body for body in characters(state, unit.side) if body.marks.text("joined") == unit.id]


def unit_joined(state: State, body: Body) -> Unit | None:
    """The unit that a character is with; none if that has left the table without it."""
    unit = state.units.get(body.marks.text("joined"))
    return unit if unit is not None and stands_of(state, unit) else None


def lost(unit: Unit) -> int:
    """Stands that the unit has lost."""
    return unit.marks.whole("lost")


class UnitContext(context.Context[SubjectT]):
    """One subject of the clauses in one state: an action, a move of a unit, a charge as placed.

    unit raises UnknownIdError when there is nothing of the id.
    """

    @property
    def unit(self) -> Unit:
        """The unit that acts."""
        subject: Any = self.subject
        return unit_of(self.state, subject.actor if hasattr(subject, "actor") else subject.unit)

    @property
    def stands(self) -> tuple[Body, ...]:
        """The stands of the unit that acts."""
        return stands_of(self.state, self.unit)


def findings(state: State, subject: Any) -> list[Finding]:
    """What all clauses have against an action or a part of one."""
    return BOOK.check(type(subject), UnitContext(state, subject, None))[0]


#: Clauses that take long to look, by how long.
_LAST = {"WM-CMD-6": 1, "WM-GAP-1": 2, "WM-GAP-2": 2, "WM-CHG-4": 2}


#: The clause that barred the last of a kind of subject, but for those that take long to look.
_BARRED: dict[type, Clause] = {}


@cache
def _cheapest_first(subject: Hashable) -> tuple[Clause, ...]:
    """The clauses that look at a kind of subject, those that take longest last."""
    assert isinstance(subject, type)
    found = BOOK.barring(subject)
    return tuple(sorted(found, key=lambda clause: _LAST.get(clause.id, 0)))


def is_legal(state: State, subject: Any) -> bool:
    """Whether no clause bars an action, or the move or placement that it leads to.

    The first that does says so: the one that barred the last of that kind is asked before all
    others, as what bars one order often bars the next; those that take longest are asked last.
    """
    ask, kind = UnitContext(state, subject, None), subject.__class__
    last = _BARRED.get(kind)
    if last is not None and BOOK.bars(last, ask):
        return False
    for clause in _cheapest_first(kind):
        if clause is not last and BOOK.bars(clause, ask):
            if clause.id not in _LAST:
                _BARRED[kind] = clause
            return False
    return True


#: Marks that are not here are for the rules alone.
BADGES: Looks = {
    "confused": ("C", "confused"),
    "lost": ("L", "stands lost"),
    "may_move=order": ("M", "may move"),
    "may_move=half": ("M", "may move at half pace"),
    "may_move=rush": ("M", "may rush"),
    "may_move=fall_back": ("M", "may fall back"),
    "orders": ("O", "orders"),
    "failed": ("X", "order failed"),
    "initiative": ("I", "acted on initiative"),
    "charged": ("H", "charged"),
    "no_move": ("N", "does not move this turn"),
    "fortified": ("F", "fortified"),
    "joined": ("J", "with {}"),
    "moved": ("V", "has moved"),
    "slain": ("S", "slain"),
    "off": ("T", "off the table"),
}


NAMES = Names(
    values={
        "allowance": "how far the move may go, cm",
        "distance": "how far the stand that went farthest went, or a forced move must go, cm",
        "formation": "the formation before the move",
        "new_formation": "the formation after it",
        "blunder": "what was rolled on the blunder table",
        "result": "what the roll of who left the table came to, of several the last one's",
        "results": "what it came to for each of them, by id",
        "moved": "how far the unit really went, cm",
        "needed": "what the order must not exceed on 2D6",
        "rolled": "what was rolled for the order",
        "dice": "dice rolled for the distance of a drive back",
    },
    figures={
        "type": "troop type, or character",
        "full": "full pace, cm",
        "half": "half pace, cm",
        "stands": "usual number of stands",
        "policy": "what the unit must or may not do on initiative",
        "command": "Command of a character; of a unit what it adds to that of who orders it",
        "rank": "what a character is",
        "mount": "what a character rides: how it goes over terrain",
        "keywords": "what sets it apart",
    },
    traits={
        "low": "seen past",
        "deep": "nobody sees far into it",
        "fortified": "who stands in it is fortified",
        "dense": "costs Command who orders a unit in it",
        "opaque": "not seen past",
        "barrier": "barred to everybody on foot",
    },
    legs={
        "walk": "a stand slides straight, or turns about a point (`centre` and `by`)",
        "free": "a stand goes straight to a point (`to`) while it turns evenly (`by`)",
    },
    words={
        "type": (*TYPES, "character"),
        "mount": tuple(TYPES),
        "rank": RANKS,
        "policy": POLICIES[1:],
        "keywords": KEYWORDS,
    },
)


def on_the_table(leg: Leg) -> bool:
    """Whether a leg is a slide, a turn or a free leg on the table."""
    return leg.z in (None, 0.0) and leg.how in ("walk", "free")
