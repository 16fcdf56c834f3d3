"""Hints for who acts, by link only while all sides agree; and drawings that are shown."""

from __future__ import annotations

import json
from pathlib import Path

from web.inside import Inside, generous

EXAMPLES = Path(__file__).parents[2] / "examples"
SCENE = "trench-two-lines"
MARKS = [{"x": 3, "y": 4, "to": [9, 9.5], "look": 1}, {"x": 1, "y": 2, "z": 3, "look": 2}]


def test_one_page_for_all_is_given_hints_that_can_be_played(inside: Inside) -> None:
    page = inside.begin(example=SCENE)[0]
    assert page.match["hints"] is True
    told = page.get("hints").json()
    assert 1 <= len(told["hints"]) <= 3
    assert not told["by_eye"]
    assert len({hint["words"] for hint in told["hints"]}) == len(told["hints"])
    for hint in told["hints"]:
        assert hint["verdict"]["legal"]
        assert hint["reasons"]
    page.act(**told["hints"][0]["action"])
    assert page.version == 1
    assert page.post("hints", version=1, on=False).status_code == 403


def test_a_goal_without_a_name_is_told_by_its_zone(inside: Inside) -> None:
    scene = json.loads((EXAMPLES / "trench-well.json").read_text(encoding="utf-8"))
    for goal in scene["game"]["goals"]:
        del goal["name"]
    page = inside.begin(scene=scene)[0]
    page.act("activate", actor="red-captain")
    reasons = [reason for hint in page.get("hints").json()["hints"] for reason in hint["reasons"]]
    assert any("nearer to: The well" in reason for reason in reasons), reasons


def test_a_match_by_link_gives_none_until_all_sides_agree(tmp_path: Path) -> None:
    kept = f"sqlite:///{tmp_path / 'matches.db'}"
    server = Inside(generous(kept))
    red, blue, watch = pages = server.begin(example=SCENE, mode="links")
    assert [page.match["hints"] for page in pages] == [False] * 3
    refused = red.get("hints")
    assert (refused.status_code, "until all sides agree" in refused.text) == (403, True)
    assert watch.post("hints", version=0, on=True).status_code == 403
    asked = red.done(red.post("hints", version=0, on=True))
    assert asked["proposal"]["what"] == "hints"
    assert asked["match"]["hints"] is False
    assert red.get("hints").status_code == 403, "asking is not agreeing"
    plan = f"proposals/{asked['proposal']['id']}"
    assert red.post(plan, version=0, accept=True).status_code == 403
    assert blue.agree(asked)["match"]["hints"] is True
    assert watch.get("hints").status_code == 403
    told = {page.link["side"]: page.get("hints").status_code for page in (red, blue)}
    assert sorted(told.values()) == [200, 403], "who acts, and not who waits"
    server.stop()

    again = Inside(generous(kept))
    first, second = (red, blue) if told[red.link["side"]] == 200 else (blue, red)
    acts, other = (again.page(red.match_id, page.link) for page in (first, second))
    assert acts.get("hints").status_code == 200, "kept with the match"
    assert other.done(other.post("hints", version=0, on=False))["match"]["hints"] is False
    assert acts.get("hints").status_code == 403, "one side alone ends it"
    again.stop()


def test_no_hints_by_link_where_measures_are_hidden_and_by_eye_on_one_page(inside: Inside) -> None:
    red, blue, _ = inside.begin(example="mordheim-market", mode="links")
    for answer in (red.post("hints", version=0, on=True), blue.post("hints", version=0, on=True)):
        assert (answer.status_code, "forbids measuring ahead" in answer.text) == (403, True)
    # Not even if it had been agreed on.
    inside.hub.store.allow_hints(red.match_id, True)
    for page in (red, blue):
        assert "forbids measuring ahead" in page.get("hints").json()["detail"]
    assert "forbids measuring ahead" in red.match["no_copies"]
    page = inside.begin(example="mordheim-market")[0]
    assert page.match["no_copies"] == ""


def test_drawings_are_shown_to_all_who_are_there(inside: Inside) -> None:
    red, blue, watch = inside.begin(example=SCENE, mode="links")
    with blue.live() as live:
        live.hear("now")
        assert red.post("drawing", marks=MARKS).status_code == 204
        drawn = live.hear("sketch")["drawn"]
        assert drawn["by"] == red.link["side"]
        assert [mark["to"] for mark in drawn["marks"]] == [[9, 9.5], None]
        assert red.post("drawing", marks=[]).status_code == 204
        assert live.hear("sketch")["drawn"]["marks"] == []
    assert watch.post("drawing", marks=MARKS).status_code == 403
    for marks in ([{"x": 1e5, "y": 0}], [{"x": 1, "y": 1, "look": 3}], [MARKS[0]] * 41):
        assert red.post("drawing", marks=marks).status_code == 422
