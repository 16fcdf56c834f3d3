"""Golden cases judged, once in each process that asks."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from support.scenarios import GOLDEN
from tapeline.play.cases import CaseResult, case_files, run_case_file

GOLDEN_FILES = tuple(path for path in case_files([GOLDEN]) if "tapeline-case/" in path.read_text())


@cache
def judged(path: Path) -> tuple[CaseResult, ...]:
    """The cases of a golden file."""
    return tuple(run_case_file(path))
