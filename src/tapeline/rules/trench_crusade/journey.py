"""Carrying out a way: its rolls in order, its climbs, jumps and falls; level ground in one go."""

from __future__ import annotations

from collections.abc import Generator
from itertools import groupby
from typing import NamedTuple

from tapeline.engine.asks import Answer, Ask
from tapeline.engine.events import Marked, Moved, Progressed
from tapeline.engine.limits import TOLERANCE, within
from tapeline.engine.paths import Place
from tapeline.engine.referee import Run
from tapeline.rules.trench_crusade.book import BOOK, DIFFICULT_FACTOR, FALL_IN, NEAR_IN
from tapeline.rules.trench_crusade.ground import terrain_of
from tapeline.rules.trench_crusade.measures import gap, on_friend
from tapeline.rules.trench_crusade.rolls import (
    end_activation,
    fall,
    falling_dice,
    free_place,
    goes_over,
    in_own_activation,
    injury_roll,
    landing_off,
    risky_roll,
    success_roll,
)
from tapeline.rules.trench_crusade.state import flies
from tapeline.rules.trench_crusade.walker import enters_danger, is_held, last_stop
from tapeline.table.marks import Marks, Value
from tapeline.travel.landing import Landing
from tapeline.travel.route import Crossing, Part, Route, Stretch
from tapeline.wording import told_apart

__all__ = ["Gone", "go"]

BOOK.resolves_each("""
TC-FALL-2 (public) A diving charge Jumps Down 3 inches or more and lands within 1 inch of the
    target: a Risky Success Roll in place of the falling Injury Roll, +1 DICE on the next Melee
    Attack if it succeeds, Down and the Injury Roll if not (`diving_charge`).
""")

#: What comes of a roll or a fall on the way: it goes on, or it ends there.
_Goes = Generator[Ask, Answer, bool]


class Gone(NamedTuple):
    """How a way ended. arrived: at its end; left: of the allowance; rolled: in danger by now."""

    arrived: bool
    left: float
    rolled: bool


def go(
    run: Run,
    body_id: str,
    way: Route,
    allowance: float,
    clause: str,
    *,
    target: str | None = None,
    rolled: bool = False,
) -> Generator[Ask, Answer, Gone]:
    """Go along a checked way, with the rolls it brings in the order of the path.

    target: of a charge, so that a Jump Down onto it is a diving charge. rolled: whether a roll in
    Dangerous ground covers it already.
    """
    if way.level:
        return (yield from _go_level(run, body_id, way, allowance, clause, rolled))
    return (yield from _Journey(run, body_id, way, allowance, clause, target, rolled).go())


def _go_level(
    run: Run, body_id: str, way: Route, allowance: float, clause: str, rolled: bool
) -> Generator[Ask, Answer, Gone]:
    """Go along a way on level ground, in one go once the roll in Dangerous ground is taken."""
    body = run.state.bodies[body_id]
    entry = None if rolled else enters_danger(run.state, body, way)
    caught = False
    if entry is not None:
        rolled = True
        run.cite("TC-TER-6")
        grade = yield from success_roll(
            run, body_id, f"{body.name} enters {entry[1]}", "TC-TER-3", risky=True
        )
        if grade == "failure":
            caught = True
            way = way.upto(last_stop(run.state, body, way, entry[0]))
    _enter_legs(run, way)
    left = max(0.0, allowance - way.cost)
    run.value(moved=way.length, cost=way.cost, allowance_left=left)
    if way.parts:
        x, y, _ = way.end
        run.emit(Moved(body_id, x, y, body.z, body.facing, way.legs, clause))
    if entry is not None and caught:
        text = f"{body.name} is caught at {entry[1]}"
        run.happened("dangerous ground", text, "TC-TER-3", about=body_id, outcome=True)
        mine = in_own_activation(run, body_id)
        yield from injury_roll(run, body_id, f"{body.name} in dangerous ground")
        if mine:
            end_activation(run, "danger", "TC-ROLL-5")
    return Gone(not caught, left, rolled)


def _enter_legs(run: Run, way: Route) -> None:
    """One line a leg and kind of ground."""
    ends = (*(before for before, _ in way.marked[1:]), way.length)
    spans = [(part, end - before) for (before, part), end in zip(way.marked, ends, strict=False)]
    for given, group in groupby(spans, lambda span: isinstance(span[0], Stretch) and span[0].given):
        parts = [(part, span) for part, span in group if isinstance(part, Stretch)]
        length = sum(part.length for part, _ in parts)
        leg = f"leg {given.number}" if given else ""
        if length <= 0.0:
            run.pay(f"{leg}, turn", 0.0, 1.0, 0.0, "TC-MOVE-3")
            continue
        slow = sum(span for part, span in parts if part.factor > 1.0)
        if slow < length:
            run.pay(leg, length - slow, 1.0, length - slow, "TC-MOVE-4")
        if slow > 0.0:
            cost = slow * DIFFICULT_FACTOR
            run.pay(f"{leg}, difficult", slow, DIFFICULT_FACTOR, cost, "TC-TER-2")
            run.cite("TC-TER-6")


class _Journey:
    """A model on its way."""

    def __init__(
        self,
        run: Run,
        body_id: str,
        way: Route,
        allowance: float,
        clause: str,
        target: str | None,
        rolled: bool,
    ) -> None:
        self.run, self.id, self.way, self.clause = run, body_id, way, clause
        self.allowance, self.target, self.rolled = allowance, target, rolled
        self.body = run.state.bodies[body_id]
        self.spent = self.moved = 0.0
        self.number = 0
        #: How far it had moved when it last came over a climb, a jump, a drop or a ladder; what it
        #: had spent, how many parts it had gone and lines it had entered.
        self.crossed = self.paid = 0.0
        self.gone, self.lines = 0, len(run.ledger)
        self.mine = in_own_activation(run, body_id)
        #: Parts gone but not yet written down as moved.
        self.open: list[Part] = []

    def go(self) -> Generator[Ask, Answer, Gone]:
        way, run = self.way, self.run
        danger = bool(terrain_of(run.state).danger_under(run.state.bodies[self.id]))
        arrived = True
        for self.number, part in enumerate(way.parts):
            entering = part.danger is not None and not danger
            if isinstance(part, Crossing):
                arrived = yield from self._cross(part)
                if arrived and entering and not flies(self.body):
                    arrived = yield from self._risk(part.danger or "")
            else:
                if entering and not flies(self.body):
                    arrived = yield from self._risk(part.danger or "")
                if arrived:
                    self._tread(part)
            danger = part.danger is not None
            if not arrived:
                break
        self._write_down()
        if arrived and flies(self.body) and way.parts and way.parts[-1].danger is not None:
            arrived = yield from self._risk(way.parts[-1].danger)
        left = max(0.0, self.allowance - self.spent)
        run.value(moved=self.moved, cost=self.spent, allowance_left=left)
        return Gone(arrived, left, self.rolled)

    def _crossed(self) -> None:
        """It does not go back behind the part just gone."""
        self.crossed, self.paid = self.moved, self.spent
        self.gone, self.lines = self.number + 1, len(self.run.ledger)

    def _tread(self, part: Stretch) -> None:
        """One more piece of ground."""
        self._enter(part, self.number)
        if part.on_ladder:
            self._crossed()
        self.open.append(part)

    def _enter(self, part: Stretch, number: int) -> None:
        """Count a piece of ground as moved and paid."""
        words = f"part {number + 1}" + (f", {part.what}" if part.what else "")
        self.run.pay(words, part.length, part.factor, part.cost, part.clause)
        if part.clause == "TC-TER-2":
            self.run.cite("TC-TER-6")
        self.spent += part.cost
        self.moved += part.length

    def _write_down(self) -> None:
        """The model stands where its parts have led it."""
        if not self.open:
            return
        leg = Route(self.open[0].start, tuple(self.open))
        body = self.run.state.bodies[self.id]
        self.run.emit(Moved(self.id, *leg.end, body.facing, leg.legs, self.clause))
        self.open = []

    def _stays(self) -> None:
        """A roll has failed: it stands where it is, or where it last could stop."""
        self._write_down()
        body = self.run.state.bodies[self.id]
        done = self.way.upto(self.moved)
        s = last_stop(self.run.state, body, done, done.length)
        if s < self.crossed:
            self._settles()
        elif s < done.length:
            held = is_held(self.run.state, body, done.end)
            self.run.cite("TC-MOVE-5" if held else "TC-MOVE-11")
            back = done.upto(s)
            self.run.emit(Moved(self.id, *back.end, body.facing, (), "TC-MOVE-5"))
            self._gone_no_farther(back)

    def _gone_no_farther(self, back: Route) -> None:
        """What it went beyond the place where it stops is neither moved nor paid."""
        del self.run.ledger[self.lines :]
        self.moved, self.spent = self.crossed, self.paid
        for number, part in enumerate(back.parts[self.gone :], self.gone):
            assert isinstance(part, Stretch)
            self._enter(part, number)

    def _settles(self) -> None:
        """It goes no farther where it came up or down: beside whom it came upon, off the ledge.

        Not back along its path, which leads elsewhere: to the nearest place on the surface that
        holds it.
        """
        run = self.run
        body = run.state.bodies.get(self.id)
        if body is None:
            return
        here = Place(*body.centre, body.z)
        clear = not on_friend(run.state, body, here)
        if clear and is_held(run.state, body, here):
            return
        heights = terrain_of(run.state)
        surface = heights.storeys.support(body.x, body.y, body.z, TOLERANCE)
        if surface is None:
            return
        found = free_place(run.state, heights, body, body.x, body.y, surface)
        if found is not None:
            place = Place(*found, surface.height(*found))
            run.emit(Moved(self.id, *place, body.facing, (), "TC-FALL-1"))

    def _ends(self) -> None:
        """The Activation ends by a failed roll, if it is the model's own."""
        if self.mine:
            end_activation(self.run, "danger", "TC-ROLL-5")

    def _risk(self, name: str) -> _Goes:
        """The roll where it enters Dangerous ground, unless one covers it."""
        if self.rolled:
            return True
        self.rolled = True
        self.run.cite("TC-TER-6")
        self._write_down()
        body = self.run.state.bodies[self.id]
        grade = yield from success_roll(
            self.run, self.id, f"{body.name} enters {name}", "TC-TER-3", risky=True
        )
        if grade != "failure":
            return True
        self._stays()
        text = f"{body.name} is caught at {name}"
        self.run.happened("dangerous ground", text, "TC-TER-3", about=self.id, outcome=True)
        yield from injury_roll(self.run, self.id, f"{body.name} in dangerous ground")
        self._ends()
        return False

    def _cross(self, hurdle: Crossing) -> _Goes:
        if hurdle.kind == "climb":
            return (yield from self._climb(hurdle))
        if hurdle.kind == "jump":
            return (yield from self._jump(hurdle))
        return (yield from self._land(hurdle))

    def _pass(self, hurdle: Crossing, what: str) -> None:
        self.run.pay(what, hurdle.cost, 1.0, hurdle.cost, hurdle.clause)
        self.spent += hurdle.cost
        self.moved += hurdle.length
        self._crossed()
        body = self.run.state.bodies[self.id]
        self.run.emit(Moved(self.id, *hurdle.end, body.facing, (hurdle.taken,), self.clause))

    def _climb(self, hurdle: Crossing) -> _Goes:
        self._write_down()
        run, body = self.run, self.run.state.bodies[self.id]
        name = terrain_of(run.state).name(hurdle.piece or "")
        words = f"climbs {name}, {hurdle.cost:.4g} in"
        purpose = f"{body.name} {words}"
        grade = yield from risky_roll(run, self.id, purpose, "TC-CLM-2", "climb_dice")
        run.cite("TC-CLM-1")
        if grade == "failure":
            self._stays()
            text = f"{body.name} does not get over {name} and stays at it"
            run.happened("climb failed", text, "TC-CLM-2", about=self.id, outcome=True)
            self._ends()
            return False
        self._pass(hurdle, words)
        run.happened("climbed", f"{body.name} {words}", "TC-CLM-2", about=self.id, outcome=True)
        return True

    def _jump(self, hurdle: Crossing) -> _Goes:
        self._write_down()
        run, body = self.run, self.run.state.bodies[self.id]
        words = f"jumps a gap of {hurdle.width:.4g} in"
        purpose = f"{body.name} {words}"
        grade = yield from risky_roll(run, self.id, purpose, "TC-JMP-2", "jump_dice")
        run.cite("TC-JMP-1")
        if grade == "failure":
            landing = yield from self._side(hurdle)
            text = f"{body.name} does not get across"
            run.happened("jump failed", text, "TC-JMP-2", about=self.id, outcome=True)
            if landing is None:
                self._stays()
            else:
                yield from fall(run, self.id, landing.place, landing.drop, "TC-FALL-1")
            self._ends()
            return False
        run.cite("TC-JMP-3")
        if hurdle.cost > hurdle.width:
            run.cite("TC-JMP-4")
        self._pass(hurdle, words)
        run.happened("jumped", f"{body.name} {words}", "TC-JMP-2", about=self.id, outcome=True)
        if within(FALL_IN, hurdle.rise):
            run.cite("TC-JMP-4")
        return (yield from self._comes_down(hurdle))

    def _side(self, hurdle: Crossing) -> Generator[Ask, Answer, Landing | None]:
        """From which side it Falls, as its opponent chooses."""
        run, body = self.run, self.run.state.bodies[self.id]
        options: dict[str, str] = {}
        landings: dict[str, Landing] = {}
        for name, (lip, normal) in zip(("near", "far"), hurdle.lips, strict=True):
            z = hurdle.start.z if name == "near" else hurdle.end.z
            landing = landing_off(run.state, body, lip, normal, z)
            if landing is not None:
                landings[name] = landing
                down = told_apart(landing.drop, FALL_IN)
                options[name] = f"the {name} side, {down} in down"
        if not options:
            return None
        value: Value = next(iter(options))
        if len(options) > 1:
            by, asked = (
                run.state.other_side(body.side),
                f"{body.name} Falls into the gap: from which side?",
            )
            value = yield from run.pick(
                by, asked, "TC-JMP-2", options, default=value, about=self.id
            )
        return landings[str(value)]

    def _land(self, hurdle: Crossing) -> _Goes:
        """A Jump Down, and what comes of its drop."""
        self._write_down()
        run, body = self.run, self.run.state.bodies[self.id]
        words = f"jumps down {told_apart(hurdle.rise, FALL_IN)} in"
        self._pass(hurdle, words)
        run.happened("jumped down", f"{body.name} {words}", "TC-JMP-5", about=self.id, outcome=True)
        return (yield from self._comes_down(hurdle))

    def _comes_down(self, hurdle: Crossing) -> _Goes:
        """A drop of 3 inches or more: a Fall, or a dive where it lands by its target."""
        bodies = self.run.state.bodies
        if not within(FALL_IN, hurdle.rise):
            return True
        if self.target is not None and within(gap(bodies[self.id], bodies[self.target]), NEAR_IN):
            return (yield from self._dive(hurdle))
        return (yield from self._hurt(hurdle.rise))

    def _hurt(self, drop: float) -> _Goes:
        """The Injury Roll of a Fall. Whether the model may go on."""
        run, body = self.run, self.run.state.bodies[self.id]
        run.cite("TC-FALL-1")
        if flies(body):
            run.cite("TC-FLY-1")
            return True
        injury = yield from injury_roll(
            run, self.id, f"{body.name} falls {drop:.4g} in", dice=falling_dice(drop)
        )
        if injury in ("nothing", "minor"):
            return True
        self._settles()
        return False

    def _dive(self, hurdle: Crossing) -> _Goes:
        """TC-FALL-2: down onto the target of a charge."""
        run, body = self.run, self.run.state.bodies[self.id]
        run.cite("TC-FALL-2")
        if run.state.option("diving_charge") == "risky_v102":
            purpose = f"{body.name} dives"
            grade = yield from risky_roll(run, self.id, purpose, "TC-FALL-2", "dive_dice")
            if grade == "failure":
                if (yield from goes_over(run, self.id)):
                    return False
                run.emit(Marked(self.id, Marks({"down": True}), "TC-FALL-2"))
                run.happened(
                    "down", f"{body.name} lands badly and is Down", "TC-FALL-2", about=self.id,
                    outcome=True,
                )  # fmt: skip
                yield from injury_roll(
                    run,
                    self.id,
                    f"{body.name} falls {hurdle.rise:.4g} in",
                    dice=falling_dice(hurdle.rise),
                )
                self._settles()
                if self.mine:
                    end_activation(run, "down", "TC-DOWN-1")
                return False
        elif not (yield from self._hurt(hurdle.rise)):
            return False
        run.emit(Progressed(Marks({"dived": True}), "TC-FALL-2"))
        text = f"{body.name} dives: +1 DICE on its next Melee Attack"
        run.happened("diving charge", text, "TC-FALL-2", about=self.id, outcome=True)
        return True
