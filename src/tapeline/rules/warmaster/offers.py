"""Legal actions for bots and random play, and in place of a refused move; the ways in which a unit
could strike another in its next Command phase."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random

from tapeline.engine.actions import Action
from tapeline.engine.attacks import Attack, Attacking
from tapeline.engine.codec import action_marks
from tapeline.engine.limits import TOLERANCE, within
from tapeline.engine.paths import Leg, LegPath
from tapeline.engine.prefix import beginning, end_of
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding, Nearest
from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.ranks.bases import rect_of, shape_of
from tapeline.ranks.blocks import as_block, middle, pivot_of, wheeled
from tapeline.ranks.motions import motions
from tapeline.rules.warmaster.actions import (
    AboutFace,
    Advance,
    AnyCharge,
    Brigade,
    Charge,
    EndStep,
    Evade,
    HomeBack,
    InitiativeCharge,
    MoveCharacter,
    MoveUnit,
    Order,
    StandMove,
)
from tapeline.rules.warmaster.brigades import (
    LEAST_SHARE,
    SHARES,
    AsOne,
    affordable,
    affords_as_one,
    between,
    comes_over,
    goes_as_one,
    has_room_as_one,
    met_on_the_way,
    no_landing,
    shorter,
    way_round,
)
from tapeline.rules.warmaster.charge import advances_elsewhere
from tapeline.rules.warmaster.closing_up import closes_up, closing_move, joining, to_close_up
from tapeline.rules.warmaster.evade import not_to_burst, plan_evade
from tapeline.rules.warmaster.figures import (
    EVADE_LEAST_CM,
    FLYER_CHARGE_CM,
    ORDERS_MOST,
    flies,
    full_pace,
    policy_of,
)
from tapeline.rules.warmaster.formation import engaged_units, is_engaged, pace_of
from tapeline.rules.warmaster.initiative import targets_of
from tapeline.rules.warmaster.lineup import Placement, aims, attacked_edges, plan_charge
from tapeline.rules.warmaster.measures import (
    MoveSpec,
    heeds_within,
    spec_of,
    study_of,
)
from tapeline.rules.warmaster.orders import needed_for
from tapeline.rules.warmaster.plans import plan_move, ways_of
from tapeline.rules.warmaster.sight import line_of_sight
from tapeline.rules.warmaster.state import (
    CHARACTERS,
    HOME,
    INITIATIVE,
    OF_TURN,
    ORDERS,
    PROGRESS,
    characters,
    enemies_near,
    findings,
    is_legal,
    kept_while_near,
    rects_of,
    stands_of,
    unit_of,
    units_apart,
    units_on_table,
)
from tapeline.table.bodies import Body, Unit

__all__ = ["ATTACKING", "nearest", "offers"]


#: The most that a flyer goes home before orders (WM-FLY-2), cm.
HOME_MOST_CM = 60.0
#: Random moves tried for an offer; those that are not legal are not offered.
_TRIES = 3


def offers(state: State, rng: Random) -> Iterator[Action]:
    """Legal actions: a random one or two of each kind for each unit and character that may act;
    what takes long to work out comes last."""
    if state.progress.get("over"):
        return
    phase, side = state.turn.phase, state.turn.active
    mine = [unit for unit in units_on_table(state) if unit.side == side]
    answering = mine if phase == INITIATIVE else []
    charging = False
    for unit in answering:
        for action in _on_initiative(state, unit, rng) if _is_bound(state, unit) else ():
            charging = charging or isinstance(action, InitiativeCharge)
            yield action
    if not charging:
        yield from _of_characters(state, mine, rng)
    for unit in answering:
        if not _is_bound(state, unit):
            yield from _on_initiative(state, unit, rng)
    if charging:
        return
    orders = phase in (INITIATIVE, HOME, ORDERS)
    for unit in units_on_table(state):
        may = unit.marks.text("may_move")
        if may == "fall_back" or (may and orders and unit.side == side):
            yield from _moves(state, unit, rng)


def _of_characters(state: State, mine: Sequence[Unit], rng: Random) -> Iterator[Action]:
    """The end of the phase, and what characters do in it."""
    phase, side = state.turn.phase, state.turn.active
    if is_legal(state, EndStep()):
        yield EndStep()
    for body in characters(state, side):
        if phase in (INITIATIVE, HOME):
            for unit in mine:
                back = HomeBack(actor=unit.id, character=body.id)
                if flies(stands_of(state, unit)) and is_legal(state, back):
                    yield back
        if phase in (INITIATIVE, HOME, ORDERS):
            yield from _orders(state, body, mine, rng)
        if phase == CHARACTERS:
            yield from _steps(state, body, rng)


def _is_bound(state: State, unit: Unit) -> bool:
    """Whether a unit that can charge must do so before anything else is done."""
    return policy_of(stands_of(state, unit)[0]) == "must_charge"


def _on_initiative(state: State, unit: Unit, rng: Random) -> Iterator[Action]:
    for candidate in targets_of(state, unit):
        charge = InitiativeCharge(actor=unit.id, target=candidate.unit.id)
        if is_legal(state, charge):
            stands = _charge(state, unit, candidate.unit, "initiative_charge")
            if stands:
                yield InitiativeCharge(actor=unit.id, target=candidate.unit.id, stands=stands)
        if is_legal(state, Evade(actor=unit.id, target=candidate.unit.id)):
            yield from _evades(state, unit, candidate.unit, rng)


def _charge(state: State, unit: Unit, target: Unit, kind: str) -> tuple[StandMove, ...]:
    """The stands of a planned charge, if it is legal."""
    spec = spec_of(state, unit, kind, target=target.id)
    work = partial(_legal_charge, state, spec, unit)
    far = heeds_within(state, spec)
    return kept_while_near(state, ("legal charge", spec), (unit, target), far, work)


def _legal_charge(state: State, spec: MoveSpec, unit: Unit) -> tuple[StandMove, ...]:
    stands = plan_charge(state, spec)
    spec = replace(spec, stands=stands)
    if not stands or not is_legal(state, spec):
        return ()
    for body in aims(state, spec):
        edges = attacked_edges(state, unit, body)
        placements = [Placement(spec=spec, stand=body.id, edge=edge) for edge in edges]
        # Where a die names the edge, the other way is asked for.
        if any(is_legal(state, placement) for placement in placements):
            return stands
    return ()


def _evades(state: State, unit: Unit, target: Unit, rng: Random) -> Iterator[Action]:
    pace = pace_of(state, unit, "evade").allowance
    most = EVADE_LEAST_CM + rng.choice((1.0, rng.uniform(0.3, 0.9))) * (pace - EVADE_LEAST_CM)

    def planned() -> tuple[StandMove, ...]:
        return plan_evade(partial(_is_barred, state), state, unit, target, most=most).stands

    spec = spec_of(state, unit, "evade", target=target.id)
    # Who fights is kept clear of, whatever it fights with.
    key = ("legal evade", spec, most, engaged_units(state))
    stands = kept_while_near(state, key, (unit, target), heeds_within(state, spec), planned)
    if stands:
        yield Evade(actor=unit.id, target=target.id, stands=stands)


def _orders(state: State, body: Body, mine: Sequence[Unit], rng: Random) -> Iterator[Action]:
    able = [unit for unit in mine if is_legal(state, Order(actor=body.id, units=(unit.id,)))]
    for unit in rng.sample(able, min(2, len(able))):
        yield Order(actor=body.id, units=(unit.id,))
        other = next(
            (u for u in able if u.id != unit.id and units_apart(state, u, unit) <= 0.0), None
        )
        if other is not None:
            both = Order(actor=body.id, units=(unit.id, other.id))
            if is_legal(state, both):
                yield both


def _moves(state: State, unit: Unit, rng: Random) -> Iterator[Action]:
    bodies = stands_of(state, unit)
    if not bodies:
        return
    if unit.marks.text("may_move") in ("order", "rush"):
        reach = pace_of(state, unit, "charge").allowance
        for gap, enemy in enemies_near(state, unit, reach):
            if gap > reach or line_of_sight(state, unit, enemy, front_only=True) is None:
                continue
            charge = Charge(actor=unit.id, target=enemy.id)
            stands = _charge(state, unit, enemy, "charge") if is_legal(state, charge) else ()
            if stands:
                yield Charge(actor=unit.id, target=enemy.id, stands=stands)
    if unit.marks.text("may_move") == "rush" or not is_legal(state, MoveUnit(actor=unit.id)):
        return
    spec = spec_of(state, unit)
    rects, ways = rects_of(state, unit), ways_of(state, spec)
    follows = joining(state, unit, partial(closes_up, state))
    held = closing_move(state) if follows is None and to_close_up(state) else None
    if held is not None and held.actor == unit.id:
        follows = held
    if follows is not None:
        yield follows
        return
    for _ in range(_TRIES):
        poses = _some_poses(rects, spec.allowance, rng)
        ends = {body.id: pose for body, pose in zip(bodies, poses, strict=True)}
        if not ways.affords_ends(ends):
            continue
        plan = plan_move(state, spec, ends, detours=False)
        moved = replace(spec, stands=plan.stands)
        if plan.whole and is_legal(state, moved) and closes_up(state, moved):
            yield MoveUnit(actor=unit.id, stands=plan.stands)
    face = tuple(StandMove(stand=b.id, path=(Leg(by=180.0),)) for b in bodies)
    if is_legal(state, replace(spec, stands=face)):
        yield AboutFace(actor=unit.id)


def _some_poses(rects: list[Rect], allowance: float, rng: Random) -> list[Rect]:
    if rng.random() < 0.3:
        side = rng.choice(("left", "right"))
        return wheeled(rects, pivot_of(rects, side), rng.uniform(-60.0, 60.0))
    x, y = middle(rects)
    ahead = math.atan2(rects[0].uy, rects[0].ux) + rng.choice((0.0, 0.0, 0.4, -0.4, math.pi))
    distance = rng.uniform(0.2, 0.999) * allowance
    by = rng.choice((0.0, 0.0, rng.uniform(-30.0, 30.0)))
    to = (x + distance * math.cos(ahead), y + distance * math.sin(ahead))
    return as_block(rects, to, by)


def _steps(state: State, body: Body, rng: Random) -> Iterator[Action]:
    for _ in range(_TRIES):
        turn, far = rng.uniform(0.0, math.tau), rng.uniform(0.05, 0.99) * full_pace(body)
        to = (body.x + far * math.cos(turn), body.y + far * math.sin(turn))
        step = MoveCharacter(actor=body.id, path=(Leg(to=to),))
        if is_legal(state, step):
            yield step
            return


#: Halvings of the part of the way that is sought.
_HALVINGS = 28
#: Samples of a turn of a brigade by which it is seen where there is room, and halvings between.
_SAMPLES, _ROOM_HALVINGS = 48, 32
#: Halvings of a 24th of a turn of a brigade, each dear: of a way of 25 cm to 1e-6 cm.
_TURN_HALVINGS = 20
#: A share of a way that nobody tells from none: on either side of it a move is barred or not.
_HAIR = 1e-9


def _at(body: Body) -> tuple[float, float, float]:
    return body.x, body.y, body.z


def _cut(body: Body, path: LegPath, share: float) -> LegPath:
    """The first part of the path of a body: `share` of its legs, from 0 to 1."""
    return beginning(_at(body), path, share * len(path))


def _apart(body: Body, one: LegPath, other: LegPath) -> float:
    """How far apart two paths of a body end."""
    return math.dist(end_of(_at(body), one)[:2], end_of(_at(body), other)[:2])


def _short(body: Body, one: LegPath, other: LegPath) -> float:
    """How far a stand that takes one path ends from where another takes it: the corner that is
    farthest off."""
    ends = [motions(rect_of(body), path)[1][-1].corners for path in (one, other)]
    return max(math.dist(a, b) for a, b in zip(*ends, strict=True))


def nearest(state: State, action: Action, findings: list[Finding]) -> Nearest | None:
    """The longest legal beginning of a refused move of a unit, a brigade or a character, an evade
    included; a line or column formed short of its place; in place of the ways of a refused charge
    those planned.

    None if it is refused for more than its ways, or if there is no such move.
    """
    if isinstance(action, MoveUnit | Evade):
        return _of_unit(state, action)
    if isinstance(action, AsOne):
        return shorter(state, action)
    if isinstance(action, Brigade):
        return _of_brigade(state, action)
    if isinstance(action, AnyCharge):
        return _of_charge(state, action)
    if isinstance(action, MoveCharacter):
        return _of_character(state, action)
    return None


def _of_unit(state: State, action: MoveUnit | Evade) -> Nearest | None:
    unit = unit_of(state, action.actor)
    if not is_legal(state, action):
        return None
    known = [move for move in action.stands if move.stand in state.bodies]
    if len(known) < len(action.stands) or not any(move.path for move in known):
        return None
    if isinstance(action, Evade):
        burst = (name for name in action.burst if not any(not_to_burst(state, unit, (name,))))
        action = replace(action, burst=tuple(burst))
        spec = spec_of(state, unit, "evade", target=action.target, burst=action.burst)
    else:
        spec = spec_of(state, unit)

    if is_legal(state, replace(spec, stands=action.stands)):
        return _offer(action, 0.0, "The same ways, bursting through nobody who bars it.")
    study = study_of(state, replace(spec, stands=tuple(known)))
    ends = {stand.body.id: stand.end for stand in study.stands}
    # Of those that evade it counts who goes first.
    for first in ends if isinstance(action, Evade) else ("",):
        plan = plan_move(state, spec, ends, first=first, detours=False)
        if plan.whole and is_legal(state, replace(spec, stands=plan.stands)):
            other = action_marks(replace(action, stands=plan.stands))
            return Nearest(other, "end", "The same places, by other ways.", 0.0)

    def cut(share: float) -> MoveUnit | Evade:
        stands = tuple(
            replace(move, path=_cut(state.bodies[move.stand], move.path, share)) for move in known
        )
        return replace(action, stands=stands)

    marks = met_on_the_way(study)
    best = _longest(lambda share: is_legal(state, replace(spec, stands=cut(share).stands)), marks)
    if best is None:
        return _of_evade(state, action) if isinstance(action, Evade) else _formed(state, spec, ends)
    short = max(
        _short(state.bodies[a.stand], a.path, b.path)
        for a, b in zip(cut(best).stands, known, strict=True)
    )
    return _offer(cut(best), short)


def _formed(state: State, spec: MoveSpec, ends: Mapping[str, Rect]) -> Nearest | None:
    """The same formation, brought as far toward its place as it can come."""
    from_ = middle([rect_of(state.bodies[name]) for name in ends])
    to = middle([*ends.values()])

    def there(share: float) -> MoveUnit | None:
        at = between(from_, to, share)
        places = dict(zip(ends, as_block([*ends.values()], at, 0.0), strict=True))
        plan = plan_move(state, spec, places, detours=False)
        if plan.whole and is_legal(state, replace(spec, stands=plan.stands)):
            return MoveUnit(actor=spec.unit, stands=plan.stands)
        return None

    marks: set[float] = set()
    if flies(state.bodies[name] for name in ends):
        shapes = no_landing(state, spec.unit)
        toward = (to[0] - from_[0], to[1] - from_[1])
        for place in as_block([*ends.values()], from_, 0.0):
            marks.update(comes_over(place, toward, shapes))
    best = _longest(lambda share: there(share) is not None, sorted(marks))
    nearer = None if best is None else there(best)
    if best is None or nearer is None:
        return None
    text = "The same formation, as near as it can come."
    return Nearest(action_marks(nearer), "end", text, (1.0 - best) * math.dist(from_, to))


def _of_character(state: State, action: MoveCharacter) -> Nearest | None:
    alone = replace(action, join=None)
    body = state.body(action.actor)
    if not action.path or not is_legal(state, replace(alone, path=())):
        return None

    def cut(share: float) -> MoveCharacter:
        return replace(alone, path=_cut(body, action.path, share))

    if action.join is not None and is_legal(state, alone):
        return _offer(alone, 0.0, "The same way, without joining anyone.")
    marks = set(_landings(state, body, action.path)) if flies([body]) else ()
    best = _longest(lambda share: is_legal(state, cut(share)), sorted(marks))
    if best is None:
        return None
    return _offer(cut(best), _apart(body, cut(best).path, action.path))


def _landings(state: State, body: Body, path: LegPath) -> Iterator[float]:
    """The shares of a straight way of a character that flies at which it comes over what it may not
    land on, ground and stands of the enemy, and at which it is clear of that again."""
    shapes = no_landing(state, body.id, body.side)
    x, y, _ = _at(body)
    for number, leg in enumerate(path):
        start, (x, y, _) = (x, y), end_of((x, y, 0.0), (leg,))
        if leg.to is not None:
            over = comes_over(shape_of(body.at(*start)), (x - start[0], y - start[1]), shapes)
            yield from ((number + share) / len(path) for share in over)


def _of_charge(state: State, action: AnyCharge) -> Nearest | None:
    """The charge at the same enemy as it is planned, if that is legal."""
    if not action.stands or not is_legal(state, replace(action, stands=())):
        return None
    if isinstance(action, Advance) and advances_elsewhere(partial(findings, state), state, action):
        return None
    unit = unit_of(state, action.actor)
    stands = _charge(state, unit, unit_of(state, action.target), action.kind)
    return _planned(state, action, stands, "The charge as it is planned.")


def _of_evade(state: State, action: Evade) -> Nearest | None:
    """The evade from the same enemy as it is planned, no farther than the stands were to go, nor
    than the first was to go along that way if that is nearer."""
    unit, target = unit_of(state, action.actor), unit_of(state, action.target)
    plan = partial(plan_evade, partial(_is_barred, state), state, unit, target, action.burst)
    wanted = {move.stand: move.path for move in action.stands}

    def planned(most: float) -> tuple[StandMove, ...]:
        return plan(max(EVADE_LEAST_CM, most)).stands

    def offer(stands: tuple[StandMove, ...]) -> list[Nearest]:
        found = _planned(state, action, stands, "Straight away from it, as it is planned.")
        return [] if found is None else [found]

    far = planned(max(_apart(state.bodies[name], (), path) for name, path in wanted.items()))
    found = offer(far)
    if far:
        x, y, z = _at(state.bodies[far[0].stand])
        went, asked = (end_of((x, y, z), p) for p in (far[0].path, wanted.get(far[0].stand, ())))
        dx, dy = went[0] - x, went[1] - y
        along = ((asked[0] - x) * dx + (asked[1] - y) * dy) / math.hypot(dx, dy)
        if along < math.hypot(dx, dy) - TOLERANCE:
            found += offer(planned(along))
    return min(found, key=lambda nearest: nearest.short_by, default=None)


def _is_barred(state: State, move: MoveSpec) -> bool:
    return not is_legal(state, move)


def _planned(
    state: State, action: AnyCharge | Evade, stands: tuple[StandMove, ...], text: str
) -> Nearest | None:
    """An action with other ways of its stands, if there are any."""
    if not stands:
        return None
    wanted = {move.stand: move.path for move in action.stands}
    short = max(
        _short(state.bodies[move.stand], wanted.get(move.stand, ()), move.path) for move in stands
    )
    return Nearest(action_marks(replace(action, stands=stands)), "end", text, short)


def _of_brigade(state: State, action: Brigade) -> Nearest | None:
    stands = [body for name in action.units for body in stands_of(state, state.units[name])]
    if not all(is_legal(state, MoveUnit(actor=name)) for name in action.units) or not stands:
        return None
    from_ = middle([rect_of(body) for body in stands])
    to = action.to or from_

    def cut(share: float) -> Brigade:
        return replace(action, to=between(from_, to, share), by=share * action.by)

    shift = (to[0] - from_[0], to[1] - from_[1])
    far = 1.0 if action.by == 0.0 else affordable(lambda at: affords_as_one(state, cut(at)))
    if action.by == 0.0 and to != from_:
        units = [unit_of(state, name) for name in action.units]
        paces = (spec_of(state, unit).allowance for unit in units)
        far = min(1.0, min(paces) / math.dist(from_, to))
    # Who is in the way of a shorter one may be gone round by a longer one. Units that turn get in
    # each other's way: what is legal over less than a 24th of the turn alone may be missed, save
    # just where the block comes clear of what stands fast.
    parts = SHARES if action.by == 0.0 else 2 * SHARES
    marks = {far * k / parts for k in range(1, parts + 1)}
    if action.by != 0.0:
        marks.update(_borders(lambda share: has_room_as_one(state, cut(share)), far))
    flying = (name for name in action.units if flies(stands_of(state, state.units[name])))
    for name in flying if action.by == 0.0 else ():
        shapes = no_landing(state, name)
        for rect in rects_of(state, state.units[name]):
            marks.update(comes_over(rect, shift, shapes))
    best: float | None = far
    if far == 1.0 or not goes_as_one(state, cut(far)):
        halvings = _HALVINGS if action.by == 0.0 else _TURN_HALVINGS
        best = _longest(lambda share: goes_as_one(state, cut(share)), sorted(marks), halvings)
    if best is None:
        return None
    turned = way_round([rect_of(body) for body in stands], from_, action.by)
    short = (1.0 - best) * (math.dist(from_, to) + turned)
    return _offer(cut(best), short, "The brigade as far as it can go that way.")


def _borders(has_room: Callable[[float], bool], far: float) -> Iterator[float]:
    """The shares up to one at which room comes and goes, as far as samples tell them apart."""
    shares = [far * k / _SAMPLES for k in range(_SAMPLES + 1)]
    for low, high in itertools.pairwise(shares):
        room = has_room(low)
        if room is not has_room(high):
            for _ in range(_ROOM_HALVINGS):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if has_room(middle) is room else (low, middle)
            yield low if room else high


def _longest(
    is_legal: Callable[[float], bool], marks: Iterable[float] = (), halvings: int = _HALVINGS
) -> float | None:
    """The largest share found by halving, legal itself; None if there is none to speak of.

    marks: shares, rising, between which what is longer is barred if what is shorter is. Where that
    holds the share is short of the exact one by less than 5e-9, of a way of 100 cm by 5e-7 cm: by
    the length of its stretch over 2^28 (2^halvings), or by a hair at the ends of one.
    """
    inside = [mark for mark in marks if _HAIR < mark < 1.0 - _HAIR]
    for start, stop in reversed([*itertools.pairwise((0.0, *inside, 1.0))]):
        low, high = start + _HAIR, stop - _HAIR
        if low >= high or (start > 0.0 and not is_legal(low)):
            continue
        if is_legal(high):
            return high
        for _ in range(halvings):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if is_legal(middle) else (low, middle)
            if high <= LEAST_SHARE:
                return None
        return low
    return None


def _offer(action: Action, short: float, text: str = "") -> Nearest:
    if not text:
        far = f": they end {short:.2f} cm from where they were to" if short >= 0.005 else ""
        text = f"The same ways, cut short{far}."
    return Nearest(action_marks(action), "prefix", text, short)


# Attacks to come.


def attacks(state: State, by: str, target: str) -> Iterator[Attack]:
    """How a unit could come to fight another in its next Command phase: it fights already, or it
    charges, on initiative or by the order of one of its characters."""
    unit, foe = unit_of(state, by), unit_of(state, target)
    none = dict.fromkeys(OF_TURN)
    fresh = replace(
        state,
        units={name: replace(u, marks=u.marks.update(none)) for name, u in state.units.items()},
        bodies={
            name: body.marked(**none) if any(mark in body.marks for mark in OF_TURN) else body
            for name, body in state.bodies.items()
        },
        turn=replace(state.turn, phase=INITIATIVE, active=unit.side),
        progress=state.progress.update(
            {**dict.fromkeys(PROGRESS), "over": state.progress.get("over")}
        ),
    )

    def fights(after: State) -> bool:
        mine, other = after.units[by], after.units[target]
        return within(units_apart(after, mine, other), 0.0) and (
            mine.has("charged") or is_engaged(after, mine)
        )

    if fights(fresh):
        yield Attack(by, target, "fight", fresh, (), fights)
        return
    if not within(units_apart(fresh, unit, foe), pace_of(fresh, unit, "charge").allowance):
        return
    on_its_own = InitiativeCharge(actor=by, target=target)
    yield Attack(by, target, "charge on initiative", fresh, (on_its_own,), fights)
    ordering = replace(
        fresh,
        turn=replace(fresh.turn, phase=ORDERS),
        progress=fresh.progress.update({"closed": True}),
    )
    charges = Charge(actor=by, target=target)
    for character, orders in _likeliest(ordering, unit):
        way = f"charge by order of {character.name}"
        yield Attack(by, target, way, ordering, (orders, charges), fights)


def _likeliest(state: State, unit: Unit) -> Iterator[tuple[Body, Order]]:
    """The orders to charge that may be given to a unit and are likeliest to be obeyed."""
    found = []
    for character in characters(state, unit.side):
        orders = Order(actor=character.id, units=(unit.id,))
        if is_legal(state, orders):
            found.append((needed_for(state, character, [unit]), character, orders))
    most = max((needed for needed, _, _ in found), default=0)
    return ((character, orders) for needed, character, orders in found if needed == most)


def _far(state: State, by: str) -> float:
    stands = stands_of(state, unit_of(state, by))
    pace = max(full_pace(body) for body in stands)
    reach = max(body.base.reach for body in stands)
    if flies(stands):
        return reach + HOME_MOST_CM + ORDERS_MOST * max(pace, FLYER_CHARGE_CM)
    return reach + ORDERS_MOST * pace


def _fighters(state: State, side: str) -> Iterator[str]:
    return (unit.id for unit in units_on_table(state) if unit.side == side)


def _stands_there(
    state: State, target: str, place: tuple[float, float, float], facing: float | None
) -> State:
    """The unit with the middle of its stands at a place, turned as one if a facing of its first
    stand is given."""
    unit = unit_of(state, target)
    stands = stands_of(state, unit)
    by = 0.0 if facing is None else facing - stands[0].facing
    poses = as_block(rects_of(state, unit), place[:2], by)
    moved = {
        body.id: body.at(*pose.centre, facing=(body.facing + by) % 360.0)
        for body, pose in zip(stands, poses, strict=True)
    }
    return replace(state, bodies={**state.bodies, **moved})


ATTACKING = Attacking(
    attacks,
    _far,
    (
        "It charges in the next Command phase of its side, which begins as everything stands; no "
        "other unit moves or is ordered before.",
        "It gets one order, alone, from the character whose order is likeliest to be obeyed: what "
        "further orders could bring near enough is not weighed.",
    ),
    fighters=_fighters,
    bodies=lambda state, unit: stands_of(state, unit_of(state, unit)),
    placed=_stands_there,
)
