"""WM-TER: who may enter what, what is dense, fortified, seen past."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from tapeline.engine.limits import TOLERANCE, within
from tapeline.engine.state import State
from tapeline.engine.system import TerrainKind
from tapeline.geometry.plane.grid import Box, boxes_meet
from tapeline.geometry.rectangles.rectangle import (
    Rect,
    Region,
    overlaps,
    region_of_circle,
    region_of_polygon,
    region_of_segment,
    separation,
    union_of,
)
from tapeline.ranks.bases import ByPlace, Point, box_about
from tapeline.rules.warmaster.figures import BOOK, flies, mask_of
from tapeline.table.bodies import Body
from tapeline.table.outlines import Area, cut_out, enters, welded, without_holes
from tapeline.table.solids import region_of
from tapeline.table.terrain import Battlefield, Circle, Outline, Piece

__all__ = [
    "Feature",
    "clause_barring",
    "clauses_allowing",
    "ground_of",
    "in_the_midst",
    "region_of_areas",
    "rings_of",
]

EVERYBODY = "ICMHAX"
#: A box about all there is.
EVERYWHERE: Box = (-math.inf, -math.inf, math.inf, math.inf)

#: What a scene may say of a piece besides its kind. low: seen past. deep: nobody sees far into
#: it. fortified: who stands in it is fortified. dense: costs who orders there. opaque: not seen
#: past. barrier: barred to everybody on foot.
TRAITS = frozenset({"low", "deep", "fortified", "dense", "opaque", "barrier"})


#: Kind, letters of the types that may enter it (WM-TER-1..8, -12..14), height, look, traits.
_KINDS: tuple[tuple[str, str, float, str, str], ...] = (
    ("hill", EVERYBODY, 3.0, "rings", "opaque"),
    ("steep hill", "I", 5.0, "rings", "opaque"),
    ("wood", "I", 5.0, "trees", "deep dense"),
    ("scrub", "I", 2.0, "reeds", "deep"),
    ("village", "I", 5.0, "bricks", "deep dense"),
    ("broken ground", "I", 0.0, "stones", "low dense"),
    ("marsh", "I", 0.0, "reeds", "low dense"),
    ("fields", "ICM", 0.0, "dots", "low"),
    ("stream", "ICM", 0.0, "waves", "low"),
    ("ford", "ICM", 0.0, "waves", "low"),
    ("river", "", 0.0, "waves", "low"),
    ("lake", "", 0.0, "waves", "low"),
    ("ravine", "", 0.0, "hatch", "low"),
    ("chasm", "", 0.0, "hatch", "low barrier"),
    ("cliff", "", 6.0, "hatch", "opaque"),
    ("bridge", EVERYBODY, 0.5, "plain", "low"),
    ("road", EVERYBODY, 0.0, "plain", "low"),
    ("low obstacle", "ICM", 1.0, "hatch", "low"),
    ("high obstacle", "I", 2.0, "cross-hatch", "opaque fortified"),
    ("earthwork", EVERYBODY, 0.0, "dashes", "low fortified"),
    ("building", "", 6.0, "bricks", "opaque"),
    ("wall", "", 6.0, "solid", "opaque"),
    ("tower", "", 9.0, "solid", "opaque"),
    ("gateway", EVERYBODY, 0.0, "plain", "low"),
    ("feature", "I", 3.0, "stones", "opaque"),
    ("impassable", "", 3.0, "cross-hatch", "opaque"),
)
_FORMS = {
    "village": "roofs",
    "building": "roof",
    "ford": "shallows",
    "bridge": "planks",
    "road": "track",
}
KINDS = MappingProxyType(
    {
        name: TerrainKind(name, frozenset(traits.split()), height, pattern, _FORMS.get(name, ""))
        for name, _, height, pattern, traits in _KINDS
    }
)
_ACCESS = {name: letters for name, letters, *_ in _KINDS}
#: Kinds that carry whoever may use them over what lies below (WM-TER-14).
_OVER = ("bridge", "gateway", "ford")
#: How far the corners of a round piece that a way cuts may be off its line, cm.
_OFF_ROUND = 1e-4
_RIVERS = ("river",)
_HILLS = ("hill", "steep hill")
#: The clause about the ground that each type of troops goes over.
_GROUND_OF_TYPE = {
    "I": "WM-TER-1", "C": "WM-TER-2", "M": "WM-TER-2", "H": "WM-TER-3", "A": "WM-TER-3",
    "X": "WM-TER-4",
}  # fmt: skip
_OPENED = ("village", "broken ground", "marsh")

BOOK.resolves_each("""
WM-TER-14 (public) Each kind of feature has its list of types that may enter; a road opens it to
    columns.
WM-TER-1 (seed) Infantry crosses features at no loss of distance.
""")


@dataclass(frozen=True, slots=True)
class Feature:
    """A piece of terrain as a shape. group: all that bar as one with it, because they adjoin it or
    one another. known: what was worked out about it and its neighbours."""

    piece: Piece
    region: Region
    group: tuple[Feature, ...] = field(default=(), repr=False, compare=False)
    known: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def id(self) -> str:
        """The id of the piece."""
        return self.piece.id

    @property
    def name(self) -> str:
        """The name of the piece."""
        return self.piece.name

    @property
    def whole(self) -> tuple[Feature, ...]:
        """It with all that bar as one with it."""
        return self.group or (self,)

    @property
    def as_one(self) -> Region:
        """The ground of its group, no way left between the pieces, nor between the shapes of one;
        round pieces stay apart."""
        borders = len(self.region.outlines)
        if borders == 0 or (borders == 1 and not self.group):
            return self.region
        known, key = self.whole[0].known, ("as one", *map(id, self.group))
        if key not in known:
            regions = [f.region for f in self.whole if f.region.outlines]
            rings = [ring for region in regions for ring in rings_of(region)]
            areas = region_of_areas(welded(rings, 2.0 * TOLERANCE))
            round_ones = (p for region in regions for p in region.parts if p.radius > 0.0)
            discs = [region_of_circle(p.loop[0], p.loop[1], p.radius) for p in round_ones]
            known[key] = union_of([*discs, *([] if areas is None else [areas])])
        found: Region = known[key]
        return found

    def divides(self, start: Point, end: Point) -> bool:
        """Whether a line goes through it, be it along where shapes or pieces of its group meet."""
        line = region_of_segment(start, end)
        if overlaps(line, self.region, TOLERANCE):
            return True
        # Seams are no border of the whole.
        near = within(separation(line, self.region).gap, 0.0)
        return near and enters((start, end), rings_of(self.as_one), TOLERANCE)


def rings_of(region: Region) -> list[list[Point]]:
    """The outlines of a region as rings of corners; round ones left out."""
    return [list(zip(line[::2], line[1::2], strict=True)) for line in region.outlines]


def region_of_areas(areas: Iterable[Area]) -> Region | None:
    """Areas as one region; None if there are none."""
    parts = [region_of_polygon(ring) for area in areas for ring in without_holes(area)]
    return union_of(parts) if parts else None


def access(piece: Piece, river: str, dense: str) -> str:
    """Letters of the types that may enter a piece, under the readings in force."""
    if piece.has("barrier"):
        return ""
    if piece.kind in _RIVERS and river == "infantry_cross":
        return "I"
    if piece.kind in _OPENED and dense == "public_all":
        return EVERYBODY
    return _ACCESS[piece.kind]


def clause_barring(piece: Piece, mask: str) -> str:
    """The clause by which a type may not enter a piece (WM-STAND-4 where no other says so)."""
    if piece.kind == "impassable":
        return "WM-STAND-4"
    if piece.kind in ("wall", "tower"):
        return "WM-TER-13" if piece.kind == "tower" else "WM-TER-12"
    if piece.kind == "building":
        return "WM-TER-12"
    if piece.has("barrier"):
        return "WM-TER-8"
    if piece.kind in _HILLS:
        return "WM-TER-7"
    if mask == "I":
        return "WM-TER-8"
    if piece.kind == "feature":
        return "WM-TER-6"
    return _GROUND_OF_TYPE[mask]


def clauses_allowing(piece: Piece, mask: str) -> Iterator[str]:
    """The clauses by which a type may go over a piece."""
    yield from ("WM-TER-14", _GROUND_OF_TYPE[mask])
    if piece.kind in _HILLS:
        yield "WM-TER-7"


def _bounds(feature: Feature) -> Box:
    return feature.region.bounds


class Features:
    """The terrain of a table under given readings, by what the rules ask of it."""

    def __init__(self, table: Battlefield, river: str, dense: str) -> None:
        self.table = table
        self._features = ByPlace([Feature(p, region_of(p)) for p in table.pieces], _bounds)
        self._access = {p.id: access(p, river, dense) for p in table.pieces}
        features = self._features.things
        opaque = [f for f in features if f.piece.has("opaque") and not f.piece.has("low")]
        gateways = [f for f in features if f.piece.kind == "gateway"]
        self._opaque = ByPlace(_together(_less(opaque, gateways), _continues), _bounds)
        self._barred: dict[tuple[str, bool], ByPlace[Feature]] = {}

    def barred(self, mask: str, box: Box = EVERYWHERE, *, on_road: bool = False) -> list[Feature]:
        """What a type may not enter near a box: features less the bridges over them.

        on_road: the mover is a column, which roads carry too.
        """
        key = (mask, on_road)
        if key not in self._barred:
            self._barred[key] = ByPlace(self._without_ways(mask, on_road), _bounds)
        return self._barred[key].near(box)

    def _without_ways(self, mask: str, on_road: bool) -> Iterable[Feature]:
        kinds = (*_OVER, "road") if on_road else _OVER
        features, may = self._features.things, self._access
        ways = [f for f in features if f.piece.kind in kinds and mask in may[f.piece.id]]
        barred = [f for f in features if mask not in may[f.piece.id]]
        return _together(_less(barred, ways), _adjoins)

    def near(self, box: Box = EVERYWHERE, trait: str = "") -> list[Feature]:
        """Features near a box, with a trait if one is named."""
        found = self._features.near(box)
        return [feature for feature in found if not trait or feature.piece.has(trait)]

    def no_landing(self, box: Box = EVERYWHERE) -> list[Feature]:
        """What flyers may not land in near a box: where infantry may not go, woods (WM-FLY-4)."""
        woods = (f for f in self.near(box, "deep") if f.piece.kind == "wood")
        return list({f.id: f for f in (*self.barred("I", box), *woods)}.values())

    def closed_to(
        self, body: Body, box: Box = EVERYWHERE, *, on_road: bool = False
    ) -> list[Feature]:
        """What a body may not end in near a box: what is barred to it or, if it flies, what it may
        not land in."""
        if flies([body]):
            return self.no_landing(box)
        return self.barred(mask_of(body), box, on_road=on_road)

    def blocking(self, box: Box = EVERYWHERE) -> list[Feature]:
        """What is not seen past near a box: features less the gateways in them (WM-VIS-3)."""
        return self._opaque.near(box)

    def stands_in(self, rect: Rect, trait: str) -> Feature | None:
        """A feature with the trait that the stand is in, even in part."""
        near = self.near(box_about(rect), trait)
        return next((f for f in near if overlaps(rect, f.region, TOLERANCE)), None)


def _less(features: Iterable[Feature], ways: Iterable[Feature]) -> Iterator[Feature]:
    """Features less the ways that lead over or through them; those left without ground are gone."""
    opened = list(ways)
    for feature in features:
        holes = [
            _ring(outline)
            for way in opened
            if boxes_meet(way.region.bounds, feature.region.bounds)
            for outline in way.piece.outlines
        ]
        if not holes:
            yield feature
            continue
        outlines = [_ring(outline) for outline in feature.piece.outlines]
        left = region_of_areas(cut_out(outlines, holes, TOLERANCE))
        if left is not None:
            yield Feature(feature.piece, left)


def _adjoins(one: Feature, other: Feature) -> bool:
    """Whether two features touch."""
    near = boxes_meet(one.region.bounds, other.region.bounds, TOLERANCE)
    return near and within(separation(one.region, other.region).gap, 0.0)


def _continues(one: Feature, other: Feature) -> bool:
    """Whether a feature goes on in another of its kind that lies beside it, not on it."""
    if one.piece.kind != other.piece.kind or not _adjoins(one, other):
        return False
    return not overlaps(one.region, other.region, TOLERANCE)


def _together(
    features: Iterable[Feature], joined: Callable[[Feature, Feature], bool]
) -> Iterator[Feature]:
    """Features, each with those that it hangs together with."""
    everything, groups = list(features), list[list[Feature]]()
    for feature in everything:
        met = [g for g in groups if any(joined(feature, other) for other in g)]
        groups = [g for g in groups if not any(g is one for one in met)]
        groups.append([feature, *(other for g in met for other in g)])
    group_of = {id(feature): tuple(group) for group in groups for feature in group}
    for feature in everything:
        group = group_of[id(feature)]
        yield replace(feature, group=group, known={}) if len(group) > 1 else feature


def in_the_midst(rect: Rect, features: Iterable[Feature]) -> bool:
    """Whether a stand lies wholly inside some features, nowhere at their edge; round ones left out
    of account."""
    width, depth = rect.width + 4.0 * TOLERANCE, rect.depth + 4.0 * TOLERANCE
    loop = Rect(rect.x, rect.y, rect.facing, width, depth, rect.ux, rect.uy).corners
    rings = [ring for feature in features for ring in rings_of(feature.region)]
    return bool(rings) and not cut_out([loop], rings)


def _ring(outline: Outline) -> Sequence[tuple[float, float]]:
    """The corners of an outline; of a circle so many that its line is not left by more than
    `_OFF_ROUND`."""
    if not isinstance(outline, Circle):
        return outline.corners
    far = outline.radius + 0.5 * _OFF_ROUND
    sides = max(24, math.ceil(math.pi * math.sqrt(0.5 * far / _OFF_ROUND)))
    turns = [math.tau * k / sides for k in range(sides)]
    return [(outline.x + far * math.cos(t), outline.y + far * math.sin(t)) for t in turns]


def ground_of(state: State) -> Features:
    """The terrain of the table under the readings in force; made once for a table."""
    river, dense = state.option("river"), state.option("dense_access")
    key = f"warmaster:{river}:{dense}"
    found = state.table.prepared.get(key)
    if not isinstance(found, Features):
        found = state.table.prepared[key] = Features(state.table, river, dense)
    return found
