"""Terrain in a scene document: pieces, and what houses of several storeys are built of.

Entries of the list `terrain` are told apart by their keys; `scene.py` holds the rest of a scene.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from tapeline.errors import Fault

__all__ = [
    "CircleDoc",
    "Coordinate",
    "Degrees",
    "FaceDoc",
    "FloorDoc",
    "Height",
    "Id",
    "LadderDoc",
    "Length",
    "Name",
    "NamedDoc",
    "OpeningDoc",
    "OutlineDoc",
    "Point",
    "PolygonDoc",
    "RampDoc",
    "RectangleDoc",
    "RopeDoc",
    "StairsDoc",
    "StrictDoc",
    "TerrainDoc",
    "TerrainEntryDoc",
    "WallDoc",
    "kinds_of",
    "outline_faults",
    "terrain_faults",
]

#: Ids are short words so that they can stand in commands, links and messages.
Id = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:-]*$")]
Name = Annotated[str, Field(max_length=120)]
#: No table is larger than this, so that sums and squares keep nine decimals.
Coordinate = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]
#: A thousandth of a unit is far below any piece or base, and far above the tolerance.
Length = Annotated[float, Field(ge=0.001, le=10_000, allow_inf_nan=False)]
#: Corners may be as far out as those of the largest rectangle at the largest coordinate.
Corner = Annotated[
    list[Annotated[float, Field(ge=-20_000, le=20_000, allow_inf_nan=False)]],
    Field(min_length=2, max_length=2),
]
Height = Annotated[float, Field(ge=0, le=1_000, allow_inf_nan=False)]
Degrees = Annotated[float, Field(ge=-3600, le=3600, allow_inf_nan=False)]
Point = Annotated[list[Coordinate], Field(min_length=2, max_length=2)]
#: x, y and height.
Place = Annotated[list[Coordinate], Field(min_length=3, max_length=3)]
#: A length along a wall.
Along = Annotated[float, Field(ge=0, le=10_000, allow_inf_nan=False)]

#: Two walls that meet at less than this angle, degrees, have no joint worth the name.
_SHARPEST = 15.0
#: Length: what lies nearer is the same place.
_SAME = 1e-9


class StrictDoc(BaseModel):
    """What all documents of a scene share: no unknown keys, nothing taken for what it is not."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NamedDoc(StrictDoc):
    """A document with an id, and a name for people."""

    id: Id
    name: Name = ""


def kinds_of(union: Any) -> frozenset[str]:
    """What `kind` may be in a union of records that are told apart by it."""
    records = get_args(get_args(union)[0])
    return frozenset(
        kind for record in records for kind in get_args(record.model_fields["kind"].annotation)
    )


class PolygonDoc(StrictDoc):
    """A simple polygon, either way round, concave allowed; table units."""

    polygon: Annotated[list[Corner], Field(min_length=3, max_length=2_000)]


class RectangleDoc(StrictDoc):
    """A rectangle by its centre; `width` across, `depth` along its facing; table units, degrees."""

    class RectangleFigures(StrictDoc):
        """Where the rectangle is and how large."""

        centre: Point
        width: Length
        depth: Length
        facing: Degrees = 0.0

    rectangle: RectangleFigures


class CircleDoc(StrictDoc):
    """A circle; table units."""

    class CircleFigures(StrictDoc):
        """Where the circle is and how large."""

        centre: Point
        radius: Length

    circle: CircleFigures


def _outline_tag(value: Any) -> str | None:
    if isinstance(value, dict):
        return next((tag for tag in ("polygon", "rectangle", "circle") if tag in value), None)
    return type(value).__name__.removesuffix("Doc").lower()


OutlineDoc = Annotated[
    Annotated[PolygonDoc, Tag("polygon")]
    | Annotated[RectangleDoc, Tag("rectangle")]
    | Annotated[CircleDoc, Tag("circle")],
    Discriminator(
        _outline_tag,
        custom_error_type="outline",
        custom_error_message="an outline has one of the keys polygon, rectangle, circle",
    ),
]

#: The outline of a floor or of an opening in one.
StraightDoc = Annotated[
    Annotated[PolygonDoc, Tag("polygon")] | Annotated[RectangleDoc, Tag("rectangle")],
    Discriminator(
        _outline_tag,
        custom_error_type="outline",
        custom_error_message="the outline of a floor has one of the keys polygon, rectangle",
    ),
]


class TerrainDoc(StrictDoc):
    """A piece of terrain: the union of its outlines, from base_height up to base_height + height.

    kind: one of the system's kinds. traits: further traits of the system. height: the kind's
    usual height unless given.
    """

    id: Id
    kind: Annotated[str, Field(min_length=1, max_length=40)]
    name: Name = ""
    shape: OutlineDoc | None = None
    shapes: Annotated[list[OutlineDoc], Field(max_length=200)] = []
    base_height: Height = 0.0
    height: Height | None = None
    traits: list[str] = []


class FloorDoc(NamedDoc):
    """A level surface at height z: the union of its outlines without its holes.

    Give `floor` or `floors`. hatches: parts that carry who stands on them and let ladders and
    stairs through. Its underside is at z - thickness.
    """

    floor: StraightDoc | None = None
    floors: Annotated[list[StraightDoc], Field(max_length=200)] = []
    z: Height
    kind: Literal["floor", "roof", "platform", "bridge", "plank", "overhang"] = "floor"
    thickness: Length = 0.1
    holes: Annotated[list[StraightDoc], Field(max_length=200)] = []
    hatches: Annotated[list[StraightDoc], Field(max_length=200)] = []
    traits: list[str] = []


class OpeningDoc(StrictDoc):
    """An opening in a wall, from one length along its line to another.

    A door is passed and, unless `shut`, seen through; a window only seen through; a gap is a piece
    of wall that is not there. sill and head are heights above the wall's base_height: a window
    needs both, a door's are 0 and the top of the wall unless given, a gap has neither.
    """

    id: Id
    kind: Literal["door", "window", "gap"]
    start: Along = Field(alias="from")
    end: Along = Field(alias="to")
    sill: Height | None = None
    head: Height | None = None
    shut: bool = False


class WallDoc(NamedDoc):
    """An upright wall along a line of corners, half its thickness to each side.

    closed: its last corner joins its first.
    """

    wall: Annotated[list[Corner], Field(min_length=2, max_length=500)]
    thickness: Length = 0.2
    base_height: Height = 0.0
    height: Length
    closed: bool = False
    openings: Annotated[list[OpeningDoc], Field(max_length=200)] = []
    traits: list[str] = []


class ClimbDoc(StrictDoc):
    """A way straight up, from its foot to its head."""

    foot: Place
    head: Place


class SlopeDoc(ClimbDoc):
    """A sloped rectangle: the middle of its foot, the middle of its head, and its width."""

    width: Length


class RampDoc(NamedDoc):
    """A ramp."""

    ramp: SlopeDoc
    traits: list[str] = []


class StairsDoc(NamedDoc):
    """Stairs, walked as a ramp."""

    stairs: SlopeDoc
    traits: list[str] = []


class LadderDoc(NamedDoc):
    """A ladder."""

    ladder: ClimbDoc
    traits: list[str] = []


class RopeDoc(NamedDoc):
    """A rope, climbed as a ladder."""

    rope: ClimbDoc
    traits: list[str] = []


class FaceDoc(NamedDoc):
    """A face that can be climbed and belongs to no block or wall."""

    class FaceFigures(StrictDoc):
        """The segment it stands over and the heights of its foot and its top."""

        start: Point = Field(alias="from")
        end: Point = Field(alias="to")
        bottom: Height = 0.0
        top: Height

    face: FaceFigures
    traits: list[str] = []


_KEYS = {key: key for key in ("floor", "wall", "ramp", "stairs", "ladder", "rope", "face")}
_KEYS["floors"] = "floor"


def _terrain_tag(value: Any) -> str:
    if isinstance(value, dict):
        if "shape" in value or "shapes" in value:
            return "piece"
        return next((tag for key, tag in _KEYS.items() if key in value), "piece")
    name = type(value).__name__.removesuffix("Doc").lower()
    return name if name in _KEYS else "piece"


#: Any entry of the list `terrain`.
TerrainEntryDoc = Annotated[
    Annotated[TerrainDoc, Tag("piece")]
    | Annotated[FloorDoc, Tag("floor")]
    | Annotated[WallDoc, Tag("wall")]
    | Annotated[RampDoc, Tag("ramp")]
    | Annotated[StairsDoc, Tag("stairs")]
    | Annotated[LadderDoc, Tag("ladder")]
    | Annotated[RopeDoc, Tag("rope")]
    | Annotated[FaceDoc, Tag("face")],
    Discriminator(_terrain_tag),
]

_Entry: TypeAlias = (
    TerrainDoc | FloorDoc | WallDoc | RampDoc | StairsDoc | LadderDoc | RopeDoc | FaceDoc
)


def terrain_faults(entries: Iterable[_Entry]) -> list[Fault]:
    """What is wrong with the outlines, lines and heights of terrain, taken one by one."""
    faults: list[Fault] = []
    for index, entry in enumerate(entries):
        where = f"terrain[{index}]"
        if isinstance(entry, TerrainDoc):
            faults += _either(entry.shape, entry.shapes, "shape", "shapes", where)
        elif isinstance(entry, FloorDoc):
            faults += _either(entry.floor, entry.floors, "floor", "floors", where)
            faults += _outlines(entry.holes, f"{where}.holes")
            faults += _outlines(entry.hatches, f"{where}.hatches")
        elif isinstance(entry, WallDoc):
            faults += _wall_faults(entry, where)
        elif isinstance(entry, FaceDoc):
            face = entry.face
            if math.dist(face.start, face.end) < _SAME:
                faults.append(Fault(f"{where}.face.to", "is the same place as from"))
            if not face.top > face.bottom:
                message = f"must be above bottom, {face.bottom:g}; got {face.top:g}"
                faults.append(Fault(f"{where}.face.top", message))
        else:
            faults += _way_faults(entry, where)
    return faults


def _either(one: Any, many: Sequence[Any], name: str, names: str, where: str) -> list[Fault]:
    if (one is None) == (not many):
        faults = [Fault(where, f"give exactly one of {name} and {names}")]
    else:
        faults = []
    if one is not None:
        faults += outline_faults(one, f"{where}.{name}")
    return faults + _outlines(many, f"{where}.{names}")


def _outlines(outlines: Sequence[Any], where: str) -> list[Fault]:
    return [
        fault
        for part, outline in enumerate(outlines)
        for fault in outline_faults(outline, f"{where}[{part}]")
    ]


def outline_faults(outline: Any, where: str) -> list[Fault]:
    """What is wrong with an outline: corners that stand twice, no area, edges that cross."""
    if not isinstance(outline, PolygonDoc):
        return []
    from shapely import Polygon, is_valid_reason

    where = f"{where}.polygon"
    corners = [(x, y) for x, y in outline.polygon]
    faults = _twice(corners, where, closed=True)
    if faults:
        return faults
    shape = Polygon(corners)
    if shape.area < _SAME:
        return [Fault(where, "has no area")]
    reason = is_valid_reason(shape)
    if reason != "Valid Geometry":
        return [Fault(where, f"is not a simple polygon: {reason.lower()}")]
    return []


def _twice(corners: Sequence[tuple[float, float]], where: str, closed: bool) -> list[Fault]:
    count = len(corners)
    return [
        Fault(f"{where}[{index}]", f"corner {corner} stands twice in a row")
        for index, corner in enumerate(corners)
        if (closed or index + 1 < count) and math.dist(corner, corners[(index + 1) % count]) < _SAME
    ]


def _wall_faults(wall: WallDoc, where: str) -> list[Fault]:
    from shapely import LineString

    corners = [(x, y) for x, y in wall.wall]
    if wall.closed and len(corners) < 3:
        return [Fault(f"{where}.wall", "a closed wall needs 3 corners or more")]
    faults = _twice(corners, f"{where}.wall", wall.closed)
    if faults:
        return faults
    line = [*corners, corners[0]] if wall.closed else corners
    if not LineString(line).is_simple:
        return [Fault(f"{where}.wall", "crosses itself")]
    count = len(corners)
    for index in range(0 if wall.closed else 1, count if wall.closed else count - 1):
        before, at, after = corners[index - 1], corners[index], corners[(index + 1) % count]
        one = math.atan2(before[1] - at[1], before[0] - at[0])
        two = math.atan2(after[1] - at[1], after[0] - at[0])
        angle = math.degrees(abs(math.remainder(two - one, math.tau)))
        if angle < _SHARPEST:
            message = f"its two sides meet at {angle:.3g} degrees; {_SHARPEST:g} is the least"
            faults.append(Fault(f"{where}.wall[{index}]", message))
    length = LineString(line).length
    for index, opening in enumerate(wall.openings):
        faults += _opening_faults(wall, opening, length, f"{where}.openings[{index}]")
    if faults:
        return faults
    boxes = [(o.start, o.end, *_heights(wall, o)) for o in wall.openings]
    for index, (start, end, low, high) in enumerate(boxes):
        for other, (start2, end2, low2, high2) in enumerate(boxes[:index]):
            if (
                min(end, end2) - max(start, start2) > _SAME
                and min(high, high2) - max(low, low2) > _SAME
            ):
                message = f"overlaps the opening {wall.openings[other].id!r}"
                faults.append(Fault(f"{where}.openings[{index}]", message))
    return faults


def _heights(wall: WallDoc, opening: OpeningDoc) -> tuple[float, float]:
    """Sill and head of an opening above the wall's foot."""
    head = wall.height if opening.head is None else opening.head
    return opening.sill or 0.0, head


def _opening_faults(
    wall: WallDoc, opening: OpeningDoc, length: float, where: str
) -> Iterable[Fault]:
    if not opening.end > opening.start:
        message = f"must be beyond from, {opening.start:g}; got {opening.end:g}"
        yield Fault(f"{where}.to", message)
    if opening.end > length + _SAME:
        message = f"lies beyond the wall, which is {length:.6g} long; got {opening.end:g}"
        yield Fault(f"{where}.to", message)
    if opening.kind == "gap":
        for name in ("sill", "head"):
            if getattr(opening, name) is not None:
                yield Fault(f"{where}.{name}", "a gap is as high as its wall and has none")
        if opening.shut:
            yield Fault(f"{where}.shut", "only a door can be shut")
        return
    if opening.kind == "window":
        for name in ("sill", "head"):
            if getattr(opening, name) is None:
                yield Fault(f"{where}.{name}", "is missing")
                return
        if opening.shut:
            yield Fault(f"{where}.shut", "only a door can be shut")
    low, high = _heights(wall, opening)
    if not high > low:
        yield Fault(f"{where}.head", f"must be above the sill, {low:g}; got {high:g}")
    if high > wall.height + _SAME:
        message = f"is above the wall, which is {wall.height:g} high; got {high:g}"
        yield Fault(f"{where}.head", message)


def _way_faults(entry: RampDoc | StairsDoc | LadderDoc | RopeDoc, where: str) -> Iterable[Fault]:
    key = type(entry).__name__.removesuffix("Doc").lower()
    way: SlopeDoc | ClimbDoc = getattr(entry, key)
    where = f"{where}.{key}"
    for name, place in (("foot", way.foot), ("head", way.head)):
        if not 0.0 <= place[2] <= 1000.0:
            yield Fault(f"{where}.{name}[2]", f"a height is from 0 to 1000; got {place[2]:g}")
    if not way.head[2] > way.foot[2]:
        message = f"must be above the foot, {way.foot[2]:g}; got {way.head[2]:g}"
        yield Fault(f"{where}.head[2]", message)
    if isinstance(way, SlopeDoc) and math.dist(way.foot[:2], way.head[:2]) < 0.001:
        yield Fault(f"{where}.head", "stands right above the foot; that is a ladder")
