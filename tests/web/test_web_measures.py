"""What a side may not measure, no answer tells: two worlds that differ in that alone look alike.

Every operation that the server describes is called in both, so that one that is new must say here
how it is asked, or why it may tell.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from itertools import product
from typing import Any

import pytest

from clauses.mordheim.staging import block, blue, red
from tapeline.rules.mordheim import SYSTEM
from web.inside import Inside, Page

Doc = dict[str, Any]

#: What tells where things stand, which everybody sees on the board; and what is of one match alone.
DRAWN = {"board", "place", "lines", "ring"}
OWN = {"id", "commitment"}

#: Operations that are not compared, with the reason.
TOLD = {
    "GET /api/matches/{match_id}/at/{n}": "a board: everything stands where it is drawn",
    "GET /api/matches/{match_id}/scene": "what is drawn, as a file",
    "GET /api/matches/{match_id}/picture.svg": "what is drawn, as a picture",
    "GET /api/matches/{match_id}/picture.png": "what is drawn, as a picture",
    "GET /api/matches/{match_id}/log": "the scene that was begun with, and what was done",
    "GET /api/matches/{match_id}/case": "a scene, and what has been done",
    "POST /api/matches/{match_id}/judge-again/{n}": "about what has been done",
    "POST /api/matches/{match_id}/ending": "about no place of the table",
    "GET /api/matches/{match_id}/solution": "of a puzzle, as its file has it",
    "POST /api/matches/{match_id}/opponent": "who plays a side",
    "GET /api/matches/{match_id}/talk": "what people have said",
    "POST /api/matches/{match_id}/talk": "what people have said",
    "POST /api/matches/{match_id}/pointing": "answers nothing",
    "POST /api/matches/{match_id}/drawing": "answers nothing",
    "POST /api/scenes/check": "about a scene of one's own",
    "GET /api/server": "about no match",
    "GET /api/demo": "about a table of the start page",
    "GET /api/demo/try": "about a table of the start page",
    "GET /api/systems": "about no match",
    "GET /api/systems/{name}": "about no match",
    "POST /api/systems/{name}/roster": "about no match",
    "GET /api/systems/{name}/clauses/{clause_id}": "about no match",
    "GET /api/examples": "about no match",
    "GET /api/examples/{name}": "about no match",
}


def recovery(far: bool) -> Doc:
    """Who flees may rally if a friend is nearer than the enemy; who hides may be found."""
    x = 30 if far else 12.3
    models = [
        red(10, 10, state={"fleeing": True}),
        red(14, 10, body_id="B", profile={"like": "Mercenary Warrior", "stupid": True}),
        blue(x, 10),
        blue(x, 12, body_id="H", state={"hidden": True}),
    ]
    return scene(models, {"phase": "recovery"})


def declarations(far: bool) -> Doc:
    """An enemy in charge range or not, seen or behind a wall, hidden or not."""
    x = 30 if far else 15.4
    models = [
        red(10, 10, profile={"like": "Mercenary Warrior", "frenzy": True}),
        red(8, 4, body_id="B"),
        blue(x, 10),
        blue(x, 20, body_id="U"),
        blue(x - 3, 4, body_id="H", state={"hidden": True}),
    ]
    wall = block("w", 11, 11.5, 12, 48, 5)
    return scene(models, {"phase": "movement", "progress": {"step": "declarations"}}, [wall])


def a_gap(far: bool) -> Doc:
    """Roofs that may be jumped between or not. Nobody's reach comes to the far edge, where it
    would end as drawn."""
    roofs = [block("R", 4, 10, 4, 16, 4), block("G", 13.4 if far else 12.2, 30, 4, 16, 4)]
    models = [red(9.5, 10, 4, state={"run_ok": True}), blue(24, 10, 4)]
    return scene(models, {"phase": "movement", "progress": {"step": "remaining"}}, roofs)


def scene(models: list[Doc], turn: Doc, terrain: list[Doc] | None = None) -> Doc:
    return {
        "format": "tapeline-scene/1",
        "system": "mordheim",
        "table": {"width": 48, "depth": 48, "unit": "in"},
        "terrain": terrain or [],
        "sides": [{"id": "red"}, {"id": "blue"}],
        "models": models,
        "turn": {"active": "red", "initiative": "red", **turn},
    }


JUMP = {"to": [14.5, 10], "z": 4, "how": "jump"}

#: What a field of an action is tried with.
VALUES: dict[str, list[Any]] = {
    "actor": ["A", "B", "E", "nobody"],
    "targets": [["E"], ["H"], ["U"], []],
    "target": ["E", "H", None],
    "path": [[], [{"to": [8, 10]}], [JUMP], [JUMP, {"to": [20, 10]}]],
    "dive": [False, True],
    "run": [False, True],
    "hide": [False, True],
    "result": ["out"],
    "what": ["distance", "run", "gap"],
}


def actions() -> Iterator[Doc]:
    """Actions of all kinds: for its own model each field with all it is tried with, for the others
    the first of all."""
    for kind, made in SYSTEM.actions.items():
        names = [field.name for field in fields(made)]
        most = [VALUES[name] if name != "actor" else ["A"] for name in names]
        for values in product(*most):
            yield {"kind": kind, **dict(zip(names, values, strict=True))}
        for actor in VALUES["actor"][1:] if "actor" in names else ():
            yield {"kind": kind, **{name: VALUES[name][0] for name in names}, "actor": actor}


Answers = dict[str, Any]


class World:
    """A match between two in one of two worlds, and what it answers to everything."""

    def __init__(self, server: Inside, document: Doc) -> None:
        self.server = server
        self.pages = server.begin(scene=document, mode="links")
        self.said: dict[str, Answers] = {}

    def keep(self, operation: str, asked: str, answer: Any) -> None:
        self.said.setdefault(operation, {})[asked] = answer

    def ask(self, page: Page, operation: str, of: str = "", **body: Any) -> None:
        """Call an operation of a match. of: the rest of its path, and the query."""
        method, path = operation.split(" ")
        called = path.removeprefix("/api/matches/{match_id}").lstrip("/")
        called = of if "{" in called else f"{called}{of}"
        home = page.at("") if called[:1] in ("", "?") else page.at("") + "/"
        answer = page.client.request(method, home + called, json=body or None)
        told = seen(answer.json())
        asked = f"{page.link['side']} {called} {json.dumps(body)}"
        self.keep(operation, asked, (answer.status_code, told))

    def everything(self) -> None:
        """Ask what there is to be asked, for a side, the other and an onlooker."""
        at = "/api/matches/{match_id}"
        for page in self.pages:
            self.ask(page, f"GET {at}", "?since=0")
            for of in ("", "?of=A", "?of=B", "?of=E", "?of=H", "?of=nobody"):
                self.ask(page, f"GET {at}/controls", of)
                self.ask(page, f"GET {at}/opening", of)
            for body in ("A", "E", "nobody"):
                for kind in ("", "&kind=run", "&kind=crawl", "&kind=fly"):
                    self.ask(page, f"GET {at}/reach", f"?body={body}{kind}")
                    self.ask(page, f"GET {at}/route", f"?body={body}&x=14.5&y=10&z=4{kind}")
            for ends in ("a=A&b=E", "a=A&bx=1&by=1", "ax=9.9&ay=10&az=4&bx=14.5&by=10&bz=4"):
                self.ask(page, f"GET {at}/tape", f"?{ends}")
            self.ask(page, f"GET {at}/sight", "?a=A&b=E")
            self.ask(page, f"GET {at}/view", "?body=A")
            self.ask(page, f"GET {at}/hints")
            self.ask(page, f"POST {at}/hints", version=0, on=True)
            for of in (
                "?by=blue",
                "?by=E&on=A&x=3&y=3",
                "?by=A&on=E&x=15&y=10&z=4",
            ):
                self.ask(page, f"GET {at}/threat", of)
            stand = {"body": "A", "x": 1.0, "y": 1.0, "facing": 0.0}
            self.ask(page, f"POST {at}/flush", stand=stand, others=[], near=1.0)
            self.ask(page, f"POST {at}/copy", at=0)
            self.ask(page, f"POST {at}/undo", version=0, entries=1)
            self.ask(page, f"POST {at}/answers", version=0, value="E")
            self.ask(page, f"POST {at}/overrides", version=0, events=[], reason="so")
            self.ask(
                page, f"POST {at}/proposals/{{proposal_id}}", "proposals/x", version=0, accept=True
            )
        self.again_from_its_log()
        self.trials()

    def again_from_its_log(self) -> None:
        log = self.pages[0].get("log").text
        answer = self.server.client.post("/api/matches", json={"log": log})
        self.keep("POST /api/matches", "its log", (answer.status_code, seen(answer.json())))

    def trials(self) -> None:
        """Every action tried out in every way. What is refused is also done, which changes nothing;
        the rest would be done, and tells what the rules then let everybody know."""
        at, red_ = "/api/matches/{match_id}", self.pages[0]
        with red_.live() as live:
            live.hear("now")
            for seq, action in enumerate(actions()):
                self.ask(red_, f"POST {at}/judge", action=action)
                self.ask(red_, f"POST {at}/odds", action=action)
                live.trial(seq, 0, action=action)
                self.keep("live", json.dumps(action), seen(live.hear("tried")))
                status, verdict = self.said[f"POST {at}/judge"][
                    f"red judge {json.dumps({'action': action})}"
                ]
                if status != 200 or not verdict["legal"]:
                    self.ask(red_, f"POST {at}/actions", version=0, action=action)


def seen(told: Any) -> Any:
    """An answer without what is drawn, and without what is of one match alone."""
    if isinstance(told, dict):
        return {
            name: seen(value)
            for name, value in told.items()
            if name not in DRAWN and name not in OWN
        }
    if isinstance(told, list):
        return [seen(one) for one in told]
    return round(told, 9) if isinstance(told, float) else told


@pytest.mark.parametrize("hidden", [recovery, declarations, a_gap])
def test_no_answer_tells_what_may_not_be_measured(inside: Inside, hidden: Any) -> None:
    worlds = [World(inside, hidden(far)) for far in (False, True)]
    for world in worlds:
        world.everything()
    near, far = (world.said for world in worlds)
    document = inside.client.get("/api/openapi.json").json()
    described = {
        f"{method.upper()} {path}" for path, item in document["paths"].items() for method in item
    }
    assert described == {*near, *TOLD} - {"live"}, "a call that is new says here how it is asked"
    different = [
        f"{operation} {asked}: {answer} or {far[operation].get(asked)}"
        for operation, answers in near.items()
        for asked, answer in answers.items()
        if answer != far[operation].get(asked)
    ]
    assert different == []


def calm() -> Doc:
    """Declarations in which nobody is frenzied, so that no dice fall when they close."""
    return declarations(False) | {"models": [red(10, 10), blue(15.4, 10)]}


@pytest.mark.parametrize(("mode", "free"), [("links", False), ("hotseat", True)])
def test_no_undo_goes_back_to_before_a_measure(inside: Inside, mode: str, free: bool) -> None:
    """Declarations are closed, a distance is asked for, and charges would be declared anew."""
    page = inside.begin(scene=calm(), mode=mode)[0]
    page.act("close_declarations")
    says = page.match["undo"]["says"]
    assert ("could not be measured before" in says) is not free
    page.act("measure", actor="A", target="E")
    assert page.match["undo"]["free"]
    back = page.done(page.post("undo", version=2, entries=2))
    assert (back["proposal"] is None) is free


@pytest.mark.parametrize(("mode", "status"), [("links", 403), ("hotseat", 201)])
def test_no_copy_is_made_of_its_log_either(inside: Inside, mode: str, status: int) -> None:
    page = inside.begin(scene=calm(), mode=mode)[0]
    assert page.post("copy", at=0).status_code == status
    again = inside.client.post("/api/matches", json={"log": page.get("log").text})
    assert again.status_code == status, again.text
