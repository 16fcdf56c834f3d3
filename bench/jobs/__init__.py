"""The jobs of the table: each a function from a setting to figures, named `module:function`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TypeAlias

from bench.harness import Figure, Setting

__all__ = ["JOBS", "Job", "find"]

Job: TypeAlias = Callable[[Setting], list[Figure]]

#: Name on the command line: where the job is, in the order of the table.
JOBS: dict[str, str] = {
    "legality": "bench.jobs.legality:legality",
    "throughput": "bench.jobs.legality:throughput",
    "route": "bench.jobs.route:route",
    "extremity": "bench.jobs.route:extremity",
    "storeys": "bench.jobs.storeys:storeys",
    "update": "bench.jobs.update:update",
    "reach": "bench.jobs.reach:reaching",
    "outline": "bench.jobs.reach:outline",
    "slow": "bench.jobs.slow_ground:slow_ground",
    "sight": "bench.jobs.sight:sight",
    "rectangle": "bench.jobs.rectangle:rectangle",
    "memory": "bench.jobs.memory:memory",
    "verdicts": "bench.jobs.verdicts:verdicts",
    "play": "bench.jobs.verdicts:play",
    "blocks": "bench.jobs.warmaster:block_moves",
    "command": "bench.jobs.warmaster:command_phase",
    "waits": "bench.jobs.waits:waits",
    "odds": "bench.jobs.waits:odds",
    "surveys": "bench.jobs.waits:surveys",
    "cold": "bench.jobs.verdicts:cold",
}


def find(name: str) -> Job:
    """The function of a job. ImportError when what it is compared with is not installed."""
    module, function = JOBS[name].split(":")
    found: Job = getattr(import_module(module), function)
    return found
