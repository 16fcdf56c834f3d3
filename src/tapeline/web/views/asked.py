"""Answers to what is asked besides actions: reach, routes, odds, tape and sight.

What the rules keep secret raises MeasuringError before anything is worked out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tapeline.analysis.odds import Outcome
from tapeline.analysis.storeys import StoreyReach
from tapeline.analysis.threat import Danger, Threat, foes_of
from tapeline.engine.actions import Action
from tapeline.engine.asks import Choice, take_default
from tapeline.engine.bases import base_shape
from tapeline.engine.codec import plain
from tapeline.engine.move_limits import MoveLimits
from tapeline.engine.paths import LegPath
from tapeline.engine.state import State
from tapeline.engine.system import Question
from tapeline.errors import DocumentError, Fault
from tapeline.geometry.rectangles.rectangle import nearest_point, separation
from tapeline.picture.reached import others
from tapeline.picture.storeys import storey_of
from tapeline.play.battle import Battle
from tapeline.table.bodies import Body, Round
from tapeline.table.marks import Value
from tapeline.web.documents import asked as documents
from tapeline.web.documents.verdict import Ring
from tapeline.web.views.board import storeys_shown
from tapeline.web.views.verdicts import finding_document, legs_trace
from tapeline.wording import figure, percent, spaced

__all__ = [
    "Place",
    "flush_view",
    "odds_view",
    "reach_view",
    "route_view",
    "sight_view",
    "tape_view",
    "threat_view",
    "view_view",
]

#: A place: x and y, and its height if it is known; table units.
Place: TypeAlias = tuple[float, float] | tuple[float, float, float]

#: An outcome that is a count: of what, how many, and what else there is.
_COUNTED = re.compile(r"([^,]*) (\d+)((?:, .*)?)")

#: How closely outlines follow the border, table units.
EPS = 0.005
#: The same where corners are sought one by one, and squares of their mesh across the allowance.
COARSE, _SQUARES = 0.04, 10
#: Branches of dice enumerated, and games sampled, before somebody waits too long.
GUARD, SAMPLES = 4_000, 2_000


# Reach and routes


def reach_view(
    battle: Battle, body: str, kind: str | None = None, storey: int | None = None
) -> documents.Reach:
    """Where a body can get to in one move of a kind, on the storey that it stands on or another.

    Raises as `Battle.reach`.
    """
    reach = battle.reach(body, kind)
    lee, state = reach.leeway, battle.state
    storeys = storeys_shown(state)
    mine = storey_of(storeys, max(state.body(body).z, 0.0)).index
    wanted = mine if storey is None else storey
    if not 0 <= wanted < len(storeys):
        message = f"must be from 0 to {len(storeys) - 1}; got {storey}"
        raise DocumentError("reach", [Fault("storey", message)])
    words = spaced(lee.kind)
    borders, notes = [], []
    slow = any(patch.within(*lee.start, lee.allowance) for patch in lee.slow)
    if wanted == mine and slow and lee.no_return:
        # Every place of it takes a search over slow ground of its own: seconds.
        notes.append("No border is drawn here: it would take too long. Ask for a way to a place.")
    elif wanted == mine and (slow or lee.uneven):
        borders.append(reach.outline(COARSE, resolution=_mesh(lee)))
    elif wanted == mine:
        borders.append(reach.outline(EPS))
    if lee.storeys is not None and lee.allowance > 0.0:
        over = StoreyReach(lee)
        for surface, index in others(storeys, over):
            if index == wanted:
                borders += over.bands(surface, [lee.allowance], COARSE, resolution=_mesh(lee))
    return documents.Reach(
        body=body,
        kind=lee.kind,
        label=words,
        storey=wanted,
        allowance=lee.allowance,
        bands=[
            documents.Band(
                limit=lee.allowance,
                label=f"{words} {figure(lee.allowance)}",
                rings=[list(ring) for ring in border.rings],
                eps=border.eps,
            )
            for border in borders
            if border.rings
        ],
        rings=_rings(lee),
        findings=[finding_document(finding) for finding in lee.findings],
        notes=notes,
    )


def _mesh(lee: MoveLimits) -> float:
    """Side of the squares of a marched border, table units."""
    return max(lee.allowance, 0.1) / _SQUARES


def _rings(lee: MoveLimits) -> list[Ring]:
    """Distances from other bases that bind this move."""
    found: dict[tuple[str, float], Ring] = {}
    zones = (
        *((zone, "keep more than") for zone in lee.keep_out),
        *((zone, "do not come back within") for zone in lee.no_return),
        *((zone, "do not end within") for zone in lee.no_end),
        *((zone, "stay within") for zone in lee.keep_in),
    )
    for zone, words in zones:
        if zone.limit is None or zone.limit <= 0.0:
            continue
        label = f"{words} {figure(zone.limit)}"
        ring = Ring(about=zone.about, distance=zone.limit, label=label, clause=zone.clause)
        found.setdefault((zone.about, zone.limit), ring)
    return list(found.values())


def route_view(battle: Battle, body: str, kind: str | None, to: Place) -> documents.Route | None:
    """A cheapest way to a place in one move of a kind, None if there is none.

    Without a height the place is on the storey that the body stands on. Raises as `Battle.reach`.
    """
    if not all(map(math.isfinite, to)):
        raise DocumentError("route", [Fault("to", "needs finite coordinates")])
    reach = battle.reach(body, kind)
    mover = battle.state.body(body)
    height = to[2] if len(to) == 3 else mover.z
    if reach.leeway.storeys is None or abs(height - mover.z) <= 1e-6:
        way = reach.route((to[0], to[1]))
        if way is not None:
            return _route(mover, way.legs, way.cost)
    if reach.leeway.storeys is None:
        return None
    storeyed = StoreyReach(reach.leeway)
    there = storeyed.route((to[0], to[1], height))
    return None if there is None else _route(mover, there.legs, there.cost)


def _route(mover: Body, legs: LegPath, cost: float) -> documents.Route:
    trace = legs_trace(mover, legs)
    length = sum(stretch.length for stretch in trace.stretches)
    return documents.Route(path=plain(legs), trace=trace, cost=cost, length=length)


# Odds


def odds_view(battle: Battle, action: Action) -> documents.Odds:
    """Exact odds of an action, or sampled ones where its dice branch too far.

    Choices on the way are answered by their defaults, else by the first option.
    """
    found = battle.odds(action, chooser=_choose, guard=GUARD, samples=SAMPLES)
    if not found.verdict.legal:
        notes = [f"{finding.text} ({finding.clause})" for finding in found.verdict.findings]
        return documents.Odds(outcomes=[], notes=notes)
    notes = []
    if not found.exact:
        error = max(outcome.error for outcome in found.outcomes)
        notes.append(f"from {found.branches} games, within {100.0 * error:.1f} % of the true odds")
    return documents.Odds(outcomes=_outcomes(found.outcomes), notes=notes)


def _outcomes(found: Iterable[Outcome]) -> list[documents.Outcome]:
    """The likeliest first; counts of one thing in order, with the chance of as many or more."""
    told = [(_COUNTED.fullmatch(one.label), one) for one in found]
    if len({match and match[1] for match, _ in told}) != 1 or told[0][0] is None:
        return [documents.Outcome(text=one.label, chance=one.chance) for _, one in told]
    counts = sorted((int(match[2]), match[1], match[3], one.chance) for match, one in told if match)
    return [
        documents.Outcome(
            text=f"{_counted(count, thing)}{rest}",
            chance=chance,
            at_least=math.fsum(one[-1] for one in counts if one[0] >= count),
        )
        for count, thing, rest, chance in counts
    ]


def _counted(count: int, things: str) -> str:
    one = f"{things[:-3]}y" if things.endswith("ies") else things.removesuffix("s")
    return f"{count or 'no'} {one if count == 1 else things}"


def _choose(choice: Choice) -> Value:
    if choice.default is None and choice.form == "one" and choice.options:
        if choice.fault(None) is not None:
            return choice.options[0].value
    elif choice.default is None and choice.form == "number":
        return choice.low
    return take_default(choice)


# Tape


def tape_view(
    battle: Battle, a: str | Sequence[float], b: str | Sequence[float]
) -> documents.Measure:
    """The distance between two bodies, two places, or one of each.

    Raises UnknownIdError, DocumentError for a place that is none, MeasuringError where the rules
    forbid to measure.
    """
    state = battle.state
    one, other = _end(state, a), _end(state, b)
    who = next((end.body.id for end in (one, other) if end.body is not None), None)
    ends = (one.place, other.place) if who is None else ()
    battle.system.permit(state, Question("tape", who, ends=ends))
    (x0, y0, z0), (x1, y1, z1) = one.place, other.place
    rise = z1 - z0
    start, end, gap = (x0, y0), (x1, y1), None
    if one.body is not None and other.body is not None:
        apart = separation(base_shape(one.body), base_shape(other.body))
        gap, start, end = apart.gap, apart.on_a, apart.on_b
    elif one.body is not None:
        gap, start = nearest_point(base_shape(one.body), end)
    elif other.body is not None:
        gap, end = nearest_point(base_shape(other.body), start)
    flat = math.hypot(x1 - x0, y1 - y0)
    words = _tape_words(one, other, flat, gap, rise, state.table.unit)
    bases = None if gap is None else math.hypot(gap, rise)
    centres = math.hypot(flat, rise)
    return documents.Measure(
        centres=centres, bases=bases, start=start, end=end, rise=rise, words=words
    )


@dataclass(frozen=True, slots=True)
class _End:
    """One end of a tape: a body, or a place alone."""

    place: tuple[float, float, float]
    body: Body | None = None

    @property
    def name(self) -> str:
        if self.body is not None:
            return self.body.name
        x, y, z = self.place
        up = f", {figure(z)} up" if abs(z) > 1e-6 else ""
        return f"({figure(x)}, {figure(y)}{up})"


def _end(state: State, what: str | Sequence[float]) -> _End:
    if isinstance(what, str):
        body = state.body(what)
        return _End((body.x, body.y, body.z), body)
    if not all(map(math.isfinite, what)) or max(map(abs, what)) > 1e6:
        raise DocumentError("tape", [Fault("place", "needs finite coordinates up to 1,000,000")])
    return _End((what[0], what[1], what[2] if len(what) == 3 else 0.0))


def _tape_words(
    one: _End, other: _End, flat: float, gap: float | None, rise: float, unit: str
) -> str:
    centres = f"{figure(math.hypot(flat, rise))} {unit}"
    if gap is None:
        words = f"{centres} from {one.name} to {other.name}"
    elif gap <= 0.0 and abs(rise) <= 1e-6:
        words = f"{one.name} and {other.name} are in contact"
    else:
        words = f"{figure(math.hypot(gap, rise))} {unit} from {one.name} to {other.name}"
        words += f", {centres} between centres"
    if abs(rise) > 1e-6:
        way = "up" if rise > 0.0 else "down"
        plan = flat if gap is None else gap
        words += f"; {figure(plan)} {unit} on the plan, {figure(abs(rise))} {unit} {way}"
    return f"{words}."


# Sight


def sight_view(battle: Battle, a: str, b: str) -> documents.Sight:
    """Whether one body sees another, by the sight of its system. Raises UnknownIdError."""
    state, system = battle.state, battle.system
    one, other = state.body(a), state.body(b)
    if system.sees is None:
        words = f"{system.title} has no rule of sight for moves."
        return documents.Sight(sees=None, words=words, clause="", lines=[], blocks=[])
    if one.id == other.id:
        raise DocumentError("sight", [Fault("b", "must be another body")])
    seen = system.sees(state, one, other)
    words = f"{seen.words} {seen.cover}".strip()
    entries = {entry.id: entry.name or entry.id for entry in state.table.entries}
    names = [state.bodies[b].name if b in state.bodies else entries.get(b, b) for b in seen.blocks]
    if names and not any(name in words for name in names):
        words = f"{words.rstrip('.')}: {', '.join(names)} in the way."
    return documents.Sight.of(seen, words=words)


def view_view(battle: Battle, body: str) -> documents.View:
    """The region that a figure sees. Raises UnknownIdError."""
    views = battle.sight(battle.state.body(body).id).views
    if not views:
        return documents.View(body=body, ring=[], blocks=[], words="No region is drawn for it.")
    (view,) = views
    return documents.View.of(view, body=body)


# Threat


#: The chances of bands, the surest first, and squares of their mesh across the box they lie in.
BANDS = ((1.0, "sure"), (0.5, "likely"), (0.0, "possible"))
_ACROSS = 12


def threat_view(
    battle: Battle, by: str, on: str | None = None, place: Place | None = None, bands: bool = False
) -> documents.Threat:
    """Whom a side, a figure or a unit could strike when it acts next.

    on: whom, each enemy unless given. place: what threatens that one there besides. bands: where
    it would be struck besides. Raises as `Battle.threat`.
    """
    names = foes_of(battle.system, battle.state, by) if on is None else [on]
    threats = [battle.threat(by, name) for name in names]
    here = [_danger(battle.state, found, found.here()) for found in threats]
    first = threats[0] if on is not None else None
    there = None
    if first is not None and place is not None:
        there = _danger(battle.state, first, first.at(place))
    drawn: list[documents.ThreatBand] = []
    if first is not None and bands:
        left, low, right, high = first.box
        step = max(right - left, high - low, 1.0) / _ACROSS
        borders = first.bands([chance for chance, _ in BANDS], resolution=step, eps=step / 8)
        drawn = [
            documents.ThreatBand(chance=chance, words=words, rings=[[*r] for r in border.rings])
            for (chance, words), border in zip(BANDS, borders, strict=True)
        ]
    terms = [*threats[0].terms] if threats else []
    return documents.Threat(by=by, here=here, there=there, bands=drawn, terms=terms)


def _danger(state: State, found: Threat, danger: Danger) -> documents.Danger:
    strikes = []
    for strike in danger.strikes:
        least = strike.least and strike.chance < 1
        chance = f"{'at least ' if least else ''}{percent(strike.chance)}"
        words = f"{state.name_of(strike.by)} {chance}, {strike.way}" if strike.chance else ""
        untold = "; ".join(finding.text for finding in strike.untold)
        way = [move.end[:2] for move in strike.moves if move.path]
        told = {"chance": float(strike.chance), "least": least, "words": words}
        strikes.append(documents.Strike.of(strike, **told, way=way, untold=untold))
    sure = [strike for strike in danger.strikes if strike.chance]
    if danger.safe or not danger.strikes:
        words = "safe"
    elif not sure:
        hidden = any(strike.untold for strike in danger.strikes)
        words = "not told" if hidden else "not struck"
    else:
        words = percent(danger.chance)
    x, y, _ = danger.place
    told = {"chance": float(danger.chance), "words": words, "strikes": strikes}
    return documents.Danger.of(danger, id=found.on, x=x, y=y, **told)


#: Facings nearer than this, degrees, are one for a hand.
_ALIKE = 1e-6


@dataclass(frozen=True, slots=True)
class _Held:
    """A rectangular base as the hand holds it."""

    at: documents.Stood
    width: float
    depth: float


def flush_view(state: State, asked: documents.Push) -> documents.Laid:
    """The place of a stand, shifted by less than `near` to lie edge to edge with another one.

    Of all places the nearest. Lined up with the other stand comes before pushed up against it
    somewhere along its edge, by half of `near`. Stands that look another way are left alone, and
    what fits nowhere stays where it is held. Raises UnknownIdError.
    """
    stand = _held(state, asked.stand)
    best, against, least = (asked.stand.x, asked.stand.y), None, asked.near
    if stand is not None:
        for other in _alike(state, stand, asked.others):
            for way, spot in _spots(stand, other, asked.near):
                if way < least:
                    best, against, least = spot, other.at.body, way
    return documents.Laid(x=best[0], y=best[1], against=against)


def _held(state: State, at: documents.Stood) -> _Held | None:
    """The base of a body as it is held; None for round ones, which have no edge."""
    base = state.body(at.body).base
    return None if isinstance(base, Round) else _Held(at, base.width, base.depth)


def _alike(state: State, stand: _Held, others: Iterable[documents.Stood]) -> Iterable[_Held]:
    """The others whose edges are parallel to the same edges of the stand."""
    for at in others:
        held = _held(state, at)
        between = (stand.at.facing - at.facing) % 180.0
        if held is not None and min(between, 180.0 - between) < _ALIKE:
            yield held


def _spots(stand: _Held, other: _Held, near: float) -> Iterable[tuple[float, tuple[float, float]]]:
    """Places of the stand along the edges of another, and how far each is, as a hand weighs it."""
    turn = math.radians(other.at.facing)
    c, s = math.cos(turn), math.sin(turn)
    dx, dy = stand.at.x - other.at.x, stand.at.y - other.at.y
    ahead, left = dx * c + dy * s, dy * c - dx * s
    deep, wide = (stand.depth + other.depth) / 2.0, (stand.width + other.width) / 2.0
    aside, along = math.copysign(wide, left), math.copysign(deep, ahead)
    wanted = [(0.0, aside, 0.0), (along, 0.0, 0.0)]
    if abs(ahead) < deep:
        wanted.append((ahead, aside, near / 2.0))
    if abs(left) < wide:
        wanted.append((along, left, near / 2.0))
    for a, b, more in wanted:
        place = (other.at.x + a * c - b * s, other.at.y + a * s + b * c)
        yield math.hypot(a - ahead, b - left) + more, place
