"""Faults as answers: every error that can be foreseen has its status and plain words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from tapeline.errors import (
    AnswerError,
    DocumentError,
    Fault,
    MatchOverError,
    MeasuringError,
    TapelineError,
    UnknownSystemError,
)
from tapeline.web.documents.catalogue import Faults, Refusal
from tapeline.web.documents.verdict import Finding
from tapeline.web.store.connection import StoreError
from tapeline.web.work.faults import (
    BusyError,
    ForbiddenError,
    MissingError,
    ProgramError,
    StaleVersionError,
    TooMuchWorkError,
    TooOftenError,
)

__all__ = ["answers", "handle_faults", "refused_by_http"]

#: Faults told at once.
MOST = 40

_SAYS: dict[int, tuple[str, Any]] = {
    400: ("A body that cannot be read.", Refusal),
    403: ("Not for this link, not to be told now as the rules say, or the match is over.", Refusal),
    404: ("No such thing, or none that this link may see.", Refusal),
    409: ("The match has moved on.", Refusal),
    413: ("Too large.", Refusal),
    422: ("Input that cannot be used, with every fault.", Faults),
    429: ("Too often.", Refusal),
    502: ("The program that was to play did not; another may.", Refusal),
    503: ("The server has as much to do as it takes, or this would be too much work.", Refusal),
}


def answers(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What a router may answer besides what was asked for, as OpenAPI describes it."""
    return {
        status: {"description": _SAYS[status][0], "model": _SAYS[status][1]}
        for status in sorted(statuses)
    }


def _refusal(status: int, detail: str, findings: Iterable[Finding] = ()) -> JSONResponse:
    body = Refusal(detail=detail, findings=list(findings))
    return JSONResponse(body.model_dump(mode="json"), status)


def _faults(faults: Sequence[Fault]) -> JSONResponse:
    told = [{"path": fault.path[:200], "message": fault.message[:500]} for fault in faults[:MOST]]
    if len(faults) > MOST:
        told.append({"path": "", "message": f"and {len(faults) - MOST} faults more"})
    body = {"detail": told}
    return JSONResponse(body, 422)


def _path(parts: Iterable[Any]) -> str:
    path = ""
    for part in parts:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path


async def _input(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    faults = []
    for fault in error.errors():
        parts = [*fault["loc"]]
        if parts and parts[0] in ("body", "query", "path", "header"):
            parts = parts[1:]
        if fault["type"] == "json_invalid":
            faults.append(Fault("", f"is not JSON: {fault.get('ctx', {}).get('error', '')}"))
        else:
            faults.append(Fault(_path(parts), fault["msg"]))
    return _faults(faults)


#: The status of each kind of error that is told as it is.
_STATUS: dict[type[Exception], int] = {
    MissingError: 404,
    StaleVersionError: 409,
    ForbiddenError: 403,
    MatchOverError: 403,
    ProgramError: 502,
    BusyError: 503,
    StoreError: 503,
    TooMuchWorkError: 503,
}


async def _refused(request: Request, error: Exception) -> JSONResponse:
    answer = _refused_as(error)
    if answer.status_code in (403, 409) and request.headers.get("tapeline-refusals") == "told":
        answer.headers["tapeline-status"] = str(answer.status_code)
        answer.status_code = 200
    return answer


def _refused_as(error: Exception) -> JSONResponse:
    if isinstance(error, TooOftenError):
        answer = _refusal(429, str(error))
        answer.headers.update(error.headers)
        return answer
    if isinstance(error, MeasuringError):
        findings = [Finding(clause=clause, text=text) for clause, text in error.reasons]
        return _refusal(403, str(error), findings)
    if isinstance(error, DocumentError):
        return _faults(error.faults)
    status = next((s for kind, s in _STATUS.items() if isinstance(error, kind)), None)
    if status is not None:
        return _refusal(status, str(error))
    about = {UnknownSystemError: "system", AnswerError: "answer"}
    where = next((path for kind, path in about.items() if isinstance(error, kind)), "")
    return _faults([Fault(where, str(error))])


async def refused_by_http(_request: Request, error: Exception) -> JSONResponse:
    """What is answered to a call that no part of the server answers."""
    assert isinstance(error, HTTPException)
    answer = _refusal(error.status_code, str(error.detail))
    answer.headers.update(error.headers or {})
    return answer


async def _broken(_request: Request, _error: Exception) -> JSONResponse:
    return _refusal(500, "The server has made a mistake; it is in its log.")


def handle_faults(app: FastAPI) -> None:
    """Let an application answer with these."""
    app.add_exception_handler(RequestValidationError, _input)
    app.add_exception_handler(TapelineError, _refused)
    app.add_exception_handler(HTTPException, refused_by_http)
    app.add_exception_handler(Exception, _broken)
