"""The board to try on the start page: the same referee as in a match, and nothing is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tapeline.web.views.catalogue import demo, demo_try
from web.conftest import Start
from web.inside import Inside


def test_the_board_comes_with_how_far_its_body_may_go() -> None:
    shown = demo(Path("examples"))
    (figure,) = [one for one in shown.board.figures if one.id == shown.body]
    (band,) = shown.reach.bands
    xs = [x for ring in band.rings for x, _ in ring]
    assert min(xs) < figure.x < max(xs)
    assert shown.board.terrain
    assert demo(Path("examples")) == shown, "nothing is kept"


def test_a_drag_is_judged_and_goes_round_walls() -> None:
    folder = Path("examples")
    near = demo_try(folder, (18.0, 34.5))
    assert (near.legal, near.cost) == (True, pytest.approx(1.0))
    round_the_wall = demo_try(folder, (13.54, 36.5))
    assert round_the_wall.legal
    assert len(round_the_wall.moved[0].stretches) > 1
    far = demo_try(folder, (30.0, 34.5))
    assert not far.legal
    assert far.findings
    assert far.nearest is not None


def test_over_the_api(inside: Inside) -> None:
    shown = inside.client.get("/api/demo").json()
    assert inside.client.get("/api/demo/try", params={"x": 18.0, "y": 34.5}).json()["legal"]
    assert not inside.client.get("/api/demo/try", params={"x": 30.0, "y": 34.5}).json()["legal"]
    assert inside.client.get("/api/demo/try", params={"x": "nan", "y": 0}).status_code == 422
    assert shown["body"] in {figure["id"] for figure in shown["board"]["figures"]}


def test_without_the_scene_there_is_none(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "none"
    folder.mkdir()
    server = start(examples=folder)
    assert server.client.get("/api/demo").status_code == 404
    assert server.client.get("/api/demo/try", params={"x": 1, "y": 1}).status_code == 404
