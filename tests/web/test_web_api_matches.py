"""Playing over HTTP: deeds, questions, dice, undo and overrides, who may what."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.scenes import disc, toy_scene
from web.inside import Inside, Page

STEP = [{"to": [5, 6]}]


def near() -> dict[str, Any]:
    """Two discs within a shove of each other, and one apart."""
    models = (disc("R1", "red", 5, 5), disc("B1", "blue", 7.5, 5), disc("B2", "blue", 20, 20))
    return toy_scene(*models)


def moved(page: Page, body: str) -> tuple[float, float]:
    figure = next(f for f in page.match["board"]["figures"] if f["id"] == body)
    return figure["x"], figure["y"]


def test_a_new_match_has_a_link_a_side_and_one_for_onlookers(inside: Inside) -> None:
    pages = inside.begin(scene=toy_scene(), mode="links")
    assert [(p.link["role"], p.link["side"]) for p in pages] == [
        ("side", "red"),
        ("side", "blue"),
        ("watch", None),
    ]
    assert len({p.token for p in pages}) == 3
    assert all(len(p.token) >= 22 for p in pages), "128 bits"
    assert all(p.link["path"] == f"/t/{p.match_id}#{p.token}" for p in pages)
    assert [p.match["you"] for p in pages] == [
        {"role": "side", "sides": ["red"]},
        {"role": "side", "sides": ["blue"]},
        {"role": "watch", "sides": []},
    ]


def test_hot_seat_has_one_link_that_moves_all(inside: Inside) -> None:
    both, watch = inside.begin(scene=toy_scene())
    assert both.match["you"] == {"role": "both", "sides": ["red", "blue"]}
    assert both.act("move", actor="R1", path=STEP)["written"]
    assert both.act("done")["written"]
    assert both.act("move", actor="B2", path=[{"to": [1.5, 21]}])["written"]
    assert watch.version == 3


@pytest.mark.parametrize("mode", ["links", "hotseat"])
def test_one_deed_leads_on_through_empty_steps(inside: Inside, mode: str) -> None:
    red, *others = inside.begin(example="mordheim-gates", mode=mode)
    for kind in ("close_declarations", "end_phase"):
        assert red.act(kind)["written"]
    (control,) = red.match["controls"]
    assert [one["to"] for one in control["onward"]][-1] == "Lamplighters: movement"
    body = {"version": 2, "action": control["action"], "onward": ["red", "blue"]}
    done = red.done(red.post("actions", **body))["match"]
    titles = ["End shooting", "End the turn", "End recovery"]
    assert [(line["title"], line["by"]) for line in done["log"]] == [
        *zip(titles, ["red", "red", "blue"], strict=True)
    ]
    assert done["board"]["acting"] == ["blue"]
    if mode == "links":
        # Nobody chose anything: who led on takes it back alone, and the other not its own step.
        assert (done["undo"]["entries"], done["undo"]["free"]) == (3, True)
        other = others[0].match["undo"]
        assert (other["entries"], other["free"]) == (3, False)
        # Only through steps of who is named.
        red.done(red.post("undo", version=red.version, entries=3))
        short = red.done(red.post("actions", **{**body, "version": red.version, "onward": ["red"]}))
        assert short["match"]["board"]["phase"] == "recovery"
        # What both might end is the deed of whose turn it is, whoever is named first.
        blue = others[0]
        for kind in ("end_phase", "close_declarations", "end_phase"):
            assert blue.act(kind)["written"]
        done = blue.done(blue.post("actions", **{**body, "version": blue.version}))["match"]
        ended = [line["by"] for line in done["log"] if line["title"] == "End the turn"]
        assert ended[-1] == "blue"
        assert done["board"]["acting"] == ["red"]


def test_the_computer_leads_a_person_on_through_empty_steps(inside: Inside) -> None:
    both, _ = inside.begin(example="mordheim-gates")
    for kind in ("close_declarations", "end_phase", "end_phase"):
        assert both.act(kind)["written"]
    done = both.done(both.post("opponent", version=3, side="red", level="novice"))["match"]
    assert [(line["title"], line["by"]) for line in done["log"]] == [
        ("End the turn", "red"),
        ("End recovery", "blue"),
    ]
    assert done["board"]["phase"] == "movement"


def test_where_both_act_it_is_the_deed_of_the_side_whose_turn_it_is(inside: Inside) -> None:
    both, _ = inside.begin(example="mordheim-gates")
    turn = ["close_declarations", *["end_phase"] * 3]
    for kind in (*turn, "end_phase", *turn):
        assert both.act(kind)["written"]
    ended = [line["by"] for line in both.match["log"] if line["title"] == "End the turn"]
    assert ended == ["red", "blue"]


def test_a_legal_action_is_written_and_an_illegal_one_is_not(inside: Inside) -> None:
    both, watch = inside.begin(scene=toy_scene())
    refused = both.act("move", actor="R1", path=[{"to": [12, 12]}])
    assert not refused["written"]
    assert refused["verdict"]["kind"] == "ILLEGAL"
    assert refused["verdict"]["findings"][0]["clause"] == "TY-MOV-2"
    assert refused["verdict"]["nearest"]["how"] == "prefix"
    assert refused["match"]["version"] == 0
    done = both.act("move", actor="R1", path=STEP)
    assert done["written"]
    assert done["match"]["version"] == 1
    assert moved(watch, "R1") == (5.0, 6.0)
    line = watch.match["log"][0]
    assert (line["n"], line["what"], line["by"]) == (1, "action", "red")


def test_the_log_comes_from_where_the_page_has_it_and_terrain_once(inside: Inside) -> None:
    both, _ = inside.begin(scene=toy_scene())
    both.act("move", actor="R1", path=STEP)
    both.act("done")
    whole, rest = both.get(since=0).json(), both.get(since=1).json()
    assert [line["n"] for line in whole["log"]] == [1, 2]
    assert len(whole["board"]["terrain"]) == 2
    assert (rest["log_from"], [line["n"] for line in rest["log"]]) == (1, [2])
    assert rest["board"]["terrain"] is None
    ahead = both.get(since=9).json()
    assert ahead["log_from"] == 0, "a page that knows too much gets everything"
    assert ahead["board"]["terrain"] is not None


def test_a_match_from_a_log_goes_on_where_it_ended_question_and_all(inside: Inside) -> None:
    both, _ = inside.begin(scene=near(), dice="typed")
    both.act("shove", actor="R1", target="B1", faces=[[6]])
    log = both.get("log")
    assert log.headers["content-type"].startswith("application/x-ndjson")
    again, _ = inside.begin(log=log.text)
    assert again.match["question"] == both.match["question"]
    assert again.match["board"]["hash"] == both.match["board"]["hash"]
    assert again.answer(value="spin")["written"]
    assert again.answer(value=2)["match"]["question"] is None
    assert both.match["question"]["form"] == "one", "the first match is another"


@pytest.mark.parametrize(
    ("new", "path"),
    [
        ({}, ""),
        ({"example": "sovl-ford", "scene": {}}, ""),
        ({"example": "nowhere"}, "example"),
        ({"scene": {}}, "format"),
        ({"scene": {**toy_scene(), "system": "chess"}}, "system"),
        ({"scene": toy_scene(), "mode": "mail"}, "mode"),
        ({"scene": toy_scene(), "colour": "red"}, "colour"),
        ({"log": ""}, ""),
        ({"log": "nonsense"}, ""),
        ({"log": json.dumps({"format": "tapeline-log/1", "scene": toy_scene(), "hash": "0"})}, ""),
    ],
)
def test_what_no_match_can_begin_with(inside: Inside, new: dict[str, Any], path: str) -> None:
    answer = inside.client.post("/api/matches", json=new)
    assert answer.status_code == 422
    assert path in [fault["path"] for fault in answer.json()["detail"]]


# Who may what


def test_a_side_moves_its_own_only_and_onlookers_nobody(inside: Inside) -> None:
    red, blue, watch = inside.begin(scene=toy_scene(), mode="links")
    move = {"version": 0, "action": {"kind": "move", "actor": "R1", "path": STEP}}
    for page, words in ((blue, "not red"), (watch, "looking on")):
        answer = page.post("actions", **move)
        assert answer.status_code == 403
        assert words in answer.json()["detail"]
    ended = blue.post("actions", version=0, action={"kind": "done"})
    assert ended.status_code == 403, "the turn of red is for red to end"
    assert red.version == 0
    assert red.act("move", actor="R1", path=STEP)["written"]
    assert blue.match["log"][0]["by"] == "red"


def test_only_who_can_use_them_is_sent_the_buttons(inside: Inside) -> None:
    red, blue, watch = inside.begin(scene=toy_scene(), mode="links")
    assert [c["action"]["kind"] for c in red.match["controls"]] == ["done"]
    assert blue.match["controls"] == []
    assert watch.match["controls"] == []
    assert watch.match["undo"] is None


def test_a_question_is_answered_by_the_side_that_is_asked(inside: Inside) -> None:
    red, blue, watch = inside.begin(scene=near(), mode="links", dice="typed")
    red.act("shove", actor="R1", target="B1")
    question = blue.match["question"]
    assert (question["by"], question["form"], question["count"]) == ("red", "roll", 1)
    for page in (blue, watch):
        for given in ({"faces": [6]}, {"roll": True}):
            assert page.post("answers", version=1, **given).status_code == 403
    assert blue.agree(red.answer(faces=[6]))["match"]["question"]["form"] == "one"
    assert blue.post("answers", version=2, value="spin").status_code == 403
    done = red.answer(value="push")
    assert done["match"]["question"]["form"] == "path"
    refused = red.answer(value=[{"to": [17, 5]}])
    assert not refused["written"]
    assert refused["verdict"]["findings"][0]["clause"] == "TY-SHV-5"
    assert red.answer(value=[{"to": [10, 5]}])["written"]
    assert moved(watch, "B1") == (10.0, 5.0)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"faces": [3], "roll": True},
        {"faces": [3], "value": 1},
        {"faces": [3, 3]},
        {"faces": [7]},
        {"value": "push"},
        {"value": None},
    ],
)
def test_answers_that_are_none(inside: Inside, given: dict[str, Any]) -> None:
    both, _ = inside.begin(scene=near(), dice="typed")
    both.act("shove", actor="R1", target="B1")
    answer = both.post("answers", version=1, **given)
    refused = answer.status_code == 422 or (
        answer.status_code == 200 and not answer.json()["written"]
    )
    assert refused, answer.text
    assert both.version == 1
    assert both.match["question"]["form"] == "roll"


def test_no_question_no_answer_and_no_action_over_a_question(inside: Inside) -> None:
    both, _ = inside.begin(scene=near(), dice="typed")
    assert both.post("answers", version=0, value=1).status_code == 422
    both.act("shove", actor="R1", target="B1")
    over = both.post("actions", version=1, action={"kind": "done"})
    assert over.status_code == 422
    assert "must first give dice" in over.json()["detail"][0]["message"]


# Dice


def test_the_server_rolls_for_a_match_that_says_so(inside: Inside) -> None:
    both, _ = inside.begin(scene=near())
    done = both.act("shove", actor="R1", target="B1")
    assert done["match"]["log"][0]["dice"]
    assert done["match"]["question"] is None or done["match"]["question"]["form"] == "one"


def test_typed_dice_are_taken_in_order_and_the_rest_is_asked_for(inside: Inside) -> None:
    both, _ = inside.begin(scene=near(), dice="typed")
    missed = both.act("shove", actor="R1", target="B1", faces=[[1]])
    assert missed["match"]["question"] is None
    assert "B1 holds." in json.dumps(missed["match"]["log"])
    too_many = both.post(
        "actions",
        version=both.version,
        action={"kind": "shove", "actor": "R1", "target": "B1"},
        faces=[[1], [2]],
    )
    assert too_many.status_code == 422
    bad = both.post(
        "actions",
        version=both.version,
        action={"kind": "shove", "actor": "R1", "target": "B1"},
        faces=[[9]],
    )
    assert bad.status_code == 422
    assert both.match["version"] == missed["match"]["version"], "neither left a trace"
    rolled = both.act("shove", actor="R1", target="B1")
    assert rolled["match"]["question"]["form"] == "roll"
    assert both.answer(roll=True)["written"], "the server may roll where somebody types"


def test_nobody_types_dice_in_where_the_server_rolls_for_two(inside: Inside) -> None:
    red, _, _ = inside.begin(scene=near(), mode="links")
    body = {"version": 0, "action": {"kind": "shove", "actor": "R1", "target": "B1"}}
    assert red.post("actions", **body, faces=[[6]]).status_code == 403
    both, _ = inside.begin(scene=near())
    assert both.act("shove", actor="R1", target="B1", faces=[[6]])["match"]["question"]


def test_the_same_seat_in_another_match_or_after_an_undo_has_other_dice(inside: Inside) -> None:
    faces: list[str] = []
    for _ in range(12):
        both, _watch = inside.begin(scene=near())
        both.act("shove", actor="R1", target="B1")
        faces.append(json.dumps(both.get("log").text.splitlines()[1].split('"roll"')[1][:5]))
    assert len(set(faces)) > 1
    both, _ = inside.begin(scene=near())
    seen = set()
    for _ in range(12):
        both.act("shove", actor="R1", target="B1")
        line = json.loads(both.get("log").text.splitlines()[-1])
        seen.add(line["answers"][0]["roll"][0])
        plan = both.done(both.post("undo", version=both.version))["proposal"]
        both.done(both.post(f"proposals/{plan['id']}", version=both.version, accept=True))
    assert len(seen) > 1, "an undone roll does not come again"


# Undo


def test_what_is_ones_own_and_without_dice_is_taken_back_at_once(inside: Inside) -> None:
    red, blue, _ = inside.begin(scene=toy_scene(), mode="links")
    assert red.match["undo"] is None, "there is nothing yet"
    red.act("move", actor="R1", path=STEP)
    assert red.match["undo"]["free"]
    assert red.match["undo"]["activation"] == 1
    assert not blue.match["undo"]["free"]
    done = red.done(red.post("undo", version=1))
    assert done["written"]
    assert done["proposal"] is None
    assert moved(blue, "R1") == (5.0, 5.0)
    assert [(line["what"], line["counts"]) for line in blue.match["log"]] == [
        ("action", False),
        ("undo", False),
    ]


def test_what_is_another_sides_is_taken_back_by_consent(inside: Inside) -> None:
    red, blue, watch = inside.begin(scene=toy_scene(), mode="links")
    red.act("move", actor="R1", path=STEP)
    proposed = blue.done(blue.post("undo", version=1))
    assert not proposed["written"]
    plan = proposed["proposal"]
    assert (plan["by"], plan["waits_for"]) == ("blue", ["red"])
    assert red.match["proposals"] == [plan]
    own = blue.post(f"proposals/{plan['id']}", version=1, accept=True)
    assert own.status_code == 403, "who proposes does not agree for the other"
    assert watch.post(f"proposals/{plan['id']}", version=1, accept=True).status_code == 403
    assert watch.post("undo", version=1).status_code == 403
    done = red.done(red.post(f"proposals/{plan['id']}", version=1, accept=True))
    assert done["written"]
    assert moved(watch, "R1") == (5.0, 5.0)
    assert watch.match["proposals"] == []
    assert red.post(f"proposals/{plan['id']}", version=2, accept=True).status_code == 404


def test_after_dice_also_ones_own_needs_consent(inside: Inside) -> None:
    red, blue, _ = inside.begin(scene=near(), mode="links")
    red.act("shove", actor="R1", target="B1")
    offer = red.match["undo"]
    assert not offer["free"]
    assert "dice were thrown" in offer["says"]
    version = red.version
    plan = red.done(red.post("undo", version=version))["proposal"]
    declined = blue.done(blue.post(f"proposals/{plan['id']}", version=version, accept=False))
    assert not declined["written"]
    assert declined["match"]["proposals"] == []
    assert red.version == version


def test_hot_seat_confirms_its_own_undo_of_dice(inside: Inside) -> None:
    both, _ = inside.begin(scene=near())
    both.act("shove", actor="R1", target="B1")
    version = both.version
    plan = both.done(both.post("undo", version=version))["proposal"]
    assert plan is not None
    assert both.done(both.post(f"proposals/{plan['id']}", version=version, accept=True))["written"]
    assert both.match["question"] is None


def test_who_proposed_may_take_it_back_and_a_new_one_takes_its_place(inside: Inside) -> None:
    red, blue, _ = inside.begin(scene=toy_scene(), mode="links")
    red.act("move", actor="R1", path=STEP)
    first = blue.done(blue.post("undo", version=1))["proposal"]
    second = blue.done(blue.post("undo", version=1))["proposal"]
    assert [plan["id"] for plan in red.match["proposals"]] == [second["id"]] != [first["id"]]
    blue.done(blue.post(f"proposals/{second['id']}", version=1, accept=False))
    assert red.match["proposals"] == []


def test_a_proposal_lapses_when_the_match_moves_on(inside: Inside) -> None:
    red, blue, _ = inside.begin(scene=toy_scene(), mode="links")
    red.act("move", actor="R1", path=STEP)
    plan = blue.done(blue.post("undo", version=1))["proposal"]
    red.act("done")
    assert red.match["proposals"] == []
    assert red.post(f"proposals/{plan['id']}", version=1, accept=True).status_code == 409
    assert red.post(f"proposals/{plan['id']}", version=2, accept=True).status_code == 404


def test_more_than_there_is_cannot_be_undone(inside: Inside) -> None:
    both, _ = inside.begin(scene=toy_scene())
    assert both.post("undo", version=0).status_code == 422
    both.act("move", actor="R1", path=STEP)
    assert both.post("undo", version=1, entries=2).status_code == 422
    assert both.post("undo", version=1, entries=0).status_code == 422


def test_an_activation_is_taken_back_whole(inside: Inside) -> None:
    both, _ = inside.begin(example="sovl-ford")
    for kind, more in (
        ("activate", {}),
        ("advance", {"distance": 1}),
        ("advance", {"distance": 1}),
    ):
        assert both.act(kind, actor="W1", **more)["written"]
    offer = both.match["undo"]
    assert (offer["activation"], offer["free"]) == (3, True)
    done = both.done(both.post("undo", version=3, entries=3))
    assert done["written"]
    assert both.match["undo"] is None


# Overrides

FLY = {"event": "marked", "body": "R1", "changes": {"flying": True}}


def test_the_table_is_changed_by_consent_and_the_log_says_why(inside: Inside) -> None:
    red, blue, watch = inside.begin(scene=toy_scene(), mode="links")
    change = {"version": 0, "events": [FLY], "reason": "bumped the table"}
    assert watch.post("overrides", **change).status_code == 403
    proposed = red.done(red.post("overrides", **change))
    assert not proposed["written"]
    plan = proposed["proposal"]
    assert (plan["what"], plan["waits_for"]) == ("override", ["blue"])
    assert "bumped the table" in plan["text"]
    assert red.post(f"proposals/{plan['id']}", version=0, accept=True).status_code == 403
    assert blue.done(blue.post(f"proposals/{plan['id']}", version=0, accept=True))["written"]
    line = watch.match["log"][0]
    assert (line["what"], line["by"], line["reason"]) == ("override", "red", "bumped the table")
    assert "agreed" in red.match["undo"]["says"]


def test_hot_seat_confirms_an_override(inside: Inside) -> None:
    both, _ = inside.begin(scene=toy_scene())
    plan = both.done(both.post("overrides", version=0, events=[FLY], reason="so it was"))
    plan = plan["proposal"]
    assert both.version == 0
    assert both.done(both.post(f"proposals/{plan['id']}", version=0, accept=True))["written"]


@pytest.mark.parametrize(
    ("events", "path"),
    [
        ([], "events"),
        ([{"event": "vanished"}], "events[0]"),
        ([FLY, {"event": "marked", "body": "X9", "changes": {"flying": True}}], "[1].body"),
        ([{"event": "marked", "body": "R1", "changes": {"wings": 2}}], "[0].changes.wings"),
        ([{**FLY, "more": 1}], "events[0]"),
        ([{"event": "moved", "body": "R1", "x": 1e300, "y": 0, "z": 0, "facing": 0}], "[0].x"),
    ],
)
def test_overrides_that_make_no_table(inside: Inside, events: list[Any], path: str) -> None:
    both, _ = inside.begin(scene=toy_scene())
    answer = both.post("overrides", version=0, events=events, reason="because")
    assert answer.status_code == 422, answer.text
    assert any(fault["path"].startswith(path) for fault in answer.json()["detail"]), answer.text
    assert both.post("overrides", version=0, events=[FLY], reason="").status_code == 422


# Versions


def test_a_page_that_is_behind_is_told_so_and_does_nothing(inside: Inside) -> None:
    both, _ = inside.begin(scene=near(), dice="typed")
    both.act("shove", actor="R1", target="B1")
    for path, body in (
        ("actions", {"action": {"kind": "done"}}),
        ("answers", {"faces": [1]}),
        ("undo", {}),
        ("overrides", {"events": [FLY], "reason": "x"}),
        ("proposals/none", {"accept": True}),
    ):
        for version in (0, 7):
            answer = both.post(path, version=version, **body)
            assert answer.status_code == 409, (path, answer.text)
            assert f"version {version}" in answer.json()["detail"]
    assert both.version == 1
