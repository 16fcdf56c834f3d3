"""What a model may still do this turn: shoot, cast, hide."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.referee import Run
from tapeline.rules.mordheim.state import charge_result, is_engaged, is_fleeing, is_standing
from tapeline.table.bodies import Body

__all__ = ["may_cast", "may_hide", "may_shoot", "state_permissions"]


def may_shoot(body: Body) -> bool:
    """Whether what it did this turn leaves the model its shot (section 4)."""
    barred = any(body.has(mark) for mark in ("ran", "rallied"))
    failed = charge_result(body) == "failed"
    return not (barred or failed or is_engaged(body) or is_fleeing(body)) and is_standing(body)


def may_cast(body: Body) -> bool:
    """Whether the model may cast: it stands."""
    return is_standing(body)


def may_hide(body: Body) -> bool:
    """Whether what it did this turn lets the model hide, place apart (MH-HIDE-3, MH-FALL-4)."""
    barred = any(body.has(mark) for mark in ("ran", "fled", "fallen", "was_stunned"))
    charged = charge_result(body) in ("success", "failed")
    return not (barred or charged or body.marks.get("condition") == "stunned")


def _taken_away(body: Body) -> Iterator[str]:
    """Clauses by which what it did this turn keeps a model from shooting or hiding."""
    if body.has("ran"):
        yield from ("MH-RUN-7", "MH-HIDE-3")
    if charge_result(body) in ("success", "failed") or body.has("fled") or body.has("was_stunned"):
        yield "MH-HIDE-3"
    if charge_result(body) == "failed":
        yield "MH-CHG-12"
    if body.has("rallied"):
        yield "MH-REC-1"
    if body.has("fallen"):
        yield "MH-FALL-4"


def state_permissions(run: Run, body_id: str) -> None:
    """Put into the verdict what a model may still do this turn."""
    body = run.state.body(body_id)
    run.cite(*_taken_away(body))
    run.value(may_shoot=may_shoot(body), may_cast=may_cast(body), may_hide=may_hide(body))
