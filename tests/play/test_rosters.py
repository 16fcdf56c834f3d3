"""Rosters from a pasted list, CSV and JSON; what cannot be read is told line by line."""

from __future__ import annotations

import json

import pytest

import tapeline as tl
from tapeline.play.rosters import RosterDoc, read_roster

SOVL = tl.load_system("sovl")
TRENCH = tl.load_system("trench-crusade")


def lines(roster: RosterDoc) -> list[tuple[str, str, int, int | None]]:
    return [(one.name, one.profile, one.count, one.size) for one in roster.lines]


def test_a_list_as_people_paste_it() -> None:
    text = "3x Azebs\n- Brother Hale: janissary\n\n2 × Thrall\nWar Wolf"
    assert lines(read_roster(text, TRENCH)) == [
        ("Azeb", "Azeb", 3, None),
        ("Brother Hale", "Janissary", 1, None),
        ("Thrall", "Thrall", 2, None),
        ("War Wolf", "War Wolf", 1, None),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "2 Spears: Infantry (20)\nOrc Warriors",
        "Name;Profile;Size;Count\nSpears;infantry;20;2\n;Orc Warriors;;\n",
        '[{"name": "Spears", "profile": "Infantry", "size": 20, "count": 2},'
        ' {"profile": "orc warriors"}]',
    ],
)
def test_the_same_as_list_csv_and_json(text: str) -> None:
    roster = read_roster(text, SOVL, "Mine")
    assert lines(roster) == [("Spears", "Infantry", 2, 20), ("Orc Warriors",) * 2 + (1, None)]
    again = read_roster(json.dumps(roster.model_dump()), SOVL)
    assert again == roster


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("", [""]),
        ("3x Azebb\nThral", ["lines[0].profile", "lines[1].profile"]),
        ("Azeb (3)", ["lines[0].size"]),
        ("profile,count\nAzeb,many", ["line 2.count"]),
        ("400 Azeb\n400 Thrall", ["lines"]),
        ('{"lines": [{"profile": "Azeb", "colour": "red"}]}', ["lines[0].colour"]),
        ('{"system": "sovl", "lines": [{"profile": "Azeb"}]}', ["system"]),
    ],
)
def test_what_cannot_be_read_is_told(text: str, paths: list[str]) -> None:
    with pytest.raises(tl.DocumentError) as caught:
        read_roster(text, TRENCH)
    assert [fault.path for fault in caught.value.faults] == paths
