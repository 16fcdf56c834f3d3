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
    return documents.Control.of(
        control,
        action=thaw(control.action),
        extras=[
            documents.Extra.of(
                extra,
                options=[documents.Option(value=thaw(v), text=text) for v, text in extra.options],
                default=thaw(extra.default),
            )
            for extra in control.extras
        ],
        manners=[*map(documents.Manner.of, control.manners)],
        rings=[*map(documents.Ring.of, control.rings)],
        why_not=[*map(finding_document, control.why_not)],
    )
