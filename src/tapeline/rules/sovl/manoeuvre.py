"""Carrying out a manoeuvre given by the pose it should lead to."""

from __future__ import annotations

from tapeline.engine.referee import Run
from tapeline.rules.sovl.actions import Advance, Manoeuvre
from tapeline.rules.sovl.advance import do_advance
from tapeline.rules.sovl.movement import as_one_manoeuvre
from tapeline.rules.sovl.pivot import do_pivot

__all__ = ["do_manoeuvre"]


def do_manoeuvre(run: Run, action: Manoeuvre) -> None:
    """Carry the manoeuvre out as the Advance or the Pivot that it is (SV-MOV-1)."""
    order = as_one_manoeuvre(run.state.body(action.actor), action)
    assert order is not None  # SV-MOV-1 refused all others
    run.refuse(run.check(order))
    if isinstance(order, Advance):
        do_advance(run, order)
    else:
        do_pivot(run, order)
