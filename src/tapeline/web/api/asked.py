"""What may be asked of a match and changes nothing: verdicts, reach, routes, odds, tape, sight; and
the match as files: its log, a scene, a case, a picture."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Query, Response

from tapeline.errors import DocumentError, Fault
from tapeline.web.api.calls import Asker, Coordinate, StrictRoute, json_response
from tapeline.web.api.faults import answers
from tapeline.web.documents import asked as documents
from tapeline.web.documents.base import Values
from tapeline.web.documents.board import Board
from tapeline.web.documents.match import Again, PuzzleStep, Trial
from tapeline.web.documents.verdict import Control, Verdict

__all__ = ["files", "router"]

router = APIRouter(
    prefix="/api/matches/{match_id}",
    tags=["asked"],
    route_class=StrictRoute,
    responses=answers(403, 404, 409, 422, 429, 503),
)

_Maybe: TypeAlias = Annotated[float | None, Query(ge=-1e4, le=1e4, allow_inf_nan=False)]
_Id: TypeAlias = Annotated[str, Query(max_length=200)]
_MaybeId: TypeAlias = Annotated[str | None, Query(max_length=200)]


@router.get("/controls", response_model=list[Control])
async def controls(asker: Asker, of: _MaybeId = None) -> Response:
    """What can be asked of a body or unit now; without `of`, what is about none."""
    return await asker.ask("controls", of=of)


@router.get("/opening", response_model=list[Control])
async def opening(asker: Asker, of: _Id) -> Response:
    """What a drag of a body or unit does first, such as to activate it; empty if nothing would."""
    return await asker.ask("opening", of=of, by=asker.holder.said())


@router.post("/judge", response_model=Verdict, responses=answers(400, 413))
async def judge(asker: Asker, trial: Trial) -> Response:
    """The verdict on an action. Nothing is done and nothing is rolled."""
    return await asker.ask("try", action=trial.action, nearest=True)


@router.get("/reach", response_model=documents.Reach)
async def reach(
    asker: Asker,
    body: _Id,
    kind: _MaybeId = None,
    storey: Annotated[int | None, Query(ge=-1000, le=1000)] = None,
) -> Response:
    """Where a body can get to in one move."""
    return await asker.ask("reach", body=body, kind=kind, storey=storey)


@router.get("/route", response_model=documents.Route | None)
async def route(
    asker: Asker, body: _Id, x: Coordinate, y: Coordinate, z: _Maybe = None, kind: _MaybeId = None
) -> Response:
    """A cheapest way to a place in one move; null if there is none."""
    return await asker.ask("route", body=body, kind=kind, to=[x, y, z])


@router.post("/odds", response_model=documents.Odds, responses=answers(400, 413))
async def odds(asker: Asker, trial: Trial) -> Response:
    """The odds of what an action leads to."""
    return await asker.ask("odds", action=trial.action)


@router.get("/tape", response_model=documents.Measure)
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
) -> Response:
    """What the tape says between two bodies, two places, or one of each."""
    one, other = _end("a", a, ax, ay, az), _end("b", b, bx, by, bz)
    return await asker.ask("tape", a=one, b=other)


def _end(
    name: str, body: str | None, x: float | None, y: float | None, z: float | None
) -> str | list[float]:
    if body is not None and (x, y, z) == (None, None, None):
        return body
    if body is None and x is not None and y is not None:
        return [x, y] if z is None else [x, y, z]
    message = f"give the id of a body, or {name}x and {name}y (and {name}z) of a place"
    raise DocumentError("tape", [Fault(name, message)])


@router.get("/sight", response_model=documents.Sight)
async def sight(asker: Asker, a: _Id, b: _Id) -> Response:
    """Whether one body sees another, and what is in the way."""
    return await asker.ask("sight", a=a, b=b)


@router.get("/view", response_model=documents.View)
async def view(asker: Asker, body: _Id) -> Response:
    """The region of the table that a figure sees from its eye."""
    return await asker.ask("view", body=body)


@router.get("/threat", response_model=documents.Threat)
async def threat(
    asker: Asker,
    by: _Id,
    on: _MaybeId = None,
    x: _Maybe = None,
    y: _Maybe = None,
    z: _Maybe = None,
    bands: bool = False,
) -> Response:
    """Whom a side, a figure or a unit could strike when it acts next, and how likely.

    on: whom; each enemy unless given. x, y, z: that one there. bands: where it would be struck.
    """
    place = None
    if x is not None and y is not None:
        place = (x, y) if z is None else (x, y, z)
    if on is None and (place is not None or bands):
        raise DocumentError("threat", [Fault("on", "say who would stand there")])
    return await asker.ask("threat", by=by, on=on, place=place, bands=bands)


@router.get("/hints", response_model=documents.Hints)
async def hints(asker: Asker) -> Response:
    """The best few actions for who acts now; in a match by links only if all sides agreed to it."""
    return json_response(await asker.hub.agreements.hints(asker.room, asker.holder))


@router.post("/flush", response_model=documents.Laid, responses=answers(400, 413))
async def flush(asker: Asker, push: documents.Push) -> Response:
    """Where a stand comes to lie that is pushed against others of its unit; nothing is ruled."""
    return await asker.ask("flush", push=push.model_dump(mode="json"))


@router.get("/at/{n}", response_model=Board)
async def at(asker: Asker, n: int) -> Response:
    """The board after entry n, without terrain; 0 is the start."""
    return await asker.recall("at", n=n)


@router.get("/solution", response_model=list[PuzzleStep])
async def solution(asker: Asker) -> Response:
    """What solves the puzzle of a match, or does the next step of its lesson; else nothing."""
    return await asker.ask("solution")


@router.post("/judge-again/{n}", response_model=Again)
async def again(asker: Asker, n: int) -> Response:
    """Judge an entry a second time, with the dice and choices it had."""
    return await asker.recall("again", n=n)


files = APIRouter(
    prefix="/api/matches/{match_id}", tags=["files"], responses=answers(403, 404, 422, 429, 503)
)

_Entry = Annotated[int | None, Query(ge=0, le=1_000_000, description="after entry n; else now")]


def _named(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


@files.get(
    "/log",
    response_class=Response,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
)
async def log(asker: Asker) -> Response:
    """The log of the match, a line an entry; `tapeline replay` reads it, and checks the dice."""
    said = {"seed": asker.room.kept.seed}
    text = await asker.hub.ask(asker.room, asker.holder, "log", said)
    name = _named(f"match-{asker.room.id}.jsonl")
    return Response(text, media_type="application/x-ndjson", headers=name)


@files.get("/scene", response_model=Values)
async def scene(asker: Asker, n: _Entry = None) -> Response:
    """The scene as it is now, or after entry n. Not to be had while a question is open."""
    return await asker.recall("scene", n=n)


@files.get("/case", response_model=Values)
async def case(asker: Asker, n: Annotated[int, Query(ge=1, le=1_000_000)]) -> Response:
    """Entry n as a case: the scene before it, its action, what was expected of it."""
    return await asker.recall("case", n=n)


@files.get(
    "/picture.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}},
)
async def svg(asker: Asker, n: _Entry = None) -> Response:
    """The table now, or after entry n, with the ways gone in it."""
    return await _picture(asker, n, "svg", "image/svg+xml")


@files.get(
    "/picture.png",
    response_class=Response,
    responses={200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}},
)
async def png(asker: Asker, n: _Entry = None) -> Response:
    """The same as a PNG."""
    return await _picture(asker, n, "png", "image/png")


async def _picture(
    asker: Asker, n: int | None, form: Literal["svg", "png"], media: str
) -> Response:
    version = asker.room.version
    picture = await asker.hub.ask(asker.room, asker.holder, "picture", {"n": n, "form": form})
    name = _named(f"match-{asker.room.id}-{version if n is None else n}.{form}")
    return Response(picture, media_type=media, headers=name)
