"""What ships is locked with its hashes, and its licences are told; nothing new comes in unseen."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Any

import pytest
from generate import licences
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from support.scenarios import ROOT
from tapeline.errors import TapelineError

LOCK = ROOT / "requirements.lock"
LOCKS = [LOCK, ROOT / "requirements-dev.lock", ROOT / "requirements-bench.lock"]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
SOURCE = ROOT / "src" / "tapeline"

ENTRY = re.compile(
    r"([a-z0-9-]+)==([0-9][0-9a-z.]*)(?: ; [^\\\n]+)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n"
)


def versions(lock: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, version, _ in ENTRY.findall(lock.read_text("utf-8")):
        found.setdefault(name, []).append(version)
    return found


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_entry_has_hashes_and_names_no_host(lock: Path) -> None:
    text = lock.read_text("utf-8")
    head, _, rest = text.partition("\n")
    assert head.startswith("# ")
    assert not ENTRY.sub("", rest), "nothing else: no option, no address, no entry without hashes"
    assert "://" not in text


def _needed(requirement: str, seen: set[str]) -> set[str]:
    """The packages that a requirement installs here, as the installed ones tell."""
    wanted = Requirement(requirement)
    name = canonicalize_name(wanted.name)
    if wanted.marker is not None and not wanted.marker.evaluate({"extra": ""}):
        return seen
    if name in seen and not wanted.extras:
        return seen
    seen.add(name)
    try:
        further = requires(name) or []
    except PackageNotFoundError:
        return seen
    for one in further:
        marker = Requirement(one).marker
        if marker is None or any(marker.evaluate({"extra": e}) for e in ("", *wanted.extras)):
            _needed(one.partition(";")[0], seen)
    return seen


def test_all_that_a_server_needs_is_locked_as_the_project_allows() -> None:
    there = versions(LOCK)
    direct = [*PROJECT["dependencies"]]
    for extra in ("fast", "png", "web", "postgres"):
        direct += EXTRAS[extra]
    needed: set[str] = set()
    for requirement in direct:
        _needed(requirement, needed)
    assert {"psycopg", "psycopg-binary"} <= {*there}
    assert needed <= {*there}, "run: make lock"
    for text in direct:
        wanted = Requirement(text)
        for version in there[canonicalize_name(wanted.name)]:
            assert wanted.specifier.contains(version), (text, version)


def test_the_tools_are_locked_with_the_same_versions() -> None:
    there, tools = versions(LOCK), versions(LOCKS[1])
    assert there.items() <= tools.items()
    for text in EXTRAS["dev"]:
        wanted = Requirement(text)
        [version, *_] = tools[canonicalize_name(wanted.name)]
        assert wanted.specifier.contains(version), text
    for text in EXTRAS["bench"]:
        name = canonicalize_name(Requirement(text).name)
        assert name in {**tools, **versions(LOCKS[2])}


def test_the_page_on_licences_is_fresh() -> None:
    fresh = licences.page(LOCK, SOURCE)
    assert (ROOT / "docs" / "licences.md").read_text("utf-8") == fresh, "run: make docs"
    for name in versions(LOCK):
        assert f"| {name} | " in fresh
    for word in ("GPL-2", "AGPL", "SSPL", "proprietary", "UNKNOWN"):
        assert not re.search(rf"(?<!L){word}", fresh), "what Apache-2.0 does not go with"


def test_a_new_dependency_without_a_licence_is_found(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text(LOCK.read_text("utf-8") + "brand-new==1.0 \\\n    --hash=sha256:00\n")
    with pytest.raises(TapelineError, match="licence of brand-new is not known"):
        licences.page(lock, SOURCE)


def test_a_carried_file_without_a_licence_is_found(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "ours.py").touch()
    assert [*licences.carried(tmp_path)] == []
    (tmp_path / "web" / "pretty.woff2").touch()
    with pytest.raises(TapelineError, match=r"web/pretty\.woff2 is from elsewhere"):
        [*licences.carried(tmp_path)]
    assert len([*licences.carried(SOURCE)]) == 2
