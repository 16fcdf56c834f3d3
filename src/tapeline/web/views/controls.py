"""What a body may be asked to do, as the page offers it: the system's own controls."""

from __future__ import annotations

from tapeline.engine import controls as engine
from tapeline.play.battle import Battle
from tapeline.table.marks import thaw
from tapeline.web.documents import verdict as documents
from tapeline.web.views.verdicts import finding_document

__all__ = ["control_document", "controls_of"]


def controls_of(battle: Battle, of: str | None) -> list[documents.Control]:
    """What a body or unit may do, or with None what is about nobody; none while a question is open.

    Raises UnknownIdError for an id that nothing on the table has.
    """
    if battle.pending is not None:
        return []
    return [control_document(c) for c in battle.system.controls(battle.state, of)]


def control_document(control: engine.Control) -> documents.Control:
    """A control as it travels."""
    return documents.Control(
        action=thaw(control.action),
        label=control.label,
        gesture=control.gesture,
        slot=control.slot,
        turn_slot=control.turn_slot,
        height_slot=control.height_slot,
        turns=control.turns,
        optional=control.optional,
        candidates=list(control.candidates),
        low=control.low,
        high=control.high,
        extras=[
            documents.Extra(
                name=extra.name,
                label=extra.label,
                form=extra.form,
                options=[documents.Option(value=thaw(v), text=text) for v, text in extra.options],
                default=thaw(extra.default),
            )
            for extra in control.extras
        ],
        manners=[documents.Manner(how=m.how, label=m.label) for m in control.manners],
        rings=[
            documents.Ring(about=r.about, distance=r.distance, label=r.label, clause=r.clause)
            for r in control.rings
        ],
        reach=control.reach,
        spent=control.spent,
        allowance=control.allowance,
        why_not=[finding_document(finding) for finding in control.why_not],
        group=control.group,
        closes=control.closes,
        says=control.says,
        clause=control.clause,
    )
