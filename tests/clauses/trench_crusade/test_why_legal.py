"""A legal verdict cites each clause that bore on it, and none whose condition did not arise."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, red, to
from tapeline.engine.clauses import Status
from tapeline.rules.trench_crusade import SYSTEM

Doc = dict[str, Any]
R = 125 / 127
r = 125 / 254
HERALD = {"profile": "Herald of Beelzebub", "base": 40}
WOLF = {"profile": "War Wolf", "base": 50}


class Play(NamedTuple):
    """What is done on a table: models, terrain, the order with its answers, the progress."""

    models: list[Doc]
    terrain: list[Doc]
    order: tuple[Any, ...]
    more: Doc
    progress: Doc
    options: dict[str, str]


def play(
    models: list[Doc],
    *order: Any,
    on: list[Doc] | None = None,
    progress: Doc | None = None,
    options: dict[str, str] | None = None,
    **more: Any,
) -> Play:
    """A move unless an order is given; `path` and the like by keyword."""
    return Play(
        models, on or [], order or ("move",), more, progress or {"actor": "A"}, options or {}
    )


def cited(what: Play) -> set[str]:
    """The clauses that a legal verdict cites."""
    turn = {"active": "red"} if "actor" in what.progress else None
    table = Table(what.models, what.terrain, what.progress, turn, **what.options)
    kind, *answers = what.order
    verdict = table.do(kind, "A", *answers, **what.more)
    assert verdict.legal or verdict.ask is not None, verdict.findings
    return set(verdict.cites)


ALONE = [red("A", 10, 10), blue("E", 40, 40)]
NEAR = [red("A", 10, 10), blue("E", 11.4, 10)]
TARGET = [red("A", 10, 10), blue("E", 16, 10)]
LEDGE = [box("block", 4, 12, 4, 20, height=2.0, id="L")]
PIT = [box("block", 4, 11, 4, 20, height=4.0, id="L"), box("block", 13, 20, 4, 20, height=4.0)]
ON_PIT = [red("A", 10, 10, z=4), blue("E", 18, 18, z=4)]


def leg(x: float, y: float, z: float | None = None, how: str = "walk") -> Doc:
    """One leg of a path."""
    found: Doc = {"to": [x, y], "how": how}
    return found if z is None else {**found, "z": z}


def high(*models: Doc, z: float = 2.0) -> list[Doc]:
    """Models at a height."""
    return [{**model, "z": z} for model in models]


STRAIGHT = to((13, 10))
DIVE = high(red("A", 10, 10), z=4.0), [box("block", 4, 12, 4, 20, height=4.0)]

#: For each clause a play on which it bears, and one beside it on which it does not, if there is.
BEARS: dict[str, tuple[Play, Play | None]] = {
    # Every ACTION.
    "TC-ACT-1": (play(ALONE, path=STRAIGHT), None),
    "TC-ACT-2": (play(ALONE, "dash", (4, 4), path=STRAIGHT), play(ALONE, path=STRAIGHT)),
    "TC-ACT-3": (play(TARGET, "charge", (3,), target="E"), play(ALONE, path=STRAIGHT)),
    "TC-ACT-4": (play(ALONE, path=STRAIGHT), None),
    "TC-ACT-5": (
        play(ALONE, path=STRAIGHT, progress={"actor": "A", "taken": ["dash"]}),
        play(ALONE, path=STRAIGHT),
    ),
    "TC-ACT-6": (
        play(ALONE, path=STRAIGHT, progress={"actor": "A", "taken": ["dash"]}),
        play(ALONE, path=STRAIGHT),
    ),
    "TC-ACT-7": (
        play(ALONE, path=STRAIGHT, progress={"actor": "A", "taken": ["dash"]}),
        play(ALONE, path=STRAIGHT, progress={"actor": "A", "taken": ["fight"]}),
    ),
    "TC-ACT-8": (play(TARGET, "charge", target="E"), play(ALONE, path=STRAIGHT)),
    "TC-ACT-9": (
        play(
            TARGET,
            "charge",
            target="E",
            progress={"actor": "A", "taken": ["shoot"], "shot": ["ASSAULT"]},
        ),
        play(TARGET, "charge", target="E"),
    ),
    "TC-ACT-10": (play(ALONE, path=STRAIGHT), None),
    "TC-DASH-1": (play(ALONE, "dash"), play(ALONE, path=STRAIGHT)),
    "TC-DASH-2": (play(ALONE, "dash", (4, 4), path=STRAIGHT), play(ALONE, path=STRAIGHT)),
    # Every move.
    "TC-MOVE-1": (play(ALONE), play(NEAR, "retreat", "pass", path=to((7, 10)))),
    "TC-MOVE-2": (play(ALONE, path=to((13, 10), (13, 12))), play(ALONE, path=STRAIGHT)),
    "TC-MOVE-3": (play(ALONE, path=[{"by": 90}]), play(ALONE, path=STRAIGHT)),
    "TC-MOVE-4": (
        play(ALONE, path=to((11, 10), (11, 11)), on=[box("mud", 9, 14, 9, 13)]),
        play(ALONE, path=to((13, 10)), on=[box("mud", 9, 14, 9, 13)]),
    ),
    "TC-MOVE-5": (
        play([*ALONE, red("F", 12, 10)], path=to((14, 10))),
        play([*ALONE, red("F", 12, 10 + R + 1e-4)], path=to((14, 10))),
    ),
    "TC-MOVE-6": (
        play([red("A", 6 + r - 1e-3, 10)], path=to((7, 10))),
        play([red("A", 6 + r + 1e-3, 10)], path=to((7, 10))),
    ),
    "TC-MOVE-7": (
        play([red("A", 10, 10), blue("E", 10 + 7 + R - 1e-3, 10)], path=to((10, 11))),
        play([red("A", 10, 10), blue("E", 10 + 7 + R + 1e-3, 10)], path=to((10, 11))),
    ),
    "TC-MOVE-8": (play(NEAR, path=to((10, 10.2))), play(ALONE, path=to((10, 10.2)))),
    "TC-MOVE-10": (
        play([red("A", 10, 10), blue("E", 10 + 6 + R - 1e-3, 10)], path=to((10, 11))),
        play([red("A", 10, 10), blue("E", 10 + 6 + R + 1e-3, 10)], path=to((10, 11))),
    ),
    "TC-MOVE-11": (
        play(high(red("A", 10, 10)), path=to((12 - r + 1e-3, 10)), on=LEDGE),
        play(high(red("A", 10, 10)), path=to((12 - r - 1e-3, 10)), on=LEDGE),
    ),
    "TC-MOVE-12": (
        play(
            ALONE,
            path=to((14, 10)),
            on=[box("wall", 11, 12, 10.6, 14, id="W1"), box("wall", 11, 12, 6, 9.4, id="W2")],
        ),
        play(ALONE, path=to((14, 10)), on=[box("wall", 11, 12, 10.6, 14, id="W1")]),
    ),
    "TC-MOVE-13": (
        play([red("A", 10, 10), blue("E", 14, 10, down=True)], path=to((10, 11))),
        play([red("A", 10, 10), blue("E", 14, 10)], path=to((10, 11))),
    ),
    "TC-MOVE-14": (
        play(ALONE, path=to((12, 10)), progress={"actor": "A", "stood_up": True}),
        play(ALONE, path=to((12, 10))),
    ),
    "TC-DOWN-3": (
        play(ALONE, path=to((12, 10)), progress={"actor": "A", "stood_up": True}),
        play(ALONE, path=to((12, 10))),
    ),
    # Charges.
    "TC-CHG-1": (play(TARGET, "charge", target="E"), play(ALONE)),
    "TC-CHG-2": (play(TARGET, "charge", target="E"), play(ALONE)),
    "TC-CHG-3": (
        play([*TARGET, blue("E2", 14, 13.5)], "charge", target="E"),
        play([*TARGET, blue("E2", 14, 17)], "charge", target="E"),
    ),
    "TC-CHG-5": (play(TARGET, "charge", (3,), target="E"), play(ALONE)),
    "TC-CHG-6": (play(TARGET, "charge", (3,), target="E"), play(ALONE)),
    "TC-CHG-7": (play(TARGET, "charge", (3,), target="E"), play(ALONE)),
    "TC-CHG-8": (play(TARGET, "charge", (3,), target="E"), play(ALONE)),
    "TC-CHG-9": (
        play(TARGET, "charge", (3,), (4, 4), target="E", on=[box("wire", 12, 13, 4, 20)]),
        play(TARGET, "charge", (3,), target="E", on=[box("mud", 12, 13, 4, 20)]),
    ),
    "TC-CHG-10": (
        play(TARGET, "charge", (3,), target="E"),
        play([red("A", 10, 10), blue("E", 21.5, 10)], "charge", (3,), target="E"),
    ),
    "TC-CHG-11": (
        play(
            [*TARGET, blue("E2", 16, 7.7)],
            "charge",
            (3,),
            [{"centre": [16, 10], "by": 40}],
            target="E",
        ),
        play(TARGET, "charge", (3,), target="E"),
    ),
    "TC-CHG-12": (
        play(TARGET, "charge", (3,), target="E"),
        play([red("A", 10, 10), blue("E", 21.5, 10)], "charge", (1,), target="E"),
    ),
    "TC-CHG-13": (
        play([red("A", 10, 10), blue("E", 21.5, 10)], "charge", (1,), target="E"),
        play(TARGET, "charge", (3,), target="E"),
    ),
    "TC-CHG-14": (play(TARGET, "charge", (3,), target="E"), play(ALONE)),
    "TC-CHG-15": (
        play(
            [red("A", 10, 10), blue("E", 19, 10, **HERALD)],
            "charge",
            True,
            (4,),
            to((19, 12)),
            (5,),
            target="E",
        ),
        play(TARGET, "charge", (3,), target="E"),
    ),
    # Retreats.
    "TC-RET-1": (play(NEAR, "retreat", "pass", path=to((7, 10))), play(ALONE)),
    "TC-RET-2": (play(NEAR, "retreat", "pass", path=to((7, 10))), play(ALONE)),
    "TC-RET-3": (
        play(NEAR, "forced_retreat", "pass", path=to((7, 10))),
        play(NEAR, "retreat", "pass", path=to((7, 10))),
    ),
    "TC-RET-4": (
        play(NEAR, "retreat", "E", (1, 2), path=to((7, 10))),
        play(NEAR, "retreat", "pass", path=to((7, 10))),
    ),
    "TC-RET-5": (play(NEAR, "retreat", "pass", path=to((7, 10))), play(ALONE)),
    "TC-RET-6": (
        play([red("A", 10, 10, stats={"movement": 0.2}), blue("E", 11.1, 10)], "retreat", "pass"),
        play(NEAR, "retreat", "pass", path=to((7, 10))),
    ),
    "TC-RET-7": (
        play([red("A", 10, 10, down=True), blue("E", 11.4, 10)], "retreat", "pass"),
        play(NEAR, "retreat", "pass", path=to((7, 10))),
    ),
    "TC-RET-8": (
        play(NEAR, "retreat", "E", (1, 2), path=to((7, 10))),
        play(NEAR, "retreat", "pass", path=to((7, 10))),
    ),
    "TC-RET-9": (play(NEAR, "retreat", "pass", path=to((7, 10))), play(ALONE)),
    # Ground.
    "TC-TER-2": (
        play(ALONE, path=STRAIGHT, on=[box("mud", 11, 12, 9, 11)]),
        play(ALONE, path=STRAIGHT, on=[box("mud", 11, 12, 10.1, 11)]),
    ),
    "TC-TER-3": (
        play(ALONE, "move", (4, 4), path=STRAIGHT, on=[box("wire", 11, 12, 9, 11)]),
        play(ALONE, path=STRAIGHT, on=[box("wire", 11, 12, 10.1, 11)]),
    ),
    "TC-TER-5": (
        play(ALONE, path=STRAIGHT, on=[box("wall", 10 + 6 + r - 1e-3, 20, 9, 11)]),
        play(ALONE, path=STRAIGHT, on=[box("wall", 10 + 6 + r + 1e-3, 20, 9, 11)]),
    ),
    "TC-TER-6": (
        play(ALONE, "move", (4, 4), path=STRAIGHT, on=[box("wire", 11, 12, 9, 11)]),
        play(ALONE, path=STRAIGHT),
    ),
    "TC-TER-7": (
        play(ALONE, path=STRAIGHT, on=[box("barricade", 11, 12, 10 + r - 1e-3, 11)]),
        play(ALONE, path=STRAIGHT, on=[box("barricade", 11, 12, 10 + r + 1e-3, 11)]),
    ),
    "TC-CLM-1": (
        play(ALONE, path=[leg(13, 10, 2.0, "climb")], on=[box("block", 12, 20, 4, 20)]),
        play(ALONE, path=to((10, 11)), on=[box("block", 12, 20, 4, 20)]),
    ),
    "TC-CLM-2": (
        play(
            ALONE,
            "move",
            (4, 4),
            path=[leg(13, 10, 2.0, "climb")],
            on=[box("block", 12, 20, 4, 20)],
        ),
        None,
    ),
    "TC-JMP-1": (
        play(ON_PIT, path=[leg(14, 10, 4.0, "jump")], on=PIT),
        play(ON_PIT, path=to((10.2, 10)), on=PIT),
    ),
    "TC-JMP-2": (play(ON_PIT, "move", (4, 4), path=[leg(14, 10, 4.0, "jump")], on=PIT), None),
    "TC-JMP-3": (
        play(ON_PIT, path=[leg(14, 10, 4.0, "jump")], on=PIT),
        play(ON_PIT, path=to((10.2, 10)), on=PIT),
    ),
    "TC-JMP-4": (
        play(ON_PIT[:1], path=[leg(14, 10, 5.0, "jump")], on=[PIT[0], {**PIT[1], "height": 5.0}]),
        play(ON_PIT, path=[leg(14, 10, 4.0, "jump")], on=PIT),
    ),
    "TC-JMP-5": (
        play(high(red("A", 10, 10)), path=[leg(12 + r, 10, 0.0, "drop")], on=LEDGE),
        play(high(red("A", 10, 10)), path=to((10, 11)), on=LEDGE),
    ),
    "TC-FALL-1": (
        play(DIVE[0], "move", (1, 1, 1), path=[leg(12 + r, 10, 0.0, "drop")], on=DIVE[1]),
        play(high(red("A", 10, 10)), path=[leg(12 + r, 10, 0.0, "drop")], on=LEDGE),
    ),
    "TC-FALL-2": (
        play(
            [*DIVE[0], blue("E", 14.2, 10)],
            "charge",
            (3,),
            (4, 4),
            target="E",
            on=DIVE[1],
            options={"los_mode": "attested"},
        ),
        play(TARGET, "charge", (3,), target="E"),
    ),
    "TC-FLY-1": (
        play([red("A", 10, 10, **HERALD)], path=[leg(14, 10, 0.0)]),
        play(ALONE, path=STRAIGHT),
    ),
    "TC-KW-1": (
        play(
            [red("A", 10, 10, stats={"keywords": ["HEAVY", "STRONG"]}), blue("E", 16, 10)],
            "charge",
            (3,),
            target="E",
        ),
        play(TARGET, "charge", (3,), target="E"),
    ),
    "TC-KW-2": (
        play([red("A", 10, 10), blue("E", 19, 10, **HERALD)], "charge", False, (5,), target="E"),
        play(TARGET, "charge", (3,), target="E"),
    ),
    "TC-KW-3": (
        play([red("A", 10, 10, **WOLF)], "dash", (4, 4, 4), path=STRAIGHT),
        play(ALONE, "dash", (4, 4), path=STRAIGHT),
    ),
    # Rolls.
    "TC-ROLL-1": (play(ALONE, "dash", (4, 4), path=STRAIGHT), play(ALONE)),
    "TC-ROLL-5": (play(ALONE, "dash", (4, 4), path=STRAIGHT), play(ALONE)),
    "TC-MEL-1": (play(NEAR, "fight", (4, 1), target="E"), play(ALONE)),
}
#: Clauses that other tests and golden cases see cited: what follows rolls and injuries, and who
#: is activated.
ELSEWHERE = {
    *("TC-ROLL-2", "TC-ROLL-3", "TC-ROLL-4", "TC-ROLL-6"),
    *("TC-INJ-1", "TC-INJ-2", "TC-INJ-3", "TC-INJ-4"),
    *("TC-DOWN-1", "TC-DOWN-2", "TC-DOWN-4", "TC-TER-4", "TC-CHG-4"),
}


@pytest.mark.parametrize("clause", BEARS)
def test_the_clause_is_cited_where_it_bears(clause: str) -> None:
    bears, does_not = BEARS[clause]
    assert clause in cited(bears)
    if does_not is not None:
        assert clause not in cited(does_not)


def test_every_clause_that_does_something_is_looked_at() -> None:
    active = {clause.id for clause in SYSTEM.book if clause.status is not Status.REGISTERED}
    assert active == {*BEARS, *ELSEWHERE}


def test_the_same_over_storeys_and_on_level_ground() -> None:
    """A block far off makes the path one in three dimensions; what bore on it is the same."""
    far = box("block", 40, 44, 40, 44, id="far")
    pieces = [
        box("mud", 11, 12, 9, 11, id="m"),
        box("barricade", 13, 13.4, 9, 11, id="b"),
        box("wall", 10, 15, 10.7, 11.5, id="w", height=0.5),
        box("wall", 10, 15, 8.5, 9.3, id="v", height=0.5),
    ]
    models = [red("A", 10, 10), red("F", 12.3, 10), blue("E", 17.2, 10), red("G", 17.2, 8)]
    for path in (to((14, 10)), to((11.4, 10), (11, 10.1)), to((10, 10.1)), []):
        for halved in (False, True):
            if halved and path and path[0]["to"][0] > 12:
                continue  # too far
            progress = {"actor": "A", **({"stood_up": True, "taken": ["dash"]} if halved else {})}
            flat, tall = (
                cited(play(models, path=path, on=on, progress=progress))
                for on in (pieces, [*pieces, far])
            )
            assert flat == tall
            assert ("TC-MOVE-7" in flat) is (bool(path) and not halved)
            assert ("TC-MOVE-12" in flat) is (len(path) > 0 and path[0]["to"][0] > 10)


def test_what_the_way_ends_at_is_no_side_of_an_opening() -> None:
    """Whichever hand the wall beside the way is on."""
    ahead = box("wall", 13, 14, 9.8, 10.2, id="W1")
    for low, high in ((10.8, 11.8), (8.2, 9.2)):
        on = [ahead, box("wall", 12, 14, low, high, id="W2")]
        table = Table(ALONE, on, {"actor": "A"}, {"active": "red"})
        assert "TC-MOVE-12" not in table.do("move", "A", path=to((13, 10))).cites


@pytest.mark.parametrize("built", [False, True])
def test_difficult_ground_that_is_not_felt_is_crossed_all_the_same(built: bool) -> None:
    on = [box("mud", 11, 12, 8, 12), *([box("block", 40, 44, 40, 44, id="b")] if built else [])]
    found = cited(play([red("A", 10, 10, **WOLF)], path=to((16, 10)), on=on))
    assert {"TC-TER-2", "TC-TER-6"} <= found


def test_a_charge_is_a_move_too() -> None:
    """What bears on a path bears on the way of a charge, but that it may come near enemies."""
    models = [red("A", 10, 1.2), red("F", 12.5, 1.2), blue("E", 16, 1.2)]
    found = cited(play(models, "charge", (5,), target="E", on=[box("mud", 13, 14, 0, 3)]))
    assert {"TC-MOVE-4", "TC-MOVE-5", "TC-MOVE-6", "TC-MOVE-7", "TC-TER-2", "TC-TER-6"} <= found
    assert "TC-MOVE-8" not in found


def test_who_cannot_get_away_is_told_what_is_about_and_nothing_else() -> None:
    """TC-RET-6: a friend, a second enemy, water, mud, the table's edge each bear where they are."""
    slow = red("A", 10, 10, stats={"movement": 0.5})
    stays = play([slow, blue("E", 8.8, 10)], "retreat", "pass")
    about = {"TC-MOVE-5", "TC-MOVE-6", "TC-MOVE-7", "TC-MOVE-10", "TC-MOVE-12", "TC-MOVE-13"}
    about |= {"TC-TER-2", "TC-TER-5", "TC-TER-7"}
    found = cited(stays)
    assert {"TC-RET-6", "TC-RET-7", "TC-RET-9"} <= found
    assert found & about == {"TC-MOVE-10"}
    for more, clause in (
        (stays._replace(models=[*stays.models, red("F", 11.4, 10)]), "TC-MOVE-5"),
        (stays._replace(models=[*stays.models, blue("G", 10, 12.4)]), "TC-MOVE-7"),
        (stays._replace(terrain=[box("deep water", 10.9, 12, 9, 11)]), "TC-TER-5"),
        (stays._replace(terrain=[box("mud", 10.3, 12, 9, 11)]), "TC-TER-2"),
        (stays._replace(terrain=[box("block", 10.9, 12, 9, 11)]), "TC-TER-7"),
    ):
        assert cited(more) & about == {"TC-MOVE-10", clause}
    edge = [red("A", 0.7, 10, stats={"movement": 0.3}), blue("E", 1.9, 10)]
    assert cited(stays._replace(models=edge)) & about == {"TC-MOVE-10", "TC-MOVE-6"}


def test_an_enemy_down_counts_for_the_charge_at_it() -> None:
    """TC-MOVE-13: so does one that a friend holds; one that stands free needs no saying."""
    down = [red("A", 10, 10), blue("E", 16, 10, down=True)]
    assert "TC-MOVE-13" in cited(play(down, "charge", (3,), target="E"))
    engaged = [*TARGET, red("F", 17.5, 10)]
    assert "TC-MOVE-13" in cited(play(engaged, "charge", (3,), target="E"))
    assert "TC-MOVE-13" not in cited(play(TARGET, "charge", (3,), target="E"))


def test_a_path_along_an_arc() -> None:
    arc = [{"centre": [10, 12], "by": 90}]
    assert {"TC-MOVE-4", "TC-MOVE-1", "TC-MOVE-2"} <= cited(play(ALONE, path=arc))
    near = [red("A", 10, 10), blue("E", 12 + R + 1.01, 12)]
    assert "TC-MOVE-7" in cited(play(near, path=arc))
