"""`tapeline do`: play from the command line, keeping a log; `tapeline offers`: what may be done."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import click

from tapeline.cli.chance import Chance, Given, chance_options
from tapeline.cli.draw import write_picture
from tapeline.cli.files import kind_of_file, never_over, no_open_question, open_match
from tapeline.cli.output import (
    WRITTEN,
    json_option,
    picture_option,
    print_json,
    reasons_of,
    say,
    verdict_lines,
    work_option,
)
from tapeline.cli.shortform import ACTION_HELP, read_action
from tapeline.engine.actions import Action
from tapeline.engine.codec import (
    action_document,
    ask_document,
    check_kind,
    event_from,
    verdict_document,
)
from tapeline.errors import DocumentError, Fault
from tapeline.picture.page import draw_entry
from tapeline.picture.words import status_lines
from tapeline.play.match import Match
from tapeline.table.json_documents import parse_json
from tapeline.wording import counted

__all__ = ["do", "offers"]


@click.command()
@click.argument("source", metavar="SCENE|LOG")
@click.option("--action", "-a", "actions", multiple=True, metavar="ACTION", help=ACTION_HELP)
@chance_options
@click.option(
    "-o", "--out", type=WRITTEN, metavar="LOG", help="The log to write; a log given is continued."
)
@click.option("--by", default="", help="Who does it, for the log.")
@click.option("--undo", type=click.IntRange(1), metavar="N", help="Go back by N entries first.")
@click.option("--override", "events", metavar="EVENTS", help="Events as JSON, agreed on.")
@click.option("--reason", default="", help="Why the players agreed on an override.")
@picture_option("Draw the table after it:", "--draw", "target")
@work_option
@json_option
@click.pass_context
def do(
    ctx: click.Context,
    source: str,
    actions: tuple[str, ...],
    given: Given,
    out: str | None,
    by: str,
    undo: int | None,
    events: str | None,
    reason: str,
    target: str | None,
    as_json: bool,
) -> None:
    """Do actions on a scene or a log and write them to a log.

    Rolls come from --dice, --seed or --type-dice; without them the game stops at the question,
    and the next `do` without an action answers it. The first action that is refused ends the
    command; what came before it is kept.

    \b
    Exit codes: 0 done, 1 refused, 2 input that cannot be used (nothing is written).

    \b
    Examples:
      tapeline do examples/sovl-ford.json -a "activate W1" -a "advance W1 distance=3" -o game.log
      tapeline do examples/sovl-salt-pans.json -a "shoot S5 target=R1" -o shot.log
      tapeline do shot.log --type-dice
      tapeline do game.log --undo 1
    """
    log = out or (source if kind_of_file(source) == "log" else None)
    if log is None:
        raise click.UsageError("say with -o where to write the log")
    if Path(log) != Path(source):
        never_over(log)
    chance = given.chance()
    match = open_match(source)
    before = len(match.entries)
    done: list[dict[str, Any]] = []
    legal = _perform(match, actions, chance, by, undo, events, reason, done, as_json)
    if legal:
        chance.nothing_left(source)
    if len(match.entries) > before or not Path(log).exists():
        match.save(log)
    if target is not None:
        write_picture(draw_entry(match, len(match.entries)), target)
    battle = match.battle
    if as_json:
        asked = {} if battle.pending is None else {"ask": ask_document(battle.pending.ask)}
        count, hash = len(match.entries), battle.hash
        print_json("done", log=log, entries=count, legal=legal, done=done, hash=hash, **asked)
    else:
        say(*status_lines(battle.state, battle.system))
        say(f"{log}: {counted(len(match.entries), 'entry', 'entries')}")
    ctx.exit(0 if legal else 1)


def _perform(
    match: Match,
    actions: tuple[str, ...],
    chance: Chance,
    by: str,
    undo: int | None,
    events: str | None,
    reason: str,
    done: list[dict[str, Any]],
    as_json: bool,
) -> bool:
    answers = iter(chance.answers)  # what one action leaves is for the next
    if undo is not None:
        match.undo(undo, by=by)
        if not as_json:
            say(f"went back by {undo}")
    if events is not None:
        match.override(_events(events), by=by, reason=reason)
        if not as_json:
            say(f"override: {reason}")
    if match.battle.pending is not None and (
        chance.dice is not None or chance.answers or chance.chooser is not None
    ):
        after = match.answer(dice=chance.dice, answers=answers, chooser=chance.chooser, by=by)
        if not _told(after.last, None, done, as_json, match):
            return False
    for number, text in enumerate(actions, 1):
        action = match.battle.action(read_action(text, match.battle.system))
        after = match.do(action, dice=chance.dice, answers=answers, chooser=chance.chooser, by=by)
        if not _told(after.last, action, done, as_json, match):
            return False
        if after.pending is not None and number < len(actions):
            raise DocumentError(
                f"action {number}", [Fault("", "waits for an answer before the next can be done")]
            )
    chance.answers = [*answers]
    return True


def _told(
    verdict: Any, action: Action | None, done: list[dict[str, Any]], as_json: bool, match: Match
) -> bool:
    assert verdict is not None
    entry = {} if action is None else {"action": action_document(action)}
    book = match.battle.system.book
    done.append({**entry, "verdict": verdict_document(verdict), "why": reasons_of(verdict, book)})
    if not as_json:
        events = match.entries[-1].events if verdict.legal else ()
        say(*verdict_lines(action, verdict, book, events))
    return bool(verdict.legal)


def _events(text: str) -> list[Any]:
    data = parse_json(text, "--override")
    items = data if isinstance(data, list) else [data]
    return [event_from(item, f"--override[{index}]") for index, item in enumerate(items)]


@click.command()
@click.argument("source", metavar="SCENE|LOG")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of what is drawn.")
@click.option("-n", "--number", type=click.IntRange(1), default=20, show_default=True)
@click.option("--kind", metavar="KIND", help="Only actions of this kind.")
@work_option
@json_option
def offers(source: str, seed: int, number: int, kind: str | None, as_json: bool) -> None:
    """Legal actions for whoever must act, each ready for `tapeline do -a`.

    Where a choice is continuous, such as a path, examples are drawn from the seed.

    \b
    Examples:
      tapeline offers examples/sovl-ford.json
      tapeline offers examples/sovl-salt-pans.json --kind shoot --json
    """
    match = open_match(source)
    no_open_question(match, source)
    if kind is not None:
        check_kind(match.battle.system, kind, "offers", "--kind")
    found = (action_document(action) for action in match.battle.offers(seed))
    wanted = (document for document in found if kind is None or document["kind"] == kind)
    # A system may offer the same action twice; what is shown is told apart, and the search ends.
    seen: dict[str, dict[str, object]] = {}
    for document in islice(wanted, 40 * number):
        seen.setdefault(json.dumps(document), document)
        if len(seen) >= number:
            break
    if as_json:
        print_json("offers", offers=list(seen.values()))
        return
    say(*seen)
    if not seen:
        say("nothing may be done", err=True)
