"""Files of the page that are written from Python: declarations, and the look it shares."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from generate import look
from generate.declarations import SENT_BY_PAGE, declarations, kinds

from support.scenarios import ROOT
from tapeline.web.app import create_app

FILE = ROOT / "src/tapeline/web/static/lib/documents.d.ts"


def test_the_file_is_not_stale() -> None:
    assert FILE.read_text() == declarations(), "stale; write it anew: make docs"


@pytest.mark.parametrize("path", look.FILES, ids=lambda path: path.name)
def test_colours_signs_and_tiles_are_those_of_pictures(path: Path) -> None:
    assert (ROOT / path).read_text() == look.FILES[path](), "stale: make docs"


def test_every_document_is_declared_once() -> None:
    declared = re.findall(r"^export interface (\w+)", declarations(), re.MULTILINE)
    assert sorted(declared) == sorted({kind.__name__ for kind in kinds()})
    assert {"Board", "Match", "Verdict", "Control", "Hello", "Now"} <= set(declared)


@pytest.mark.parametrize(
    "line",
    [
        '  kind: "LEGAL" | "STOPPED" | "ILLEGAL" | "CHOICE" | "FORCED";',  # one of some words
        "  circle: [number, number, number] | null;",  # the server sends every field
        "  faces?: number[] | null;",  # the page may leave out what has a default
        "  lines: [[number, number], [number, number]][];",
        "  stats: Record<string, any>;",
        "  value?: unknown;",
        '  type: "hello";',
    ],
)
def test_a_field_is_declared_so(line: str) -> None:
    assert line in declarations().splitlines()


def test_what_the_page_sends_is_what_the_server_takes() -> None:
    taken = {
        content["schema"].get("$ref", content["schema"].get("title", "")).rpartition("/")[2]
        for path in create_app().openapi()["paths"].values()
        for operation in path.values()
        for content in operation.get("requestBody", {}).get("content", {}).values()
    }
    names = {kind.__name__ for kind in kinds()}
    live = {"Hello", "Try", "Commit", "Reveal", "Ping"}
    assert taken & names == {kind.__name__ for kind in SENT_BY_PAGE} - live
