"""A hidden set-up by links: nobody is told what the others have set up until all are ready."""

from __future__ import annotations

from typing import Any

from play.test_deployment import small
from web.inside import Inside, Page


def up(page: Page) -> list[str]:
    return [figure["id"] for figure in page.match["board"]["figures"]]


def test_what_the_others_hide_is_told_nowhere(inside: Inside) -> None:
    red, blue, watch = inside.begin(scene=small(hidden=True), mode="links")
    red.act("set_up", actor="red-1", at=[4.125, 3])
    red.act("set_up", actor="red-2", at=[8.125, 3])
    assert (up(red), up(blue), up(watch)) == (["red-1", "red-2"], [], [])
    assert blue.match["board"]["acting"] == ["red", "blue"]
    hidden: list[Any] = [blue.match, watch.match, blue.get("at/2").json()]
    hidden += [blue.get("scene").json(), blue.get("picture.svg").text]
    with blue.live() as live:
        hidden.append(live.hear("now"))
        here = {"kind": "set_up", "actor": "blue-1", "at": [4, 3]}
        live.trial(1, 2, action=here)
        verdict = live.hear("tried")["verdict"]
        assert [finding["clause"] for finding in verdict["findings"]] == ["SET-4"]
    assert not [text for text in map(str, hidden) if ".125" in text]
    lines = [line["title"] for line in blue.match["log"]]
    assert lines == ["Set up, hidden as yet"] * 2
    assert blue.get("controls", of="red-1").json()[0]["why_not"] == []
    for page, status in ((red, 403), (blue, 403), (watch, 403)):
        assert page.get("log").status_code == status
        assert page.post("copy", at=1).status_code == status
    asked = blue.post("undo", version=2, entries=1)
    assert "red" not in blue.done(asked)["proposal"]["text"]

    seen = blue.version
    red.act("ready", side="red")
    for n in (1, 2):
        blue.act("set_up", actor=f"blue-{n}", at=[4 * n, 21])
    assert up(red) == ["red-1", "red-2"]
    blue.act("ready", side="blue")
    everybody = {"red-1", "red-2", "blue-1", "blue-2"}
    assert {*up(red)} == {*up(blue)} == {*up(watch)} == everybody
    # Who had the lines that told nothing is told all again.
    again = blue.get(since=seen).json()
    assert (again["log_from"], again["log"][0]["title"]) == (0, "Set up red-1")
    assert blue.get("log").status_code == 200


def test_one_device_is_of_one_side_at_a_time(inside: Inside) -> None:
    both, *_ = inside.begin(scene=small(hidden=True), mode="hotseat")
    assert both.match["board"]["hidden"]
    both.act("set_up", actor="red-1", at=[4.125, 3])
    assert up(both) == ["red-1"]
    both.client.headers["Tapeline-Side"] = "blue"
    assert up(both) == []
    assert both.match["you"] == {"role": "side", "sides": ["blue"]}
    taken = both.post("actions", version=1, action={"kind": "ready", "side": "red"})
    assert taken.status_code == 403
    both.client.headers["Tapeline-Side"] = "green"
    assert up(both) == ["red-1"]
