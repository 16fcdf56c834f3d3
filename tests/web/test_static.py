"""The files of the page: they hold no rule, nothing unused, nothing a strict policy would block.

What a rule needs comes from the server. So no name of a game, no clause, no kind of action, no
profile and no length with its unit may stand in the page's JavaScript.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from generate.declarations import declarations

from tapeline.play.systems import load_system, system_names
from tapeline.web.api.pages import bundled

STATIC = Path(__file__).parents[2] / "src/tapeline/web/static"
PAGES = ("index.html", "table.html", "editor.html", "kept.html", "missing.html")
SCRIPTS = sorted(STATIC.rglob("*.js"))
STYLES = sorted(STATIC.rglob("*.css"))

#: Lines of a file; beyond, it is split by purpose.
MOST_LINES = {".js": 500, ".css": 600, ".html": 200}

#: Bytes of all that one page loads, packed as it is sent.
MOST_BYTES = 150_000

#: Words that a rule uses and that mean something else in a page: events, textures, bounds, goals.
PLAIN = {"low", "move", "order", "solid", "strike", "wheel"}

#: Comments, strings and templates, in the order in which they are recognised.
TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)""",
    re.VERBOSE | re.DOTALL,
)
IMPORT = re.compile(r'^(?:import|export)\b[^;"]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"', re.M)
NAMED = re.compile(r'^import\s+\{([^}]*)\}\s+from\s+"([^"]+)"', re.M)
TYPED = re.compile(r'\bimport\("([^"]+)"\)\.(\w+)')
WHOLE = re.compile(r'^import\s+\*\s+as\s+\w+\s+from\s+"([^"]+)"', re.M)
EXPORT = re.compile(r"^export\s+(?:async\s+)?(?:function\*?|class|const|let)\s+(\w+)", re.M)


def name_of(path: Path) -> str:
    return path.relative_to(STATIC).as_posix()


def code_of(text: str) -> str:
    """A script without its comments; types in them are no code."""
    return TOKEN.sub(lambda found: "" if found["comment"] else found[0], text)


def strings_of(text: str) -> Iterator[str]:
    for found in TOKEN.finditer(text):
        if found["string"]:
            yield found["string"][1:-1]


class Links(HTMLParser):
    """What a page of HTML loads, and what in it a strict policy would block."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.blocked: list[str] = []
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._open = tag
        source = given.get("src") or (given.get("href") if tag == "link" else None)
        if source:
            self.loads.append(source)
        self.blocked += [
            f"<{tag} {key}>" for key in given if key.startswith("on") or key == "style"
        ]
        if tag == "style":
            self.blocked.append("<style>")

    def handle_data(self, data: str) -> None:
        if self._open == "script" and data.strip():
            self.blocked.append("<script> with text")

    def handle_endtag(self, tag: str) -> None:
        self._open = ""


def at(path: str, base: Path) -> Path:
    """The file of an address in a page, a script or a style."""
    if path.startswith("/static/"):
        return STATIC / path.removeprefix("/static/")
    return (base.parent / path).resolve()


@cache
def loads(path: Path) -> tuple[Path, ...]:
    """The files that a file loads by itself."""
    text = path.read_text(encoding="utf-8")
    found: list[str] = []
    if path.suffix == ".html":
        found = Links(text).loads
    elif path.suffix == ".js":
        code = code_of(text)
        found = [a or b for a, b in IMPORT.findall(code)]
    elif path.suffix == ".css":
        found = re.findall(r'(?:@import\s+|url\()\s*"?([^")\s]+)', text)
    return tuple(at(each, path) for each in found if not each.startswith("data:"))


def reached(start: Path) -> set[Path]:
    seen: set[Path] = set()
    ahead = [start]
    while ahead:
        path = ahead.pop()
        if path not in seen:
            seen.add(path)
            ahead += loads(path)
    return seen


@cache
def rule_words() -> set[str]:
    """Names that only the rules give: of systems, actions, profiles, readings, traits."""
    words: set[str] = set()
    for name in system_names():
        system = load_system(name)
        words |= {name, system.title, *system.actions, *system.profiles, *system.traits}
        words |= {option.name for option in system.options}
    ours = set(re.findall(r'"(\w+)"', declarations()))
    return {word.lower() for word in words - ours} - PLAIN


def test_the_pages_are_there() -> None:
    assert [page for page in PAGES if not (STATIC / page).exists()] == []
    assert len(SCRIPTS) > 10


@pytest.mark.parametrize("path", [*SCRIPTS, *STYLES], ids=name_of)
def test_no_rule(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    prefixes = "|".join(load_system(name).book.prefix for name in system_names())
    assert re.findall(rf"\b(?:{prefixes})-[A-Z]+-\d+\w*", text) == [], "a clause"
    games = "|".join(word for name in system_names() for word in {name, name.split("-")[0]})
    assert re.findall(rf"\b(?:{games})\b", text, re.IGNORECASE) == [], "a game"


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_no_word_of_rules_in_code(path: Path) -> None:
    code = list(strings_of(path.read_text(encoding="utf-8")))
    found = sorted({string for string in code if string.lower() in rule_words()})
    assert found == [], "known to the rules alone: take it from a document"
    lengths = [s for s in code if re.search(r"(?<![\w.])\d+(\.\d+)?[ -]?(in|inch|inches|cm)\b", s)]
    assert lengths == [], "a length of rules"


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_a_script_says_its_purpose(path: Path) -> None:
    first, second, *_ = path.read_text(encoding="utf-8").splitlines()
    assert first == "// @ts-check"
    assert re.match(r"// \w.{15,}", second)


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_nothing_that_a_strict_policy_would_block(path: Path) -> None:
    code = code_of(path.read_text(encoding="utf-8"))
    unsafe = r"\b(eval|innerHTML|outerHTML|insertAdjacentHTML|document\.write|new Function)\b"
    assert re.findall(unsafe, code) == []
    assert re.findall(r"\bimport\(", code) == [], "what is loaded later is in no bundle"
    strangers = [s for s in strings_of(code) if re.match(r"https?://", s)]
    assert set(strangers) <= {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_loads_files_alone_and_not_too_much(page: str) -> None:
    links = Links((STATIC / page).read_text(encoding="utf-8"))
    assert links.blocked == []
    files = reached(STATIC / page)
    assert [str(path) for path in files if not path.is_file()] == []
    html, made = bundled("page", (STATIC / page).read_text(encoding="utf-8"), read)
    assert sum(len(gzip.compress(text.encode())) for text in (html, *made.values())) <= MOST_BYTES


def read(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def test_a_page_names_one_script_and_one_style() -> None:
    """Those that it had, each once, what is imported before what imports it."""
    html, made = bundled("table", read("table.html"), read)
    assert Links(html).loads[-2:] == ["/static/table.css", "/static/table.js"]
    order = re.findall(r"^// (\S+\.js)$", made["table.js"], re.M)
    assert {STATIC / name for name in order} == reached(STATIC / "table/main.js")
    assert len(order) == len(set(order))
    for place, name in enumerate(order):
        assert {name_of(path) for path in loads(STATIC / name)} <= set(order[:place])
    assert "\nimport " not in made["table.js"]
    styles = [path for path in loads(STATIC / "table.html") if path.suffix == ".css"]
    assert made["table.css"] == "".join(read(name_of(path)) for path in styles)


@pytest.mark.parametrize(
    ("module", "fault"),
    [
        ('import { a } from "./main.js";\n', "main.js imports itself by way of other.js"),
        ("export default 1;\n", "other.js: a form that cannot be bundled: export default 1;"),
        ('import * as a from "./b.js";\n', "other.js: a form that cannot be bundled: import"),
    ],
)
def test_what_cannot_be_bundled_is_a_fault(module: str, fault: str) -> None:
    files = {"main.js": 'import { a } from "./other.js";\n', "other.js": module}
    html = '<script type="module" src="/static/main.js"></script>'
    with pytest.raises(ValueError, match=re.escape(fault)):
        bundled("page", html, files.__getitem__)


def test_every_file_is_reached_from_a_page() -> None:
    used = set().union(*(reached(STATIC / page) for page in PAGES))
    there = {path for path in STATIC.rglob("*") if path.is_file() and path.suffix != ".ts"}
    assert sorted(map(name_of, there - used)) == []


def test_every_export_is_used() -> None:
    used: set[tuple[Path, str]] = set()
    whole: set[Path] = set()
    for path in SCRIPTS:
        text = path.read_text(encoding="utf-8")
        code = code_of(text)
        used |= {(at(source, path), name) for source, name in TYPED.findall(text)}
        for names, source in NAMED.findall(code):
            used |= {(at(source, path), each.split(" as ")[0].strip()) for each in names.split(",")}
        whole |= {at(source, path) for source in WHOLE.findall(code)}
    idle = [
        f"{name_of(path)}: {name}"
        for path in SCRIPTS
        if path not in whole
        for name in EXPORT.findall(code_of(path.read_text(encoding="utf-8")))
        if (path, name) not in used
    ]
    assert "\n".join(idle) == ""


def test_every_class_of_the_styles_is_used() -> None:
    """A class counts as used if it stands in a script or page; `word-${...}` covers `word-*`."""
    text = "\n".join(
        path.read_text(encoding="utf-8") for path in [*SCRIPTS, *STATIC.glob("*.html")]
    )
    words = set(re.findall(r"[\w-]+", text))
    begun = tuple(set(re.findall(r"([\w-]+-)\$\{", text)))
    idle = {
        f"{name_of(path)}: .{name}"
        for path in STYLES
        for name in re.findall(r"\.([a-zA-Z][\w-]*)(?=[^{}]*\{)", path.read_text(encoding="utf-8"))
        if name not in words and not name.startswith(begun)
    }
    assert "\n".join(sorted(idle)) == ""


@pytest.mark.parametrize("path", [*SCRIPTS, *STYLES, *STATIC.glob("*.html")], ids=name_of)
def test_a_file_has_one_purpose(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES[path.suffix]
