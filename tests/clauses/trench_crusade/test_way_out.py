"""TC-RET-6, G-31: whether a retreat can end anywhere, friends and Difficult ground counted."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from clauses.trench_crusade.tabling import Table, blue, box, red
from tapeline.engine.paths import Leg, LegPath
from tapeline.rules.trench_crusade.actions import Walk
from tapeline.rules.trench_crusade.book import BOOK
from tapeline.rules.trench_crusade.context import Context
from tapeline.rules.trench_crusade.measures import gap, holding
from tapeline.rules.trench_crusade.retreat import way_out
from tapeline.rules.trench_crusade.state import movement

pytestmark = pytest.mark.compiled

R = 125 / 127
Doc = dict[str, Any]


def asked(models: list[Doc], terrain: tuple[Doc, ...] = (), **options: str) -> bool:
    """Whether A may choose a path for its retreat; if not, TC-RET-6 is cited and it stays."""
    table = Table(models, terrain, **options)
    at = table.body().centre
    verdict = table.do("retreat", "A", "pass")
    assert ("TC-RET-6" in verdict.cites) is (verdict.ask is None)
    assert table.body().centre == at
    return verdict.ask is not None


def corner(inches: float, *more: Doc) -> list[Doc]:
    """A in a corner that two enemies shut but for the diagonal, which is free from 2.879060 on."""
    a = red("A", 0.5, 0.5, stats={"movement": inches})
    return [a, blue("E1", 2.1, 0.6), blue("E2", 0.6, 2.1), *more]


def _round_the_gate(friend: float) -> float:
    """Length of the shortest way out of that corner past a friend on the diagonal.

    It ends where F's base and the zone of E1 meet, and goes there round E1's base: two tangents
    and the arc between them.
    """
    zone, here, enemy = R + 1, (0.5, 0.5), (2.1, 0.6)
    d = math.dist(enemy, (friend, friend))
    along = (d * d + zone * zone - R * R) / (2 * d)
    off = math.sqrt(zone * zone - along * along)
    ux, uy = (friend - enemy[0]) / d, (friend - enemy[1]) / d
    end = (enemy[0] + along * ux + off * uy, enemy[1] + along * uy - off * ux)
    start = math.dist(here, enemy)
    turn = math.atan2(here[1] - enemy[1], here[0] - enemy[0]) % math.tau
    turn -= math.atan2(end[1] - enemy[1], end[0] - enemy[0]) % math.tau
    arc = turn - math.acos(R / start) - math.acos(R / zone)
    return math.sqrt(start * start - R * R) + R * arc + math.sqrt(zone * zone - R * R)


@pytest.mark.parametrize(("more", "out"), [(-1e-4, False), (1e-4, True)])
@pytest.mark.parametrize("friend", [2.6, 2.75])
def test_a_friend_beyond_the_gate_is_gone_round(friend: float, more: float, out: bool) -> None:
    inches = _round_the_gate(friend) + more
    assert 3.3 < inches < 3.6  # 2.879060 without the friend
    assert asked(corner(inches, red("F", friend, friend))) is out


def test_friends_on_both_sides_of_the_gate_leave_the_middle() -> None:
    # Just outside the gate the friends stand as far apart as a base is wide, or a bit nearer.
    for apart, out in ((2 * R + 0.01, True), (2 * R - 0.01, False)):
        c = 2.55
        off = 0.5 * apart / math.sqrt(2)
        friends = [red("F1", c + off, c - off), red("F2", c - off, c + off)]
        assert asked(corner(2.95, *friends)) is out


def test_a_friend_aside_does_not_matter() -> None:
    assert asked(corner(3.0, red("F", 5, 5)))


@pytest.mark.parametrize(("inches", "out"), [(3.05, False), (3.15, True)])
def test_a_way_out_through_mud_costs_double(inches: float, out: bool) -> None:
    # 0.2 in of mud across the gate: 2.879060 + 0.2 = 3.079060.
    c = 0.5 + 1.5 / math.sqrt(2)
    w = 0.2 / math.sqrt(2)
    strip = [[c + 3, c - 3], [c + 3 + w, c - 3 + w], [c - 3 + w, c + 3 + w], [c - 3, c + 3]]
    mud = {"id": "m", "kind": "mud", "shape": {"polygon": strip}}
    assert asked(corner(2.95), (mud,)) is False
    assert asked(corner(inches), (mud,)) is out


def test_a_way_round_mud_is_found() -> None:
    # Straight on lies mud from wall to wall but for a lane along the upper one.
    walls = (box("wall", 4, 12, 8.5, 9, id="W1"), box("wall", 4, 12, 11, 11.5, id="W2"))
    mud = box("mud", 8.2, 9.6, 9, 10.4, id="m")
    models = [red("A", 10, 9.6, stats={"movement": 1.3}), blue("E", 11.2, 9.6)]
    assert asked(models, (*walls, mud))
    models[0]["profile"]["movement"] = 0.9
    assert asked(models, (*walls, mud)) is False


@pytest.mark.parametrize(
    ("short", "out"), [(2e-6, False), (1e-5, False), (1e-3, False), (0, False), (-3e-6, True)]
)
def test_the_limit_over_difficult_ground_has_the_one_tolerance(short: float, out: bool) -> None:
    # Straight away through mud, and between two enemies over a strip of mud on either side. It ends
    # more than the tolerance beyond the inch (G-31), which costs more here than it may spend over.
    mud = (box("mud", 5, 15, 5, 15, id="m"),)
    least = 2 * (R + 1 - 1.1)
    one = red("A", 10, 10, stats={"movement": least - short})
    assert asked([one, blue("E", 11.1, 10)], mud) is out
    strips = (
        box("mud", 5, 15, 10.3, 10.7, id="m1"),
        box("mud", 5, 15, 9.3, 9.7, id="m2"),
    )
    least = math.sqrt((R + 1) ** 2 - 1.1**2) + 0.4
    two = red("A", 10, 10, stats={"movement": least - short})
    assert asked([two, blue("E1", 11.1, 10), blue("E2", 8.9, 10)], strips) is out


# Against a search at random.


def _scene(rng: Random) -> Table:
    here = (rng.uniform(0.5, 2.5), rng.uniform(0.5, 2.5))
    models = [red("A", *here, stats={"movement": rng.choice([1.0, 1.6, 2.2, 3.0])})]
    spots = [here]
    for k in range(rng.choice([6, 15, 40, 80])):
        x, y = rng.uniform(0.5, 5.5), rng.uniform(0.5, 5.5)
        if k < 2:
            angle, far = rng.uniform(0, math.tau), rng.uniform(0.985, 1.95)
            x, y = here[0] + far * math.cos(angle), here[1] + far * math.sin(angle)
        if min(x, y) >= 0.5 and all(math.dist((x, y), p) > R for p in spots):
            spots.append((x, y))
            make = blue if k < 2 or rng.random() < 0.12 else red
            models.append(make(f"M{k}", x, y))
    terrain = []
    for k in range(rng.randint(0, 4)):
        x, y, w, d = rng.uniform(0, 6), rng.uniform(0, 6), rng.uniform(0.2, 2), rng.uniform(0.2, 2)
        kind = rng.choice(["wall", "mud", "mud"])
        clear = all(not (x - R < p < x + w + R and y - R < q < y + d + R) for p, q in spots)
        if kind == "mud" or clear:
            terrain.append(box(kind, x, x + w, y, y + d, id=f"P{k}"))
    direction = "directly_away" if rng.random() < 0.15 else "any"
    return Table(models, terrain, retreat_direction=direction)


def _legal(table: Table, path: LegPath) -> bool:
    state, body = table.state, table.body()
    held = tuple(enemy.id for enemy in holding(state, body))
    walk = Walk("A", path, movement(state, body), "retreat", held)
    return not BOOK.check(Walk, Context(state, walk, None))[0]


def _found_at_random(table: Table, rng: Random, tries: int) -> LegPath | None:
    """A legal retreat of one or two legs, to an end anywhere or close beside a friend."""
    state, body = table.state, table.body()
    reach = movement(state, body)
    enemies, friends = list(state.enemies(body)), list(state.friends(body))
    for k in range(tries):
        angle, far = rng.uniform(0, math.tau), reach * math.sqrt(rng.random())
        x, y = body.x + far * math.cos(angle), body.y + far * math.sin(angle)
        if friends and k % 3 == 0:
            near, room = rng.choice(friends), R + rng.choice([0.0, 1e-3, 0.05])
            x, y = near.x + room * math.cos(angle), near.y + room * math.sin(angle)
        free = all(math.dist((x, y), friend.centre) >= R - 1e-6 for friend in friends)
        if not free or any(gap(body.at(x, y), enemy) <= 1 for enemy in enemies):
            continue
        by = (body.x + rng.uniform(-1, 1) * reach * 0.7, body.y + rng.uniform(-1, 1) * reach * 0.7)
        for path in ((Leg(to=(x, y)),), (Leg(to=by), Leg(to=(x, y)))):
            if _legal(table, path):
                return path
    return None


def test_no_way_out_means_none_and_a_way_out_is_legal(budget: Callable[[int, int], int]) -> None:
    ways, bent, none = 0, 0, 0
    for seed in range(budget(40, 1500)):
        rng = Random(seed)
        table = _scene(rng)
        body = table.body()
        if not holding(table.state, body):
            continue
        found = way_out(table.state, body, movement(table.state, body))
        if found.possible:
            assert found.path is not None, f"seed {seed}: undecided"
            assert _legal(table, found.path), seed
            ways, bent = ways + 1, bent + (len(found.path) > 1)
        else:
            assert _found_at_random(table, rng, 800) is None, seed
            none += 1
    assert ways > 5
    assert bent > 1
    assert none > 5
