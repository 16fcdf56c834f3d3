"""What the clauses of Trench Crusade are given: the state, what is judged, and lazy measures."""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeVar

from tapeline.engine import context
from tapeline.engine.limits import within
from tapeline.engine.paths import LegPath
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.rules.trench_crusade.actions import (
    Charge,
    Dash,
    ForcedRetreat,
    Move,
    Retreat,
    Shoot,
    Slide,
    Walk,
)
from tapeline.rules.trench_crusade.approach import Approach, approach
from tapeline.rules.trench_crusade.book import BOOK, CHARGE_RANGE_IN, NEAR_IN
from tapeline.rules.trench_crusade.measures import (
    Around,
    Citations,
    around,
    free_shift,
    gap,
    holding,
    ignored_by,
)
from tapeline.rules.trench_crusade.state import (
    Activation,
    Weapon,
    activation,
    carries,
    movement,
    radius,
)
from tapeline.rules.trench_crusade.walker import lay
from tapeline.table.bodies import Body
from tapeline.travel.route import Route

__all__ = ["PATHS", "SLIDING", "Context", "Pathed", "findings_of", "is_legal", "walk_of"]

SubjectT = TypeVar("SubjectT")

#: Inches by which more is near than must be, for rounding.
_SLACK = 1e-3


def walk_of(state: State, subject: object) -> Walk | None:
    """The path an action carries, as a walk to be checked; None if it carries none yet."""
    if isinstance(subject, Walk):
        return subject
    if isinstance(subject, Slide):
        return Walk(subject.actor, subject.path, subject.left, "slide", subject.held)
    manner: Any
    if isinstance(subject, Move):
        manner = "move"
    elif isinstance(subject, Dash):
        manner = "dash"
    elif isinstance(subject, Retreat | ForcedRetreat):
        manner = "retreat"
    else:
        return None
    path: LegPath | None = subject.path
    if path is None:
        return None
    body = state.body(subject.actor)
    held = tuple(enemy.id for enemy in holding(state, body))
    return Walk(subject.actor, path, movement(state, body), manner, held)


class Context(context.Context[SubjectT]):
    """One subject of the clauses in one state.

    mover: the model that acts. holding: the enemies within 1 inch that hold it. walk: the path to
    be checked, if there is one yet; way: the route that it makes.
    """

    @cached_property
    def radius(self) -> float:
        """Radius of the mover's base, inches."""
        return radius(self.mover)

    @cached_property
    def current(self) -> Activation | None:
        """The Activation under way or the last one of the turn."""
        return activation(self.state)

    @property
    def taken(self) -> tuple[str, ...]:
        """Types of ACTION the mover has taken in the Activation under way."""
        current = self.current
        return current.taken if current is not None and current.actor == self.mover.id else ()

    @property
    def shot(self) -> tuple[str, ...]:
        """Keywords of the weapon the mover has shot with in the Activation under way."""
        current = self.current
        return current.shot if current is not None and current.actor == self.mover.id else ()

    @cached_property
    def weapon(self) -> Weapon | None:
        """The ranged weapon to be shot with; None if the model has no such weapon."""
        if not isinstance(self.subject, Shoot):
            return None
        name = self.subject.weapon
        return next((w for w in carries(self.mover) if w.name == name and not w.melee), None)

    @property
    def weapon_keywords(self) -> frozenset[str]:
        """Keywords of that weapon."""
        return self.weapon.keywords if self.weapon is not None else frozenset()

    @cached_property
    def walk(self) -> Walk | None:
        """The path to be checked; None if there is none yet."""
        return walk_of(self.state, self.subject)

    @cached_property
    def track(self) -> Route:
        """The path on the plan, leg by leg as it was given."""
        way, path = self.way, () if self.walk is None else self.walk.path
        whole = way.level and len(way.parts) == len(path)
        return way if whole else Route.read(self.mover, path)

    @cached_property
    def way(self) -> Route:
        """What the ground or the air makes of the path."""
        mover, path = self.mover, () if self.walk is None else self.walk.path
        key = ("way", mover.id, path, mover.x, mover.y, mover.z)
        return self.once(key, lambda: lay(self.state, mover, path))

    @cached_property
    def around(self) -> Around:
        """The models that the path, or its allowance, could lead within 1 inch of."""
        allowance = 0.0 if self.walk is None else self.walk.allowance
        far = max(allowance + free_shift(self.way), self.track.length)
        far += self.radius + NEAR_IN + _SLACK
        return around(self.state, self.mover, far)

    @cached_property
    def citations(self) -> Citations:
        """What is near the path to be checked."""
        allowance = 0.0 if self.walk is None else self.walk.allowance
        return Citations(self.state, self.mover, self.way, allowance, self.around, self.track)

    def bears(self, *clauses: str) -> None:
        """Cite those clauses that bear on the path, TC-MOVE and TC-TER."""
        if self.run is not None and self.walk is not None:
            self.run.cite(*filter(self.citations.on, clauses))

    @cached_property
    def held(self) -> list[Body]:
        """S: the enemies within 1 inch when the move began."""
        walk = self.walk
        if walk is not None:
            return [self.state.bodies[b] for b in walk.held if b in self.state.bodies]
        return holding(self.state, self.mover)

    @cached_property
    def holding(self) -> list[Body]:
        """S, or nobody if all of S have bases too small to hold this model (TC-KW-3)."""
        if self.held and all(ignored_by(self.mover, enemy) for enemy in self.held):
            self.cite("TC-KW-3")
            return []
        return self.held

    @cached_property
    def in_range(self) -> bool:
        """Whether the target of a charge is within 12 inches."""
        return within(gap(self.mover, self.target), CHARGE_RANGE_IN)

    @cached_property
    def approach(self) -> Approach | None:
        """The route of the charge to be judged; None if nothing leads to the target.

        Nor is a route sought to what is out of range: over storeys that takes long, and it can be
        no target whichever way leads there.
        """
        subject = self.subject
        assert isinstance(subject, Charge)
        if not self.in_range:
            return None
        forbid, path = subject.forbid, subject.path
        mover, target = self.mover, self.target
        return self.once("approach", lambda: approach(self.state, mover, target, forbid, path))

    def target_is_enemy(self) -> bool:
        """Whether the target belongs to the other side."""
        return self.target.side != self.mover.side


#: Actions and parts that carry a path, and with them a slide, which is part of a charge.
PATHS = (Move, Dash, Retreat, ForcedRetreat, Walk)
SLIDING = (*PATHS, Slide)
Pathed = Move | Dash | Retreat | ForcedRetreat | Walk | Slide


def findings_of(state: State, subject: Any) -> list[Finding]:
    """What all clauses have against an action or a part of one."""
    return BOOK.check(type(subject), Context(state, subject, None))[0]


def is_legal(state: State, subject: Any) -> bool:
    """Whether no clause bars an action or a part of one."""
    return BOOK.allows(type(subject), Context(state, subject, None))
