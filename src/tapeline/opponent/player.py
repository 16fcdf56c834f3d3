"""The player: which action, which answer, and why.

It tries candidates out by the referee itself, with dice of its own, and takes what leads to the
best position on average; the deepest level plays the best ones on until the enemy has answered.
Where the rules keep distances secret it plays by eye: enemies stand for it where a person might
guess them.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import accumulate
from random import Random
from statistics import fmean
from typing import Any, TypeVar

from tapeline.dice import Roll, SeededDice
from tapeline.engine.actions import Action
from tapeline.engine.asks import AttestedChoice, Choice, take_default
from tapeline.engine.controls import Control
from tapeline.engine.events import Event
from tapeline.engine.state import State
from tapeline.engine.verdicts import Verdict
from tapeline.errors import AnswerError, TapelineError
from tapeline.opponent.candidates import acting_bodies, actions_of, steps
from tapeline.opponent.levels import LEVELS, Level, Weights, weights_of
from tapeline.opponent.outcomes import (
    distances_secret,
    goes_nowhere,
    guessed_by_eye,
    happening,
    is_of_side,
    named_instead,
    names_in,
    open_to,
    open_to_chance,
    results_of_dice,
    same_facings,
    same_places,
    settled,
)
from tapeline.opponent.places import places
from tapeline.opponent.ranges import ranges
from tapeline.opponent.setting_up import next_to_set_up
from tapeline.opponent.worth import Worth, worth
from tapeline.play.battle import Battle
from tapeline.table.marks import Value, freeze

__all__ = ["Opponent", "Suggestion", "refusal", "usual_answer"]

T = TypeVar("T")

#: How much better than doing nothing more an action must be, in points.
_BETTER = 0.004
#: What speaks for an action that opens others, where it makes no difference.
_OPENS = 0.001
#: Points by which two ways for a body may differ and come to the same.
_ALIKE = 1e-6
#: Steps of one's own that are gone to see what comes of an action.
_STEPS = 3
#: Actions of both sides after which a rollout ends at the latest.
_LONGEST = 40
#: Points by which an action may be worse than the best one and be looked at on.
_CLOSE = 0.6
#: Rollouts of each of them before only the best two are played on further.
_ALL = 2
#: Points by which the best one is so far ahead of the next that no more are.
_AHEAD = 0.1
#: What an action is worth at once counts at least as much as so many rollouts of it, and as much as
#: the dice of those allow if it is off by so many points (one standard deviation).
_SAID, _ASTRAY = 3.0, 0.5
#: Points by which actions differ so little that no more rollouts are worth their time.
_STAKE = 0.02
#: Results of the dice that tell what an action in a rollout comes to on average, each with its
#: exact chance; where there are more, so many throws of them tell it.
_RESULTS, _THROWS = 40, 4
#: How hard both sides think in a rollout. Few bodies: as nobody answers the enemy's answer, the
#: best of all of them makes every advance look lost, and sharp loses by staying away.
_FAST = Level("fast", actors=3, places=3, throws=1, exact=8)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An action, what it is worth on average against going on without it, in points, and why.

    parts: by how much each part of the position changes, the most first.
    """

    action: Action
    value: float
    parts: Mapping[str, float]
    by_eye: bool = False

    @property
    def reasons(self) -> list[str]:
        """What speaks for it and against it, in words."""
        found = [
            f"{name} {value:+.2f}"
            for name, value in sorted(self.parts.items(), key=lambda item: -abs(item[1]))
            if abs(value) >= 0.005
        ]
        return found or ["nothing better is in reach"]


@dataclass
class Opponent:
    """Plays one side or all. The same seed in the same position gives the same action.

    level: how hard it thinks. weights: what counts for how much; those of the system unless given.
    """

    level: Level = field(default_factory=lambda: LEVELS["steady"])
    seed: int | str = 0
    weights: Weights | None = None

    def suggest(self, battle: Battle, side: str | None = None, most: int = 3) -> list[Suggestion]:
        """The best few actions of a side in a battle in which no question is open, the best first.

        Empty if it has none. Raises AnswerError while a question is open.
        """
        if battle.pending is not None:
            raise AnswerError("a question is open; it is to be answered first")
        side = side or battle.next_to_act[0]
        if battle.state.deployment is not None:
            return self._set_up(battle, side)
        return _Thought(self, battle, side).ranked()[:most]

    def choose(self, battle: Battle, side: str | None = None) -> Suggestion | None:
        """The action to do now, attested results filled in; None if there is none."""
        side = side or battle.next_to_act[0]
        if battle.state.deployment is not None:
            return next(iter(self._set_up(battle, side)), None)
        befalls = happening(battle, f"{self.seed}:fate")
        if befalls is not None:
            return Suggestion(befalls, 0.0, {})
        thought = _Thought(self, battle, side)
        for found in thought.picked(thought.ranked()):
            settled = thought.settled(found.action)
            if settled is None:
                continue
            verdict = refusal(battle, settled)
            done = settled if verdict is None else named_instead(battle, verdict)
            if done is not None and (done is settled or refusal(battle, done) is None):
                return replace(found, action=done)
        return None

    def _set_up(self, battle: Battle, side: str) -> list[Suggestion]:
        found = next_to_set_up(battle, side, self.seed)
        if found is None:
            return []
        action, parts = found
        return [Suggestion(action, sum(parts.values()), parts)]

    def answer(self, battle: Battle) -> Value:
        """What to say to the open question; AnswerError if none is open, or it is for dice."""
        pending = battle.pending
        if pending is None or isinstance(pending.ask, Roll):
            raise AnswerError("no choice is open")
        return _Thought(self, battle, pending.ask.by).answered(pending.ask)

    def chooser(self, battle: Battle, root: str = "") -> Callable[[Choice], Value]:
        """A chooser for questions on the way of an action in a battle: the usual answers.

        root: the hash of the position that is thought about, that of the battle unless given.
        """
        rng = Random(f"{self.seed}:{root or battle.hash}:choices")
        return lambda choice: usual_answer(battle, choice, rng)


def refusal(battle: Battle, action: Action) -> Verdict | None:
    """The verdict on an action that is refused; None for one that can be done.

    A preview passes over what may not be measured before it is done; this does not.
    """
    chooser = Opponent().chooser(battle)
    after, events = battle.play(action, dice=SeededDice(battle.hash), chooser=chooser)
    assert after.last is not None
    return None if events or after.pending is not None or after.last.legal else after.last


def usual_answer(battle: Battle, choice: Choice, rng: Random) -> Value:
    """What is answered without thinking; attested results by the chances of the system."""
    if isinstance(choice, AttestedChoice) and choice.clause in battle.system.attested:
        return battle.system.attested[choice.clause].draw(rng)
    try:
        return take_default(choice)
    except AnswerError:
        if choice.form == "one":
            return rng.choice(choice.options).value
        return choice.low


def _about_mean(values: Sequence[float]) -> list[float]:
    mean = fmean(values)
    return [value - mean for value in values]


def _noise(throws: Sequence[Sequence[float]]) -> float:
    """The variance of one rollout, what is common to all of a throw taken out; 0 if unknown."""
    if len(throws) < 2:
        return 0.0
    rows = [_about_mean(row) for row in throws]
    columns = [_about_mean(column) for column in zip(*rows, strict=True)]
    free = (len(rows) - 1) * (len(columns) - 1)
    return sum(value * value for column in columns for value in column) / free


def _spaced(number: int) -> float:
    """The numbers 0, 1, 2, ... spread evenly over 0 to 1, however few: 0, 1/2, 1/4, 3/4, 1/8."""
    bits = f"{number:b}"
    return int(bits[::-1], 2) / 2.0 ** len(bits)


def _spread(values: Sequence[float]) -> float:
    return max(values) - min(values)


def _same(one: Suggestion, other: Suggestion) -> bool:
    """Whether two suggestions come to the same: they differ in places alone, and those hardly."""
    named = [
        [names_in(getattr(of.action, f.name)) for f in fields(of.action)] for of in (one, other)
    ]
    alike = one.action.kind == other.action.kind and named[0] == named[1]
    return alike and abs(one.value - other.value) <= _ALIKE


@dataclass(frozen=True, slots=True)
class _Tried:
    """An action and what it leads to. step: it leads the game on. opens: it only opens others."""

    action: Action
    parts: dict[str, float]
    total: float
    step: bool
    opens: bool


class _Known:
    """What has been worked out of positions that lead to one another, told again where they come
    again: which of several bodies acts first often makes no difference.

    luck: how often dice or drawn answers have had a say, by which nothing is told again.
    """

    def __init__(self) -> None:
        self.luck = 0
        self._battles: dict[str, Battle] = {}
        self._told: dict[Hashable, Any] = {}

    def the(self, battle: Battle) -> Battle:
        """The battle that stands for all in which everything is the same."""
        return battle if battle.pending else self._battles.setdefault(battle.hash, battle)

    def once(self, battle: Battle, key: Hashable, work: Callable[[], T]) -> T:
        """What `work` gives, worked out once for a battle and a key unless luck has a say."""
        key = (id(battle), key)
        if key in self._told:
            found: T = self._told[key][1]
            return found
        luck = self.luck
        found = work()
        if self.luck == luck:
            self._told[key] = battle, found  # which keeps its id from any other
        return found


class _Thought:
    """What is thought about one position by one side."""

    def __init__(
        self, player: Opponent, battle: Battle, side: str, before: _Thought | None = None
    ) -> None:
        self.player, self.level, self.side = player, player.level, side
        self.depth: int = 0 if before is None else before.depth + 1
        self.weights = player.weights or weights_of(battle.system.name, player.level.name)
        if not player.level.order:
            self.weights = self.weights._replace(order=0.0)
        self.exact: int = self.level.exact if self.weights.exact else 0
        self.known: _Known = _Known() if before is None else before.known
        self.real = self.battle = self.known.the(battle)
        #: All that is compared is tried with the same dice: luck decides nothing between them.
        self.root: str = battle.hash if before is None else before.root
        self.rng = Random(f"{player.seed}:{self.root}:{side}")
        self.by_eye = before is None and battle.pending is None and distances_secret(battle)
        if self.by_eye:
            guessed = Battle(battle.system, guessed_by_eye(battle.state, side, player.seed))
            self.battle = self.known.the(guessed)
        self.far: dict[str, float] = (
            ranges(battle.system, battle.state) if before is None else before.far
        )
        self.round = battle.state.turn.round
        self._usual = player.chooser(battle, self.root)
        self._otherwise: dict[str, float] = {}
        self._opened: dict[tuple[str, ...], _Tried | None] = {}
        #: What actions may come to: values, chances and battles, the worst first.
        self._lots: dict[Action, list[tuple[float, float, Battle]]] = {}
        self.shift = Random(f"{player.seed}:{self.root}:lots").random()

    def worth(self, state: State) -> Worth:
        return worth(state, self.side, self.far, self.weights, self.battle.system)

    def further(self, player: Opponent, battle: Battle, side: str) -> _Thought:
        """What is thought about a position that this one may lead to."""
        return _Thought(player, battle, side, self)

    def chooser(self, choice: Choice) -> Value:
        """The usual answer to a question on the way of an action."""
        if isinstance(choice, AttestedChoice) or choice.default is None:
            self.known.luck += 1
        return self._usual(choice)

    def played(
        self, action: Action, seed: int | str, *, nearest: bool = True
    ) -> tuple[Battle, Sequence[Event], bool]:
        """The battle after an action with dice of a seed, what happened, and whether dice told it.
        Raises as `Battle.play`."""

        def play() -> tuple[Battle, Sequence[Event], bool]:
            dice = SeededDice(seed)
            after, events = self.battle.play(
                action, dice=dice, chooser=self.chooser, nearest=nearest
            )
            self.known.luck += bool(dice.thrown)
            return after, events, bool(dice.thrown)

        return self.known.once(self.battle, (action, nearest), play)

    # Candidates.

    def candidates(self) -> Iterator[_Tried]:
        """Actions to compare, each once, tried out."""
        seen: set[Action] = set()
        for action in self.steps():
            yield from self.new(action, seen, None)
        bodies = self.known.once(
            self.battle,
            ("acting", self.side),
            lambda: acting_bodies(self.battle, self.side),
        )
        if len(bodies) > self.level.actors:
            bodies = self.rng.sample(bodies, self.level.actors)
        for of in bodies:
            for action, control in self.actions(of, self.level.places):
                yield from self.new(action, seen, control)

    def steps(self) -> list[Action]:
        """What leads the game on."""
        return self.known.once(self.battle, "steps", lambda: [*steps(self.battle)])

    def actions(self, of: str, most: int, *, brief: bool = False) -> list[tuple[Action, Control]]:
        """Actions of one body or unit as `actions_of` tells them."""
        return self.known.once(
            self.battle,
            (of, most, brief),
            lambda: [*actions_of(self.battle, of, self.far, most, brief=brief)],
        )

    def offered(self) -> Iterator[_Tried]:
        """What the rules offer at random, where nothing else is found."""
        seen: set[Action] = set()
        for action in self.battle.offers(self.rng):
            tried = self.tried(action)
            if tried is not None and tried.action not in seen:
                seen.add(tried.action)
                yield tried

    def new(self, action: Action, seen: set[Action], control: Control | None) -> Iterator[_Tried]:
        """An action, or the nearest one that is legal, tried out, unless it has been seen.

        control: what it is of; None for a step of the whole side.
        """
        if action in seen:
            return
        seen.add(action)
        step = control is None or control.group == "step"
        tried = self.tried(action, step=step, nearest=self.asks_nearest(control))
        if tried is not None and (tried.action == action or tried.action not in seen):
            seen.add(tried.action)
            yield tried

    # Comparing.

    def ranked(self) -> list[Suggestion]:
        """All candidates, the best first."""
        base = self.worth(self.battle.state)
        found = []
        for tried in [*self.candidates()] or self.offered():
            names = dict.fromkeys((*tried.parts, *base.parts))
            change = {n: tried.parts.get(n, 0.0) - base.parts.get(n, 0.0) for n in names}
            value = tried.total - base.total
            if tried.opens:
                value -= self.otherwise(str(getattr(tried.action, "actor", "")), base.total)
                value += _OPENS
            elif not tried.step:
                value -= _BETTER
            found.append(Suggestion(tried.action, value, change, self.by_eye))
        found.sort(key=lambda one: -one.value)
        if self.level.deep and self.depth == 0 and self.weights.answered:
            found = self.looked_on(found)
        return found

    def otherwise(self, actor: str, base: float) -> float:
        """What a body can still gain where its side goes on without an action that opens others."""
        if actor not in self._otherwise:
            best = base
            for battle in (self.battle, self.stepped()):
                if battle is not None:
                    thought = self.further(self.player, battle, self.side)
                    best = max([best, *(t.total for t in thought.following([actor]))])
            self._otherwise[actor] = best - base
        return self._otherwise[actor]

    def asks_nearest(self, control: Control | None) -> bool:
        """Whether the nearest legal action is worth its search: where bodies are laid down or
        turned others are tried."""
        if control is None or control.gesture == "path":
            return True
        return self.depth == 0 and control.gesture not in ("pose", "turn")

    def tried(self, action: Action, *, step: bool = False, nearest: bool = True) -> _Tried | None:
        """An action tried out, or the nearest one where it is refused; None if nothing comes of it.

        Its parts and total are means over the throws of its dice.
        """
        how = (action, step, nearest, self.side, self.depth, self.level)
        return self.known.once(
            self.battle, how, lambda: self._tried(action, step=step, nearest=nearest)
        )

    def _tried(self, action: Action, *, step: bool, nearest: bool) -> _Tried | None:
        parts: dict[str, float] = {}
        total, weight, opens = 0.0, 0.0, False
        seed = f"{self.player.seed}:{self.root}"
        try:
            for chance, after, events, told in self.results(
                action, self.level.throws, seed, nearest, self.exact
            ):
                if not events:
                    other = None if after.last is None else named_instead(self.battle, after.last)
                    return None if other in (None, action) else self.tried(other, step=step)
                if after.state == self.battle.state or goes_nowhere(
                    self.battle.state, after, events
                ):
                    return None
                value, opening = self.value_after(after, action, told)
                opens = opens or opening
                for name, part in value.parts.items():
                    parts[name] = parts.get(name, 0.0) + chance * part
                total, weight = total + chance * value.total, weight + chance
        except TapelineError:
            return None
        if not weight:
            return None
        means = {name: part / weight for name, part in parts.items()}
        return _Tried(action, means, total / weight, step, opens and not step)

    def results(
        self, action: Action, count: int, seed: str, nearest: bool, exact: int
    ) -> Iterator[tuple[float, Battle, Sequence[Event], bool]]:
        """What an action leads to: weights, the battles after it, what happened, and whether dice
        or the players told it. Each result of its dice where they are few and the level asks for
        it, else that of several throws. Raises as `Battle.play`."""
        for chance, done, throw in self.throws(action, count):
            luck = self.known.luck
            after, events, thrown = self.played(done, f"{seed}:{throw}", nearest=nearest)
            if events and thrown and exact and done is action:
                ends = results_of_dice(self.battle, action, exact)
                if ends:
                    self.known.luck = luck
                    yield from ends
                    return
            yield chance, after, events, bool(thrown or action.attests)
            if not thrown and done is action:
                return

    def throws(self, action: Action, count: int) -> Iterator[tuple[float, Action, int]]:
        """Weights, actions and numbers of seeds to try an action with: each result that it may
        attest, else several throws of the dice."""
        chances = self.real.system.attested.get(action.kind)
        if chances is None or not chances.slot:
            if not action.attests or chances is not None:
                yield from ((1.0, action, throw) for throw in range(count))
            return
        if open_to_chance(self.real, action, chances):
            for value, weight in chances.weights.items():
                if value is not None:
                    yield weight, replace(action, **{chances.slot: value}), 0

    def value_after(self, after: Battle, action: Action, told: bool) -> tuple[Worth, bool]:
        """The worth of the position after an action, and whether it only opens others: then that of
        the best of those. told: whether dice or the players told what came of it."""
        found = self.worth(after.state)
        named = self.named(action)
        if self.depth > 1 or after.pending is not None or not named:
            return found, False
        if not same_places(self.battle.state, after.state) or self.side not in after.next_to_act:
            return found, False
        turned = not same_facings(self.battle.state, after.state)
        if self.depth > 0 and not turned:
            return found, False
        if turned:
            # A turn is worth the best way that it opens, less a little: the way itself is better.
            further = self.further(self.player, after, self.side)
            ways = further.following(named, without=action.kind)
            best = max(ways, key=lambda t: t.total, default=None)
            if best is None or best.total - _OPENS <= found.total:
                return found, False
            return Worth({**best.parts, "a turn first": -_OPENS}), False
        opened = tuple(name for name in named if open_to(after, name) - self.open_to(name))
        if told and not opened:
            return found, False
        # What comes of it depends little on the dice that opened it, or on who did.
        key = opened or (str(action),)
        if key not in self._opened:
            further = self.further(self.player, after, self.side)
            best = max(further.following(named), key=lambda t: t.total, default=None)
            self._opened[key] = best
        best = self._opened[key]
        if best is not None and best.total > found.total:
            # What opens nothing that can be seen yet has to be worth saying at all.
            said = {} if opened else {"said first": -_BETTER - _OPENS}
            return Worth({**best.parts, **said}), True
        return found, bool(opened)

    def open_to(self, name: str) -> frozenset[str]:
        """What a body or unit may do now, by kinds of action."""
        return self.known.once(self.battle, ("open", name), lambda: open_to(self.battle, name))

    def named(self, action: Action) -> list[str]:
        """Ids of the bodies and units of one's own that an action names."""
        return [
            name
            for one in fields(action)
            for name in names_in(getattr(action, one.name))
            if is_of_side(self.battle.state, name, self.side)
        ]

    def following(self, named: list[str], without: str = "") -> Iterator[_Tried]:
        """What some bodies may do next: at once, or after steps that their side takes before.

        without: a kind of action that is passed over.
        """
        thought = self
        for _ in range(_STEPS):
            some = False
            state = thought.battle.state
            for of in named:
                if of in state.bodies or of in state.units:
                    most = max(2, 2 * self.level.places // 3)
                    for action, control in thought.actions(of, most, brief=True):
                        passed = control.group == "step" or action.kind == without
                        near = thought.asks_nearest(control)
                        tried = None if passed else thought.tried(action, nearest=near)
                        if tried is not None:
                            some = True
                            yield tried
            after = None if some else thought.stepped()
            if after is None or self.side not in after.next_to_act:
                return
            thought = self.further(self.player, after, self.side)
            thought.depth = self.depth

    def stepped(self) -> Battle | None:
        """The battle after the first step that leads on within the round; None if there is none."""
        for step in self.steps():
            try:
                after, events, _ = self.played(step, self.player.seed)
            except TapelineError:
                continue
            state = after.state
            if events and after.pending is None and state.turn.round == self.round:
                return after
        return None

    def looked_on(self, found: list[Suggestion]) -> list[Suggestion]:
        """The same, the best few moved towards what the position is worth when the enemy has
        answered them, as rollouts tell it (Tesauro and Galperin 1996). All are tried with the same
        dice, and what each is worth at once counts like some rollouts more."""
        near: list[Suggestion] = []
        for one in found:
            if found[0].value - one.value > _CLOSE or len(near) == self.level.deep:
                break
            if not any(_same(one, other) for other in near):
                near.append(one)
        if len(near) <= 1:
            return found
        moved, behind, throws = list[Suggestion](), list[Suggestion](), list[list[float]]()
        for throw in range(self.level.rollouts):
            ends = [self.rollout(one.action, throw) for one in near]
            known = [end for end in ends if end is not None]
            if len(known) == len(near):  # else they are compared with nothing
                throws.append(known)
            if not throws:
                continue
            said = _about_mean([one.value for one in near])
            told = _about_mean([fmean(column) for column in zip(*throws, strict=True)])
            # That few agree does not make them surer: rare luck may be in none of them.
            trust = len(throws) / (len(throws) + max(_SAID, _noise(throws) / _ASTRAY**2))
            moved = [
                replace(one, value=one.value + trust * (end - was))
                for one, was, end in zip(near, said, told, strict=True)
            ]
            if max(_spread(said), _spread(told)) < _STAKE:
                break
            order = sorted(range(len(near)), key=lambda n: -moved[n].value)
            if throw + 1 >= _ALL:
                if moved[order[0]].value - moved[order[1]].value > _AHEAD:
                    break
                behind += [moved[n] for n in order[2:]]
                near = [near[n] for n in order[:2]]
                throws = [[row[n] for n in order[:2]] for row in throws]
                moved = [moved[n] for n in order[:2]]
        if not moved:
            return found
        moved = [*sorted(moved, key=lambda one: -one.value), *behind]
        tried = {one.action for one in moved}
        return [*moved, *(one for one in found if one.action not in tried)]

    def rollout(self, first: Action, throw: int) -> float | None:
        """What the position is worth when the enemy has acted after an action and this side is to
        act again, both playing on fast; None if it does not come to that.

        Less the luck on the way, by how much what the dice did is better than what they do on
        average: a shot that rarely hits is worth the same whether it did or not (control variate).
        """
        drawn = self.drawn(first, throw)
        if drawn is None:
            return None
        battle, luck = drawn
        player = replace(self.player, level=_FAST, seed=f"{self.player.seed}:{throw}")
        answered, deeds = False, Counter[str]()
        for number in range(1, _LONGEST):
            if battle.pending is not None:
                return None
            game, side = battle.state.game, next(iter(battle.next_to_act), self.side)
            answered = answered or side != self.side
            if (game is not None and game.over) or (answered and side == self.side):
                break
            thought = self.further(player, battle, side)
            thought.depth = 0
            befalls = happening(battle, f"{player.seed}:fate")
            action = befalls or next((one.action for one in thought.ranked()), None)
            if action is None:
                break
            # Whoever does the same again in another rollout throws the same dice.
            deed = f"{side}:{action.kind}:{getattr(action, 'actor', '')}"
            deeds[deed] += 1
            after, told = thought.after(action, f"{self.root}:{deed}:{deeds[deed]}")
            if after is None:
                return None
            if told and befalls is None and after.pending is None:
                gain = thought.value_after(after, action, told=True)[0].total
                gain -= thought.mean(action, number)
                luck += gain if side == self.side else -gain
            battle = after
        return None if battle.pending is not None else self.worth(battle.state).total - luck

    def drawn(self, action: Action, throw: int) -> tuple[Battle, float] | None:
        """A battle after an action, and how much better it is than what comes of it on average;
        None if it cannot be done.

        Throws share the results out as their chances are: the first few of them as evenly as may be
        (van der Corput 1935), and for all that is compared the worse ones of each together.
        """
        if action not in self._lots:
            seed = f"{self.player.seed}:{self.root}"
            try:
                self._lots[action] = sorted(
                    (
                        (self.value_after(after, action, told)[0].total, chance, after)
                        for chance, after, events, told in self.results(
                            action, self.level.throws, seed, True, self.exact
                        )
                        if events
                    ),
                    key=lambda lot: lot[0],
                )
            except TapelineError:
                self._lots[action] = []
        lots = self._lots[action]
        if not lots:
            return None
        marks = [*accumulate(chance for _, chance, _ in lots)]
        mean = sum(chance * value for value, chance, _ in lots) / marks[-1]
        share = (_spaced(throw) + self.shift) % 1.0
        value, _, after = lots[bisect(marks, share * marks[-1], hi=len(lots) - 1)]
        return after, value - mean

    def mean(self, action: Action, number: int) -> float:
        """What comes of an action on average, by throws of its own: none that chose it."""
        total, weight = 0.0, 0.0
        seed = f"{self.player.seed}:{self.root}:{number}:mean"
        for chance, after, _, _ in self.results(action, _THROWS, seed, True, _RESULTS):
            total += chance * self.value_after(after, action, told=True)[0].total
            weight += chance
        return total / weight

    def after(self, action: Action, seed: str) -> tuple[Battle | None, bool]:
        """The battle after an action, with dice of its own, None if it cannot be done; and whether
        dice or the players tell what comes of it."""
        settled = self.settled(action)
        if settled is None:
            return None, False
        try:
            after, events, thrown = self.played(settled, f"{self.player.seed}:{seed}")
        except TapelineError:
            return None, False
        return after if events else None, bool(thrown or action.attests)

    def picked(self, found: list[Suggestion]) -> list[Suggestion]:
        """The order in which they are tried: the best first, but for a slip."""
        if found and self.rng.random() < self.level.slip:
            half = found[: max(1, (len(found) + 1) // 2)]
            first = self.rng.choice(half)
            found = [first, *(one for one in found if one is not first)]
        return found

    # What the players settle.

    def settled(self, action: Action) -> Action | None:
        """The action with a result drawn for what it attests; None if then it is not done."""
        return settled(self.real, action, f"{self.player.seed}:{self.root}")

    # Questions.

    def answered(self, choice: Choice) -> Value:
        """The answer that leads to the best position, the usual one if all are alike."""
        usual = usual_answer(self.real, choice, self.rng)
        if isinstance(choice, AttestedChoice):
            return usual
        best, value = usual, self.after_answer(usual)
        for answer in self.answers(choice):
            found = self.after_answer(answer)
            if found > value + 1e-9:
                best, value = answer, found
        if value == -math.inf:
            best = next(iter(self.answers(choice)), usual)
        return best

    def answers(self, choice: Choice) -> Iterator[Value]:
        """Answers to compare."""
        if choice.form == "one":
            yield from (option.value for option in choice.options)
        elif choice.form == "number":
            middle = 0.5 * (choice.low + choice.high)
            for number in (choice.low, choice.high, float(int(middle)) if choice.whole else middle):
                yield int(number) if choice.whole else number
        else:
            yield ()
            pending = self.real.pending
            actor = getattr(pending.action, "actor", "") if pending else ""
            body = self.real.state.bodies.get(choice.about or "") or self.real.state.bodies.get(
                actor
            )
            if body is None:
                return
            far = self.far.get(body.id, 0.0)
            for x, y in places(self.real.state, body, self.far, 8):
                d = math.dist((x, y), body.centre)
                for share in (1.0, 0.5):
                    k = min(1.0, share * far / d) if d else 0.0
                    to = [body.x + k * (x - body.x), body.y + k * (y - body.y)]
                    yield freeze([{"to": to}])

    def after_answer(self, answer: Value) -> float:
        """The worth after an answer on average; -infinity if it is refused."""
        total = 0.0
        for throw in range(self.level.throws):
            seed = f"{self.player.seed}:{self.root}:{throw}"
            try:
                after, events = self.real.answer(
                    answer, dice=SeededDice(seed), chooser=self.chooser
                )
            except TapelineError:
                return -math.inf
            if not events:
                return -math.inf
            total += self.worth(after.state).total
        return total / self.level.throws
