"""What a legal move made use of: the clauses that allowed what it did, for the verdict to cite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapeline.engine.limits import TOLERANCE, closer_than, more_than, within
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.rectangles.corner_paths import Leg as Motion
from tapeline.geometry.rectangles.corner_paths import SlideLeg
from tapeline.geometry.rectangles.rectangle import Rect, Region
from tapeline.rules.warmaster.gaps import beside_enemy, boxes_near, gap_between
from tapeline.rules.warmaster.moving import (
    Barrier,
    MoveSpec,
    MoveStudy,
    StandStudy,
    box_of_leg,
    flies_over,
    reverses,
    spans_of,
)
from tapeline.rules.warmaster.profiles import mask_of
from tapeline.rules.warmaster.stands import shape_of
from tapeline.rules.warmaster.state import characters, kept_for
from tapeline.rules.warmaster.terrain import clause_barring, ground_of

__all__ = ["bearing_on", "goes_over"]


def bearing_on(study: MoveStudy) -> tuple[str, ...]:
    """Ids of all clauses that bore on a legal move of a unit; worked out once for a state."""
    known: dict[MoveSpec, tuple[str, ...]] = kept_for(study.state, "warmaster:bearing")
    if study.spec not in known:
        known[study.spec] = tuple(dict.fromkeys((*kept_to(study), *used_in(study))))
    return known[study.spec]


def used_in(study: MoveStudy) -> Iterator[str]:
    """Ids of clauses that a move of a unit on the ground made use of; some may come twice."""
    state = study.state
    ground = ground_of(state)
    engaged = {
        barrier.id for s in study.stands for barrier in s.barriers if barrier.sort == "engaged"
    }
    company = [(shape_of(body), body.side) for body in characters(state)]
    for index, stand in enumerate(study.stands):
        for pose, leg in zip(stand.poses, stand.legs, strict=False):
            if not _straight_ahead(pose, leg):
                yield "WM-STAND-5"
            if reverses(pose, leg):
                yield "WM-STAND-14"
        unmoved = [s for s in study.stands[index + 1 :] if s.body.id not in engaged]
        if any(goes_over(stand, other.start) for other in unmoved):
            yield "WM-STAND-8"
        for shape, side in company:
            if goes_over(stand, shape):
                yield "WM-STAND-11"
                yield from ("WM-CHAR-8",) if side == study.unit.side else ()
        for pose, leg in zip(stand.poses, stand.legs, strict=False):
            for feature in ground.near(box_of_leg(pose, leg)):
                if spans_of(pose, leg, feature.region, TOLERANCE)[0]:
                    yield "WM-TER-14"
                    if mask_of(stand.body) == "I":
                        yield "WM-TER-1"


def kept_to(study: MoveStudy) -> Iterator[str]:
    """Ids of clauses that a legal move of a unit had to keep to: those about something that was
    near enough for a move of its length to break them; some may come twice."""
    spec, metric = study.spec, study.state.option("dist_metric")
    yield from ("WM-STAND-1", "WM-STAND-6")
    if len(study.stands) > 1:
        yield from ("WM-STAND-2", "WM-FORM-1", "WM-STAND-12")
    lengths = [stand.distance(metric) for stand in study.stands]
    if any(closer_than(length, spec.allowance) for length in lengths):
        yield "WM-PACE-3"
    flying = flies_over(spec, (stand.body for stand in study.stands))
    if flying:
        yield from ("WM-FLY-3", "WM-FLY-4")
    near: dict[str, Barrier] = {}
    for stand, length in zip(study.stands, lengths, strict=True):
        if not stand.legs:
            continue
        if _edge_near(study, stand, length):
            yield "WM-STAND-12"
        if flying:
            landed = any(_in_reach(stand.end, barrier.box, 0.0) for barrier in stand.barriers)
            yield from ("WM-STAND-12",) if landed else ()
            continue
        for barrier in stand.barriers:
            if barrier.id not in near and _in_reach(stand.start, barrier.box, length):
                near[barrier.id] = barrier
    for barrier in near.values():
        yield from _in_the_way(study, barrier)
    yield from _narrow(study.stands[0].start, tuple(near.values()))


def _in_the_way(study: MoveStudy, barrier: Barrier) -> Iterator[str]:
    """Clauses about something that a stand on the ground might have run into."""
    yield "WM-STAND-4"
    if barrier.sort in ("foe", "friend"):
        yield from ("WM-STAND-7", "WM-STAND-12")
        if barrier.sort == "foe" and not study.spec.charges:
            yield "WM-STAND-13"
    elif barrier.feature is None:
        yield "WM-STAND-9"
    else:
        yield clause_barring(barrier.feature.piece, mask_of(study.stands[0].body))


def _narrow(stand: Rect, near: Sequence[Barrier]) -> Iterator[str]:
    """Clauses about narrow places that stands of a size came near: beside the enemy, or others."""
    limits = {"WM-GAP-1": 2.0 * min(stand.width, stand.depth), "WM-GAP-2": 2.0 * stand.width}
    for j, b in enumerate(near):
        for a in near[:j]:
            wanted = [
                clause
                for clause, limit in limits.items()
                if (clause == "WM-GAP-1" or beside_enemy(a, b)) and boxes_near(a.box, b.box, limit)
            ]
            gap = gap_between(a, b) if wanted else 0.0
            for clause in wanted:
                if more_than(gap, 0.0) and within(gap, limits[clause]):
                    yield clause
                    del limits[clause]
            if not limits:
                return


def _in_reach(rect: Rect, box: Box, length: float) -> bool:
    """Whether a stand might come to something in a box in a move of that length."""
    far = rect.reach + length + TOLERANCE
    return box[0] - far <= rect.x <= box[2] + far and box[1] - far <= rect.y <= box[3] + far


def _edge_near(study: MoveStudy, stand: StandStudy, length: float) -> bool:
    table, start = study.state.table, stand.start
    far = start.reach + length
    return not (far < start.x < table.width - far and far < start.y < table.depth - far)


def _straight_ahead(pose: Rect, leg: Motion) -> bool:
    if not isinstance(leg, SlideLeg):
        return False
    aside = leg.dx * pose.uy - leg.dy * pose.ux
    return abs(aside) <= TOLERANCE and leg.dx * pose.ux + leg.dy * pose.uy >= 0.0


def _box(shape: Rect | Region) -> Box:
    if isinstance(shape, Region):
        return shape.bounds
    reach = shape.reach
    return shape.x - reach, shape.y - reach, shape.x + reach, shape.y + reach


def goes_over(stand: StandStudy, shape: Rect | Region) -> bool:
    """Whether a stand passes over a shape on its way."""
    about = _box(shape)
    for pose, leg in zip(stand.poses, stand.legs, strict=False):
        box = box_of_leg(pose, leg)
        if box[0] > about[2] or about[0] > box[2] or box[1] > about[3] or about[1] > box[3]:
            continue
        spans, _ = spans_of(pose, leg, shape, TOLERANCE)
        if any(span.stop > 0.0 and span.start < 1.0 for span in spans):
            return True
    return False
