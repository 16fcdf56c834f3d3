"""`tapeline odds`: the chances of everything an action can lead to."""

from __future__ import annotations

from typing import Any

import click

from tapeline.analysis.odds import GUARD, SAMPLES, WORK, Odds
from tapeline.analysis.odds import odds as odds_of
from tapeline.cli.files import position
from tapeline.cli.output import (
    Progress,
    json_option,
    number_option,
    print_json,
    say,
    table_lines,
    verdict_lines,
)
from tapeline.cli.shortform import read_action
from tapeline.engine.codec import action_document, parse_action

__all__ = ["odds"]


@click.command()
@click.argument("scene")
@click.argument("action", nargs=-1, required=True)
@number_option("--guard", default=GUARD, says="Results to enumerate before sampling takes over.")
@number_option(
    "--samples", default=SAMPLES, says="Runs to sample when it does.", kind=click.IntRange(100)
)
@click.option("--seed", default="0", show_default=True, help="Seed of the sampling.")
@number_option(
    "--work",
    default=WORK,
    says="Steps of work after which the odds are given as far as they are known.",
    metavar="STEPS",
)
@json_option
def odds(scene: str, action: tuple[str, ...], as_json: bool, **bounds: Any) -> None:
    """The odds of an ACTION on a scene or log, exact by enumerating the same procedure.

    Too many results to enumerate are sampled from a seed instead, with the error stated: half
    the width of the 95 % interval. Where the work runs out, the chance of what was not looked at
    is told, and every chance lies within its error for certain. Choices on the way take their
    default.

    \b
    Exit codes: 0 odds given, 1 the action is illegal, 2 input that cannot be used.

    \b
    Examples:
      tapeline odds examples/sovl-salt-pans.json "shoot S5 target=R1"
      tapeline odds examples/sovl-salt-pans.json --json \\
          '{"kind": "shoot", "actor": "S5", "target": "R1"}'
    """
    system, state = position(scene)
    wanted = parse_action(system, read_action(" ".join(action), system))
    progress = Progress("results")
    found = odds_of(system, state, wanted, **bounds, progress=progress)
    progress.done()
    if as_json:
        print_json("odds", action=action_document(wanted), **found.document())
    elif not found.verdict.legal:
        say(*verdict_lines(wanted, found.verdict, system.book))
    else:
        _print(found, bounds["seed"])
    click.get_current_context().exit(0 if found.verdict.legal else 1)


def _print(found: Odds, seed: str) -> None:
    rows = []
    for outcome in found.outcomes:
        percent = 100 * outcome.chance
        share = f"{percent:.2f} %" if percent >= 0.01 else f"{percent:.1e} %"
        fraction = str(outcome.exact) if outcome.exact is not None else ""
        margin = fraction if found.exact else f"+- {100 * outcome.error:.2f} %"
        rows.append((f"{share:>9}", margin, outcome.label))
    say(*table_lines(rows))
    runs = found.branches
    if found.exact:
        say(f"exact, from {runs} results")
    elif found.rest:
        rest = f"{100 * found.rest:.2g} %"
        say(f"from {runs} results; the rest, {rest}, may be anything: +- is certain")
    else:
        say(f"sampled {runs} runs from seed {seed}; +- is half the 95 % interval")
