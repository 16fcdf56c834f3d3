"""The kinds of experiment, by name; a further one is a `Kind` that is added here."""

from tapeline.lab.kind import Kind
from tapeline.lab.kinds import arena, odds, referee, survey

__all__ = ["KINDS"]

KINDS: dict[str, Kind] = {
    kind.name: kind for kind in (arena.KIND, odds.KIND, referee.KIND, survey.KIND)
}
