"""Text measured from the fonts, labels that do not cover each other, figures in words."""

from __future__ import annotations

import random

import pytest

from tapeline.dice import Roll
from tapeline.engine.asks import Choice, Option
from tapeline.engine.verdicts import Finding
from tapeline.picture import letters
from tapeline.picture.labels import Crowd, around, box
from tapeline.picture.words import ask_words, measure_words
from tapeline.wording import figures


def test_widths_are_those_of_the_font() -> None:
    # Advance widths in units of 1/2048 em, as another reader of the same files gives them.
    assert [letters.width(letter, 2048) for letter in "Ai18Ж"] == [1336, 498, 1151, 1151, 1859]
    bold = [letters.width(letter, 2048, bold=True) for letter in "Ai18Ж"]
    assert bold == [1379, 543, 1175, 1175, 2044]


def test_letters_of_other_scripts_are_known_or_said_not_to_be() -> None:
    assert letters.covered("Größe, Ελλάς, Москва, 5 × 2")
    assert not letters.covered("鉄砲")


def test_wrapped_lines_fit_and_lose_nothing() -> None:
    text = "The path runs across blue Trooper 2 and " + "w" * 90 + " ends on it."
    lines = letters.wrap(text, 12, 200)
    assert all(letters.width(line, 12) <= 200 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert letters.wrap("", 12, 200) == []


def test_labels_keep_clear_of_each_other_while_there_is_room() -> None:
    rng = random.Random(3)
    crowd = Crowd((0, 0, 1000, 1000))
    spots = [(rng.uniform(50, 950), rng.uniform(50, 950)) for _ in range(40)]
    for x, y in spots:
        crowd.take(box(x, y, 20, 20))
    free = 0
    for x, y in spots:
        places = around(x, y, 10, 10, 60, 20)
        index, _ = crowd.best(places)
        free += crowd.cost(places[index]) == 0
        crowd.take(places[index])
    assert free >= 38


def test_a_place_outside_the_area_is_bad() -> None:
    crowd = Crowd((0, 0, 100, 100))
    assert crowd.cost((-10, 0, 10, 10)) > crowd.cost((0, 0, 20, 10)) == 0


@pytest.mark.parametrize(
    ("pair", "shown"),
    [
        ((8.000004, 8.0), ("8.000004", "8")),
        ((0.93, 1.0), ("0.93", "1")),
        ((5.0, 5.0), ("5", "5")),
        ((1e-12, 0.0), ("1e-12", "0.0")),
    ],
)
def test_figures_are_told_apart(pair: tuple[float, float], shown: tuple[str, str]) -> None:
    assert figures(*pair) == shown


def test_measures_in_words() -> None:
    assert measure_words(Finding("x", 2.5, 2.0)) == "measured 2.5, limit 2"
    assert measure_words(Finding("x", 1.0 + 2e-15, 1.0)) == "measured 1, limit 1"
    assert measure_words(Finding("x", 2.5)) == "measured 2.5"
    assert measure_words(Finding("x", None, 2.0)) == "limit 2"
    assert measure_words(Finding("x")) == ""


def test_questions_in_words() -> None:
    roll = Roll(3, "dash", "TC-DASH-2", "red")
    assert ask_words(roll) == "red rolls 3D6: dash (TC-DASH-2)"
    choice = Choice("blue", "how", "X-1", options=(Option("a", "go"), Option("b", "stay")))
    assert "'a' go; 'b' stay" in ask_words(choice)
    number = Choice("blue", "how far", "X-1", form="number", low=1, high=3)
    assert "from 1 to 3" in ask_words(number)
