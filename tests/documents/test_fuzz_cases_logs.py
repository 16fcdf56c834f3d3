"""Damaged cases and match logs: a clear error, a failed case or a named entry, nothing else."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from documents.mutating import damaged, scrambled
from support.counting import slowness
from support.playing import RECORDINGS, random_match
from support.scenarios import ROOT, golden_cases, scenes_of, systems
from tapeline.errors import AnswerError, DocumentError, LogError, UnknownSystemError
from tapeline.play.cases import CaseDoc, run_case
from tapeline.play.match import Match, rereferee
from tapeline.table.json_documents import validate

pytestmark = pytest.mark.compiled

PATIENCE = 2.0


def _strange(error: Exception, document: Any) -> AssertionError:
    return AssertionError(f"{type(error).__name__}: {error}\nfor {document!r:.3000}")


def test_damaged_cases(budget: Callable[[int, int], int]) -> None:
    rng, count, slowest = Random("cases"), Counter[str](), 0.0
    cases = [case for _, case in golden_cases()]
    for _ in range(budget(250, 20_000)):
        # Scenes have their own suite: here mostly the steps are damaged.
        case = rng.choice(cases)
        document = {**case, "steps": damaged(case["steps"], rng)}
        if rng.random() < 0.2:
            document = damaged(case, rng)
        start = time.process_time()
        try:
            result = run_case(validate(CaseDoc, document, "fuzz"))
            count["as expected" if result.passed else "not as expected"] += 1
        except DocumentError as error:
            assert error.faults  # noqa: PT017
            count["malformed"] += 1
        except Exception as error:
            raise _strange(error, document) from error
        slowest = max(slowest, time.process_time() - start)
    assert set(count) == {"as expected", "not as expected", "malformed"}, count
    assert slowest < PATIENCE * slowness()


def _logs(name: str, scenes: list[dict[str, Any]]) -> list[list[str]]:
    """The first entries of a random match in each scene: of the recorded ones, or played now."""
    recorded = sorted(RECORDINGS.glob(f"{name}-*.jsonl"))
    if recorded:
        return [path.read_text(encoding="utf-8").splitlines()[:15] for path in recorded]
    return [list(random_match(scene, 5, 14).lines()) for scene in scenes]


@pytest.mark.parametrize("name", systems())
def test_damaged_logs(name: str, budget: Callable[[int, int], int]) -> None:
    scenes = list(scenes_of(name).values())
    if not scenes:
        pytest.skip(f"no scene of {name} yet")
    rng, count, slowest = Random(f"logs {name}"), Counter[str](), 0.0
    logs = [[json.loads(r) for r in lines] for lines in _logs(name, scenes)]
    for _ in range(budget(60, 4_000)):
        rows = rng.choice(logs)
        if rng.random() < 0.2:
            text: list[Any] = scrambled(rows, rng).split(b"}, {")
        else:
            number = rng.randrange(0 if rng.random() < 0.1 else 1, len(rows))
            changed = [*rows[:number], damaged(rows[number], rng), *rows[number + 1 :]]
            try:
                text = [json.dumps(row, allow_nan=False) for row in changed]
            except ValueError:
                continue
        start = time.process_time()
        for read in (Match.replay, rereferee):
            try:
                result = read(text)
                mismatch = result[1] if isinstance(result, tuple) else None
                count["mismatch" if mismatch else "replayed"] += 1
            except (DocumentError, LogError, AnswerError, UnknownSystemError) as error:
                assert str(error)  # noqa: PT017
                count[type(error).__name__] += 1
            except Exception as error:
                raise _strange(error, text) from error
        slowest = max(slowest, time.process_time() - start)
    assert count["mismatch"] + count["LogError"] > 5, count
    assert count["DocumentError"] > 5, count
    assert slowest < PATIENCE * slowness()


def test_the_golden_cases_are_there() -> None:
    assert (ROOT / "tests" / "golden").is_dir()
    assert len(golden_cases()) > 100
