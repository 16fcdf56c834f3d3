"""Surveys of small tables whose figures are known beforehand."""

from __future__ import annotations

import copy
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from support.scenarios import EXAMPLES
from tapeline.analysis.survey_figures import SurveyOptions
from tapeline.analysis.survey_ways import nearest_ways
from tapeline.cli.app import app
from tapeline.errors import DocumentError
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import PointGoal
from tapeline.picture.survey import report_page, sheet_of
from tapeline.play.surveys import survey

pytestmark = pytest.mark.compiled

#: Coarse: a whole survey in a quarter of a second without a compiler.
COARSE = SurveyOptions(base_mm=25.4, move=2.0, turns=2, sizes_mm=(25.4,), step=1.0)
TABLE: dict[str, Any] = {
    "width": 12,
    "depth": 12,
    "unit": "in",
    "terrain": [
        [[2, 5], [4, 5], [4, 6], [2, 6]],
        [[8, 6], [10, 6], [10, 7], [8, 7]],
    ],
    "deployment": {
        "player": [[0, 0], [12, 0], [12, 2], [0, 2]],
        "opponent": [[0, 10], [12, 10], [12, 12], [0, 12]],
    },
}


def test_a_symmetric_table_is_fair_and_has_no_worst_place() -> None:
    found = survey(TABLE, COARSE, name="small").survey
    assert found.symmetric
    assert found.symmetry.kind == "point"
    assert found.symmetry.apart <= 1e-6
    assert found.fair
    assert found.worst is None
    assert found.off == ()
    assert all(one.figures[0] == pytest.approx(one.figures[1]) for one in found.differences)


def test_where_distances_are_secret_in_play_the_table_is_surveyed_all_the_same() -> None:
    """In Mordheim nobody measures before charges are declared; a survey comes before the game."""
    found = survey(json.loads((EXAMPLES / "mordheim-fountain.json").read_text()), COARSE).survey
    assert found.fair
    assert found.symmetric


def test_a_piece_that_was_moved_is_named() -> None:
    spoilt = copy.deepcopy(TABLE)
    spoilt["terrain"][1] = [[x, y + 0.75] for x, y in spoilt["terrain"][1]]
    found = survey(spoilt, COARSE, name="spoilt").survey
    assert not found.symmetric
    assert {one.id for one in found.symmetry.off(1e-6)} == {"terrain-1", "terrain-2"}
    assert found.symmetry.apart == pytest.approx(0.75)
    assert "terrain-2" in found.off[0]
    assert found.worst is not None


def test_areas_and_ways_of_an_empty_table() -> None:
    """A 1-in base in a 2-in strip has its centre at 1.5 at most: after 2 in at 3.5 of 12."""
    found = survey({**TABLE, "terrain": []}, COARSE, name="empty").survey
    for side in found.sides:
        for turn, (area, error) in enumerate(zip(side.area, side.area_error, strict=True), 1):
            strip = (1.5 + 2.0 * turn - 0.5) * 11.0 / 144.0
            assert abs(area - strip) <= error
        assert side.sees == 1.0
        # The middle is a circle of radius 2 about (6, 6).
        assert side.goals[0].way == pytest.approx(2.5)
        assert side.goals[0].cover == 0.0
    assert found.lanes[0].lanes == 1
    assert found.lanes[0].across == pytest.approx(9.0)


def test_a_gap_too_narrow_shuts_the_table() -> None:
    shut = [[[0, 5], [5.75, 5], [5.75, 7], [0, 7]], [[6.25, 5], [12, 5], [12, 7], [6.25, 7]]]
    found = survey({**TABLE, "terrain": shut}, COARSE, name="shut").survey
    assert found.lanes[0].lanes == 0
    assert found.lanes[0].across is None
    narrow = [one for one in found.chokes if one.width == pytest.approx(0.5)]
    assert narrow
    assert narrow[0].passes_mm is None


def test_zones_are_needed() -> None:
    with pytest.raises(DocumentError, match="lacking"):
        survey({"width": 12})


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (5, "must be an object"),
        ([], "must be an object"),
        ({"format": "tapeline-scene/1"}, "sides: is missing"),
        ({**TABLE, "terrain": 5}, "terrain: must be a list"),
        ({**TABLE, "terrain": [5]}, "terrain"),
        ({**TABLE, "width": "x"}, "width: must be a number"),
        ({**TABLE, "width": "x", "deployment": None}, "width: must be a number"),
        ({**TABLE, "deployment": {"player": 5, "opponent": 5}}, "polygon: must be a list"),
        ({**TABLE, "unit": 5, "deployment": {}}, "unit"),
    ],
)  # fmt: skip
def test_what_is_no_table_is_told_by_its_fault(table: Any, told: str) -> None:
    with pytest.raises(DocumentError, match=told):
        survey(table, COARSE)


def test_a_report_tells_every_table_and_draws_it() -> None:
    sheet = sheet_of(survey({**TABLE, "terrain": []}, COARSE, name="empty"), True)
    page = report_page([sheet], [("bad.json", "is <no> table")])
    assert sheet.picture.startswith("<svg")
    assert "reached by turn 2" in sheet.picture
    assert page.count("data:image/svg+xml") == 1
    assert "is &lt;no&gt; table" in page


def test_corners_rounded_to_hundredths_are_not_symmetric_and_it_says_why() -> None:
    rounded = copy.deepcopy(TABLE)
    rounded["terrain"][1] = [[x, y + 0.01] for x, y in rounded["terrain"][1]]
    sheet = sheet_of(survey(rounded, COARSE, name="rounded"), False)
    assert not sheet.survey.symmetric
    assert sheet.survey.rounded
    assert sheet.document["apart"] == pytest.approx(0.01)
    assert sheet.document["rounded"] is True
    assert "Off by less than 0.02 in: rounding?" in sheet.lines
    assert any("Not symmetric within 1e-06 in" in line for line in sheet.lines)


def test_eyes_are_the_same_from_both_sides_where_squares_are_even() -> None:
    """Every second square of 14 from one edge is none of every second from the other."""
    strips = {
        "player": [[0, 0], [14, 0], [14, 3], [0, 3]],
        "opponent": [[0, 11], [14, 11], [14, 14], [0, 14]],
    }
    blocks = [[[5, 4], [12, 4], [12, 5], [5, 5]], [[2, 9], [9, 9], [9, 10], [2, 10]]]
    table = {"width": 14, "depth": 14, "terrain": blocks, "deployment": strips}
    found = survey(table, COARSE, name="even").survey
    assert found.symmetric
    assert found.fair
    assert all(one.figures[0] == pytest.approx(one.figures[1]) for one in found.differences)


def test_a_worst_place_that_one_side_cannot_reach_is_told_as_a_least_figure() -> None:
    shut = [[[0, 5], [12, 5], [12, 7], [0, 7]]]
    uneven = {**TABLE, "terrain": [*shut, [[2, 3], [6, 3], [6, 4.9], [2, 4.9]]]}
    sheet = sheet_of(survey(uneven, COARSE, name="uneven"), False)
    assert sheet.survey.blocked
    line = next(line for line in sheet.lines if line.startswith("Worst place"))
    assert "at least" in line
    assert "blocked or too far" in line


def test_the_command_tells_fair_from_spoilt_from_broken(tmp_path: Path) -> None:
    spoilt = copy.deepcopy(TABLE)
    spoilt["terrain"][1] = [[x - 4, y - 3] for x, y in spoilt["terrain"][1]]
    for name, table in (("even", TABLE), ("spoilt", spoilt), ("broken", {"width": 3})):
        (tmp_path / f"{name}.json").write_text(json.dumps(table))
    given = ["--base", "25.4", "--move", "2", "--turns", "1", "--sizes", "25.4", "--jobs", "1"]
    given += ["--no-compile"]

    def command(*words: str) -> Any:
        return CliRunner().invoke(app, ["survey", *words, *given])

    picture = tmp_path / "even.svg"
    even = command(str(tmp_path / "even.json"), "--json", "-o", str(picture))
    assert even.exit_code == 0, even.output
    assert json.loads(even.stdout)["tables"][0]["symmetric"] is True
    assert picture.read_text().startswith("<svg")
    both = command(str(tmp_path / "even.json"), str(tmp_path / "spoilt.json"), "--json")
    assert both.exit_code == 1, both.output
    told = json.loads(both.stdout)["tables"]
    assert [one["symmetric"] for one in told] == [True, False]
    assert "terrain-2" in told[1]["off"][0] + told[1]["off"][1]
    assert command(str(tmp_path / "broken.json")).exit_code == 2


def test_the_nearest_of_many_ways_is_the_least_of_all_asked_singly() -> None:
    """To the last digit; a yard without a gate has no way out."""
    yard = [[8, 7, 8.2, 7, 8.2, 11, 8, 11], [11, 7, 11.2, 7, 11.2, 11, 11, 11]]
    yard += [[8, 6.8, 11.2, 6.8, 11.2, 7, 8, 7], [8, 11, 11.2, 11, 11.2, 11.2, 8, 11.2]]
    field = Field.of(width=12.0, depth=12.0, solids=[[2, 5, 6, 5, 6, 6, 2, 6], *yard])
    sources = [(0.5 + k, 1.0) for k in range(12)]
    squares = [(0.5 + i, 2.5 + j) for j in range(10) for i in range(12)]
    places = [p for p in squares if field.standable(*p, 0.4)]
    lengths, at = nearest_ways(field, 0.4, np.array(sources), np.array(places))
    shut = 0
    for place, length, k in zip(places, lengths, at, strict=True):
        singly = [field.route(source, [PointGoal(*place)], 0.4).route for source in sources]
        known = [math.inf if way is None else way.length for way in singly]
        assert length == min(known)
        assert math.isinf(length) or known[k] == length
        shut += math.isinf(length)
    assert 0 < shut < len(places) // 2
