"""`tapeline replay`: a match from its log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from tapeline.cli.draw import write_picture
from tapeline.cli.files import must_be_log
from tapeline.cli.output import (
    Progress,
    json_option,
    picture_option,
    print_json,
    say,
    table_lines,
    work_option,
)
from tapeline.engine.codec import ask_document
from tapeline.engine.events import Happened
from tapeline.errors import DocumentError, Fault, LogError
from tapeline.picture.page import draw_entry
from tapeline.picture.words import document_words
from tapeline.play.entries import Entry, is_key
from tapeline.play.fairness import Checked, check
from tapeline.play.match import Match, rereferee
from tapeline.wording import counted

__all__ = ["replay"]


def _commitments(
    _ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    given = tuple(one.lower() for one in given)
    for one in given:
        if not is_key(one):
            raise click.BadParameter(f"must be 64 hexadecimal digits; got {one[:80]!r}")
    return given


@click.command()
@click.argument("log")
@click.option("--to", type=click.IntRange(0), help="Stop after this many entries.")
@click.option("--referee", is_flag=True, help="Judge every action again, with its dice.")
@click.option(
    "--commitment",
    "given",
    metavar="HEX",
    multiple=True,
    callback=_commitments,
    help="A commitment to the dice that you saw while the match was played: that of the server, "
    "and any of the sides.",
)
@picture_option("Draw the table there:", "--draw", "target")
@work_option
@json_option
@click.pass_context
def replay(
    ctx: click.Context,
    log: str,
    to: int | None,
    referee: bool,
    given: tuple[str, ...],
    target: str | None,
    as_json: bool,
) -> None:
    """Replay a LOG: fold its events and compare the hash of every state.

    A log of the browser table tells what the server and the sides committed to before dice were
    thrown, and the keys they came from: that is checked too. Give the commitments that you saw, or
    a log that was made anew with others passes.

    \b
    Exit codes: 0 the log holds, 1 it was changed (the entry is named), 2 it cannot be read,
    3 it holds, but its dice are not proven: stripped, typed or partial.

    \b
    Examples:
      tapeline replay game.log
      tapeline replay game.log --referee
      tapeline replay game.log --to 1 --draw first.svg
    """
    found = _looked_at(log, referee, given)
    match = found.match
    count = len(match.entries) if match is not None else 0
    if to is not None and found.differs is None and to > count:
        there = counted(count, "entry", "entries")
        raise DocumentError(log, [Fault("--to", f"the log has {there}; got {to}")])
    shown = count if to is None else min(to, count)
    if target is not None and match is not None:
        write_picture(draw_entry(match, shown), target)
    if as_json:
        print_json("replayed", **_document(found, shown, referee))
    else:
        _tell(found, shown, referee)
    ctx.exit(1 if found.differs is not None else 3 if found.unproven else 0)


@dataclass(frozen=True, slots=True)
class _Found:
    """What came of it. differs: what was changed, at which entry if at one."""

    match: Match | None = None
    differs: str | None = None
    entry: int | None = None
    dice: Checked | None = None

    @property
    def unproven(self) -> list[str]:
        """Why the log is not verified, in a word each."""
        if self.differs is not None:
            return ["changed"]
        return [] if self.dice is None else [*self.dice.unproven]


def _looked_at(log: str, referee: bool, given: tuple[str, ...]) -> _Found:
    match: Match | None = None
    must_be_log(log)
    try:
        if referee:
            progress = Progress("entries judged")
            match, mismatch = rereferee(log, progress)
            progress.done()
            if mismatch is not None:
                return _Found(match, mismatch.message, mismatch.entry)
        else:
            match = Match.replay(log)
        return _Found(match, dice=check(match.dice, match.entries, given))
    except LogError as error:
        return _Found(match, str(error), error.entry)


def _document(found: _Found, shown: int, referee: bool) -> dict[str, Any]:
    match, dice = found.match, found.dice
    document: dict[str, Any] = {
        "agrees": found.differs is None,
        "refereed": referee,
        "entries": len(match.entries) if match is not None else 0,
        "unproven": found.unproven,
    }
    if found.differs is not None:
        document["differs"] = {"entry": found.entry, "message": found.differs}
    if dice is not None and match is not None and (match.dice or dice.unproven):
        document["dice"] = {
            "fixed": dice.fixed,
            "shared": dice.shared,
            "others": [*dice.others],
            "unchecked": [*dice.unchecked],
            "stripped": [*dice.stripped],
            "lacking": [*dice.lacking],
            "commitment": None if match.dice is None else match.dice["commitment"],
            "commitments": {side: [*several] for side, several in dice.commitments.items()},
        }
    if match is not None:
        battle = match.battles[shown]
        document |= {"at": shown, "hash": battle.hash}
        if match.result is not None and shown == len(match.entries):
            document["result"] = match.result.document()
        if battle.pending is not None:
            document["ask"] = ask_document(battle.pending.ask)
    return document


def _tell(found: _Found, shown: int, referee: bool) -> None:
    match = found.match
    entries = match.entries[:shown] if match is not None else []
    rows = [
        (f"{number:>4}", kept.what, kept.hash[:8], _entry_words(kept))
        for number, kept in enumerate(entries, 1)
    ]
    say(*table_lines(rows))
    if found.differs is not None:
        named = found.entry is None or found.differs.startswith("entry ")
        where = "" if named else f"entry {found.entry}: "
        say(f"changed: {where}{found.differs}")
        return
    assert match is not None
    told = "every hash agrees; actions are not judged again without --referee"
    how = "judged again, every entry agrees" if referee else told
    say(f"{counted(len(match.entries), 'entry', 'entries')}: {how}")
    if found.dice is not None:
        for line in _dice_words(match.dice, found.dice):
            say(line)


def _dice_words(said: dict[str, Any] | None, dice: Checked) -> Iterator[str]:
    """What was committed to, what came of it, and a line for each reason why it is no proof."""
    if said is not None:
        yield f"commitment of the server: {said['commitment']}"
    for side, several in dice.commitments.items():
        yield from (f"commitment of {side}: {one}" for one in several)
    if said is not None:
        rolls = counted(dice.fixed, "roll", "rolls")
        yield f"{rolls} of dice fixed at the start, {dice.shared} with a share of the sides"
    if dice.free:
        rolls = counted(dice.free, "roll", "rolls")
        yield f"{rolls} of dice to which nobody committed, as far as the log tells"
    earlier = sorted({*dice.unchecked} - {*dice.stripped})
    for word, numbers, why in (
        ("stripped", dice.stripped, "what would prove the dice was taken out of the log"),
        ("typed", dice.others, "faces that were typed in, or thrown elsewhere"),
        ("partial", earlier, "dice from before the match began here"),
        ("partial", dice.lacking, "dice without the share of a side that was there"),
    ):
        if numbers:
            named = ", ".join(str(number) for number in numbers if number)
            yield f"{word}: {why}" + (f": entries {named}" if named else "")


def _entry_words(entry: Entry) -> str:
    by = f"{entry.by}: " if entry.by else ""
    if entry.action is not None:
        text = document_words(entry.action)
    elif entry.what == "undo":
        text = f"back to {entry.to} entries"
    elif entry.result is not None:
        text = entry.result.words()
    else:
        text = entry.reason
    told = "; ".join(event.text for event in entry.events if isinstance(event, Happened))
    faces = ", ".join(
        " ".join(map(str, answer.faces)) for answer in entry.answers if answer.faces is not None
    )
    facts = [by + text, f"[{faces}]" if faces else "", told]
    return "  ".join(fact for fact in facts if fact.strip())
