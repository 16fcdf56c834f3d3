"""The report of an experiment: one page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from tapeline.lab.kind import Section
from tapeline.picture.svg import element, text_content

__all__ = ["report"]

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { border: 1px solid #888; padding: .2rem .6rem; text-align: left; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; border: 1px solid #888; }
.wide { overflow-x: auto; }
"""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(element("th", text_content(cell), scope="col") for cell in head)
    body = "\n".join(
        element("tr", "".join(element("td", text_content(cell)) for cell in row)) for row in rows
    )
    table = (element("thead", element("tr", top)) if any(head) else "") + element("tbody", body)
    return element("div", element("table", table), class_="wide", tabindex=0)


def report(title: str, facts: Sequence[tuple[str, str]], sections: Sequence[Section]) -> str:
    """The page. facts: what was run, by whom, as rows of a table."""
    parts = [element("h1", text_content(title))]
    for section in sections:
        parts.append(element("h2", text_content(section.title)))
        if section.words:
            parts.append(element("p", text_content(section.words)))
        if section.chart:
            parts.append(section.chart)
        if section.rows:
            parts.append(_table(section.head, section.rows))
    parts.append(element("h2", "What was run"))
    parts.append(_table(("", ""), facts))
    head = f'<meta charset="utf-8"><title>{text_content(title)}</title><style>{_STYLE}</style>'
    page = element("head", head) + element("body", element("main", "\n".join(parts)))
    return "<!doctype html>\n" + element("html", page, lang="en") + "\n"
