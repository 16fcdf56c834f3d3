"""`tapeline bot`: a game between programs, over pipes."""

from __future__ import annotations

import click

from tapeline.bots import protocol
from tapeline.bots.program import Program, play_programs
from tapeline.cli.files import never_over
from tapeline.cli.output import json_option, print_json, say, table_lines
from tapeline.errors import DocumentError, Fault
from tapeline.opponent.games import Game
from tapeline.play.battle import load
from tapeline.wording import counted

__all__ = ["bot"]


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
@click.option("--seconds", default=5.0, show_default=True, help="For each turn of a program.")
@click.option("--seed", default="0", show_default=True, help="Seed of dice and of players.")
@click.option("-o", "--out", metavar="LOG", help="Write the log of the game; never over another.")
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
        print_json(protocol.schema())
        return
    if scene is None:
        raise click.UsageError("say which scene is played")
    game, programs = _played(scene, players, seconds, seed, out)
    faults = {side: dict(program.faults) for side, program in programs.items()}
    if as_json:
        print_json(
            {
                "format": "tapeline-game/1",
                "winner": game.winner,
                "why": game.why,
                "points": dict(game.points),
                "entries": len(game.match.entries),
                "turns": {side: program.turns for side, program in programs.items()},
                "faults": faults,
            }
        )
    elif "-" not in players.values():
        _print(game, programs, out)
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


def _print(game: Game, programs: dict[str, Program], out: str | None) -> None:
    won = "nobody wins" if game.winner is None else f"{game.winner} wins"
    entries = counted(len(game.match.entries), "entry", "entries")
    say(f"{won}{f': {game.why}' if game.why else ''}, after {entries}")
    say(*table_lines([(side, counted(points, "point")) for side, points in game.points.items()]))
    for side, program in programs.items():
        failed = ", ".join(f"{count} {what}" for what, count in program.faults.items())
        told = f"; it is gone: {program.gone}" if program.gone else ""
        turns = counted(program.turns, "turn")
        say(f"{program.name} for {side}: {turns}, {failed or 'no faults'}{told}")
    if out is not None:
        say(out)
