"""WM-OFF: units and characters that leave the table, and whether they come back."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator

from tapeline.dice import Roll
from tapeline.engine.asks import Answer, Ask
from tapeline.engine.clauses import Moment
from tapeline.engine.events import Marked, Progressed, Removed, Returned, TurnChanged, UnitMarked
from tapeline.engine.limits import TOLERANCE, within
from tapeline.engine.referee import Procedure, Run
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.rectangles.rectangle import (
    Rect,
    overshoots,
    region_of_rect,
    table_sides,
)
from tapeline.geometry.rectangles.slide import slide_into, slide_to_border
from tapeline.geometry.rectangles.slide_spans import free_stretches
from tapeline.ranks.bases import Point, rect_of
from tapeline.rules.warmaster.actions import HomeBack, LeaveTable, MoveCharacter, Order
from tapeline.rules.warmaster.figures import BOOK, RETURN_ACTS, RETURN_BACK, is_character, rank_of
from tapeline.rules.warmaster.state import (
    END,
    OTHER,
    UnitContext,
    company_of,
    lost,
    rects_of,
    stands_of,
    stands_on_table,
    unit_joined,
    unit_of,
)
from tapeline.rules.warmaster.terrain import ground_of
from tapeline.table.bodies import Body, Unit
from tapeline.table.marks import Marks, Value

__all__ = [
    "come_back",
    "destroy",
    "do_leave_table",
    "general_lost",
    "goes_off",
    "leave",
    "left_alone",
]

#: Why what may come back is gone; stands that were lost are gone for other reasons.
LEFT = "left the table"

BOOK.resolves_each("""
WM-OFF-1 (seed) Blunders, defeats and drive backs may take a unit off the table.
WM-OFF-2 (seed) If any stand goes over the edge, even in part, the whole unit leaves.
WM-OFF-3 (seed) A unit that leaves in a retreat from combat is destroyed.
WM-OFF-4 (seed) A unit that leaves in any other way rolls a D6 less the stands it has lost.
WM-OFF-5 (seed) On 0 or less it is gone for good and counts as destroyed.
WM-OFF-6 (seed) On 1 or 2 it stays off, and rolls again as its side's next turn begins.
WM-OFF-8 (seed) On 5 or 6 it is back where it left, and acts as usual if its turn has just begun.
WM-OFF-9 (seed) It returns in the formation and facing it had.
WM-OFF-10 (seed) Characters with a unit share its fate.
WM-OFF-12 (seed) A General who is not back at once ends the battle; his army withdraws.
""")


@BOOK.clause("WM-OFF-11", src="seed", bars=LeaveTable, at=Moment.DECLARE)
def characters_roll_for_themselves(ask: UnitContext[LeaveTable]) -> Iterator[Finding]:
    """A character that is obliged to leave the table on its own rolls for itself; with a unit it
    shares what becomes of that."""
    actor, phase = ask.mover, ask.state.turn.phase
    if not is_character(actor):
        yield Finding(f"{actor.name} is no character.", about=actor.id)
    else:
        unit = unit_joined(ask.state, actor)
        if unit is not None:
            yield Finding(f"{actor.name} is with {unit.name}.", about=actor.id)
    if phase != OTHER:
        yield Finding(f"This is no time for it: it is {phase}.", about=actor.id)


@BOOK.clause("WM-OFF-7", src="seed", bars=(Order, HomeBack, MoveCharacter), at=Moment.DECLARE)
def back_without_a_move(
    ask: UnitContext[Order | HomeBack | MoveCharacter],
) -> Iterator[Finding]:
    """On 3 or 4 a unit is back where it left, and moves no more that turn, nor do characters with
    it."""
    action = ask.subject
    if isinstance(action, MoveCharacter):
        body = ask.mover
        if body.has("no_move"):
            if unit_joined(ask.state, body) is not None:
                ask.cite("WM-OFF-10")
            yield Finding(f"{body.name} does not move this turn.", about=body.id)
        return
    for name in action.units if isinstance(action, Order) else (action.actor,):
        unit = unit_of(ask.state, name)
        if unit.has("no_move"):
            yield Finding(f"{unit.name} does not move this turn.", about=name)


def do_leave_table(run: Run, action: LeaveTable) -> Procedure:
    """A character leaves the table on its own: roll."""
    run.forced()
    run.cite("WM-OFF-1", "WM-OFF-11")
    body = run.state.body(action.actor)
    result = yield from _roll(run, body, 0, "WM-OFF-11")
    if result < RETURN_BACK:
        run.emit(Marked(body.id, Marks({"off": True}), "WM-OFF-6"))
        run.emit(Removed(body.id, LEFT, "WM-OFF-6"))
        _told(run, body, "off", "is off the table", "WM-OFF-6")
        general_lost(run, body)
        return
    _hold(run, _back_by(result), [body])
    _told(run, body, "back", "is back at once", _back_by(result))


def goes_off(state: State, rects: list[Rect], v: Point, distance: float) -> float | None:
    """How far a rigid slide along a unit vector goes until a stand would leave the table; None if
    it does not."""
    if distance <= 0.0:
        return None
    edge = slide_to_border(rects, v, state.table.width, state.table.depth)
    if edge is None or edge.at + TOLERANCE >= distance:
        return None
    return edge.at


def _with(state: State, unit: Unit) -> list[Body]:
    """Characters that have joined a unit and move with it, which none does in a Command phase."""
    return company_of(state, unit) if state.turn.phase == OTHER else []


def destroy(run: Run, unit: Unit, clause: str, why: str) -> None:
    """Take a unit off for good, with the characters that are with it."""
    for body in (*_with(run.state, unit), *stands_of(run.state, unit)):
        if is_character(body):
            run.emit(Marked(body.id, Marks({"slain": True}), clause))
            run.cite("WM-OFF-10")
        run.emit(Removed(body.id, why, clause))
        if is_character(body):
            general_lost(run, body)
    left_alone(run, unit)
    run.emit(UnitMarked(unit.id, Marks({"off": None, **_no_move(unit)}), clause))
    _told(run, unit, "destroyed", "is destroyed", clause)


def left_alone(run: Run, unit: Unit) -> None:
    """Characters whose unit is gone from the table without them are on their own."""
    for body in company_of(run.state, unit):
        run.emit(Marked(body.id, Marks({"joined": None}), "WM-CHAR-2"))


def _no_move(unit: Unit) -> dict[str, Value]:
    """What a unit might do when it left the table, it may not do any more."""
    return {"may_move": None, **({"allowance": None} if "allowance" in unit.marks else {})}


def general_lost(run: Run, body: Body) -> None:
    """End the battle if the character that is lost is a General (WM-OFF-12)."""
    if rank_of(body) != "general":
        return
    text = f"{body.name} is lost: the battle is over."
    run.happened("battle_over", text, "WM-OFF-12", about=body.id, outcome=True)
    run.emit(TurnChanged(phase=END, clause="WM-OFF-12"))
    run.emit(Progressed(Marks({"over": body.side}), "WM-OFF-12"))


def leave(run: Run, unit: Unit, v: Point) -> Procedure:
    """A unit leaves the table along a unit vector from where it stands now, its last place wholly
    on it: roll."""
    run.cite("WM-OFF-1", "WM-OFF-2")
    company, edge = _with(run.state, unit), _left_over(run.state, rects_of(run.state, unit), v)
    result = yield from _roll(run, unit, lost(unit), "WM-OFF-4")
    if result <= 0:
        destroy(run, unit, "WM-OFF-5", LEFT)
        return
    if company:
        run.cite("WM-OFF-10")
    if result < RETURN_BACK:
        for body in (*stands_of(run.state, unit), *company):
            run.emit(Removed(body.id, LEFT, "WM-OFF-6"))
            if is_character(body):
                general_lost(run, body)
        left_alone(run, unit)
        marks = {"off": True, **({"edge": edge} if edge else {}), **_no_move(unit)}
        run.emit(UnitMarked(unit.id, Marks(marks), "WM-OFF-6"))
        _told(run, unit, "off", "is off the table", "WM-OFF-6")
        return
    clause = _back_by(result)
    run.cite("WM-OFF-9")
    run.emit(UnitMarked(unit.id, Marks(_no_move(unit)), clause))
    _hold(run, clause, company, unit)
    _told(run, unit, "back", "is back at once", clause)


def _back_by(result: int) -> str:
    """The clause by which a roll of 3 or more brings back who left: to act at once, or not."""
    return "WM-OFF-7" if result < RETURN_ACTS else "WM-OFF-8"


def _hold(run: Run, clause: str, company: Iterable[Body], unit: Unit | None = None) -> None:
    """Who is back on a 3 or 4 does not move this turn, nor do characters with it (WM-OFF-10)."""
    if clause != "WM-OFF-7":
        return
    if unit is not None:
        run.emit(UnitMarked(unit.id, Marks({"no_move": True}), clause))
    for body in company:
        run.emit(Marked(body.id, Marks({"moved": True, "no_move": True}), clause))


def _told(run: Run, who: Unit | Body, what: str, words: str, clause: str) -> None:
    """What has become of a unit or a character, as an outcome."""
    run.happened(what, f"{who.name} {words}.", clause, about=who.id, outcome=True)


def _roll(run: Run, who: Unit | Body, modifier: int, clause: str) -> Generator[Ask, Answer, int]:
    roll = Roll(1, f"{who.name} has left the table", clause, who.side, about=who.id)
    faces = yield from run.roll(roll)
    result = faces[0] - modifier
    others = run.values.get("results")
    each = {**(others if isinstance(others, Marks) else {}), who.id: result}
    run.value(result=result, results=Marks(each))
    return result


def come_back(run: Run, side: str) -> Procedure:
    """Units and characters of a side that are off the table roll as its turn begins."""
    for unit in list(run.state.units.values()):
        if unit.side != side or not unit.has("off"):
            continue
        result = yield from _roll(run, unit, lost(unit), "WM-OFF-6")
        if result <= 0:
            run.emit(UnitMarked(unit.id, Marks({"off": None, "edge": None}), "WM-OFF-5"))
            for body in _gone_with(run.state, unit):
                run.emit(Marked(body.id, Marks({"slain": True}), "WM-OFF-10"))
                run.cite("WM-OFF-10")
            _told(run, unit, "destroyed", "is lost", "WM-OFF-5")
        elif result < RETURN_BACK:
            _told(run, unit, "off", "stays off", "WM-OFF-6")
        else:
            _return(run, unit, result)
    for body in list(run.state.gone.values()):
        if body.side != side or not is_character(body) or not body.has("off"):
            continue
        result = yield from _roll(run, body, 0, "WM-OFF-11")
        if result >= RETURN_BACK:
            clause = _back_by(result)
            run.emit(Returned(body.id, body.x, body.y, body.z, body.facing, "WM-OFF-9"))
            run.emit(Marked(body.id, Marks({"off": None}), clause))
            _hold(run, clause, [body])


def _gone_with(state: State, unit: Unit) -> list[Body]:
    """Characters that are off the table with a unit."""
    return [
        body
        for body in state.gone.values()
        if is_character(body) and body.marks.text("joined") == unit.id and not body.has("slain")
    ]


def _return(run: Run, unit: Unit, result: int) -> None:
    bodies = [run.state.gone[name] for name in unit.members if name in run.state.gone]
    bodies = [body for body in bodies if body.marks.get("gone") == LEFT]
    company = _gone_with(run.state, unit)
    if company:
        run.cite("WM-OFF-10")
    dx, dy = _room(run.state, bodies, unit.marks.text("edge"))
    for body in (*bodies, *company):
        x, y = body.x + dx, body.y + dy
        run.emit(Returned(body.id, x, y, body.z, body.facing, "WM-OFF-9"))
    clause = _back_by(result)
    run.emit(UnitMarked(unit.id, Marks({"off": None, "edge": None, "no_move": None}), clause))
    _hold(run, clause, company, unit)
    _told(run, unit, "back", "is back", clause)


#: Directions along the edges of the table.
_ALONG: dict[str, Point] = {
    "left": (0.0, 1.0), "right": (0.0, 1.0), "bottom": (1.0, 0.0), "top": (1.0, 0.0)
}  # fmt: skip


def _edges_at(state: State, rects: list[Rect]) -> list[str]:
    """The edges of the table that some stands touch."""
    sides = overshoots(rects, state.table.width, state.table.depth)
    return [side.side for side in sides if side.amount >= -1e-4]


def _left_over(state: State, rects: list[Rect], v: Point) -> str:
    """The edge that stands leave over along a unit vector; none where it is two, at a corner."""
    sides = table_sides(state.table.width, state.table.depth)
    out = {side for side, nx, ny, _ in sides if nx * v[0] + ny * v[1] > TOLERANCE}
    over = [side for side in _edges_at(state, rects) if side in out]
    return over[0] if len(over) == 1 else ""


def _room(state: State, bodies: list[Body], edge: str) -> Point:
    """The least shift that clears a unit that comes back, along the edge that it left over; if that
    is not known, or it left at a corner, along those that it touches."""
    rects = [rect_of(body) for body in bodies]
    others = [region_of_rect(rect) for _, rect in stands_on_table(state)]
    barred = ground_of(state).closed_to(bodies[0], on_road=True)
    others += [feature.region for feature in barred]
    best: tuple[float, Point] | None = None
    edges = [edge] if edge else _edges_at(state, rects) or ["bottom"]
    for ux, uy in dict.fromkeys(_ALONG[side] for side in edges):
        back = slide_to_border(rects, (-ux, -uy), state.table.width, state.table.depth)
        ahead = slide_to_border(rects, (ux, uy), state.table.width, state.table.depth)
        low, high = -(back.at if back else 0.0), ahead.at if ahead else 0.0
        start = [rect.moved(low * ux, low * uy) for rect in rects]
        spans = []
        for other in others:
            met, _ = slide_into(start, other, (ux, uy), high - low, TOLERANCE)
            spans += [(span.start + low, span.stop + low) for span in met]
        for a, b in free_stretches(spans, low, high, 0.5 * TOLERANCE):
            at = min(max(0.0, a), b)
            at = 0.0 if within(abs(at), 0.0) else at
            if best is None or abs(at) < best[0]:
                best = (abs(at), (at * ux, at * uy))
    return (0.0, 0.0) if best is None else best[1]
