"""The kinds of experiment, by name; a further one is a `ExperimentKind` that is added here."""

from tapeline.lab.kind import ExperimentKind
from tapeline.lab.kinds import arena, odds, referee, survey

__all__ = ["KINDS"]

KINDS: dict[str, ExperimentKind] = {
    kind.name: kind for kind in (arena.KIND, odds.KIND, referee.KIND, survey.KIND)
}
