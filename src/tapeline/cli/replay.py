"""`tapeline replay`: a match from its log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tapeline.cli.draw import picture_of_entry, write_picture
from tapeline.cli.output import (
    Progress,
    ask_document,
    counted,
    json_option,
    print_json,
    say,
    table_lines,
    work_option,
)
from tapeline.errors import DocumentError, Fault

if TYPE_CHECKING:
    from tapeline.play.entries import Entry
    from tapeline.play.fairness import Checked

__all__ = ["replay"]


@click.command(short_help="Replay a log; check or referee it again.")
@click.argument("log")
@click.option("--to", type=click.IntRange(0), help="Stop after this many entries.")
@click.option("--referee", is_flag=True, help="Judge every action again, with its dice.")
@click.option("--draw", "target", metavar="FILE", help="Draw the table there (.svg or .png).")
@work_option
@json_option
@click.pass_context
def replay(
    ctx: click.Context, log: str, to: int | None, referee: bool, target: str | None, as_json: bool
) -> None:
    """Replay a LOG: fold its events and compare the hash of every state.

    A log of the browser table tells the key to the dice of the server: that they were fixed before
    the match is checked too.

    \b
    Exit codes: 0 the log holds, 1 an entry differs (it is named), 2 it cannot be read.

    \b
    Examples:
      tapeline replay game.log
      tapeline replay game.log --referee
      tapeline replay game.log --to 12 --draw turn-2.svg
    """
    from tapeline.errors import LogError
    from tapeline.play.fairness import check
    from tapeline.play.match import Match, rereferee

    differs: str | None = None
    entry: int | None = None
    progress = Progress("entries judged")
    match = None
    if referee:
        match, mismatch = rereferee(log, progress)
        progress.done()
        if mismatch is not None:
            differs, entry = mismatch.message, mismatch.entry
    else:
        try:
            match = Match.replay(log)
        except LogError as error:
            differs, entry = str(error), error.entry
    dice: Checked | None = None
    if match is not None and match.dice is not None and differs is None:
        try:
            dice = check(match.dice, match.entries)
        except LogError as error:
            differs, entry = str(error), error.entry
    count = len(match.entries) if match is not None else 0
    if to is not None and differs is None and to > count:
        raise DocumentError(log, [Fault("--to", f"the log has {count} entries; got {to}")])
    shown = count if to is None else min(to, count)
    if target is not None and match is not None:
        write_picture(picture_of_entry(match, shown), target)
    entries = match.entries[:shown] if match is not None else []
    battle = match.battles[shown] if match is not None else None
    if as_json:
        document: dict[str, Any] = {
            "format": "tapeline-replayed/1",
            "agrees": differs is None,
            "refereed": referee,
            "entries": count,
        }
        if differs is not None:
            document["differs"] = {"entry": entry, "message": differs}
        if dice is not None:
            document["dice"] = {
                "fixed": dice.fixed,
                "others": list(dice.others),
                "unchecked": list(dice.unchecked),
            }
        if battle is not None:
            document |= {"at": shown, "hash": battle.hash}
            if battle.pending is not None:
                document["ask"] = ask_document(battle.pending.ask)
        print_json(document)
    else:
        rows = [
            (f"{number:>4}", kept.what, kept.hash[:8], _entry_words(kept))
            for number, kept in enumerate(entries, 1)
        ]
        say(*table_lines(rows))
        if differs is None:
            how = "judged again, every entry agrees" if referee else "every hash agrees"
            say(f"{counted(count, 'entry', 'entries')}: {how}")
            if dice is not None:
                say(_dice_words(dice))
        else:
            named = entry is None or differs.startswith("entry ")
            say(differs if named else f"entry {entry}: {differs}")
    ctx.exit(0 if differs is None else 1)


def _dice_words(dice: Checked) -> str:
    words = [f"{counted(dice.fixed, 'roll', 'rolls')} of dice fixed at the start"]
    for numbers, what in ((dice.others, "typed in"), (dice.unchecked, "not to be checked")):
        if numbers:
            words.append(f"{what}: entries {', '.join(map(str, numbers))}")
    return "; ".join(words)


def _entry_words(entry: Entry) -> str:
    from tapeline.engine.events import Happened
    from tapeline.picture.words import value_words

    by = f"{entry.by}: " if entry.by else ""
    if entry.action is not None:
        action = dict(entry.action)
        words = [str(action.pop("kind")), str(action.pop("actor", ""))]
        words.extend(f"{key}={value_words(value)}" for key, value in action.items())
        text = " ".join(word for word in words if word)
    elif entry.what == "undo":
        text = f"back to {entry.to} entries"
    else:
        text = entry.reason
    told = "; ".join(event.text for event in entry.events if isinstance(event, Happened))
    faces = ", ".join(
        " ".join(map(str, answer.faces)) for answer in entry.answers if answer.faces is not None
    )
    facts = [by + text, f"[{faces}]" if faces else "", told]
    return "  ".join(fact for fact in facts if fact.strip())
