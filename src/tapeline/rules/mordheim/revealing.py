"""Hidden counters taken off: along the way of whoever moves, and wherever nobody noticed before."""

from __future__ import annotations

from tapeline.engine.events import Marked
from tapeline.engine.referee import Run
from tapeline.rules.mordheim.detection import Exposure, exposed_now, exposures
from tapeline.rules.mordheim.state import is_hidden
from tapeline.table.bodies import Body
from tapeline.table.marks import Marks
from tapeline.travel.route import Route

__all__ = ["give_away", "reveal", "reveal_along"]


def give_away(run: Run, body_id: str, text: str, clause: str) -> None:
    """Take the Hidden counter off a model, if it has one."""
    if body_id in run.state.bodies and is_hidden(run.state.body(body_id)):
        run.emit(Marked(body_id, Marks({"hidden": None}), clause))
        run.happened("revealed", text, clause, about=body_id)


def _apply(run: Run, found: Exposure) -> None:
    body = run.state.bodies.get(found.body)
    if body is None or not is_hidden(body):
        return
    run.emit(Marked(found.body, Marks({"hidden": None}), found.clause))
    x, y, z = found.place
    run.happened(
        "revealed",
        found.text,
        found.clause,
        about=found.body,
        by=found.by,
        place=(x, y, z),
        travelled=found.travelled,
    )
    told = run.values.get("revealed", Marks())
    assert isinstance(told, Marks)
    run.value(revealed=told.update({found.body: Marks({"place": (x, y, z), "by": found.by})}))


def reveal(run: Run) -> None:
    """Take the counter off every model that stands detected or seen where it is."""
    for found in exposed_now(run.state):
        _apply(run, found)


def reveal_along(run: Run, mover: Body, track: Route) -> None:
    """Take the counter off every model exposed as one goes along its way, the mover included.

    mover: as it stood at the start of the way. The verdict's value `revealed` says of each by whom
    it was found, and where whoever moved was then.
    """
    for found in exposures(run.state, mover, track):
        _apply(run, found)
    if mover.id in run.state.bodies and is_hidden(run.state.body(mover.id)) and track.parts:
        run.cite("MH-HIDE-5")
