"""Sentences are worded so that it does not matter whether a name is plural: "Bone bows" come and
"Restless dead" are, "the Regiment" comes and is, so no verb after a name tells one from many."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tapeline.rules.sovl as sovl

FILES = sorted(Path(sovl.__file__).parent.glob("*.py"))
#: A word after a name: verbs in the third person singular, or ones that change with the number.
COUNTS = re.compile(r"^(?:'s)? (is|are|has|have|does|do|was|were|[a-z]+s)\b")
#: Words on -s that are no verbs.
NOUNS = {"across", "less", "models"}


def _spoken(source: str) -> Iterator[tuple[str, str]]:
    """What each f-string has as the subject of a sentence, with the text that follows it."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.JoinedStr):
            continue
        before = ""
        for part, after in zip(node.values, [*node.values[1:], None], strict=True):
            if isinstance(part, ast.Constant):
                before = str(part.value)
            elif isinstance(part, ast.FormattedValue):
                opens = not before.strip() or before.rstrip()[-1] in ".;:"
                if opens and isinstance(after, ast.Constant):
                    yield ast.unparse(part.value), str(after.value)
                before = "{}"


def _names(what: str) -> bool:
    return what.endswith(("name", "names", "one", "two", "holder", "[state.turn.active]"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_verb_after_a_name_depends_on_number(path: Path) -> None:
    for what, after in _spoken(path.read_text("utf-8")):
        found = COUNTS.match(after)
        if _names(what) and found is not None:
            assert found[1] in NOUNS, f"{{{what}}}{after}"


def test_names_are_followed_by_words_somewhere() -> None:
    """The check above has something to look at."""
    spoken = [pair for path in FILES for pair in _spoken(path.read_text("utf-8"))]
    assert sum(_names(what) and after.startswith(" ") for what, after in spoken) > 10
