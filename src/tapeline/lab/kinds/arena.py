"""arena: programs and levels of the opponent play each other; a unit is a game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

from pydantic import Field

from tapeline.bots.arena import Bout, Fixture, play_fixture, ratings, records
from tapeline.errors import DocumentError, Fault
from tapeline.lab.charts import Share, share_chart, standing_chart
from tapeline.lab.kind import ExperimentKind, Row, Section, Settings, Unit, Varied
from tapeline.opponent.standings import Tally
from tapeline.table.scene import parse_scene

__all__ = ["KIND"]


class _ArenaDoc(Settings):
    """players: by name a level, "random", or a command. games: of each pairing, scene and seed."""

    players: dict[str, str] = Field(min_length=2)
    games: int = Field(20, ge=1)
    seconds: float = Field(5.0, gt=0)


def _units(plan: Varied) -> Iterator[Unit]:
    settings: _ArenaDoc = plan.settings
    number = 0
    for source in plan.sources:
        for one, two in combinations(settings.players, 2):
            for seed in plan.seeds:
                for game in range(settings.games):
                    pair = [one, two] if game % 2 == 0 else [two, one]
                    asked = {
                        "pair": pair,
                        "players": {who: settings.players[who] for who in sorted(pair)},
                        "seconds": settings.seconds,
                    }
                    alike = f"{source}|{one}|{two}"
                    yield Unit(number, source, f"{seed}:{game // 2}", asked, alike)
                    number += 1


def _do(unit: Unit, scene: Any) -> list[Row]:
    whole = parse_scene(scene, unit.source)
    sides = [side.id for side in whole.sides]
    if len(sides) != 2 or not whole.game:
        fault = Fault("", "an arena wants two sides, and goals so that somebody can win")
        raise DocumentError(unit.source, [fault])
    asked = unit.asked
    placed = dict(zip(sides, asked["pair"], strict=True))
    bout = play_fixture(
        Fixture(unit.source, scene, placed, asked["players"], unit.seed, asked["seconds"])
    )
    return [
        {
            "first": asked["pair"][0],
            "second": asked["pair"][1],
            "winner": bout.winner,
            "first_points": bout.points.get(sides[0]),
            "second_points": bout.points.get(sides[1]),
            "entries": bout.entries,
            "why": bout.why,
            "program_faults": json.dumps(bout.faults, sort_keys=True),
        }
    ]


def _sections(plan: Varied, rows: Iterable[Row]) -> list[Section]:
    bouts = []
    fairness = {source: Tally() for source in plan.sources}
    for row in rows:
        if row["fault"]:
            continue
        pair = {"first": row["first"], "second": row["second"]}
        faults = json.loads(row["program_faults"])
        bouts.append(
            Bout(row["source"], pair, row["seed"], row["winner"], {}, row["entries"], "", faults)
        )
        tally = fairness[row["source"]]
        tally.draws += row["winner"] is None
        tally.wins += row["winner"] == row["first"]
        tally.losses += row["winner"] == row["second"]
    if not bouts:
        return [Section("Players", "No game was played.")]
    found, strengths = records(bouts), ratings(bouts)
    alone = {who: one for (who, other), one in found.items() if other is None}
    order = sorted(alone, key=lambda who: -strengths[who])
    table = tuple(
        (
            who, f"{strengths[who]:.0f}", *(str(n) for n in (
                alone[who].games, alone[who].wins, alone[who].draws, alone[who].losses
            )),
            *(f"{found[who, other].share:.1%}" if (who, other) in found else "" for other in order),
            ", ".join(f"{n} {what}" for what, n in sorted(alone[who].faults.items())),
        )
        for who in order
    )  # fmt: skip
    head = ("player", "rating", "games", "won", "drawn", "lost", *order, "faults")
    words = "Ratings are on the scale of Elo, by the model of Bradley and Terry."
    shares = [
        Share(source, tally.share, *tally.interval)
        for source, tally in fairness.items()
        if tally.games
    ]
    said = "Games won by the side that the scene names first, a draw counting half."
    return [
        Section("Players", words, head, table, standing_chart(found, strengths)),
        Section("Sides", said, chart=share_chart("Share of the first side", shares, said)),
    ]


KIND = ExperimentKind(
    name="arena",
    says="programs and levels of the opponent play each other on scenes with goals",
    settings=_ArenaDoc,
    columns={
        "first": "text", "second": "text", "winner": "text", "first_points": "whole",
        "second_points": "whole", "entries": "whole", "why": "text", "program_faults": "text",
    },
    units=_units,
    do=_do,
    sections=_sections,
)  # fmt: skip
