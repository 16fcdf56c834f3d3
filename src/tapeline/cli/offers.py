"""`tapeline offers`: what may be done now."""

from __future__ import annotations

import json
from itertools import islice

import click

from tapeline.cli.files import no_open_question, open_match
from tapeline.cli.output import json_option, print_json, say, work_option
from tapeline.engine.codec import action_document

__all__ = ["offers"]


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
    found = (action_document(action) for action in match.battle.offers(seed))
    wanted = (document for document in found if kind is None or document["kind"] == kind)
    # A system may offer the same action twice; what is shown is told apart, and the search ends.
    seen: dict[str, dict[str, object]] = {}
    for document in islice(wanted, 40 * number):
        seen.setdefault(json.dumps(document), document)
        if len(seen) >= number:
            break
    if as_json:
        print_json({"format": "tapeline-offers/1", "offers": list(seen.values())})
        return
    say(*seen)
    if not seen:
        say("nothing may be done", err=True)
