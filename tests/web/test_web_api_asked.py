"""What is asked and changes nothing, files, and what is not told."""

from __future__ import annotations

import asyncio
import json
import re
from types import SimpleNamespace
from typing import Any

import pytest

from support.scenes import toy_scene
from tapeline.errors import DocumentError, Fault
from tapeline.play.cases import read_cases, run_case
from tapeline.play.match import Match
from tapeline.table.json_documents import parse_json
from tapeline.web.api.calls import Asking
from tapeline.web.work.faults import StaleVersionError
from web.inside import Inside, Page


@pytest.fixture(scope="module")
def trench(inside: Inside) -> list[Page]:
    """Red, blue and an onlooker; red has a model active."""
    pages = inside.begin(example="trench-two-lines", mode="links")
    mover = next(f for f in pages[0].match["board"]["figures"] if f["side"] == "red")
    assert pages[0].act("activate", actor=mover["id"])["written"]
    return pages


def active(page: Page) -> dict[str, Any]:
    figures = page.match["board"]["figures"]
    found: dict[str, Any] = next(f for f in figures if f["side"] == "red")
    return found


def test_every_question_is_answered_and_nothing_changes(trench: list[Page]) -> None:
    red, blue, watch = trench
    body, version = active(red), red.version
    x, y = body["x"], body["y"]
    move = {"kind": "move", "actor": body["id"], "path": [{"to": [x + 1, y]}]}
    enemy = next(f["id"] for f in red.match["board"]["figures"] if f["side"] == "blue")
    for page in (red, watch):
        verdict = page.done(page.post("judge", action=move))
        assert verdict["legal"], verdict
        assert verdict["moved"][0]["body"] == body["id"]
        reach = page.done(page.get("reach", body=body["id"], kind="move"))
        assert reach["bands"][0]["rings"]
        route = page.done(page.get("route", body=body["id"], kind="move", x=x + 1, y=y))
        assert route["cost"] == pytest.approx(1, abs=0.01)
        odds = page.done(page.post("odds", action=move))
        assert sum(o["chance"] for o in odds["outcomes"]) == pytest.approx(1)
        tape = page.done(page.get("tape", a=body["id"], bx=x + 5, by=y))
        assert tape["centres"] == pytest.approx(5)
        assert page.done(page.get("tape", a=body["id"], b=enemy))["bases"] > 0
        assert "sees" in page.done(page.get("sight", a=body["id"], b=enemy))
        assert page.done(page.get("controls", of=body["id"]))
    route = blue.done(blue.get("route", body=body["id"], kind="move", x=1, y=1))
    assert route is None
    assert red.version == version


def test_what_is_asked_about_a_version_that_is_past_is_stale(
    inside: Inside, trench: list[Page]
) -> None:
    red = trench[0]
    home, query = f"/api/matches/{red.match_id}", {"body": active(red)["id"], "kind": "move"}

    def status(path: str, version: int, **query: str) -> int:
        headers = {"Authorization": f"Bearer {red.token}", "Tapeline-Version": str(version)}
        return inside.client.get(f"{home}/{path}", params=query, headers=headers).status_code

    now = red.version
    assert [status("reach", n, **query) for n in (now - 1, now)] == [409, 200]
    assert status("reach", now - 1, body="nobody") == 409, "whatever else is wrong with it"
    assert status(f"at/{now}", now - 1) == 200

    headers = {"Authorization": f"Bearer {red.token}", "Tapeline-Version": str(now - 1)}
    headers |= {"Tapeline-Refusals": "told"}
    told = inside.client.get(f"{home}/reach", params=query, headers=headers)
    assert (told.status_code, told.headers["tapeline-status"]) == (200, "409")
    assert "has moved on" in told.json()["detail"]
    lost = inside.client.get("/api/matches/none/reach", params=query, headers=headers)
    assert lost.status_code == 404, "only what belongs to play is told so"


def test_a_refusal_out_of_a_deed_under_way_is_stale() -> None:
    async def refused(*_: Any) -> bytes:
        raise DocumentError("odds", [Fault("action", "is for another state")])

    async def asked() -> None:
        room: Any = SimpleNamespace(lock=asyncio.Lock(), version=3)
        hub: Any = SimpleNamespace(ask=refused)
        nobody: Any = None
        asking = Asking(hub, room, nobody, version=3)
        async with room.lock:
            answer = asyncio.create_task(asking.ask("odds"))
            await asyncio.sleep(0.01)
            room.version = 4  # It is kept now.
        with pytest.raises(StaleVersionError):
            await answer

    asyncio.run(asked())


def test_the_board_of_every_version_and_judging_again(trench: list[Page]) -> None:
    red = trench[0]
    for n in range(red.version + 1):
        board = red.done(red.get(f"at/{n}"))
        assert board["terrain"] is None
    assert board["hash"] == red.match["board"]["hash"]
    assert red.get("at/99").status_code == 422
    assert red.get("at/-1").status_code == 422
    again = red.done(red.post("judge-again/1"))
    assert again == {"same": True, "message": "The referee rules as before."}
    assert red.post("judge-again/0").status_code == 422
    assert red.post("judge-again/99").status_code == 422


def test_judging_again_after_undo_and_override(inside: Inside) -> None:
    both, _ = inside.begin(scene=toy_scene())
    both.act("move", actor="R1", path=[{"to": [5, 6]}])
    both.done(both.post("undo", version=1))
    fly = {"event": "marked", "body": "R1", "changes": {"flying": True}}
    plan = both.done(both.post("overrides", version=2, events=[fly], reason="so"))["proposal"]
    both.done(both.post(f"proposals/{plan['id']}", version=2, accept=True))
    both.act("move", actor="R1", path=[{"to": [5, 6]}])
    said = [both.done(both.post(f"judge-again/{n}")) for n in (1, 2, 3, 4)]
    assert [one["same"] for one in said] == [True] * 4
    assert "Settled by the players" in said[2]["message"]


def test_an_entry_that_the_rules_do_not_give_is_found(inside: Inside) -> None:
    both, _ = inside.begin(scene=toy_scene())
    both.act("move", actor="R1", path=[{"to": [5, 6]}])
    lines = both.get("log").text.splitlines()
    forged = Match.start(toy_scene())
    forged.do({"kind": "move", "actor": "R1", "path": [{"to": [5, 7]}]})
    entry = json.loads([*forged.lines()][1])
    entry["action"]["path"] = [{"to": [5, 6]}]
    again, _ = inside.begin(log="\n".join([lines[0], json.dumps(entry)]))
    found = again.done(again.post("judge-again/1"))
    assert not found["same"]
    assert found["message"].startswith("Entry 1: ")


def test_files_are_what_the_commands_read(trench: list[Page], tmp_path: Any) -> None:
    red = trench[0]
    log = red.get("log")
    assert Match.replay(log.text.splitlines()).battle.hash == red.match["board"]["hash"]
    assert "attachment" in log.headers["content-disposition"]
    scene = red.done(red.get("scene"))
    assert Match.start(scene).battle.hash == red.match["board"]["hash"]
    before = red.done(red.get("scene", n=0))
    assert Match.start(before).battle.hash == red.done(red.get("at/0"))["hash"]
    path = tmp_path / "case.json"
    path.write_text(red.get("case", n=1).text)
    assert all(not step.wrong for step in run_case(read_cases(path)[0], path).steps)
    svg = red.get("picture.svg", n=1)
    assert svg.headers["content-type"] == "image/svg+xml"
    assert svg.text.lstrip().startswith("<svg")
    png = red.get("picture.png")
    assert png.content.startswith(b"\x89PNG")
    for name in ("scene", "case", "picture.svg", "picture.png"):
        assert red.get(name, n=99).status_code == 422


def test_no_scene_is_taken_over_an_open_question(inside: Inside) -> None:
    from web.test_web_api_matches import near

    both, _ = inside.begin(scene=near(), dice="typed")
    both.act("shove", actor="R1", target="B1")
    assert both.get("scene").status_code == 422
    assert both.get("scene", n=0).status_code == 200
    assert both.get("log").status_code == 200
    assert both.done(both.get("controls", of="R1")) == []


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("reach", {}),
        ("reach", {"body": "nobody"}),
        ("reach", {"body": "r-1", "kind": "teleport"}),
        ("reach", {"body": "r-1", "storey": 1.5}),
        ("route", {"body": "r-1", "x": "nan", "y": 1}),
        ("route", {"body": "r-1", "x": "inf", "y": 1}),
        ("route", {"body": "r-1", "x": 1e300, "y": 1}),
        ("route", {"body": "r-1", "x": 1}),
        ("tape", {}),
        ("tape", {"a": "r-1"}),
        ("tape", {"a": "r-1", "ax": 1, "b": "r-2"}),
        ("tape", {"a": "r-1", "b": "nobody"}),
        ("sight", {"a": "r-1"}),
        ("sight", {"a": "r-1", "b": "nobody"}),
        ("controls", {"of": "nobody"}),
        ("controls", {"of": "x" * 1000}),
        ("at/x", {}),
        ("case", {"n": 0}),
        ("picture.svg", {"n": -1}),
        ("", {"since": -1}),
        ("", {"since": "x"}),
    ],
)
def test_questions_that_make_no_sense(trench: list[Page], path: str, query: dict[str, Any]) -> None:
    answer = trench[0].get(path, **query)
    assert answer.status_code == 422, answer.text
    assert all(set(fault) == {"path", "message"} for fault in answer.json()["detail"])


def test_a_stand_is_laid_flush_by_whoever_asks(inside: Inside) -> None:
    pages = inside.begin(example="warmaster-dale", mode="links")
    groups = pages[0].match["board"]["groups"]
    one, two = next(group["members"] for group in groups if len(group["members"]) > 1)[:2]
    figures = {figure["id"]: figure for figure in pages[0].match["board"]["figures"]}
    across = (figures[one]["width"] + figures[two]["width"]) / 2
    stand = {"body": one, "x": 0.2, "y": across + 0.3, "facing": 0.0}
    others = [{"body": two, "x": 0.0, "y": 0.0, "facing": 0.0}]
    for page in pages:
        laid = page.done(page.post("flush", stand=stand, others=others, near=1.0))
        assert laid == {"x": pytest.approx(0), "y": pytest.approx(across), "against": two}
    for wrong in (
        {"stand": {**stand, "body": "nobody"}, "others": others, "near": 1.0},
        {"stand": {**stand, "x": 1e9}, "others": others, "near": 1.0},
        {"stand": stand, "others": others, "near": -1.0},
        {"stand": stand, "others": others * 201, "near": 1.0},
        {"stand": stand},
    ):
        assert pages[0].post("flush", **wrong).status_code == 422


# Copies


def test_a_copy_is_a_match_of_its_own(trench: list[Page], inside: Inside) -> None:
    red = trench[0]
    made = red.post("copy", at=1)
    assert made.status_code == 201
    links = made.json()["links"]
    assert [link["role"] for link in links] == ["both", "watch"]
    copy = inside.page(made.json()["id"], links[0])
    assert copy.match["copy_of"] == red.match_id
    assert copy.match["board"]["hash"] == red.done(red.get("at/1"))["hash"]
    body = active(red)
    path = [{"to": [body["x"] + 1, body["y"]]}]
    assert copy.act("move", actor=body["id"], path=path)["written"]
    assert red.version == 1
    assert red.get("").json()["copy_of"] is None
    assert red.post("copy", at=5).status_code == 422


# What is not told


def test_mordheim_tells_no_reach_no_tape_and_no_odds_before_charges(inside: Inside) -> None:
    red, other, watch = inside.begin(example="mordheim-street-block", mode="links")
    figures = red.match["board"]["figures"]
    mine = next(f for f in figures if f["side"] == red.link["side"])
    theirs = next(f for f in figures if f["side"] != red.link["side"])
    charge = {"kind": "declare_charge", "actor": mine["id"], "targets": [theirs["id"]]}
    for page in (red, other, watch):
        for answer in (
            page.get("reach", body=mine["id"], kind="run"),
            page.get("tape", a=mine["id"], b=theirs["id"]),
            page.post("odds", action=charge),
        ):
            assert answer.status_code == 403, answer.text
            body = answer.json()
            assert body["findings"], body
            assert all(re.match(r"MH-", f["clause"]) for f in body["findings"])
            assert not re.search(r"\d\.\d", answer.text), "no figure in a refusal"
    copied = red.post("copy", at=0)
    assert copied.status_code == 403, "on a copy one could try what may not be measured"


def test_no_secret_is_in_any_answer_or_file_but_the_first(
    start: Any, tmp_path: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    server = start()
    pages = server.begin(example="trench-two-lines", mode="links")
    tokens = [page.token for page in pages]
    red = pages[0]
    body = active(red)
    texts: list[str] = []
    for page in pages:
        for path in ("", "log", "scene", "controls", "at/0", "picture.svg"):
            answer = page.get(path)
            texts.append(answer.text + str(answer.headers))
        texts.append(page.post("judge", action={"kind": "activate", "actor": body["id"]}).text)
        with page.live() as live:
            texts.append(json.dumps(live.hear("now")))
    texts.append(server.client.get("/api/openapi.json").text)
    out, err = capfd.readouterr()
    texts += [out, err]
    server.hub.store.engine.dispose()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    seed = server.hub.store.match(red.match_id).seed
    for secret in (*tokens, seed):
        assert not any(secret in text for text in texts)
    for token in tokens:
        assert token.encode() not in kept, "links are kept as hashes"


@pytest.mark.parametrize("token", ["x", "wrong" * 6, "\u00fc\u00fc", "x" * 5000])
def test_without_the_secret_a_match_is_as_good_as_none(inside: Inside, token: str) -> None:
    both, _ = inside.begin(scene=toy_scene())
    headers = {"authorization": f"Bearer {token}".encode()}
    real = inside.client.get(f"/api/matches/{both.match_id}", headers=headers)
    none = inside.client.get("/api/matches/0000000000000000", headers=headers)
    assert real.status_code == none.status_code == 404
    assert real.json() == none.json()
    other, _ = inside.begin(scene=toy_scene())
    headers = {"authorization": f"Bearer {other.token}".encode()}
    assert inside.client.get(f"/api/matches/{both.match_id}", headers=headers).status_code == 404
    assert inside.client.get(f"/api/matches/{both.match_id}").status_code == 404


def test_the_document_of_a_match_is_strict_json(trench: list[Page]) -> None:
    for page in trench:
        parse_json(page.get().text, "match")
