"""What may be asked of a match and changes nothing: verdicts, reach, routes, odds, tape, sight."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from fastapi import APIRouter, Query, Response

from tapeline.errors import DocumentError, Fault
from tapeline.web.api.asking import Asker, Asking, StrictRoute
from tapeline.web.api.faults import answers
from tapeline.web.documents.asked import Laid, Measure, Odds, Push, Reach, Route, Sight
from tapeline.web.documents.board import Board
from tapeline.web.documents.match import Again, Trial
from tapeline.web.documents.verdict import Control, Verdict
from tapeline.web.hub.judging import Arguments
from tapeline.web.views.asked import Place, sight_view, tape_view
from tapeline.web.views.board import board_of
from tapeline.web.views.controls import controls_of
from tapeline.web.views.flush import flush_view

__all__ = ["router"]

router = APIRouter(
    prefix="/api/matches/{match_id}",
    tags=["asked"],
    route_class=StrictRoute,
    responses=answers(403, 404, 422, 429),
)

#: Far beyond any table, so that no figure overflows.
_Coordinate = Annotated[float, Query(ge=-1e4, le=1e4, allow_inf_nan=False)]
_Maybe: TypeAlias = Annotated[float | None, Query(ge=-1e4, le=1e4, allow_inf_nan=False)]
_Id: TypeAlias = Annotated[str, Query(max_length=200)]
_MaybeId: TypeAlias = Annotated[str | None, Query(max_length=200)]


async def _asked(asker: Asking, what: str, said: Arguments) -> Response:
    text = await asker.hub.ask(asker.room, what, said)
    return Response(text, media_type="application/json")


@router.get("/controls")
async def controls(asker: Asker, of: _MaybeId = None) -> list[Control]:
    """What can be asked of a body or unit now; without `of`, what is about none."""
    battle = asker.room.match.battle
    if battle.pending is not None:
        return []
    return await asker.hub.run(controls_of, battle, of)


@router.post("/judge", response_model=Verdict, responses=answers(400, 413))
async def judge(asker: Asker, trial: Trial) -> Response:
    """The verdict on an action. Nothing is done and nothing is rolled."""
    return await _asked(asker, "try", {"action": trial.action, "nearest": True})


@router.get("/reach", response_model=Reach)
async def reach(
    asker: Asker,
    body: _Id,
    kind: _MaybeId = None,
    storey: Annotated[int | None, Query(ge=-1000, le=1000)] = None,
) -> Response:
    """Where a body can get to in one move."""
    return await _asked(asker, "reach", {"body": body, "kind": kind, "storey": storey})


@router.get("/route", response_model=Route | None)
async def route(
    asker: Asker,
    body: _Id,
    x: _Coordinate,
    y: _Coordinate,
    z: _Maybe = None,
    kind: _MaybeId = None,
) -> Response:
    """A cheapest way to a place in one move; null if there is none."""
    return await _asked(asker, "route", {"body": body, "kind": kind, "to": [x, y, z]})


@router.post("/odds", response_model=Odds, responses=answers(400, 413))
async def odds(asker: Asker, trial: Trial) -> Response:
    """The odds of what an action leads to."""
    return await _asked(asker, "odds", {"action": trial.action})


@router.get("/tape")
async def tape(
    asker: Asker,
    a: _MaybeId = None,
    ax: _Maybe = None,
    ay: _Maybe = None,
    az: _Maybe = None,
    b: _MaybeId = None,
    bx: _Maybe = None,
    by: _Maybe = None,
    bz: _Maybe = None,
) -> Measure:
    """What the tape says between two bodies, two places, or one of each."""
    one, other = _end("a", a, ax, ay, az), _end("b", b, bx, by, bz)
    return await asker.hub.run(tape_view, asker.room.match.battle, one, other)


def _end(
    name: str, body: str | None, x: float | None, y: float | None, z: float | None
) -> str | Place:
    if body is not None and (x, y, z) == (None, None, None):
        return body
    if body is None and x is not None and y is not None:
        return (x, y) if z is None else (x, y, z)
    message = f"give the id of a body, or {name}x and {name}y (and {name}z) of a place"
    raise DocumentError("tape", [Fault(name, message)])


@router.get("/sight")
async def sight(asker: Asker, a: _Id, b: _Id) -> Sight:
    """Whether one body sees another, and what is in the way."""
    return await asker.hub.run(sight_view, asker.room.match.battle, a, b)


@router.post("/flush", responses=answers(400, 413))
async def flush(asker: Asker, push: Push) -> Laid:
    """Where a stand comes to lie that is pushed against others of its unit; nothing is ruled."""
    return await asker.hub.run(flush_view, asker.room.match.battle.state, push)


@router.get("/at/{n}")
async def at(asker: Asker, n: int) -> Board:
    """The board after entry n, without terrain; 0 is the start."""
    match = asker.room.match
    if not 0 <= n < len(match.battles):
        message = f"must be from 0 to {len(match.battles) - 1}"
        raise DocumentError("at", [Fault("n", message)])
    return await asker.hub.run(lambda: board_of(match.battles[n], terrain=False))


@router.post("/judge-again/{n}", response_model=Again)
async def again(asker: Asker, n: int) -> Response:
    """Judge an entry a second time, with the dice and choices it had."""
    return await _asked(asker, "again", {"n": n})
