"""Units of stands in pictures: one name for all, a number on each."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import Any

from support import toy
from tapeline.picture import draw
from tapeline.play.battle import load


def scene() -> dict[str, Any]:
    stands = [
        {
            "id": f"a{i}",
            "side": "red",
            "profile": {"speed": 6},
            "base": {"rectangle": [2, 1]},
            "position": [4 + 2 * i, 5],
            "facing": 90,
        }
        for i in range(3)
    ]
    return {
        "format": "tapeline-scene/1",
        "system": "toy",
        "table": {"width": 24, "depth": 24, "unit": "in"},
        "sides": [{"id": "red"}, {"id": "blue"}],
        "models": stands,
        "units": [{"id": "u", "side": "red", "name": "Guards", "members": ["a0", "a1", "a2"]}],
    }


def test_a_unit_carries_its_name_once_and_numbers_on_its_stands() -> None:
    system = replace(toy.SYSTEM, faults=lambda state: [], unit_words=lambda state, unit: "line")
    root = ElementTree.fromstring(draw(load(scene(), system=system).state, system))
    labels = {item.get("data-label"): item for item in root.iter() if item.get("data-label")}
    assert set(labels) == {"u"}
    assert [item.text for item in labels["u"]] == ["Guards", "u, line"]
    texts = [item.text for item in root.iter() if (item.text or "") in ("1", "2", "3")]
    assert texts == ["1", "2", "3"]
