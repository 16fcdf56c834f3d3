"""`tapeline ladder`: how the levels of the computer opponent stand against each other."""

from __future__ import annotations

from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import click

from tapeline.cli.files import to_be_won
from tapeline.cli.output import Progress, json_option, print_json, say, tally_document
from tapeline.opponent.kept import Kept
from tapeline.opponent.standings import Standing, pairing

__all__ = ["ladder"]

#: Who is compared; the last pairing tells whether a scene is fair.
_PAIRINGS = (("novice", "random"), ("steady", "novice"), ("sharp", "steady"), ("steady", "steady"))


@click.command()
@click.argument("scenes", metavar="SCENE...", nargs=-1, required=True)
@click.option(
    "--pairing",
    "only",
    type=click.Choice([f"{first}-{second}" for first, second in _PAIRINGS]),
    multiple=True,
    help="Only this one; may be given several times.",
)
@click.option(
    "--games", type=click.IntRange(2), default=200, show_default=True, help="Games a pairing."
)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes at a time."
)
@click.option(
    "--kept",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file of games: those in it are not played again, others are added as they end.",
)
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
        found = pairing(
            start.scene,
            first,
            second,
            games,
            seed,
            jobs=jobs,
            progress=partial(_count, progress, games * number),
            kept=kept,
            only_kept=only_kept,
        )
        if not found.games:
            continue
        rows.append(_row(str(start.scene["name"]), first, second, found))
        if not as_json:
            say(_line(rows[-1]))
    progress.done()
    if as_json:
        print_json({"format": "tapeline-ladder/1", "seed": seed, "pairings": rows})


def _count(progress: Progress, before: int, done: int) -> None:
    progress(before + done)


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
