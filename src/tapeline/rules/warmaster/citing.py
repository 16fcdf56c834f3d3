"""What a legal move made use of: the clauses that allowed what it did, for the verdict to cite."""

from __future__ import annotations

from collections.abc import Iterator

from tapeline.engine.limits import TOLERANCE
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.rectangles.rectangle import Rect, Region
from tapeline.geometry.rectangles.travel import Leg as Motion
from tapeline.geometry.rectangles.travel import SlideLeg
from tapeline.rules.warmaster.moving import MoveStudy, StandStudy, box_of_leg, reverses, spans_of
from tapeline.rules.warmaster.profiles import mask_of
from tapeline.rules.warmaster.stands import shape_of
from tapeline.rules.warmaster.state import characters
from tapeline.rules.warmaster.terrain import ground_of

__all__ = ["goes_over", "used_in"]


def used_in(study: MoveStudy) -> Iterator[str]:
    """Ids of clauses that a move of a unit on the ground made use of; some may come twice."""
    state = study.state
    ground = ground_of(state)
    engaged = {
        barrier.id for s in study.stands for barrier in s.barriers if barrier.sort == "engaged"
    }
    company = [shape_of(body) for body in characters(state)]
    for index, stand in enumerate(study.stands):
        for pose, leg in zip(stand.poses, stand.legs, strict=False):
            if not _straight_ahead(pose, leg):
                yield "WM-STAND-5"
            if reverses(pose, leg):
                yield "WM-STAND-14"
        unmoved = [s for s in study.stands[index + 1 :] if s.body.id not in engaged]
        if any(goes_over(stand, other.start) for other in unmoved):
            yield "WM-STAND-8"
        if any(goes_over(stand, shape) for shape in company):
            yield "WM-STAND-11"
        for pose, leg in zip(stand.poses, stand.legs, strict=False):
            for feature in ground.near(box_of_leg(pose, leg)):
                if spans_of(pose, leg, feature.region, TOLERANCE)[0]:
                    yield "WM-TER-14"
                    if mask_of(stand.body) == "I":
                        yield "WM-TER-1"


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
