"""`tapeline opponent`: the table plays by itself; `tapeline suggest`: what it would do here;
`tapeline ladder`: how its levels stand against each other.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import click

from tapeline.cli.files import never_over, no_open_question, open_match, speed_up, to_be_won
from tapeline.cli.output import (
    FILE,
    WRITTEN,
    Progress,
    jobs_option,
    json_option,
    number_option,
    print_json,
    say,
    tally_document,
)
from tapeline.engine.codec import action_document
from tapeline.engine.score import score_words
from tapeline.errors import DocumentError, Fault
from tapeline.opponent import LEVELS, Opponent
from tapeline.opponent.games import play_game, player_of
from tapeline.opponent.kept import Kept
from tapeline.opponent.standings import Standing, pairing
from tapeline.wording import counted

__all__ = ["ladder", "opponent", "suggest"]


_NAMES = ("novice", "steady", "sharp")


@click.command()
@click.argument("source", metavar="SCENE|LOG")
@click.option("--side", help="Whose actions; of the side to act unless given.")
@number_option(
    "-n", "most", default=3, says="How many actions at most.", kind=click.IntRange(1, 50)
)
@click.option(
    "--level", type=click.Choice(_NAMES), default="steady", show_default=True,
    help="How hard it thinks.",
)  # fmt: skip
@click.option("--seed", default="0", show_default=True, help="Seed of its own dice.")
@json_option
def suggest(source: str, side: str | None, most: int, level: str, seed: str, as_json: bool) -> None:
    """What a computer opponent would do: the best few actions of a side, and why.

    Values are points of the score that an action gains on average against going on without it.

    \b
    Exit codes: 0 told, 2 input that cannot be used.

    \b
    Examples:
      tapeline suggest examples/trench-well.json
      tapeline suggest examples/sovl-mill.json -n 5 --level sharp --json
    """
    match = open_match(source)
    state = no_open_question(match, source)
    if side is not None and side not in {one.id for one in state.sides}:
        known = ", ".join(one.id for one in state.sides)
        raise DocumentError("side", [Fault("", f"no side {side!r}; sides are {known}")])
    speed_up(state)
    found = Opponent(LEVELS[level], seed).suggest(match.battle, side, most)
    if as_json:
        told = [
            {
                "action": action_document(one.action),
                "value": round(one.value, 4),
                "reasons": one.reasons,
                "by_eye": one.by_eye,
            }
            for one in found
        ]
        print_json("suggested", level=level, actions=told)
        return
    for one in found:
        document = {k: v for k, v in action_document(one.action).items() if v}
        words = [str(document.pop(name, "")) for name in ("kind", "actor")]
        words += [f"{name}={value}" for name, value in document.items()]
        say(f"{one.value:+.2f}  {' '.join(word for word in words if word)}")
        say(f"       {'; '.join(one.reasons[:4])}")
    if found and found[0].by_eye:
        say("by eye: the rules keep distances secret now")


@click.command()
@click.argument("scene")
@click.option(
    "--level", type=click.Choice(("random", *_NAMES)), default="steady",
    help="How hard one side thinks; sides change after each game.",
)  # fmt: skip
@click.option(
    "--against", type=click.Choice(("random", *_NAMES)), default="steady",
    help="How hard the other thinks.",
)  # fmt: skip
@number_option("--games", default=1, says="How many games.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("-o", "--out", type=WRITTEN, metavar="LOG", help="Write the log of one game.")
@json_option
def opponent(
    scene: str, level: str, against: str, games: int, seed: int, out: str | None, as_json: bool
) -> None:
    """Play a scene with goals to its end, the computer opponent on both sides.

    One game tells who won; of several, in which the levels change sides after each, how the first
    level stands, with the 95 % interval (a draw counts half). The same seed gives the same games.

    \b
    Exit codes: 0 played, 2 input that cannot be used.

    \b
    Examples:
      tapeline opponent examples/sovl-mill.json -o game.log
      tapeline opponent examples/trench-well.json --level steady --against novice --games 20
    """
    if out is not None and games > 1:
        raise click.UsageError("--out writes the log of one game")
    never_over(out, "it is never written over")
    start = to_be_won(scene)
    speed_up(start.battle.state, whole_game=True)
    if games == 1:
        sides = [side.id for side in start.battle.state.sides]
        names = (level, *(against for _ in sides[1:]))
        players = {
            side: player_of(name, f"{seed}:{number}")
            for number, (side, name) in enumerate(zip(sides, names, strict=True))
        }
        game = play_game(start.scene, players, seed)
        if out is not None:
            game.match.save(out)
        if as_json:
            won = {"winner": game.winner, "points": dict(game.points)}
            print_json("played", **won, entries=len(game.match.entries), over=game.over)
        else:
            say(score_words(game.match.battle.state))
            say(counted(len(game.match.entries), "entry", "entries"))
            if game.why:
                say(game.why, err=True)
        return
    progress = Progress("games")
    found = pairing(start.scene, level, against, games, seed, progress=progress)
    sides = [str(side["id"]) for side in start.scene["sides"][:2]]
    by_side = dict(zip(sides, found.by_side, strict=True))
    progress.done()
    _tell(found, by_side, level, against, as_json)


def _tell(
    found: Standing, by_side: dict[str, int], level: str, against: str, as_json: bool
) -> None:
    low, high = found.interval
    if as_json:
        tally = {**tally_document(found), "share": found.share}
        print_json("pairing", level=level, against=against, **tally, by_side=by_side)
        return
    say(f"{level} against {against}: {found.wins} won, {found.draws} drawn, {found.losses} lost")
    say(f"share {found.share:.1%}, 95 % interval {low:.1%} to {high:.1%}")
    sides = ", ".join(f"{side} {count}" for side, count in by_side.items())
    say(f"won by side: {sides}")


#: Who is compared; the last pairing tells whether a scene is fair.
_PAIRINGS = (("novice", "random"), ("steady", "novice"), ("sharp", "steady"), ("steady", "steady"))


@click.command()
@click.argument("scenes", metavar="SCENE...", nargs=-1, required=True)
@click.option(
    "--pairing", "only", multiple=True, type=click.Choice(["-".join(pair) for pair in _PAIRINGS]),
    help="Only this one; may be given several times.",
)  # fmt: skip
@number_option("--games", default=200, says="Games a pairing.", kind=click.IntRange(2))
@click.option("--seed", type=int, default=0, show_default=True)
@jobs_option
@click.option(
    "--kept", "path", type=FILE,
    help="A file of games: those in it are not played again, others are added as they end.",
)  # fmt: skip
@click.option("--only-kept", is_flag=True, help="Play nothing: tell of the games in that file.")
@json_option
def ladder(
    scenes: tuple[str, ...],
    only: tuple[str, ...],
    games: int,
    seed: int,
    jobs: int,
    path: Path | None,
    only_kept: bool,
    as_json: bool,
) -> None:
    """How the levels of the computer opponent stand against each other on scenes with goals.

    Each seed is played twice with sides changed. Told are games won, drawn and lost by the first
    level, its share with the 95 % interval (a draw counts half), the share of the side that begins,
    and how long a move of each took: the median of processor time, which alone depends on the
    machine. The same seed gives the same games. With a file to keep them in it may be stopped and
    begun again; what was played so far can be told before all is.

    \b
    Exit codes: 0 played, 2 input that cannot be used.

    \b
    Examples:
      tapeline ladder examples/mordheim-fountain.json --games 20
      tapeline ladder examples/trench-well.json --pairing steady-steady --jobs 2 --json
      tapeline ladder examples/sovl-mill.json --kept games.jsonl
      tapeline ladder examples/sovl-mill.json --kept games.jsonl --only-kept
    """
    if only_kept and path is None:
        raise click.UsageError("--only-kept tells of games in a file: name it with --kept")
    starts = [to_be_won(scene) for scene in scenes]
    pairings = [pair for pair in _PAIRINGS if not only or "-".join(pair) in only]
    kept = None if path is None else Kept(path)
    rows: list[dict[str, Any]] = []
    progress = Progress("games", games * len(pairings) * len(starts))
    if not as_json:
        say("| scene | pairing | games | won | drawn | lost | share | first side | s a move |")
        say("|---|---|---|---|---|---|---|---|---|")
    for number, (start, (first, second)) in enumerate(product(starts, pairings)):

        def told(done: int, before: int = games * number) -> None:
            progress(before + done)

        where: dict[str, Any] = {"jobs": jobs, "kept": kept, "only_kept": only_kept}
        found = pairing(start.scene, first, second, games, seed, progress=told, **where)
        if not found.games:
            continue
        rows.append(_row(str(start.scene["name"]), first, second, found))
        if not as_json:
            say(_line(rows[-1]))
    progress.done()
    if as_json:
        print_json("ladder", seed=seed, pairings=rows)


def _row(scene: str, first: str, second: str, found: Standing) -> dict[str, Any]:
    return {
        "scene": scene,
        "level": first,
        "against": second,
        **tally_document(found),
        "first_side": round(found.first_side, 4),
        "seconds": [round(s, 4) for s in found.move_seconds],
    }


def _line(row: dict[str, Any]) -> str:
    low, high = row["interval"]
    cells = [row["scene"], f"{row['level']} against {row['against']}"]
    cells += [str(row[name]) for name in ("games", "won", "drawn", "lost")]
    cells += [f"{row['share']:.0%} ({low:.0%} to {high:.0%})", f"{row['first_side']:.0%}"]
    cells.append(", ".join(f"{s:.3f}" for s in row["seconds"]))
    return f"| {' | '.join(cells)} |"
