"""Terrain between its document and its record: one entry read, one entry written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tapeline.geometry.rectangles.rectangle import Rect
from tapeline.table import terrain

__all__ = ["battlefield", "entry_document", "outline", "outline_document", "structure"]


def battlefield(
    width: float, depth: float, unit: str, entries: Iterable[terrain.Entry]
) -> terrain.Battlefield:
    """A table with its terrain, each entry in its place, the order of the scene kept."""
    found = tuple(entries)
    return terrain.Battlefield(
        width,
        depth,
        unit,
        tuple(e for e in found if isinstance(e, terrain.Piece)),
        tuple(e for e in found if isinstance(e, terrain.Floor)),
        tuple(e for e in found if isinstance(e, terrain.Wall)),
        tuple(e for e in found if isinstance(e, terrain.Ramp)),
        tuple(e for e in found if isinstance(e, terrain.Ladder)),
        tuple(e for e in found if isinstance(e, terrain.Face)),
        tuple(e.id for e in found),
    )


def outline(shape: Any) -> terrain.Outline:
    """An outline of a document, its corners counter-clockwise."""
    if hasattr(shape, "circle"):
        centre = shape.circle.centre
        return terrain.Circle(float(centre[0]), float(centre[1]), float(shape.circle.radius))
    return _polygon(shape)


def _polygon(shape: Any) -> terrain.Polygon:
    if hasattr(shape, "polygon"):
        corners = [(float(x), float(y)) for x, y in shape.polygon]
    else:
        doc = shape.rectangle
        x, y = doc.centre
        front_right, *others = Rect.of_degrees(x, y, doc.facing, doc.width, doc.depth).corners
        corners = [others.pop(), front_right, *others]
    area = sum(
        x0 * y1 - x1 * y0
        for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True)
    )
    return terrain.Polygon(tuple(corners if area > 0 else corners[::-1]))


def _polygons(shapes: Iterable[Any]) -> tuple[terrain.Polygon, ...]:
    return tuple(_polygon(shape) for shape in shapes)


def _place(place: Sequence[float]) -> terrain.Place3:
    return float(place[0]), float(place[1]), float(place[2])


def structure(doc: Any, traits: frozenset[str]) -> terrain.Entry:
    """The record of any entry of the terrain that is not a piece, from its document."""
    key = type(doc).__name__.removesuffix("Doc").lower()
    name = doc.name or doc.id
    if key == "floor":
        shapes = _polygons([doc.floor] if doc.floor is not None else doc.floors)
        z, thick = float(doc.z), float(doc.thickness)
        holes, hatches = _polygons(doc.holes), _polygons(doc.hatches)
        return terrain.Floor(doc.id, doc.kind, name, shapes, z, thick, holes, hatches, traits)
    if key == "wall":
        bottom, height, thick = float(doc.base_height), float(doc.height), float(doc.thickness)
        line = tuple((float(x), float(y)) for x, y in doc.wall)
        openings = (_opening(o, bottom, height) for o in doc.openings)
        inside = tuple(sorted(openings, key=lambda o: (o.start, o.end)))
        top = bottom + height
        return terrain.Wall(doc.id, name, line, thick, bottom, top, doc.closed, inside, traits)
    if key == "face":
        face = doc.face
        start, end = (float(face.start[0]), float(face.start[1])), face.end
        end = (float(end[0]), float(end[1]))
        return terrain.Face(doc.id, name, start, end, float(face.bottom), float(face.top), traits)
    way = getattr(doc, key)
    foot, head = _place(way.foot), _place(way.head)
    if key in ("ramp", "stairs"):
        return terrain.Ramp(doc.id, key, name, foot, head, float(way.width), traits)
    return terrain.Ladder(doc.id, key, name, foot, head, traits)


def _opening(doc: Any, bottom: float, height: float) -> terrain.Opening:
    sill = 0.0 if doc.sill is None else float(doc.sill)
    head = height if doc.head is None else float(doc.head)
    start, end = float(doc.start), float(doc.end)
    return terrain.Opening(doc.id, doc.kind, start, end, bottom + sill, bottom + head, doc.shut)


def outline_document(shape: terrain.Outline) -> dict[str, Any]:
    """The document of an outline: reading it again gives the same record."""
    if isinstance(shape, terrain.Circle):
        return {"circle": {"centre": [shape.x, shape.y], "radius": shape.radius}}
    return {"polygon": [list(corner) for corner in shape.corners]}


def _outline_documents(shapes: Iterable[terrain.Outline]) -> list[dict[str, Any]]:
    return [outline_document(shape) for shape in shapes]


def entry_document(entry: terrain.Entry) -> dict[str, Any]:
    """The document of one entry, without its traits: reading it again gives the same record."""
    document: dict[str, Any] = {"id": entry.id}
    match entry:
        case terrain.Piece():
            document |= {
                "kind": entry.kind,
                "name": entry.name,
                "shapes": _outline_documents(entry.outlines),
                "base_height": entry.bottom,
                "height": entry.top - entry.bottom,
            }
        case terrain.Floor():
            document |= {
                "name": entry.name,
                "floors": _outline_documents(entry.outlines),
                "z": entry.z,
                "kind": entry.kind,
                "thickness": entry.thickness,
                "holes": _outline_documents(entry.holes),
                "hatches": _outline_documents(entry.hatches),
            }
        case terrain.Wall():
            height = entry.top - entry.bottom
            document |= {
                "name": entry.name,
                "wall": [list(corner) for corner in entry.line],
                "thickness": entry.thickness,
                "base_height": entry.bottom,
                "height": height,
                "closed": entry.closed,
                "openings": [_opening_document(o, entry.bottom, height) for o in entry.openings],
            }
        case terrain.Face():
            ends = {"from": list(entry.start), "to": list(entry.end)}
            heights = {"bottom": entry.bottom, "top": entry.top}
            document |= {"name": entry.name, "face": {**ends, **heights}}
        case terrain.Ramp() | terrain.Ladder():
            way: dict[str, Any] = {"foot": list(entry.foot), "head": list(entry.head)}
            if isinstance(entry, terrain.Ramp):
                way["width"] = entry.width
            document |= {"name": entry.name, entry.kind: way}
    return document


def _opening_document(opening: terrain.Opening, bottom: float, height: float) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": opening.id,
        "kind": opening.kind,
        "from": opening.start,
        "to": opening.end,
        "shut": opening.shut,
    }
    if opening.kind != "gap":
        document["sill"] = opening.bottom - bottom
        document["head"] = min(opening.top - bottom, height)
    return document
