"""The pages and their files."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers

from tapeline.web.api.calls import TheHub
from tapeline.web.api.faults import refused_by_http
from tapeline.web.hub.matches import COPIES_KEPT

__all__ = ["STATIC", "Files", "bundled", "not_there", "router"]

#: Where the page's own files are.
STATIC = Path(__file__).resolve().parents[1] / "static"
#: A year: who has a file under the stamp of its content need not ask again.
_KEPT = "public, max-age=31536000, immutable"

router = APIRouter(include_in_schema=False)


class _File(NamedTuple):
    """content: its bytes. packed: by gzip, where that is less. tag: stands for its content."""

    content: bytes
    packed: bytes | None
    type: str
    tag: str


@cache
def _contents() -> dict[str, bytes]:
    """All files by name, read once: those below `static/`, and what is bundled of them."""
    files = [path for path in sorted(STATIC.rglob("*")) if path.is_file()]
    there = {path.relative_to(STATIC).as_posix(): path.read_text("utf-8") for path in files}
    found = dict(there)
    for page in STATIC.glob("*.html"):
        html, made = bundled(page.stem, there[page.name], there.__getitem__)
        found |= {page.name: html, **made}
    return {name: text.encode() for name, text in found.items()}


@cache
def _file(name: str) -> _File:
    content = _contents().get(name)
    if content is None:
        raise HTTPException(404, f"this server has no file {name}")
    packed = gzip.compress(content, 9, mtime=0)
    kind = guess_type(name)[0] or "application/octet-stream"
    return _File(
        content,
        packed if len(packed) < len(content) else None,
        f"{kind}; charset=utf-8" if kind.startswith("text/") else kind,
        f'"{sha256(content).hexdigest()[:16]}"',
    )


@cache
def _stamp() -> str:
    """Stands for the content of all files: another version of the page has another one."""
    digest = sha256()
    for name, content in _contents().items():
        digest.update(name.encode() + b"\0" + sha256(content).digest())
    return digest.hexdigest()[:12]


class Files(StaticFiles):
    """The files of the page, under their names and under their stamp: /static/STAMP/name.

    A page names its files under their stamp, and a browser that has them keeps them. A page of an
    earlier version gets the files of this one.
    """

    async def get_response(self, path: str, scope: Any) -> Response:
        """The file of a path below the folder."""
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405)
        path = path.replace(os.sep, "/")
        stamp, _, rest = path.partition("/")
        stamped = re.fullmatch(r"[0-9a-f]{12}", stamp) is not None
        file = _file(rest if stamped else path)
        asked = Headers(scope=scope)
        headers = {"etag": file.tag, "vary": "Accept-Encoding", "content-type": file.type}
        if stamped and stamp == _stamp():
            headers["cache-control"] = _KEPT
        if file.tag in asked.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if file.packed is not None and "gzip" in asked.get("accept-encoding", ""):
            return Response(file.packed, headers={**headers, "content-encoding": "gzip"})
        return Response(file.content, headers=headers)


@cache
def _page(name: str) -> str:
    return _file(name).content.decode().replace('"/static/', f'"/static/{_stamp()}/')


@router.get("/")
async def start() -> HTMLResponse:
    """The start page."""
    return HTMLResponse(_page("index.html"))


def _days(days: float) -> str:
    if not days:
        return "until whoever runs this server deletes it"
    return f"until nothing has been done on it for {days:g} day{'' if days == 1.0 else 's'}"


@router.get("/kept")
async def kept(hub: TheHub) -> HTMLResponse:
    """What is kept, and for how long."""
    settings, page = hub.settings, _page("kept.html")
    for name, words in {
        "matches": _days(settings.keep_days),
        "copies": _days(COPIES_KEPT / timedelta(days=1)),
        "calls": f"{'A' if settings.access_log else 'No'} log of calls is kept.",
    }.items():
        page = page.replace(f"{{{{{name}}}}}", words)
    return HTMLResponse(page)


async def not_there(request: Request, error: Exception) -> Response:
    """A page with ways on where a browser asks for one that is not there; JSON for programs."""
    if request.url.path.startswith("/api") or "text/html" not in request.headers.get("accept", ""):
        return await refused_by_http(request, error)
    return HTMLResponse(_page("missing.html"), 404)


@router.get("/t/{match_id}")
async def table(match_id: str) -> HTMLResponse:
    """A match; the secret of the link stays in the browser."""
    return HTMLResponse(_page("table.html"))


@router.get("/edit")
async def edit() -> HTMLResponse:
    """The scene editor."""
    return HTMLResponse(_page("editor.html"))


@router.get("/favicon.ico")
async def icon() -> FileResponse:
    """A sign for the tab of the browser."""
    return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")


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
    """A page that names one script and one style instead of a hundred files, and these two by name.

    The page's modules keep to one form of import and one of export, and none imports in a circle
    (tests/web/test_static.py), so that joining them needs no parser of JavaScript: each becomes a
    function that gives back what it exports, after all that it imports. The page's own stands last,
    as it is, and alone may wait (`await`) outside of a function.

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
