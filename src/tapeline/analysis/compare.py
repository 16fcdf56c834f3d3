"""One position under several values of a contested reading, side by side.

The state stays as it is but for the option, and each question is asked of each anew, so that what
differs comes from the reading alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tapeline.analysis.reach import Reach, reach_of
from tapeline.analysis.threat import Danger, Threat, threat_of
from tapeline.engine.actions import Action
from tapeline.engine.referee import judge
from tapeline.engine.state import State
from tapeline.engine.system import OptionSpec, System
from tapeline.engine.verdicts import Verdict
from tapeline.errors import DocumentError, Fault

__all__ = ["Comparison", "Under", "compare"]


@dataclass(frozen=True, slots=True)
class Under:
    """A position under one value of a reading; None for what was not asked.

    state: the position with the reading in force. danger: what threatens the target where it is.
    """

    value: str
    meaning: str
    state: State
    verdict: Verdict | None = None
    reach: Reach | None = None
    threat: Threat | None = None
    danger: Danger | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A position under the values of one option, in their order."""

    option: OptionSpec
    under: tuple[Under, ...]

    @property
    def verdicts_differ(self) -> bool:
        """Whether the action is ruled on otherwise: another kind, findings, way or cost."""
        return len({repr(_ruling(one.verdict)) for one in self.under}) > 1

    @property
    def dangers_differ(self) -> bool:
        """Whether the target is struck otherwise: by others, in other ways, or as likely."""
        return len({repr(_struck(one.danger)) for one in self.under}) > 1


def _ruling(verdict: Verdict | None) -> Any:
    if verdict is None:
        return None
    return verdict.kind, verdict.findings, verdict.moved, verdict.cost, verdict.ask


def _struck(danger: Danger | None) -> Any:
    return None if danger is None else [(s.by, s.way, s.chance, s.untold) for s in danger.strikes]


def compare(
    system: System,
    state: State,
    option: str,
    values: Sequence[str] = (),
    *,
    action: Action | None = None,
    reach: tuple[str, str | None] | None = None,
    threat: tuple[str, str | None] | None = None,
) -> Comparison:
    """A position under values of an option, all it has unless given.

    action: to be judged. reach: of which body, by which kind of move, the usual one for None.
    threat: by which side, model or unit, on whom, the first enemy for None. Raises DocumentError
    for an option or value that the system has not, MeasuringError for what may not be measured
    now, and what `judge`, `reach_of` and `threat_of` raise.
    """
    spec = system.option(option)
    if spec is None:
        known = ", ".join(one.name for one in system.options) or "none"
        text = f"{system.title} has no option {option!r}; options are {known}"
        raise DocumentError("compare", [Fault("option", text)])
    for value in values:
        if value not in spec.values:
            text = f"must be one of {', '.join(spec.values)}; got {value!r}"
            raise DocumentError("compare", [Fault(option, text)])
    under = []
    for value in values or tuple(spec.values):
        now = replace(state, options=state.options.update({option: value}))
        found = None if threat is None else threat_of(system, now, *threat)
        verdict = None if action is None else judge(system, now, action)
        reached = None if reach is None else reach_of(system, now, *reach)
        danger = None if found is None else found.here()
        under.append(Under(value, spec.values[value], now, verdict, reached, found, danger))
    return Comparison(spec, tuple(under))
