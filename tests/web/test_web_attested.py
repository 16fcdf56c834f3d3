"""What one side tells of the real table counts when the other agrees, or has had time to object."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest

import tapeline as tl
from clauses.mordheim.staging import blue, red
from support.playing import battles_along
from support.scenarios import systems
from tapeline.engine.events import TurnChanged
from web.conftest import Start
from web.inside import Inside, Page
from web.test_web_api_matches import near

Doc = dict[str, Any]


def shooting() -> Doc:
    """Red shoots; a second model of blue stands by."""
    return {
        "format": "tapeline-scene/1",
        "system": "mordheim",
        "table": {"width": 48, "depth": 48, "unit": "in"},
        "sides": [{"id": "red"}, {"id": "blue"}],
        "models": [
            red(10, 10),
            red(10, 14, body_id="A2"),
            blue(20, 10),
            blue(20, 14, body_id="E2"),
        ],
        "turn": {"active": "red", "initiative": "red", "phase": "shooting"},
    }


def gone(page: Page) -> list[str]:
    return [figure["id"] for figure in page.match["board"]["gone"]]


def test_a_result_waits_for_the_other_side(inside: Inside) -> None:
    one, other, watch = inside.begin(scene=shooting(), mode="links")
    done = one.act("shoot", actor="A", target="E", result="out")
    assert (done["written"], done["verdict"], gone(watch)) == (False, None, [])
    (plan,) = other.match["proposals"]
    assert (plan["what"], plan["by"], plan["waits_for"]) == ("attest", "red", ["blue"])
    assert plan["text"] == "Shoot A on E, result: out of action"
    assert 0 < plan["seconds"] <= 30
    path = f"proposals/{plan['id']}"
    for page in (one, watch):
        answer = page.post(path, version=0, accept=True)
        assert answer.status_code == 403, "the other side is asked"
    agreed = other.agree(done)
    assert agreed["written"]
    assert gone(watch) == ["E"]
    line = watch.match["log"][0]
    assert (line["by"], line["what"], watch.match["proposals"]) == ("red", "action", [])


def aiming() -> Doc:
    """Red shoots in Trench Crusade, which has chances for it."""
    models = [
        {"id": one, "side": side, "profile": "Azeb", "position": [x, 10], "base": {"round": 1}}
        for one, side, x in (("A", "red", 10), ("E", "blue", 20))
    ]
    return {**shooting(), "system": "trench-crusade", "models": models, "turn": {"active": "red"}}


def test_chance_decides_where_nobody_has_dice_at_hand(inside: Inside) -> None:
    results = set()
    for _ in range(12):
        page, *_ = inside.begin(scene=aiming(), mode="hotseat")
        page.act("activate", actor="A")
        (control,) = (
            c for c in page.get("controls", of="A").json() if c["action"]["kind"] == "shoot"
        )
        (extra,) = (extra for extra in control["extras"] if extra["name"] == "result")
        assert extra["options"][-1] == {"value": extra["chance"], "text": "By chance"}
        shot = {"kind": "shoot", "actor": "A", "weapon": "rifle", "target": "E"}
        tried = page.post("judge", action={**shot, "result": "by chance"})
        assert tried.json()["kind"] == "LEGAL"
        assert page.post("odds", action={**shot, "result": "by chance"}).status_code == 200
        done = page.act(**shot, result="by chance")
        assert done["written"]
        line = page.match["log"][-1]
        result = line["action"].get("result", "miss")
        assert line["title"] == "Shoot A on E" + ": miss" * (result == "miss")
        results.add(result)
    assert {"miss"} < results <= {"miss", "minor", "down", "out"}


def test_chance_decides_when_the_other_side_has_agreed(inside: Inside) -> None:
    one, other, _ = inside.begin(scene=aiming(), mode="links")
    one.act("activate", actor="A")
    shot = {"kind": "shoot", "actor": "A", "weapon": "rifle", "target": "E"}
    done = one.act(**shot, result="by chance")
    assert not done["written"]
    assert other.match["proposals"][0]["text"] == "Shoot A on E, by chance"
    assert other.agree(done)["written"]


def test_who_objects_stops_it_and_who_told_it_takes_it_back(inside: Inside) -> None:
    one, other, _ = inside.begin(scene=shooting(), mode="links")
    for page in (other, one):
        done = one.act("shoot", actor="A", target="E", result="stunned")
        path = f"proposals/{done['proposal']['id']}"
        assert not page.done(page.post(path, version=0, accept=False))["written"]
        assert other.match["proposals"] == []
        assert other.post(path, version=0, accept=True).status_code == 404
    assert one.version == 0


def test_what_tells_nothing_and_what_is_illegal_waits_for_nobody(inside: Inside) -> None:
    one, other, _ = inside.begin(scene=shooting(), mode="links")
    assert one.act("shoot", actor="A", target="E")["written"]
    assert one.match["log"][-1]["title"] == "Shoot A on E: nothing"
    refused = one.act("shoot", actor="A2", target="A", result="out")
    assert (refused["written"], refused["proposal"]) == (False, None)
    assert refused["verdict"]["findings"][0]["clause"] == "MH-SHOOT-1"
    assert other.post("actions", version=1, action=OUT).status_code == 403


OUT = {"kind": "shoot", "actor": "A", "target": "E", "result": "out"}


def test_after_the_time_to_object_it_goes_on_without_a_word(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start(object_seconds=60)
    one, other, _ = server.begin(scene=shooting(), mode="links")
    done = one.act(**OUT)
    path = f"proposals/{done['proposal']['id']}"
    early = one.post(path, version=0, accept=True)
    assert early.status_code == 403
    assert "may object for" in early.json()["detail"]
    now = SimpleNamespace(time=lambda: time.time() + 60, monotonic=time.monotonic)
    monkeypatch.setattr("tapeline.web.hub.room.time", now)
    assert one.done(one.post(path, version=0, accept=True))["written"]
    assert gone(other) == ["E"]


def test_the_time_to_object_outlives_the_server(start: Start) -> None:
    one, _, _ = start(object_seconds=60).begin(scene=shooting(), mode="links")
    plan = one.act(**OUT)["proposal"]
    again = start().page(one.match_id, one.link)
    (kept,) = again.match["proposals"]
    assert {**kept, "seconds": 0} == {**plan, "seconds": 0}
    assert 0 < kept["seconds"] <= plan["seconds"]


def test_a_loss_that_another_side_told_is_taken_back_without_its_leave(start: Start) -> None:
    server = start(object_seconds=0.0)
    one, other, watch = server.begin(scene=shooting(), mode="links")
    done = one.act(**OUT)
    one.done(one.post(f"proposals/{done['proposal']['id']}", version=0, accept=True))
    assert other.match["undo"]["free"]
    assert other.done(other.post("undo", version=1))["written"]
    assert gone(watch) == []
    # Beyond what it lost itself it has no say: there another side had a hand in it.
    one.act("shoot", actor="A2")
    assert not other.match["undo"]["free"]


def test_dice_that_one_side_types_in_wait_too(inside: Inside) -> None:
    one, other, _ = inside.begin(scene=near(), mode="links", dice="typed")
    done = one.act("shove", actor="R1", target="B1", faces=[[6]])
    assert not done["written"]
    assert "rolled 6" in done["proposal"]["text"]
    other.agree(done)
    one.done(one.post("undo", version=2, entries=2))
    other.agree({"proposal": other.match["proposals"][0]})
    assert one.act("shove", actor="R1", target="B1")["written"], "the roll is asked for"
    wrong = one.post("answers", version=4, faces=[9])
    assert (wrong.json().get("proposal"), one.version) == (None, 4)
    told = one.answer(faces=[6])
    assert (told["written"], told["proposal"]["text"]) == (False, "red rolled 6: shove")
    assert one.done(one.post("answers", version=4, roll=True))["written"], "the server rolls"
    assert other.match["proposals"] == [], "what was proposed has lapsed"


def test_a_result_that_is_chosen_waits_too(inside: Inside) -> None:
    """The automatic hit on who breaks from a fight: its result is told by who hits."""
    foes = [
        blue(9, 10, state={"engaged": ["A"]}),
        blue(11, 10, body_id="E2", state={"engaged": ["A"]}),
    ]
    scene = shooting() | {
        "models": [red(10, 10, state={"engaged": ["E", "E2"]}), *foes],
        "turn": {"active": "red", "initiative": "red", "phase": "hand-to-hand"},
    }
    one, other, _ = inside.begin(scene=scene, mode="links", dice="typed")
    one.act("end_phase")
    other.agree(one.answer(faces=[6, 6]))
    assert other.match["question"]["by"] == "blue"
    assert other.match["question"]["options"][-1]["text"] == "By chance"
    told = other.answer(value="by chance")
    assert told["proposal"]["text"].endswith(": by chance")
    told = other.answer(value="out")
    assert "chose out of action" in told["proposal"]["text"]
    assert other.answer(value="nothing")["written"]
    one.agree(other.answer(value="out"))
    assert gone(other) == ["A"]


def test_at_one_device_nothing_waits(inside: Inside) -> None:
    both, _ = inside.begin(scene=shooting())
    assert both.act(**OUT)["written"]
    both, _ = inside.begin(scene=near(), dice="typed")
    assert both.act("shove", actor="R1", target="B1", faces=[[6]])["written"]


def in_every_phase(battles: Iterable[tl.Battle]) -> Iterator[tl.Battle]:
    for battle in battles:
        yield battle
        for phase in battle.system.phases:
            with suppress(tl.DocumentError):
                yield battle.override([TurnChanged(phase=phase)])


def attesting() -> Iterator[tuple[str, str, bool]]:
    """Kinds of action that controls say are attested, and whether the actions know it."""
    for name in systems():
        for battle in in_every_phase(battles_along(name)[::30]):
            for of in [*battle.state.bodies][:6] + [*battle.state.units][:2]:
                for control in battle.system.controls(battle.state, of):
                    if control.group == "attest":
                        kind = str(control.action["kind"])
                        yield name, kind, bool(battle.system.actions[kind].attests)


@pytest.mark.usefixtures("toy")
@pytest.mark.compiled
def test_what_controls_call_attested_is_told_by_actions_that_know_it() -> None:
    found = set(attesting())
    assert {kind for _, kind, known in found if known} >= {"drive_back", "retreat"}
    assert [(name, kind) for name, kind, known in found if not known] == []
