"""MH-ENG: who fights whom, set and taken away on both sides at once."""

from __future__ import annotations

from collections.abc import Iterable

from tapeline.engine.events import Marked
from tapeline.engine.referee import Run
from tapeline.rules.mordheim.state import engaged_with
from tapeline.table.marks import Marks

__all__ = ["engage", "release"]


def _set(run: Run, body_id: str, ids: Iterable[str], clause: str) -> None:
    body = run.state.bodies.get(body_id)
    wanted = tuple(ids)
    if body is not None and engaged_with(body) != wanted:
        run.emit(Marked(body_id, Marks({"engaged": wanted or None}), clause))


def engage(run: Run, body_id: str, enemy_id: str, clause: str) -> None:
    """Two models fight each other from now on."""
    for one, other in ((body_id, enemy_id), (enemy_id, body_id)):
        now = engaged_with(run.state.body(one))
        if other not in now:
            _set(run, one, (*now, other), clause)


def release(run: Run, body_id: str, clause: str, *, keep: Iterable[str] = ()) -> None:
    """A model no longer fights anybody but those in `keep`; nor they it."""
    kept = set(keep)
    body = run.state.bodies.get(body_id) or run.state.gone.get(body_id)
    assert body is not None
    ids = engaged_with(body)
    if body_id in run.state.bodies:
        _set(run, body_id, (e for e in ids if e in kept), clause)
    for enemy_id in ids:
        enemy = run.state.bodies.get(enemy_id)
        if enemy is not None and enemy_id not in kept:
            _set(run, enemy_id, (e for e in engaged_with(enemy) if e != body_id), clause)
