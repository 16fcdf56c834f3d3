"""Questions out, answers in, as plain text, so that a program in any language can take part.

The format is in docs/bench.md.
"""

from __future__ import annotations

import math
import statistics
from functools import partial
from pathlib import Path

import numpy as np
import shapely
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

from bench.harness import DisagreementError, Figure, Setting, compare, time_each
from bench.jobs.route import LIMIT, batch_time, bracket, route_length
from bench.jobs.sight import batch_time as view_batch_time
from bench.peers.visibility import free_space, lazy_length
from bench.tables import Pair, Point, Table, groups, pairs_of, paths_of, places_of
from tapeline.geometry.discs.field import Field
from tapeline.geometry.rectangles.rectangle import region_of_polygon
from tapeline.geometry.sight.visible_region import Blockers

__all__ = ["ExchangeError", "read_answers", "write_questions"]

_FORMAT = "tapeline-bench 1"


class ExchangeError(Exception):
    """An answer file that cannot be read: file, line and what is wrong."""


def _tables(setting: Setting) -> dict[str, Table]:
    sizes = ((20, 40), (60, 40), (200, 40), (600, 40), (200, 200))
    return {table.name: table for group in groups(setting, sizes) for table in group.tables}


def _questions(
    table: Table, setting: Setting
) -> tuple[list[Pair], list[list[list[float]]], list[Point]]:
    """Routes with an answer within the limit, paths of three legs, and eyes."""
    field = table.field(True)
    pairs = [
        pair
        for pair in pairs_of(table, setting.count(300, 60))
        if math.isfinite(route_length(table, field, pair))
    ]
    count = setting.count(300, 60)
    return pairs, paths_of(table, count).tolist(), places_of(table, count, 17)


def _text(*numbers: float) -> str:
    return " ".join(repr(float(v)) for v in numbers)


def _rings(space: BaseGeometry) -> str:
    """Parts of a polygonal space, each with its holes."""
    lines = [_FORMAT]
    for part in shapely.get_parts(space):
        for kind, ring in (("outer", part.exterior), *(("hole", h) for h in part.interiors)):
            corners = np.asarray(ring.coords)[:-1]
            lines.append(f"{kind} {len(corners)} {_text(*corners.ravel())}")
    return "\n".join(lines) + "\n"


def write_questions(folder: Path, setting: Setting) -> int:
    """Write a .table, .free, .view and .questions file a table. Gives how many tables."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = _tables(setting)
    for name, table in tables.items():
        lines = [_FORMAT, f"size {_text(table.width, table.depth)}", f"radius {table.radius!r}"]
        lines += [f"polygon {len(ring) // 2} {_text(*ring)}" for ring in table.rings]
        lines += [f"disc {_text(*disc)}" for disc in table.discs]
        (folder / f"{name}.table").write_text("\n".join(lines) + "\n")
        free = free_space(table.shapes, table.discs, table.radius, table.width, table.depth)
        (folder / f"{name}.free").write_text(_rings(free))
        view = box(0.0, 0.0, table.width, table.depth).difference(shapely.union_all(table.shapes))
        (folder / f"{name}.view").write_text(_rings(view))
        pairs, paths, eyes = _questions(table, setting)
        lines = [_FORMAT]
        lines += [f"route {i} {_text(*a, *b)}" for i, (a, b) in enumerate(pairs)]
        lines += [
            f"path {i} {len(path)} {_text(*(v for corner in path for v in corner))}"
            for i, path in enumerate(paths)
        ]
        lines += [f"view {i} {_text(*eye)}" for i, eye in enumerate(eyes)]
        (folder / f"{name}.questions").write_text("\n".join(lines) + "\n")
    return len(tables)


class _Answers:
    """One file: who answers, with true arcs or chords, and the answers by table and kind."""

    def __init__(self, file: Path) -> None:
        self.peer, self.arcs = "", True
        self.routes: dict[str, dict[int, tuple[float, float]]] = {}
        self.paths: dict[str, dict[int, tuple[float, float]]] = {}
        self.views: dict[str, dict[int, tuple[float, float]]] = {}
        #: Microseconds a question by table and kind, all questions asked one after the other.
        self.passes: dict[tuple[str, str], float] = {}
        try:
            lines = file.read_text().splitlines()
        except OSError as fault:
            raise ExchangeError(f"{file}: {fault.strerror}") from fault
        if not lines or lines[0].strip() != _FORMAT:
            raise ExchangeError(f"{file}: line 1 must be {_FORMAT!r}")
        for number, line in enumerate(lines[1:], 2):
            if not line.strip() or line.startswith("#"):
                continue
            try:
                self._take(line.split())
            except (ValueError, IndexError) as fault:
                raise ExchangeError(f"{file}: line {number}: cannot read {line!r}") from fault
        if not self.peer:
            raise ExchangeError(f"{file}: there is no line 'peer NAME'")

    def _take(self, words: list[str]) -> None:
        if words[0] == "peer":
            self.peer = " ".join(words[1:])
        elif words[0] == "ground":
            if words[1] not in ("arcs", "chords"):
                raise ValueError(words[1])
            self.arcs = words[1] == "arcs"
        elif words[0] == "batch":
            if words[2] not in ("route", "path", "view") or not 0.0 < float(words[3]) < math.inf:
                raise ValueError(words)
            self.passes[words[1], words[2]] = float(words[3])
        elif words[0] in ("route", "path", "view"):
            kind = {"route": self.routes, "path": self.paths, "view": self.views}[words[0]]
            answer, spent = float(words[3]), float(words[4])
            if math.isnan(answer) or not (math.isfinite(spent) and spent > 0.0):
                raise ValueError(words)
            kind.setdefault(words[1], {})[int(words[2])] = (answer, spent)
        else:
            raise ValueError(words[0])


def _figures(
    job: str,
    table: Table,
    answers: _Answers,
    kind: str,
    told: dict[int, tuple[float, float]],
    single: float,
    batch: float,
    goal: float,
    note: str,
) -> list[Figure]:
    """A line for single calls, median beside median, and one for all questions in one go, means."""
    spent = [spent for _, spent in told.values()]
    passed = answers.passes.get((table.name, kind))
    whole = "all questions in one go" if passed else "the mean of its single ones"
    theirs = statistics.mean(spent) if passed is None else passed
    return [
        compare(
            f"{job}, a call",
            table.name,
            single,
            1e-6 * statistics.median(spent),
            answers.peer,
            goal,
            note,
        ),
        compare(
            f"{job}, batch", table.name, batch, 1e-6 * theirs, answers.peer, goal, f"peer: {whole}"
        ),
    ]


def _routes(table: Table, field: Field, answers: _Answers, pairs: list[Pair]) -> list[Figure]:
    told = answers.routes[table.name]
    ours = [route_length(table, field, pair) for pair in pairs]
    bracket(table, pairs[:20], ours[:20])
    free = free_space(table.shapes, table.discs, table.radius, table.width, table.depth)
    for i, (length, _) in sorted(told.items()):
        wanted = ours[i]
        if not answers.arcs:
            wanted = lazy_length(free, *pairs[i], LIMIT)
        if wanted != length and not abs(wanted - length) <= 1e-6:
            raise DisagreementError(
                f"{table.name}: route {i}: {answers.peer} says {length!r}, it is {wanted!r}"
            )
    use = sorted(told)
    timing = time_each([partial(route_length, table, field, pairs[i]) for i in use], 5)
    return _figures(
        "route <= 12 in",
        table,
        answers,
        "route",
        told,
        timing.median,
        batch_time(table, field, [pairs[i] for i in use]),
        0.5,
        f"{len(use)} routes agree{'' if answers.arcs else ', the peer on chords'}; its own timing",
    )


def _paths(table: Table, field: Field, answers: _Answers, paths: list[list[list[float]]]) -> Figure:
    told = answers.paths[table.name]
    ways = [[(x, y) for x, y in path] for path in paths]
    for i, (legal, _) in sorted(told.items()):
        if field.follows(ways[i], table.radius) != bool(legal):
            raise DisagreementError(
                f"{table.name}: path {i}: {answers.peer} says {legal:g}, ours {1 - legal:g}"
            )
    use = sorted(told)
    timing = time_each([partial(field.follows, ways[i], table.radius) for i in use], 5)
    return compare(
        "legality, a call",
        table.name,
        timing.median,
        1e-6 * statistics.median(told[i][1] for i in use),
        answers.peer,
        None,
        f"{len(use)} paths agree; its own timing",
    )


def _views(table: Table, answers: _Answers, eyes: list[Point]) -> list[Figure]:
    told = answers.views[table.name]
    regions = [region_of_polygon(list(s.exterior.coords)[:-1]) for s in table.shapes]
    blockers = Blockers(regions, table.width, table.depth)
    for i, (area, _) in sorted(told.items()):
        wanted = blockers.seen_from(eyes[i]).area
        if not abs(wanted - area) <= 1e-6:
            raise DisagreementError(
                f"{table.name}: view {i}: {answers.peer} says {area!r} sq in, ours {wanted!r}"
            )
    use = sorted(told)
    timing = time_each([partial(blockers.seen_from, eyes[i]) for i in use], 5)
    return _figures(
        "visible region",
        table,
        answers,
        "view",
        told,
        timing.median,
        view_batch_time(table.name, blockers, [eyes[i] for i in use]),
        1.0,
        f"{len(use)} areas agree; its own timing",
    )


def read_answers(file: Path, setting: Setting) -> list[Figure]:
    """Compare another program's answers with ours, then set its times beside ours.

    Raises ExchangeError for a malformed file or unknown ids, DisagreementError for other answers.
    """
    answers = _Answers(file)
    tables = _tables(setting)
    figures = []
    for name in dict.fromkeys([*answers.routes, *answers.paths, *answers.views]):
        if name not in tables:
            raise ExchangeError(f"{file}: there is no table {name!r}; was it written with --quick?")
        table = tables[name]
        field = table.field(True)
        pairs, paths, eyes = _questions(table, setting)
        for kind, told, count in (
            ("route", answers.routes.get(name, {}), len(pairs)),
            ("path", answers.paths.get(name, {}), len(paths)),
            ("view", answers.views.get(name, {}), len(eyes)),
        ):
            strange = [i for i in told if not 0 <= i < count]
            if strange:
                raise ExchangeError(f"{file}: {name} has no {kind} {strange[0]}")
        if name in answers.routes:
            figures += _routes(table, field, answers, pairs)
        if name in answers.paths:
            figures.append(_paths(table, field, answers, paths))
        if name in answers.views:
            figures += _views(table, answers, eyes)
    return figures
