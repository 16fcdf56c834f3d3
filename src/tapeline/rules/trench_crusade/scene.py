"""Faults of a scene of Trench Crusade, where a game of it is, and what all of it is called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tapeline.engine.bases import whole_on_table
from tapeline.engine.faults import model_faults
from tapeline.engine.limits import TOLERANCE, sunk
from tapeline.engine.names import Names
from tapeline.engine.paths import Place
from tapeline.engine.state import State
from tapeline.engine.system import Activity, Looks
from tapeline.errors import Fault
from tapeline.rules.trench_crusade.ground import beneath, built, on_table, terrain_of
from tapeline.rules.trench_crusade.measures import base_of, level_with
from tapeline.rules.trench_crusade.state import (
    activation,
    height,
    is_down,
    may_leave_table,
    movement,
    radius,
    unactivated,
    weapons,
)
from tapeline.rules.trench_crusade.terrain import terrain_faults
from tapeline.table.bodies import Body, Rectangle
from tapeline.table.marks import Marks
from tapeline.travel.table_edge import past_half
from tapeline.wording import counted

__all__ = ["BADGES", "NAMES", "acting", "activity", "faults", "finish", "off_edge", "status"]

_DICE = ("charge_dice", "climb_dice", "jump_dice", "dive_dice")


def faults(state: State) -> list[Fault]:
    """Everything in a scene that these rules cannot use."""
    return [
        *terrain_faults(state),
        *model_faults(state, "Trench Crusade", _body_faults),
        *_progress_faults(state),
    ]


def off_edge(state: State, body: Body) -> str:
    """What is wrong with how a base lies to the table's edge, TC-MOVE-6 and G-10; "" if nothing."""
    if may_leave_table(body):
        return ""
    if state.option("edge_overhang") == "none" or isinstance(body.base, Rectangle):
        return whole_on_table(state, body)
    off, r = past_half(state.table, body.x, body.y, radius(body)), radius(body)
    if not sunk(off):
        return ""
    share = 50.0 + 50.0 * off / r
    return f"{share:.4g} % of the base of {body.id!r} is off the table: no more than half may be"


def _body_faults(state: State, body: Body, where: str) -> Iterator[Fault]:
    if isinstance(body.base, Rectangle):
        size = f"{body.base.width * 25.4:g} x {body.base.depth * 25.4:g} mm"
        wide = 2 * max(body.base.width, body.base.depth) * 12.7
        yield Fault(
            f"{where}.base",
            f"only round bases are ruled, not one of {size}; give the circle round it, "
            f'"base": {{"round_mm": {wide:g}}}, and say so to your opponent',
        )
        return
    if "movement" not in body.stats:
        yield Fault(f"{where}.profile.movement", "is missing")
    for name, low in (("movement", 0.0), ("height", 0.0), ("charge_dice", 1.0)):
        if body.stat(name, low) < low:
            yield Fault(f"{where}.profile.{name}", f"must be {low:g} or more")
    for name in ("melee_dice", "dash_dice", "armour", *_DICE):
        if body.stat(name) != int(body.stat(name)):
            yield Fault(f"{where}.profile.{name}", "must be a whole number")
        elif abs(body.stat(name)) > 10:
            yield Fault(f"{where}.profile.{name}", "must be from -10 to 10")
    if body.stat("armour") > 0:
        yield Fault(f"{where}.profile.armour", "must be 0 or less")
    for name in ("keywords", "weapons"):
        words = body.stats.get(name, ())
        if not isinstance(words, tuple) or not all(isinstance(word, str) for word in words):
            yield Fault(f"{where}.profile.{name}", "must be a list of texts")
        elif name == "weapons":
            for word in words:
                if word not in weapons():
                    known = ", ".join(weapons())
                    yield Fault(f"{where}.profile.weapons", f"knows no {word!r}; known: {known}")
    yield from _place_faults(state, body, where)


def _place_faults(state: State, body: Body, where: str) -> Iterator[Fault]:
    if built(state.table):
        yield from _standing_faults(state, body, where)
        return
    terrain, r = terrain_of(state), radius(body)
    for solid in terrain.near((body.x - r, body.y - r, body.x + r, body.y + r)):
        depth = r + solid.ground.depth(body.x, body.y)
        if terrain.stops(solid, body.z, body.z, height(body)) and sunk(depth):
            text = f"the base stands {depth:.4g} in inside {solid.entry!r}, which is impassable"
            yield Fault(f"{where}.position", text)
            return


def _standing_faults(state: State, body: Body, where: str) -> Iterator[Fault]:
    """A base inside a wall or a block, or one that most of hangs over a ledge."""
    heights, r = terrain_of(state), radius(body)
    surface = heights.storeys.support(body.x, body.y, body.z, 2.0 * TOLERANCE)
    found = heights.overlapped(body, on=None if surface is None else surface.ramp)
    if found is not None and sunk(found[0]):
        depth, o = found
        text = f"the base stands {depth:.4g} in inside {o.entry!r}"
        room, tall = heights.headroom(o, body.z), height(body)
        if room is not None:
            text = f"{o.entry!r} leaves {room:.4g} in of height there; {tall:.4g} in are needed"
        yield Fault(f"{where}.position", text)
    elif surface is not None and not on_table(surface):
        share = heights.support(surface, body.x, body.y, r)
        if share <= 0.5 + TOLERANCE:
            under = beneath(state.table, surface, *body.centre)
            text = f"only {100.0 * share:.0f} % of the base stands on {under!r}"
            yield Fault(f"{where}.position", f"{text}; more than half must")
    for other in state.bodies.values():
        if other is body:
            break
        depth = base_of(state, body, other).overlap(Place(body.x, body.y, body.z))
        if sunk(depth) and not level_with(body, other):  # on a slope; else told of every table
            text = f"the base of {body.id!r} overlaps that of {other.id!r} by {depth:.4g}"
            yield Fault(f"{where}.position", text)


def _progress_faults(state: State) -> Iterator[Fault]:
    progress = state.progress
    actor = progress.get("actor")
    if actor is None:
        if progress:
            yield Fault("turn.progress.actor", "is missing")
        return
    body = state.bodies.get(str(actor))
    if body is None:
        if not progress.get("over"):
            yield Fault("turn.progress.actor", f"no model has the id {actor!r}")
        return
    if not progress.get("over") and body.side != state.turn.active:
        yield Fault("turn.progress.actor", f"{actor!r} is not of the active side")


def acting(state: State) -> tuple[str, ...]:
    """The sides that may act: both once every model has been activated, to begin the next Turn."""
    current = activation(state)
    under_way = current is not None and not current.over
    if under_way or any(unactivated(state, side.id) for side in state.sides):
        return (state.turn.active,)
    return tuple(side.id for side in state.sides)


def activity(state: State) -> Activity:
    """The model that is active, and those of the side that may still be activated."""
    current = activation(state)
    active = () if current is None or current.over else (current.actor,)
    left = tuple(body.id for body in unactivated(state, state.turn.active))
    return Activity(active, left, "have not been activated")


def status(state: State) -> list[str]:
    """Where the game is and who must act."""
    names = {side.id: side.name for side in state.sides}
    turn = state.turn
    lines = [f"Turn {turn.round}; the Initiative is with {names.get(turn.initiative, '')}."]
    current = activation(state)
    if current is not None and not current.over:
        body = state.bodies[current.actor]
        done = ", ".join(current.taken)
        on = f"is active ({done} done): act on" if done else "is active: act"
        pace = f"Movement {movement(state, body):g} in"
        lines.append(f"{body.name} {on}, or end its Activation. {pace}.")
    elif any(unactivated(state, side.id) for side in state.sides):
        left = counted(len(unactivated(state, turn.active)), "model")
        lines.append(f"Next to activate: {names[turn.active]}, {left} left.")
    else:
        lines.append("Every model has been activated: the next Turn can begin.")
    hurt = []
    for body in state.bodies.values():
        words = [f"{body.marks.whole('blood')} blood"] if body.marks.whole("blood") else []
        words += ["Down"] if is_down(body) else []
        if words:
            hurt.append(f"{body.name} ({', '.join(words)})")
    if hurt:
        lines.append("Hurt: " + ", ".join(hurt) + ".")
    return lines


def finish(state: State) -> State:
    """A scene that begins in an Activation has its model activated."""
    actor = state.progress.get("actor")
    body = state.bodies.get(actor) if isinstance(actor, str) else None
    if body is None or body.has("activated"):
        return state
    marks = Marks({**body.marks, "activated": True})
    return state.with_body(replace(body, marks=marks, _digest=[]))


#: What marks, figures, traits and legs are called and mean.
NAMES = Names(
    values={
        "total": "what the last Success Roll came to",
        "moved": "length really moved, inches; of a charge up to contact, its slide apart",
        "cost": "what that cost of the allowance, inches",
        "allowance_left": "what is left of the allowance, inches",
        "charge_bonus": "the Charge Bonus rolled, inches",
        "allowance": "how far the charge may go in all, inches",
        "slid": "length moved on in contact with the target, inches",
        "gap": "distance from the charger to its target at the end, base to base, inches",
        "target": "id of the target of the charge",
        "injury": "what the last Injury Roll came to",
    },
    figures={
        "movement": "Movement, inches",
        "flying": "moves through the air",
        "melee_dice": "+ or - DICE on its Melee Attacks",
        "armour": "added to Injury Rolls against it, 0 to -3",
        "height": "height for sight, inches; 0: from its base",
        "keywords": "its keywords",
        "weapons": "its weapons; none listed: one plain melee weapon",
        "dash_dice": "+ or - DICE on the Risky Success Roll of a Dash",
        "climb_dice": "+ or - DICE on its Climbs",
        "jump_dice": "+ or - DICE on its Jumps",
        "dive_dice": "+ or - DICE on its diving charges",
        "charge_dice": "dice thrown for the Charge Bonus, the best counts",
        "stands_unhindered": "its Movement is not halved when it stands up",
        "pins_base_mm": "Down enemies within 1 inch on bases up to this cannot stand up, mm",
        "retreat_guard_base_mm": "enemies on bases up to this may not attack its retreat, mm",
    },
    traits={
        "cover": "gives cover",
        "dangerous": "entering it takes a Risky Success Roll",
        "difficult": "each inch across it costs 2",
        "impassable": "nobody may enter it",
        "opaque": "cannot be seen through up to its height",
        "trench": "Open for movement up to 3 inches",
        "solid": "stands in the way up to its height",
        "standable": "its top is stood on",
        "unclimbable": "its sides cannot be climbed",
    },
    legs={
        "walk": "on whatever carries the base, stairs, ladders and ropes included",
        "climb": "up or down a sheer surface, to its end",
        "drop": "Jump Down from a ledge",
        "jump": "over a gap",
        "fly": "through the air (FLYING models), to the height of its end",
    },
    words={"weapons": tuple(weapons())},
)


#: Marks that are not here are for the rules alone.
BADGES: Looks = {
    "down": ("D", "Down"),
    "blood": ("B", "blood"),
    "blessing": ("G", "blessing"),
    "activated": ("A", "activated"),
    "tough_used": ("T", "Tough used"),
    "may_leave_table": ("L", "may leave the table"),
}
