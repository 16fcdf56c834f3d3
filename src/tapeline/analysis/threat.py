"""Threat: whom the enemy can strike when it acts next, where, how likely, and along which way.

The rules say in which ways one could strike another (`System.attacking`); the referee plays each of
them with every result of the dice, on the state in which the target stands where it is asked for.
So the chance of being struck at a place is the judge's, to the fraction. Borders of bands are
marched through such answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from typing import Any

from tapeline.analysis.contours import Point, contours, rings_area
from tapeline.analysis.odds import ends_in_turn, ends_of
from tapeline.analysis.reach import Reach
from tapeline.analysis.ways import Border
from tapeline.engine.actions import Action, ActorAction
from tapeline.engine.asks import Choice, take_default
from tapeline.engine.attacks import Attack, Attacking
from tapeline.engine.codec import plain
from tapeline.engine.state import State
from tapeline.engine.system import Question, System
from tapeline.engine.verdicts import Finding, Kind, Movement
from tapeline.errors import DocumentError, Fault, MeasuringError, UnknownIdError
from tapeline.table.bodies import Body
from tapeline.table.marks import Value

__all__ = ["Danger", "Safest", "StrikeChance", "Threat", "foes_of", "threat_of"]

#: Length: how closely a corner of a band follows its border unless said otherwise, table units.
EPS = 0.05
#: Squares of the mesh across a table unless a resolution is given.
_SQUARES = 24
#: By how much a chance may fall short of one that is asked for: less than any dice.
_SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class StrikeChance:
    """What one attacker can do to the target.

    way: how, in a word or two; "" if it cannot. chance: of the likeliest way, exact. least: whether
    something that was not weighed could be likelier. moves: how the attacker went in the likeliest
    of the runs that struck. untold: why the rules let nobody know yet.
    """

    by: str
    way: str
    chance: Fraction
    least: bool = False
    moves: tuple[Movement, ...] = ()
    untold: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Danger:
    """What threatens a place. place: x, y, height. strikes: of those who can strike there, the
    likeliest first, and of those of whom nobody may know."""

    place: tuple[float, float, float]
    strikes: tuple[StrikeChance, ...]

    @property
    def worst(self) -> Fraction:
        """The chance of the likeliest strike."""
        return max((strike.chance for strike in self.strikes), default=Fraction(0))

    @property
    def chance(self) -> Fraction:
        """The chance that any of them strikes: each tries as if it were alone, and the dice of one
        tell nothing of another's."""
        missed = Fraction(1)
        for strike in self.strikes:
            missed *= 1 - strike.chance
        return 1 - missed

    @property
    def safe(self) -> bool:
        """Whether nothing at all can strike there."""
        return not any(s.chance or s.least or s.untold for s in self.strikes)

    def document(self) -> dict[str, Any]:
        """As JSON: the place, the chance of any strike, and each strike with how it went."""
        return {
            "place": list(self.place),
            "chance": float(self.chance),
            "safe": self.safe,
            "strikes": [
                {
                    "by": strike.by,
                    "way": strike.way,
                    "chance": float(strike.chance),
                    "exact": str(strike.chance),
                    "least": strike.least,
                    "moves": plain(strike.moves),
                    "untold": plain(strike.untold),
                }
                for strike in self.strikes
            ],
        }


@dataclass(frozen=True, slots=True)
class Safest:
    """A place in reach where the danger is least among the places looked at, and how many were."""

    place: Point
    danger: Danger
    looked: int


class Threat:
    """What some attackers could do to a target wherever it stood.

    by: ids of the attackers, `on` of the target. terms: what is taken for granted.
    """

    def __init__(
        self,
        system: System,
        state: State,
        by: tuple[str, ...],
        on: str,
        chooser: Callable[[Choice], Value] | None = None,
    ) -> None:
        self.system, self.state, self.by, self.on = system, state, by, on
        self._rules = _attacking(system)
        self.terms = self._rules.terms
        self._choose = chooser or take_default

    def here(self) -> Danger:
        """The danger where the target stands."""
        bodies = self._target
        x = sum(body.x for body in bodies) / len(bodies)
        y = sum(body.y for body in bodies) / len(bodies)
        return self._danger(self.state, (x, y, bodies[0].z))

    def at(self, place: Sequence[float], facing: float | None = None) -> Danger:
        """The danger at a place: x, y and its height there if that is not the target's own, table
        units; of a unit the middle of its stands. facing: degrees, as it is unless given. Whether
        the target may stand there is another question."""
        x, y = place[0], place[1]
        z = place[2] if len(place) > 2 else self._target[0].z
        return self._danger(self._rules.placed(self.state, self.on, (x, y, z), facing), (x, y, z))

    def bounds(self, place: Sequence[float], chance: float) -> tuple[Fraction, Fraction]:
        """Between what the chance of the likeliest strike at a place lies: close enough to tell
        whether it is at least `chance`, or, for 0, whether there is any. As `at` tells, but nothing
        is looked at once that is known."""
        x, y, z = (*place, self._target[0].z)[:3]
        state = self._rules.placed(self.state, self.on, (x, y, z), None)

        def off(by: str) -> float:
            return min(math.dist(b.centre, (x, y)) for b in self._rules.bodies(state, by))

        low = high = Fraction(0)
        for by in sorted(self.by, key=off):
            for attack in (
                self._rules.attacks(state, by, self.on) if self._in_reach(state, by) else ()
            ):
                least, most = self._chance(attack, chance)
                low, high = max(low, least), max(high, most)
                if _meets(low, chance):
                    return low, Fraction(1)
        return low, high

    def _chance(self, attack: Attack, chance: float) -> tuple[Fraction, Fraction]:
        """The same of one attack."""
        struck = missed = Fraction(0)
        try:
            ends = self._in_turn(attack, attack.actions, attack.state)
            for share, done in ends:
                if done is not None and attack.strikes(done):
                    struck += share
                else:
                    missed += share
                if _meets(struck, chance) or (missed and not _meets(1 - missed, chance)):
                    return struck, 1 - missed
            # What has come so far is less than the whole where rolls are asked anew.
            if struck + missed < 1:
                struck, _ = self._played(attack)
        except MeasuringError:
            return Fraction(0), Fraction(0)
        return struck, struck

    def _played(self, attack: Attack) -> tuple[Fraction, tuple[Movement, ...]]:
        """The chance that an attack strikes, and how the attacker went in the likeliest run.

        Raises MeasuringError where what its last action comes to may not be known before it is
        done.
        """
        runs: list[tuple[Fraction, State, tuple[Movement, ...]]] = [(Fraction(1), attack.state, ())]
        for action in attack.actions:
            following = []
            for share, state, moves in runs:
                if action is attack.actions[-1]:
                    self._permit(attack, state, action)
                if not self._can(state, action):
                    continue
                for chance, session in ends_of(self.system, state, action, self._choose):
                    gone = session.verdict.moved
                    following.append((share * chance, session.state, (*moves, *gone)))
            runs = following
        struck = [run for run in runs if attack.strikes(run[1])]
        chance = sum((share for share, _, _ in struck), Fraction(0))
        return chance, max(struck, key=lambda run: run[0])[2] if struck else ()

    def _in_turn(
        self, attack: Attack, actions: Sequence[Action], state: State
    ) -> Iterator[tuple[Fraction, State | None]]:
        """Where the actions of an attack that are left lead, one result after the other, the likely
        ones first; None: it comes to nothing."""
        if not actions:
            yield Fraction(1), state
            return
        action, *left = actions
        if not left:
            self._permit(attack, state, action)
        if not self._can(state, action):
            yield Fraction(1), None
            return
        for chance, session in ends_in_turn(self.system, state, action, self._choose):
            if session.verdict.kind is Kind.ILLEGAL:
                yield chance, None
                continue
            for share, end in self._in_turn(attack, left, session.state):
                yield chance * share, end

    def _permit(self, attack: Attack, state: State, action: Action) -> None:
        """Raise MeasuringError where what an action comes to may not be known before."""
        if _is_there(state, action):
            self.system.permit(state, Question("odds", attack.by, "", action))

    def _can(self, state: State, action: Action) -> bool:
        """Whether an action may be done at all: what nobody is left for, or a clause bars, is not
        judged whole."""
        return _is_there(state, action) and self._rules.allows(state, action)

    def _danger(self, state: State, place: tuple[float, float, float]) -> Danger:
        found = [self._strike(state, by) for by in self.by]
        told = [s for s in found if s.chance or s.least or s.untold]
        return Danger(place, tuple(sorted(told, key=lambda s: (-s.chance, s.by))))

    @cached_property
    def _target(self) -> tuple[Body, ...]:
        return self._rules.bodies(self.state, self.on)

    def _strike(self, state: State, by: str) -> StrikeChance:
        if not self._in_reach(state, by):
            return StrikeChance(by, "", Fraction(0))
        best = StrikeChance(by, "", Fraction(0))
        untold: tuple[Finding, ...] = ()
        for attack in self._rules.attacks(state, by, self.on):
            try:
                chance, moves = self._played(attack)
            except MeasuringError as error:
                untold = tuple(Finding(text, clause=clause) for clause, text in error.reasons)
                continue
            if chance > best.chance:
                best = StrikeChance(by, attack.way, chance, moves=moves)
            if best.chance == 1:
                return best
        least = not self._rules.sure
        return StrikeChance(by, best.way, best.chance, least, best.moves, untold)

    def _in_reach(self, state: State, by: str) -> bool:
        """Whether the target is near enough for anything that could be done."""
        far = self._rules.far(self.state, by)
        return any(
            math.dist(mine.centre, body.centre) - body.base.reach <= far + EPS
            for mine in self._rules.bodies(state, by)
            for body in self._rules.bodies(state, self.on)
        )

    def bands(
        self,
        chances: Sequence[float],
        *,
        box: tuple[float, float, float, float] | None = None,
        resolution: float | None = None,
        eps: float = EPS,
        progress: Callable[[int, int, int], None] | None = None,
    ) -> list[Border]:
        """For each chance the border of where the likeliest strike is at least that likely; 0 for
        where any strike is possible at all.

        At the height and with the facing that the target has. box: least x, y, greatest x, y; the
        table unless given. resolution: side of a square of the mesh. Corners lie within eps of a
        border and inside it; chords span one square, and parts smaller than that may be missed.
        progress: called with which band is sought, from 1 on, how many of its points are done, and
        of how many: those of the mesh, then its corners too.
        """
        table = self.state.table
        around = box or self.box
        step = resolution or max(table.width, table.depth) / _SQUARES

        if around[0] >= around[2] or around[1] >= around[3]:
            return [Border((), eps, 0.0, step) for _ in chances]
        known: dict[Point, tuple[Fraction, Fraction]] = {}

        def struck(place: Point, chance: float) -> bool:
            low, high = known.get(place, (Fraction(0), Fraction(1)))
            if _meets(high, chance) and not _meets(low, chance):
                low, high = known[place] = self.bounds(place, chance)
            return _meets(low, chance)

        def border(number: int, chance: float) -> Border:
            # Chances leap: nothing is gained by where between two places they would be met.
            def cost(x: float, y: float) -> float:
                return -math.inf if struck((x, y), chance) else math.inf

            stage = None if progress is None else partial(progress, number)
            rings = contours(cost, around, step, [0.0], eps, stage=stage)[0]
            return Border(tuple(rings), eps, rings_area(rings), step)

        # Where nothing can strike at all, nothing can be likely.
        found = {chance: border(k, chance) for k, chance in enumerate(sorted(chances), 1)}
        return [found[chance] for chance in chances]

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """A box round everywhere that an attacker may reach, cut to the table: least x and y,
        greatest x and y."""
        width, depth = self.state.table.width, self.state.table.depth
        size = max(body.base.reach for body in self._target)
        boxes = [
            (body.x - far, body.y - far, body.x + far, body.y + far)
            for by in self.by
            for far in [self._rules.far(self.state, by) + size]
            for body in self._rules.bodies(self.state, by)
        ]
        if not boxes:
            return (0.0, 0.0, 0.0, 0.0)
        return (
            max(0.0, min(b[0] for b in boxes)),
            max(0.0, min(b[1] for b in boxes)),
            min(width, max(b[2] for b in boxes)),
            min(depth, max(b[3] for b in boxes)),
        )

    def safest(self, reach: Reach, step: float = 1.0) -> Safest | None:
        """Where in its reach the target is struck least likely, of places on a square mesh and
        where it stands; of equally safe ones the cheapest to come to. None if it reaches nothing.

        step: side of a square, table units.
        """
        lee = reach.leeway
        x0, y0 = lee.start
        count = math.ceil(lee.allowance / step)
        mesh = product(range(-count, count + 1), repeat=2)
        near = (at for at in mesh if math.hypot(*at) * step <= lee.allowance)
        around = ((x0 + i * step, y0 + j * step) for i, j in near)
        places = sorted(around, key=lambda p: math.dist(p, (x0, y0)))
        best: tuple[Fraction, Point, Danger] | None = None
        looked = 0
        for place in places:
            if place != (x0, y0) and not reach.contains(place):
                continue
            looked += 1
            danger = self.here() if place == (x0, y0) else self.at(place)
            if best is None or danger.chance < best[0]:
                best = danger.chance, place, danger
            if danger.safe:
                break
        return None if best is None else Safest(best[1], best[2], looked)


def threat_of(
    system: System,
    state: State,
    by: str,
    on: str | None = None,
    chooser: Callable[[Choice], Value] | None = None,
) -> Threat:
    """What a side, or one of its models or units, could do to a target when it acts next.

    by: id of a side, a model or a unit. on: whom it could strike; the first enemy unless given.
    chooser: answers the questions on the way, as by default unless given. Raises MeasuringError
    where nobody may measure, UnknownIdError, DocumentError for a system in which nobody strikes.
    """
    attackers, foes = _sides_of(system, state, by)
    if on is None and foes:
        on = foes[0]
    if on not in foes:
        text = f"{on!r} is no enemy of {by!r}; enemies are {', '.join(foes) or 'none'}"
        raise UnknownIdError("nobody to be struck", [Fault("on", text)])
    rules = _attacking(system)
    system.permit(state, Question("tape", body=next(iter(rules.bodies(state, on))).id))
    return Threat(system, state, tuple(attackers), on, chooser)


def foes_of(system: System, state: State, by: str) -> list[str]:
    """Ids of whom a side, a model or a unit could strike. Raises as `threat_of`."""
    return _sides_of(system, state, by)[1]


def _sides_of(system: System, state: State, by: str) -> tuple[list[str], list[str]]:
    """Who strikes, and who may be struck."""
    rules = _attacking(system)
    names = {side.id: [*rules.fighters(state, side.id)] for side in state.sides}
    side = by if by in names else next((s for s, known in names.items() if by in known), "")
    if not side:
        text = f"{by!r} is no side, and nothing on the table that strikes"
        raise UnknownIdError("nobody to strike", [Fault("by", text)])
    foes = [name for other, known in names.items() if other != side for name in known]
    return names[side] if by == side else [by], foes


def _attacking(system: System) -> Attacking:
    if system.attacking is None:
        text = f"{system.title} says nothing of who could strike whom"
        raise DocumentError("no threat", [Fault("", text)])
    return system.attacking


def _meets(found: Fraction, chance: float) -> bool:
    """Whether a chance is at least that; 0: whether there is any."""
    return bool(found) and found >= chance - _SLACK


def _is_there(state: State, action: Action) -> bool:
    return not isinstance(action, ActorAction) or any(
        action.actor in those for those in (state.bodies, state.units)
    )
