"""The pages on the command line: the generated one is fresh, the other knows every key."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from generate.commands import PICTURES, commands_page, write_pictures

from tapeline.cli.app import COMMANDS

PAGES = Path(__file__).parents[2] / "docs" / "reference"
Run = Callable[..., Result]
#: Keys whose content is a document of its own or belongs to the system.
OPEN = {"action", "scene", "values", "path", "offers"}


def test_the_page_on_commands_is_fresh() -> None:
    assert (PAGES / "commands.md").read_text() == commands_page(), "run: make docs"


def test_the_pictures_of_the_pages_can_be_drawn_and_are_there(tmp_path: Path) -> None:
    write_pictures(PAGES.parents[1] / "examples", tmp_path)
    for name in PICTURES:
        drawn = ElementTree.parse(tmp_path / f"{name}.svg").getroot()
        kept = ElementTree.parse(PAGES.parent / "pictures" / f"{name}.svg").getroot()
        assert drawn.get("viewBox", "").split()[2] == kept.get("viewBox", "").split()[2]


def test_the_page_on_commands_has_them_all() -> None:
    page = (PAGES / "commands.md").read_text()
    assert re.findall(r"^## (\w+)$", page, re.MULTILINE) == list(COMMANDS)


def keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            if key not in OPEN or (key == "values" and not item):
                yield from keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from keys(item)


@pytest.mark.parametrize(
    "words",
    [
        ("judge", "cases.json"),
        ("judge", "scene.json", "-a", "move R1 path=5,15"),
        ("judge", "scene.json", "-a", "shove R1 target=B1"),
        ("judge", "scene.json", "-a", "shove R1 target=B1", "--dice", "6"),
        ("judge", "scene.json", "-a", "move R1 path=8,9"),
        ("odds", "scene.json", "shove R1 target=B1"),
        ("odds", "scene.json", "shove R1 target=B1", "--guard", "1", "--samples", "100"),
        ("offers", "scene.json"),
        ("do", "scene.json", "-a", "shove R1 target=B1", "-o", "new.log"),
        ("replay", "game.log"),
        ("replay", "bad.log"),
        ("rules",),
        ("rules", "toy"),
        ("check", "scene.json", "cases.json", "game.log", "bad.log"),
        ("draw", "cases.json", "--case", "good", "-o", "x.svg"),
        ("gallery", "only", "-o", "pictures", "--svg"),
        ("new", "toy"),
    ],
)
def test_every_key_of_the_json_is_documented(
    run: Run, scene: str, cases: str, tmp_path: Path, words: tuple[str, ...]
) -> None:
    run("do", scene, "-a", "shove R1 target=B1", "-o", "game.log")
    log = (tmp_path / "game.log").read_text()
    digit = "0" if log[-4] != "0" else "1"
    (tmp_path / "bad.log").write_text(f'{log[:-4]}{digit}"}}\n')
    (tmp_path / "only").mkdir()
    (tmp_path / "only" / "scene.json").write_text((tmp_path / scene).read_text())
    found = json.loads(run(*words, "--json").stdout)
    page = (PAGES / "json-output.md").read_text()
    section = f"## {words[0]}: `{found['format']}`"
    assert section in page
    documented = set(re.findall(r"`(\w+)`", page))
    missing = set(keys(found)) - documented - {"format"}
    # The values and clauses of a system are its own words.
    missing -= {"4+", "5+"}
    assert not missing
