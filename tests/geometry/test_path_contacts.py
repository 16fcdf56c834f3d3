"""Contacts along a path: hand figures, and the same yes or no as the kernels."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from tapeline.errors import ShapeError
from tapeline.geometry.discs.contacts import contacts
from tapeline.geometry.discs.field import Field
from tapeline.geometry.plane.legs import Arc, Line, Path

from .test_field_discs import random_field


def test_first_contact_and_stretch_by_hand() -> None:
    field = Field.of(
        width=30,
        depth=30,
        posts=[(10.0, 10.0, 1.0)],
        bodies={"a": (16.0, 11.5, 0.5)},
        walls=[(20.0, 10.4, 20.0, 15.0)],
    )
    path = Path((Line(5.0, 10.0, 15.0, 10.0), Line(15.0, 10.0, 25.0, 10.0)))
    post, wall = contacts(field, path, 0.5)
    assert (post.kind, post.which) == ("post", 0)
    assert math.isclose(post.first, 3.5)
    assert math.isclose(post.spans[0][1], 6.5)
    assert math.isclose(post.gap, -1.5)
    assert (wall.kind, wall.which) == ("wall", 0)
    assert math.isclose(wall.gap, -0.1)
    assert math.isclose(wall.first, 15.0 - 0.3)
    assert math.isclose(wall.travelled, 15.0)


def test_sides_of_the_table() -> None:
    field = Field.of(width=10, depth=8)
    (left,) = contacts(field, Path((Line(2.0, 4.0, 0.2, 4.0),)), 0.5)
    assert (left.kind, left.which) == ("edge", "left")
    assert math.isclose(left.gap, -0.3)
    assert math.isclose(left.first, 1.5)
    (top,) = contacts(field, Path((Arc(5.0, 6.0, 1.8, 0.0, math.pi),)), 0.5)
    assert top.which == "top"
    assert math.isclose(top.gap, -0.3)
    assert math.isclose(top.at[0], 5.0)
    assert contacts(field, Path((Line(0.5, 0.5, 9.5, 7.5),)), 0.5) == []
    (bottom,) = contacts(field, Path((Arc(5.0, 2.0, 1.8, 0.0, -math.pi),)), 0.5)
    assert bottom.which == "bottom"
    (right,) = contacts(field, Path((Arc(8.0, 4.0, 1.8, -1.0, 2.0),)), 0.5)
    assert right.which == "right"
    assert math.isclose(right.at[1], 4.0)


def test_nothing_near() -> None:
    path = Path((Line(0, 0, 1, 0),))
    assert contacts(Field.of(posts=[(10.0, 0.0, 1.0)]), path, 0.5) == []
    with pytest.raises(ShapeError):
        contacts(Field.of(), path, -1.0)


def test_a_path_is_followed_when_it_has_no_contacts(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(41)
    said = {True: 0, False: 0}
    for _ in range(budget(60, 5000)):
        field = random_field(rng, 8)
        a = (rng.uniform(1, 29), rng.uniform(1, 29))
        b = (a[0] + rng.uniform(-4, 4), a[1] + rng.uniform(-4, 4))
        arc = Arc(a[0] - 2.0, a[1], 2.0, 0.0, rng.uniform(-5, 5))
        path = Path((Line(*b, *a), arc)) if rng.random() < 0.5 else Path((Line(*b, *a),))
        answer = field.follows(path, 0.4)
        said[answer] += 1
        assert answer == (not contacts(field, path, 0.4))
    assert min(said.values()) > 5
