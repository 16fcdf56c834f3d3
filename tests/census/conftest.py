"""Fixtures of the census."""

from __future__ import annotations

import os

import pytest

from support.judged import Run


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Run:
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    return Run(folder, bool(pytestconfig.getoption("--long")))
