"""Dice of the server: committed to before the first entry, checkable after each, never ahead."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import update

from support.scenes import toy_scene
from tapeline.play.fairness import Chain, check
from tapeline.play.match import Match
from tapeline.web.store.tables import MatchRow
from web.conftest import Start
from web.inside import Inside, Page
from web.test_web_api_matches import STEP, near


def exported(page: Page) -> tuple[Match, dict[str, Any]]:
    """The log as everybody with a link gets it, and what it says of the dice."""
    match = Match.replay(page.get("log").text.splitlines())
    assert match.dice is not None
    return match, match.dice


def rolled(page: Page, times: int) -> None:
    """Shove, whatever comes of it, and take it back."""
    for _ in range(times):
        before = page.version
        page.act("shove", actor="R1", target="B1")
        back = page.version - before
        plan = page.done(page.post("undo", version=page.version, entries=back))["proposal"]
        page.done(page.post(f"proposals/{plan['id']}", version=page.version, accept=True))


def test_the_commitment_is_told_first_and_the_log_proves_it(inside: Inside) -> None:
    made = inside.client.post("/api/matches", json={"scene": near()}).json()
    both = inside.page(made["id"], made["links"][0])
    watch = inside.page(made["id"], made["links"][1])
    assert made["commitment"] == both.match["commitment"] == watch.match["commitment"]
    _, said = exported(watch)
    assert said == {
        "commitment": made["commitment"], "salt": made["id"], "typed": True, "after": 0,
    }  # fmt: skip
    rolled(both, 4)
    match, said = exported(watch)
    assert said["commitment"] == made["commitment"]
    assert said["told"] == len(match.entries)
    checked = check(said, match.entries)
    assert checked.fixed >= 4
    assert (checked.others, checked.unchecked) == ((), ())


def test_no_player_can_know_dice_to_come(inside: Inside) -> None:
    """The seed is in nothing that is sent; a key told works for its entry and those before it."""
    both, watch = inside.begin(scene=near())
    rolled(both, 3)
    seed = inside.hub.rooms[both.match_id].kept.seed
    chain = Chain(seed, both.match_id)
    _, said = exported(both)
    to_come = {chain.key(number) for number in range(said["told"] + 1, said["told"] + 60)}
    root = chain.key(1 << 15)
    sent = [
        page.get(path).text for page in (both, watch) for path in ("", "log", "controls", "at/1")
    ]
    assert any(said["key"] in text for text in sent)
    for text in sent:
        assert seed not in text
        assert root not in text
        assert not any(key in text for key in to_come)


def test_between_two_players_other_dice_would_be_named(inside: Inside) -> None:
    red, _, watch = inside.begin(scene=near(), mode="links")
    red.act("shove", actor="R1", target="B1")
    _, said = exported(watch)
    assert said["typed"] is False
    rows = [json.loads(line) for line in watch.get("log").text.splitlines()]
    entries = Match.replay([json.dumps(row) for row in rows]).entries
    assert check(said, entries).fixed == 1


def test_faces_typed_in_are_told_apart(inside: Inside) -> None:
    both, _ = inside.begin(scene=near(), dice="typed")
    both.act("shove", actor="R1", target="B1", faces=[[1]])
    both.act("move", actor="R1", path=STEP)
    match, said = exported(both)
    assert said["typed"] is True
    checked = check(said, match.entries)
    # A face typed in may by chance be the one that the server would have thrown.
    thrown = next(a.faces for entry in match.entries for a in entry.answers if a.faces is not None)
    assert thrown == (1,)
    assert checked.fixed + len(checked.others) == 1


def test_a_copy_and_an_imported_log_have_dice_of_their_own(inside: Inside) -> None:
    both, _ = inside.begin(scene=near())
    rolled(both, 2)
    log = both.get("log").text
    _, said = exported(both)
    made = inside.client.post("/api/matches", json={"log": log}).json()
    again = inside.page(made["id"], made["links"][0])
    match, own = exported(again)
    assert own["commitment"] == made["commitment"] != said["commitment"]
    assert own["after"] == len(match.entries) == said["told"]
    rolled(again, 1)
    match, own = exported(again)
    checked = check(own, match.entries)
    assert checked.fixed >= 1
    assert checked.unchecked == tuple(
        n for n, entry in enumerate(match.entries[: own["after"]], 1)
        if any(a.faces is not None for a in entry.answers)
    )  # fmt: skip


def test_a_restart_rolls_what_was_fixed(start: Start) -> None:
    server = start()
    (both, _) = server.begin(scene=near())
    both.act("move", actor="R1", path=STEP)
    commitment = both.match["commitment"]
    again = start().page(both.match_id, both.link)
    again.act("move", actor="R1", path=[{"to": [5.0, 3.4]}])
    assert again.match["commitment"] == commitment
    match, said = exported(again)
    assert check(said, match.entries).others == ()


def test_a_match_from_before_there_was_a_commitment_goes_on(start: Start) -> None:
    server = start()
    (both, _) = server.begin(scene=near())
    store = server.hub.store
    header = json.loads(store.lines(both.match_id, -1)[0])
    del header["dice"]
    with store.engine.begin() as connection:
        connection.execute(update(MatchRow).values(header=json.dumps(header)))
    server.hub.rooms.clear()
    both.act("shove", actor="R1", target="B1")
    assert both.match["commitment"] is None
    assert Match.replay(both.get("log").text.splitlines()).dice is None


def test_a_blank_table_without_dice_tells_no_key(inside: Inside) -> None:
    both, _ = inside.begin(scene=toy_scene())
    _, said = exported(both)
    assert "key" not in said
