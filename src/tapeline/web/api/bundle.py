"""A page with one script and one style instead of a hundred files: the board comes sooner.

The page's modules keep to one form of import and one of export, and none imports in a circle
(tests/web/test_static.py), so that joining them needs no parser of JavaScript: each becomes a
function that gives back what it exports, after all that it imports. The page's own stands last, as
it is, and alone may wait (`await`) outside of a function.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from posixpath import dirname, join, normpath

__all__ = ["bundled"]

_STYLE = re.compile(r' *<link rel="stylesheet" href="/static/([^"]+)" />\n')
_SCRIPT = re.compile(r'<script type="module" src="/static/([^"]+)"></script>')
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "([^"]+)";\n', re.M)
#: Types and what a part is for, in lines of their own: read in the files, not sent to browsers.
_NOTES = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/\n", re.M | re.S)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.M)


def _variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name)


def _joined(main: str, read: Callable[[str], str]) -> str:
    """A module and all it imports as one."""
    parts: dict[str, str] = {}

    def take(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise ValueError(f"{name} imports itself by way of {above[-1]}")
        if name in parts:
            return

        def imported(found: re.Match[str]) -> str:
            source = normpath(join(dirname(name), found[2]))
            take(source, (*above, name))
            return f"const {found[1]} = {_variable(source)};\n"

        text = _IMPORT.sub(imported, _NOTES.sub("", read(name)))
        exported = ", ".join(_EXPORT.findall(text))
        body = _EXPORT.sub("", text)
        if odd := re.search(r"^(?:import|export)\b.*", body, re.M):
            raise ValueError(f"{name}: a form that cannot be bundled: {odd[0]}")
        if above:
            body = f"const {_variable(name)} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"
        parts[name] = f"// {name}\n{body}"

    take(main, ())
    return "".join(parts.values())


def bundled(page: str, html: str, read: Callable[[str], str]) -> tuple[str, dict[str, str]]:
    """A page that names one script and one style, and these two by name.

    page: its name without an ending. read: the text of a file below /static/, by its name there.
    Raises ValueError where a module has a form that is not known, or imports itself.
    """
    made: dict[str, str] = {}
    if styles := _STYLE.findall(html):
        made[f"{page}.css"] = "".join(map(read, styles))
        link = f'    <link rel="stylesheet" href="/static/{page}.css" />\n'
        html = _STYLE.sub(lambda found: link if found[1] == styles[-1] else "", html)
    if script := _SCRIPT.search(html):
        made[f"{page}.js"] = _joined(script[1], read)
        html = html.replace(script[0], script[0].replace(script[1], f"{page}.js"))
    return html, made
