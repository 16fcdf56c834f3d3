"""`tapeline odds`: the chances of everything an action can lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tapeline.cli.files import no_open_question, open_match
from tapeline.cli.output import (
    Progress,
    json_option,
    print_json,
    table_lines,
    verdict_document,
    verdict_lines,
    work_option,
)
from tapeline.cli.shortform import read_action

if TYPE_CHECKING:
    from tapeline.analysis.odds import Outcome

__all__ = ["odds"]


@click.command(short_help="The chances of what an action leads to.")
@click.argument("scene")
@click.argument("action", nargs=-1, required=True)
@click.option(
    "--guard", type=click.IntRange(1), help="Results to enumerate before sampling takes over."
)
@click.option("--samples", type=click.IntRange(100), help="Runs to sample when it does.")
@click.option("--seed", default="0", show_default=True, help="Seed of the sampling.")
@work_option
@json_option
@click.pass_context
def odds(
    ctx: click.Context,
    scene: str,
    action: tuple[str, ...],
    guard: int | None,
    samples: int | None,
    seed: str,
    as_json: bool,
) -> None:
    """The odds of an ACTION on a scene or log, exact by enumerating the same procedure.

    Too many results to enumerate are sampled from a seed instead, with the error stated: half
    the width of the 95 % interval. Choices on the way take their default.

    \b
    Exit codes: 0 odds given, 1 the action is illegal, 2 input that cannot be used.

    \b
    Examples:
      tapeline odds scene.json charge red-1 target=blue-2
      tapeline odds game.log '{"kind": "rally", "actor": "A1"}' --json
    """
    from tapeline.analysis.odds import GUARD, SAMPLES
    from tapeline.analysis.odds import odds as odds_of
    from tapeline.engine.codec import action_document, parse_action

    match = open_match(scene)
    system, state = match.battle.system, no_open_question(match, scene)
    wanted = parse_action(system, read_action(" ".join(action), system))
    progress = Progress("results")
    found = odds_of(
        system,
        state,
        wanted,
        guard=guard if guard is not None else GUARD,
        samples=samples if samples is not None else SAMPLES,
        seed=seed,
        progress=progress,
    )
    progress.done()
    if as_json:
        print_json(
            {
                "format": "tapeline-odds/1",
                "action": action_document(wanted),
                "exact": found.exact,
                "runs": found.branches,
                "outcomes": [_outcome(outcome) for outcome in found.outcomes],
                "verdict": verdict_document(found.verdict),
            }
        )
    elif not found.verdict.legal:
        click.echo("\n".join(verdict_lines(wanted, found.verdict, system.book)))
    else:
        _print(found.outcomes, found.exact, found.branches, seed)
    ctx.exit(0 if found.verdict.legal else 1)


def _outcome(outcome: Outcome) -> dict[str, Any]:
    document: dict[str, Any] = {"outcome": outcome.label, "chance": outcome.chance}
    if outcome.exact is not None:
        document["fraction"] = [outcome.exact.numerator, outcome.exact.denominator]
    else:
        document["error"] = outcome.error
    return document


def _print(outcomes: tuple[Outcome, ...], exact: bool, runs: int, seed: str) -> None:
    rows = []
    for outcome in outcomes:
        percent = 100 * outcome.chance
        share = f"{percent:.2f} %" if percent >= 0.01 else f"{percent:.1e} %"
        fraction = str(outcome.exact) if outcome.exact is not None else ""
        margin = fraction if exact else f"+- {100 * outcome.error:.2f} %"
        rows.append((f"{share:>9}", margin, outcome.label))
    click.echo("\n".join(table_lines(rows)))
    if exact:
        click.echo(f"exact, from {runs} results")
    else:
        click.echo(f"sampled {runs} runs from seed {seed}; +- is half the 95 % interval")
