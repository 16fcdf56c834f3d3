"""What a rule system hands to the engine. A fifth system fills this in and edits nothing here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, Literal, TypeAlias

from tapeline.dice import Reading, Roll, said_reading
from tapeline.engine.actions import Action
from tapeline.engine.allowed import Mark
from tapeline.engine.attacks import Attacking
from tapeline.engine.attested import Chances
from tapeline.engine.bases import whole_on_table
from tapeline.engine.clauses import RuleBook
from tapeline.engine.controls import Control
from tapeline.engine.move_limits import MoveLimits
from tapeline.engine.names import Names
from tapeline.engine.plain_controls import plain_controls
from tapeline.engine.plain_offers import plain_offers
from tapeline.engine.prefix import plain_nearest
from tapeline.engine.prospects import Prospects
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.sight import Look, Seen
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding, Nearest
from tapeline.errors import Fault, MeasuringError, RuleBookError
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import EMPTY, Marks, freeze
from tapeline.table.terrain import Piece

__all__ = [
    "Looks",
    "OptionSpec",
    "Profile",
    "Question",
    "System",
    "TerrainKind",
    "profiles_of",
    "role_of",
]


#: How marks show on the board: a letter or two and words by mark, or by "mark=value" where a text
#: has its own. "{}" in the words is where the value stands: a number, or names for ids.
Looks: TypeAlias = Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """A contested reading that is a switch. values: the default first, each with its meaning."""

    name: str
    question: str
    values: Mapping[str, str]
    clauses: tuple[str, ...] = ()

    @property
    def default(self) -> str:
        """The value used unless a scene says otherwise."""
        return next(iter(self.values))


@dataclass(frozen=True, slots=True)
class Profile:
    """Figures of a type of body. base_mm: (diameter,) or (width, depth); None if it has none.

    role: the sign that stands for it in pictures, such as "bow" or "horse"; "" has none.
    """

    name: str
    base_mm: tuple[float, ...] | None
    stats: Marks = EMPTY
    role: str = ""


def role_of(profiles: Mapping[str, Profile], name: str, stats: Marks) -> str:
    """The role of a profile; one by another name has that of the profile with the same figures."""
    known = profiles.get(name) or next((p for p in profiles.values() if p.stats == stats), None)
    return "" if known is None else known.role


def profiles_of(document: Mapping[str, Any]) -> dict[str, Profile]:
    """The profiles of a document by name: of each the figures it says, else the defaults."""
    found = {}
    for name, entry in document["profiles"].items():
        stats = {**document["defaults"], **entry}
        base_mm = tuple(float(size) for size in stats.pop("base_mm"))
        role = str(stats.pop("role"))
        marks = Marks({key: freeze(stats[key]) for key in stats})
        found[name] = Profile(name, base_mm, marks, role)
    return found


@dataclass(frozen=True, slots=True)
class TerrainKind:
    """A kind of terrain a system knows, with the traits it brings and its look in pictures.

    form: what pictures draw on it: bowl, pit, roof, roofs, track, planks, shallows or marked.
    """

    name: str
    traits: frozenset[str]
    height: float = 0.0
    pattern: str = "plain"
    form: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """Something asked of the referee that is no action: how far a body gets, what odds a move has,
    how far apart two places are.

    about: "reach" (routes included), "odds" or "tape". body: the id of the body asked about, None
    where the action has no actor or the tape lies between places. move: the kind of move of a
    reach. action: the action whose odds are asked. ends: of a tape that is laid between places, x,
    y and height, table units; empty between bodies.
    """

    about: Literal["reach", "odds", "tape"]
    body: str | None = None
    move: str = ""
    action: Action | None = None
    ends: tuple[tuple[float, float, float], ...] = ()

    @classmethod
    def odds(cls, action: Action) -> Question:
        """What the odds of an action are."""
        return cls("odds", getattr(action, "actor", None), "", action)


@dataclass(frozen=True, slots=True)
class Activity:
    """Who is at it: ids of the bodies or units that act now, and of those that still may before the
    step ends. words: what they have not done then, as "have not moved". meant: by id of who has
    declared to go for others, and not yet gone, the ids of those."""

    active: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    words: str = "have not moved"
    meant: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def _unbound(*given: Any) -> Any:
    """Stands where a system says nothing of its own, until it is made."""
    raise AssertionError("no system yet")


def _whose_turn(state: State) -> tuple[str, ...]:
    return (state.turn.active,) if state.turn.active else tuple(side.id for side in state.sides)


@dataclass(frozen=True, slots=True)
class System:
    """A rule system.

    procedures: what carries each kind of action out. actions: these kinds by name in documents,
    unless a system says which and in which order.
    context: what its clauses are given, from the state, the thing judged and the run.
    nearest: a legal move near a refused one; unless a system says its own, the longest legal
    beginning of the path. offers: legal actions in a state, drawn with the random source where a
    choice is continuous; the same source gives the same offers; derived from the controls unless
    a system says its own. What nobody may know beforehand may refuse one when it is done.
    terrain_kinds: the kinds a scene may use; traits: the traits a scene may add to a piece.
    storeys: whether it rules floors, walls, ramps, ladders and faces; if not, they are faults.
    may_bear: whether a model may stand on top of a piece that is no storey, as on a low obstacle.
    phases: names a scene may start in, the usual one first. steps: what a phase is called for
    people, where its name does not tell.
    derive: an inline profile, in which some figures are given, with those that follow from these;
    what is given stays.
    finish: completes a state made from a scene; faults: what is wrong with one; notes: what one
    lacks to be a game, though it can be played.
    may_overlap: whether two bodies may share ground in a scene. marks: those a scene may set on a
    body or a unit, by name; progress: entries of the progress likewise, None if a system checks
    its own.
    status: a few lines on where the game is and who must act, for people.
    unit_words: what is to be known of a unit at a glance, such as its formation; a word or two.
    reaching: what a body may do in one move, by kind of move, the usual kind first; empty for a
    system whose bodies do not move as discs, and then no_reach says why.
    off_edge: what is wrong with how a body lies to the edge of the table in a scene; empty if
    nothing. Whole bases stay on the table unless a system says otherwise.
    idle: marks of a body or its unit, "mark" or "mark=value", with which it holds, reaches and
    carries nothing that is played for. beaten: the entry of the progress that names a side whose
    army is beaten, which ends a game; "" none. away: the mark of a body or unit that has left the
    table and may come back; "" none.
    stride: how far a body comes in a usual move, table units; None: as far as `reaching` says.
    prospects: what the rest of a round may bring, for whoever looks ahead; None where nothing is
    told of it.
    attested: chances of what the players settle, for a table that plays alone, by kind of action
    or, for questions, by clause.
    names: what figures of verdicts and profiles, traits and legs are called, and what each means;
    values that it leaves out are not checked in cases.
    controls: what can be asked for now: (state, None) by the sides, (state, id) of a body or unit;
    what is wanted most first. Derived from the actions unless a system says its own.
    ground: what tables look like in pictures: paper, flagstones, clay or meadow.
    badges: how marks show on the board, by mark; of a system that gives none every mark shows.
    acting: ids of the sides that may act now, while no question is open.
    activity: who acts now, and who may still act before the step ends.
    reading: how a roll is read, for people, from the state before it; None where its dice are a
    number and no more. A limit that its purpose names is read unless a system says otherwise.
    sees: whether one body sees another; None for a system in which sight means nothing.
    looks: how a body looks over the table; None for one whose sight means nothing.
    attacking: in which ways one could strike another when it acts next, None if nobody strikes.
    may_measure: why a question may not be answered now, where the rules keep distances secret;
    empty where it may.
    """

    name: str
    title: str
    unit: str
    book: RuleBook
    options: tuple[OptionSpec, ...]
    procedures: Mapping[type[Action], Callable[[Run, Any], Procedure | None]]
    context: Callable[[State, Any, Run | None], Any]
    profiles: Mapping[str, Profile]
    terrain_kinds: Mapping[str, TerrainKind]
    phases: tuple[str, ...]
    marks: Mapping[str, Mark]
    actions: Mapping[str, type[Action]] = field(default_factory=dict)
    offers: Callable[[State, Random], Iterator[Action]] = field(
        default=_unbound, compare=False, repr=False
    )
    progress: Mapping[str, Mark] | None = None
    nearest: Callable[[State, Action, list[Finding]], Nearest | None] = field(
        default=_unbound, compare=False, repr=False
    )
    derive: Callable[[Profile, frozenset[str]], Profile] = lambda profile, given: profile
    finish: Callable[[State], State] = lambda state: state
    faults: Callable[[State], list[Fault]] = lambda state: []
    notes: Callable[[State], Iterable[str]] = lambda state: ()
    may_overlap: Callable[[Body, Body], bool] = lambda one, other: False
    status: Callable[[State], list[str]] = lambda state: []
    unit_words: Callable[[State, Unit], str] = lambda state, unit: ""
    traits: frozenset[str] = frozenset()
    storeys: bool = False
    may_bear: Callable[[Piece], bool] = lambda piece: False
    decided: tuple[tuple[str, str, str], ...] = field(default_factory=tuple)
    reaching: Mapping[str, Callable[[State, Body], MoveLimits]] = field(default_factory=dict)
    no_reach: str = ""
    ground: str = "paper"
    badges: Looks = field(default_factory=dict)
    acting: Callable[[State], tuple[str, ...]] = _whose_turn
    activity: Callable[[State], Activity] = lambda state: Activity()
    reading: Callable[[State, Roll], Reading | None] = lambda state, roll: said_reading(roll)
    sees: Callable[[State, Body, Body], Seen] | None = None
    looks: Callable[[State, Body], Look | None] | None = None
    attacking: Attacking | None = None
    may_measure: Callable[[State, Question], list[Finding]] = lambda state, question: []
    off_edge: Callable[[State, Body], str] = whole_on_table
    idle: tuple[str, ...] = ()
    beaten: str = ""
    away: str = ""
    attested: Mapping[str, Chances] = field(default_factory=dict)
    stride: Callable[[State, Body], float] | None = None
    prospects: Prospects | None = None
    names: Names = field(default_factory=Names)
    steps: Mapping[str, str] = field(default_factory=dict)
    controls: Callable[[State, str | None], Iterator[Control]] = field(
        default=_unbound, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        self.book.seal()
        plain: dict[str, Callable[..., Any]] = {
            "controls": plain_controls,
            "offers": plain_offers,
            "nearest": plain_nearest,
        }
        for name, function in plain.items():
            given = getattr(self, name)
            if given is _unbound or getattr(given, "func", None) is function:
                object.__setattr__(self, name, partial(function, self))
        if not self.actions:
            kinds = {action.kind: action for action in self.procedures}
            object.__setattr__(self, "actions", kinds)
        for kind, action in self.actions.items():
            if action.kind != kind:
                raise RuleBookError(f"{self.name}: action {action.__name__} is not named {kind!r}")
            if action not in self.procedures:
                raise RuleBookError(f"{self.name}: nothing carries out {kind!r}")

    def option(self, name: str) -> OptionSpec | None:
        """The option of that name, or None."""
        return next((spec for spec in self.options if spec.name == name), None)

    def permit(self, state: State, question: Question) -> None:
        """Raise MeasuringError if the question may not be answered now."""
        findings = self.may_measure(state, question)
        if findings:
            raise MeasuringError([(finding.clause, finding.text) for finding in findings])
