"""`tapeline bot`: a game between programs, over pipes; `tapeline arena`: many of them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from tapeline.bots import protocol
from tapeline.bots.arena import Record, fixtures, play_arena, ratings, records
from tapeline.bots.program import Program, play_programs
from tapeline.cli.files import never_over, to_be_won
from tapeline.cli.output import (
    WRITTEN,
    Progress,
    jobs_option,
    json_option,
    number_option,
    print_json,
    print_plain,
    say,
    seconds_option,
    table_lines,
    tally_document,
)
from tapeline.errors import DocumentError, Fault, TapelineError
from tapeline.lab.charts import standing_chart
from tapeline.opponent.games import Game
from tapeline.play.battle import load
from tapeline.play.files import write_whole
from tapeline.wording import counted

__all__ = ["arena", "bot"]


def _of_sides(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    players = {}
    for text in given:
        side, equals, player = text.partition("=")
        if not equals or not side or not player:
            raise click.BadParameter(f"write SIDE=PLAYER; got {text!r}")
        if side in players:
            raise click.BadParameter(f"{side} has two players")
        players[side] = player
    return players


@click.command()
@click.argument("scene", metavar="SCENE", required=False)
@click.option(
    "--play", "players", multiple=True, metavar="SIDE=PLAYER", callback=_of_sides,
    help="Who plays a side: a command, novice, steady, sharp, random, or - for the other end of "
    "this command's own pipes. Sides left out are played by steady.",
)  # fmt: skip
@seconds_option
@click.option("--seed", default="0", show_default=True, help="Seed of dice and of players.")
@click.option(
    "-o", "--out", type=WRITTEN, metavar="LOG",
    help="Write the log of the game; never over another.",
)  # fmt: skip
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the lines, and no more.")
@json_option
@click.pass_context
def bot(
    ctx: click.Context,
    scene: str | None,
    players: dict[str, str],
    seconds: float,
    seed: str,
    out: str | None,
    schema: bool,
    as_json: bool,
) -> None:
    """Play a game between programs that speak JSON lines over their pipes.

    The scene must state what is played for. The referee rolls the dice and refuses what the rules
    refuse; what a program does not do in time or legally is done in its stead, and counted. The
    protocol is told in docs/bots.md.

    \b
    Exit codes: 0 played to the end, 1 a program failed at something, 2 input that cannot be used.

    \b
    Examples:
      tapeline bot examples/sovl-mill.json --play west="python examples/bots/simple.py"
      tapeline bot examples/trench-well.json --play red=novice --play blue=random -o game.log
      tapeline bot --schema
    """
    if schema:
        print_plain(protocol.schema())
        return
    if scene is None:
        raise click.UsageError("say which scene is played")
    game, programs = _played(scene, players, seconds, seed, out)
    faults = {side: dict(program.faults) for side, program in programs.items()}
    if as_json:
        print_json(
            "game", winner=game.winner, why=game.why, points=dict(game.points),
            entries=len(game.match.entries),
            turns={side: program.turns for side, program in programs.items()}, faults=faults,
        )  # fmt: skip
    elif "-" not in players.values():
        _tell(game, programs, out)
    ctx.exit(1 if any(faults.values()) else 0)


def _played(
    scene: str, given: dict[str, str], seconds: float, seed: str, out: str | None
) -> tuple[Game, dict[str, Program]]:
    never_over(out)
    state = load(scene).state
    if state.game is None:
        fault = Fault("game", "is missing: the scene must state what is played for")
        raise DocumentError(scene, [fault])
    sides = [side.id for side in state.sides]
    for side in given:
        if side not in sides:
            raise click.UsageError(f"no side {side!r}; sides are {', '.join(sides)}")
    # An empty command: the other end of our own pipes.
    wanted = {side: given.get(side, "steady") for side in sides}
    players = {side: "" if who == "-" else who for side, who in wanted.items()}
    game, programs = play_programs(scene, players, seed, seconds)
    if out is not None:
        game.match.save(out)
    return game, programs


def _tell(game: Game, programs: dict[str, Program], out: str | None) -> None:
    won = "nobody won" if game.winner is None else f"{game.winner} won"
    entries = counted(len(game.match.entries), "entry", "entries")
    say(f"{won}{f': {game.why}' if game.why else ''}, after {entries}")
    say(*table_lines([(side, counted(points, "point")) for side, points in game.points.items()]))
    for side, program in programs.items():
        failed = ", ".join(f"{count} {what}" for what, count in program.faults.items())
        told = f"; it was gone: {program.gone}" if program.gone else ""
        turns = counted(program.turns, "turn")
        say(f"{program.name} for {side}: {turns}, {failed or 'no faults'}{told}")
    if out is not None:
        say(out)


def _named(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    players: dict[str, str] = {}
    for text in given:
        name, equals, player = text.partition("=")
        name, player = (name, player) if equals else (text, text)
        if not name or not player or not all(c.isalnum() or c in "_." for c in name):
            raise click.BadParameter(f"write NAME=COMMAND, or a level; got {text!r}")
        if name in players:
            raise click.BadParameter(f"{name} is there twice")
        players[name] = player
    if len(players) < 2:
        raise click.BadParameter("name two players at least")
    return players


@click.command()
@click.argument("scenes", metavar="SCENE...", nargs=-1, required=True)
@click.option(
    "--player", "players", multiple=True, metavar="NAME=COMMAND", callback=_named,
    help="Who plays: a command with a name, or novice, steady, sharp, random. Two or more.",
)  # fmt: skip
@number_option(
    "--games", default=20, kind=click.IntRange(2),
    says="Games of each pairing on each scene; sides change after each.",
)  # fmt: skip
@seconds_option
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of dice and of players.")
@click.option("--logs", metavar="FOLDER", help="Write the log of every game there.")
@jobs_option
@click.option(
    "-o", "--out", type=WRITTEN, metavar="FILE",
    help="Write a picture of the shares with their intervals (.svg).",
)  # fmt: skip
@json_option
def arena(
    scenes: tuple[str, ...],
    players: dict[str, str],
    games: int,
    seconds: float,
    seed: int,
    logs: str | None,
    jobs: int,
    out: str | None,
    as_json: bool,
) -> None:
    """Let programs and levels of the computer opponent play each other, and tell who is stronger.

    Every pairing plays on every scene, which must state what is played for. What a program does
    not do in time or legally is done in its stead and counted; a program that does not begin has
    lost. Shares of games have their 95 % interval, a draw counting half; ratings are on the scale
    of Elo. Logs can be refereed again by `tapeline replay`.

    \b
    Exit codes: 0 played, 1 a program failed at something, 2 input that cannot be used.

    \b
    Examples:
      tapeline arena examples/sovl-mill.json --player mine="python my_bot.py" --player novice
      tapeline arena examples/trench-well.json --player novice --player random --logs out --json
      tapeline arena examples/sovl-mill.json --player novice --player random --jobs 2 -o all.svg
    """
    starts: dict[str, Any] = {}
    for source in scenes:
        start = to_be_won(source)
        if len(start.battle.state.sides) != 2:
            raise DocumentError(source, [Fault("sides", "two are needed to play each other")])
        starts[Path(source).stem] = start.scene
    folder = None if logs is None else Path(logs)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.glob("*.log")):
            raise DocumentError(logs or "", [Fault("", "holds logs already; none is written over")])
    progress = Progress("games", games * len(starts) * len(players) * (len(players) - 1) // 2)
    bouts = []
    wanted = fixtures(starts, players, games, seed, seconds=seconds, logs=folder)
    for bout in play_arena(wanted, jobs):
        bouts.append(bout)
        progress(len(bouts))
    progress.done()
    found = records(bouts)
    try:
        strengths, why = ratings(bouts), ""
    except TapelineError as error:
        strengths, why = {}, str(error)
    if out is not None:
        write_whole(out, standing_chart(found, strengths).encode())
    if as_json:
        players_told = [
            {
                "name": who,
                "against": other,
                **tally_document(one),
                "rating": None if other or who not in strengths else round(strengths[who], 1),
                "faults": dict(one.faults),
            }
            for (who, other), one in found.items()
        ]
        print_json("arena", seed=seed, players=players_told, games=[*map(asdict, bouts)])
    else:
        _print(players, found, strengths)
        if why:
            say(why)
    click.get_current_context().exit(1 if any(bout.faults for bout in bouts) else 0)


def _print(
    players: dict[str, str],
    found: dict[tuple[str, str | None], Record],
    strengths: dict[str, float],
) -> None:
    """A row a player, the strongest first; against each other its share."""
    order = sorted(players, key=lambda who: -strengths.get(who, found[who, None].share))
    say(
        "| player | rating | games | won | drawn | lost | share | "
        + " | ".join(order)
        + " | faults |"
    )
    say("|---" * (8 + len(order)) + "|")
    for who in order:
        one = found[who, None]
        low, high = one.interval
        against = [f"{found[who, o].share:.0%}" if o != who else "" for o in order]
        rating = f"{strengths[who]:.0f}" if who in strengths else ""
        faults = ", ".join(f"{count} {what}" for what, count in one.faults.items())
        cells = [who, rating, *map(str, (one.games, one.wins, one.draws, one.losses))]
        cells += [f"{one.share:.0%} ({low:.0%} to {high:.0%})", *against, faults]
        say(f"| {' | '.join(cells)} |")
