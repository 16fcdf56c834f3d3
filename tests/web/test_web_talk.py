"""Two people at a table: what they say, where they point, how a match ends and begins again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from tapeline.errors import LogError, MatchOverError
from tapeline.play.entries import Result
from tapeline.play.match import Match, rereferee
from tapeline.web.hub import room as clocks
from web.inside import Inside, Page, generous


@pytest.fixture(scope="module")
def table() -> Iterator[Inside]:
    server = Inside(generous(remarks_a_minute=6, remarks=4))
    yield server
    server.stop()


@pytest.fixture
def pages(table: Inside) -> list[Page]:
    return table.begin(example="trench-two-lines", mode="links")


def test_what_is_said_is_heard_kept_and_bounded(pages: list[Page]) -> None:
    red, blue, watch = pages
    with blue.live() as live:
        said = red.post("talk", text=" <b>Well\tmet</b>\n\x1b[2J ")
        assert said.status_code == 201
        assert said.json()["text"] == "<b>Well met</b> \\u001b[2J"
        assert said.json()["by"] == red.link["side"]
        assert live.hear("talk")["remarks"] == [said.json()]
        assert red.post("pointing", x=12, y=7.5).status_code == 204
        pointed = live.hear("look")["pointed"]
        assert (pointed["x"], pointed["y"], pointed["by"]) == (12, 7.5, red.link["side"])
    for n in range(4):
        assert blue.post("talk", text=f"word {n}").status_code == 201
    heard = watch.get("talk").json()
    assert [one["n"] for one in heard] == [2, 3, 4, 5], "no more than are kept"
    assert [one["text"] for one in watch.get("talk", after=4).json()] == ["word 3"]
    for path, body in (("talk", {"text": "hear me"}), ("pointing", {"x": 1, "y": 1})):
        assert watch.post(path, **body).status_code == 403
    for text in ("", " \n", "x" * 401):
        assert red.post("talk", text=text).status_code == 422
    assert red.post("pointing", x=1e5, y=0).status_code == 422
    assert [blue.post("talk", text="more").status_code for _ in range(4)][-1] == 429


def test_what_was_said_outlasts_the_server_and_onlookers_may_be_let_speak(tmp_path: Path) -> None:
    kept = f"sqlite:///{tmp_path / 'matches.db'}"
    first = Inside(generous(kept, onlookers_talk=True))
    watch = first.begin(example="sovl-ford", mode="links")[2]
    watch.post("talk", text="good luck to both")
    first.stop()
    second = Inside(generous(kept))
    watch.server = second
    with watch.live() as live:
        (remark,) = live.hear("talk")["remarks"]
    assert (remark["by"], remark["text"]) == ("watch", "good luck to both")
    second.stop()


def test_a_side_gives_up_and_nothing_is_done_any_more(pages: list[Page]) -> None:
    red, blue, watch = pages
    assert watch.post("ending", version=0, how="resign").status_code == 403
    assert red.post("ending", version=0, how="resign", side=blue.link["side"]).status_code == 403
    done = red.done(red.post("ending", version=0, how="resign"))
    assert done["match"]["over"] == "The Ninth Vigil gave up: Saltmarsh Legion won."
    assert done["match"]["controls"] == []
    body = {"version": 1, "action": {"kind": "activate", "actor": "b-captain"}}
    refused = blue.post("actions", **body)
    assert refused.status_code == 403
    assert "The match is over. The Ninth Vigil gave up" in refused.json()["detail"]
    log = watch.get("log").text.splitlines()
    match, mismatch = rereferee(log)
    assert mismatch is None
    assert match.result == Result("resigned", winner=blue.link["side"], loser=red.link["side"])
    with pytest.raises(MatchOverError):
        match.do({"kind": "activate", "actor": "r-captain"})
    # Taken back, if the other side agrees.
    blue.agree(red.done(red.post("undo", version=1)))
    assert red.match["over"] is None
    assert Match.replay(watch.get("log").text.splitlines()).result is None
    red.act("activate", actor="r-captain")


def test_no_entry_follows_a_result() -> None:
    match = Match.start("examples/trench-two-lines.json")
    match.do({"kind": "activate", "actor": "r-captain"})
    other = match.upto(0)
    other.finish(Result("draw"))
    header, drawn = other.lines()
    _, done = match.lines()
    with pytest.raises(LogError, match="the match had ended before it"):
        Match.replay([header, drawn, done.replace('"n":1', '"n":2')])


def test_a_draw_is_agreed_on_and_the_same_links_play_again(pages: list[Page]) -> None:
    red, blue, watch = pages
    red.act("activate", actor="r-captain")
    offered = red.done(red.post("ending", version=1, how="draw"))
    assert not offered["written"]
    # Who offers what is offered takes it.
    drawn = blue.done(blue.post("ending", version=1, how="draw"))
    assert drawn["match"]["over"] == "A draw, as agreed."
    assert not drawn["match"]["proposals"]
    assert watch.match["log"][-1]["title"] == "A draw, as agreed."

    asked = blue.done(blue.post("ending", version=2, how="rematch"))
    again = red.agree(asked)["match"]["rematch"]
    assert again
    assert watch.match["rematch"] == again
    assert blue.post("ending", version=2, how="rematch").status_code == 403
    for page in pages:
        page.match_id = again
    assert red.version == 0
    assert red.match["over"] is None
    assert red.match["you"]["sides"] == [red.link["side"]]
    red.act("activate", actor="r-captain")
    assert watch.post("ending", version=1, how="draw").status_code == 403


def test_time_runs_while_the_other_side_waits_and_may_end_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It passes when the test says so.
    now = [time.monotonic()]
    monkeypatch.setattr(clocks, "time", SimpleNamespace(monotonic=lambda: now[0]))
    kept = f"sqlite:///{tmp_path / 'matches.db'}"
    server = Inside(generous(kept))
    clock = {"minutes": 2.0, "increment": 5.0, "enforce": True}
    red, blue, _ = server.begin(example="trench-two-lines", mode="links", clock=clock)
    sides = red.link["side"], blue.link["side"]
    assert red.match["clock"] == {
        "left": dict.fromkeys(sides, 120.0),
        "running": [],
        "enforce": True,
    }
    red.act("activate", actor="r-captain")
    with red.live() as here:
        assert here.hear("now")["match"]["clock"]["running"] == [], "nobody waits"
        with blue.live() as there:
            while there.hear("now")["match"]["clock"]["running"] != [sides[0]]:
                pass
            now[0] += 30.0
            red.act("end_activation", actor="r-captain")
            told = there.hear("now")["match"]["clock"]
            assert told["running"] == [sides[1]]
            assert told["left"] == {sides[0]: 95.0, sides[1]: 120.0}
            now[0] += 121.0
            over = there.hear("now")["match"]
            assert over["over"] == "Saltmarsh Legion ran out of time: The Ninth Vigil won."
            assert over["clock"]["left"][sides[1]] == 0.0
    server.stop()
    again = Inside(generous(kept))
    told = again.page(red.match_id, red.link).match["clock"]
    assert (told["left"][sides[1]], told["running"]) == (0.0, [])
    for wrong in ({"minutes": 0}, {"minutes": 1e9}, {"minutes": 5, "increment": -1}):
        new = {"example": "sovl-ford", "mode": "links", "clock": wrong}
        assert again.client.post("/api/matches", json=new).status_code == 422
    again.stop()
