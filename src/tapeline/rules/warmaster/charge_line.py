"""How the other stands of a charge line up beside the first, as many in contact as can be
(WM-CHG-4).

What can be is what a way is found for: each stand is looked for a way to each place in contact,
one after another, until all are placed. Places beside those placed come first; one that is not in
contact there goes forward or back along its neighbour's side until it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tapeline.engine.clauses import Moment
from tapeline.engine.limits import TOLERANCE, more_than
from tapeline.engine.state import State
from tapeline.engine.verdicts import Finding
from tapeline.geometry.plane.grid import Box
from tapeline.geometry.rectangles.rectangle import Rect, overlaps
from tapeline.geometry.rectangles.slide import slide_into
from tapeline.rules.warmaster.actions import StandMove
from tapeline.rules.warmaster.book import BOOK
from tapeline.rules.warmaster.charge import Placement, beside, front_contact
from tapeline.rules.warmaster.charge_aim import placed_study
from tapeline.rules.warmaster.context import Context
from tapeline.rules.warmaster.moving import Barrier, MoveStudy, Moving, StandStudy
from tapeline.rules.warmaster.stands import in_contact, rect_of
from tapeline.rules.warmaster.state import stands_of
from tapeline.rules.warmaster.ways import Ways
from tapeline.table.bodies import Body

__all__ = ["Line", "behind", "has_room", "in_touch", "line_up"]


@dataclass(frozen=True, slots=True)
class Line:
    """A charge placed: stands in order with their ways, and how many of them touch the target."""

    stands: tuple[StandMove, ...]
    touching: int


def in_touch(ends: Sequence[Rect], foes: Sequence[Rect]) -> int:
    """How many stands touch one of the target, if only at a corner."""
    return sum(any(in_contact(end, foe) for foe in foes) for end in ends)


def behind(placed: Sequence[Rect]) -> Iterator[Rect]:
    """Poses behind placed stands, one behind each."""
    for rect in placed:
        x, y = rect.world(-rect.depth, 0.0)
        yield Rect(x, y, rect.facing, rect.width, rect.depth, rect.ux, rect.uy)


def has_room(
    state: State, place: Rect, placed: Sequence[Rect], barriers: Sequence[Barrier]
) -> bool:
    """Whether a stand may end at a pose: on the table, on nothing that it has to heed."""
    width, depth = state.table.width, state.table.depth
    for x, y in place.corners:
        if more_than(-x, 0.0) or more_than(x, width) or more_than(-y, 0.0) or more_than(y, depth):
            return False
    if any(overlaps(place, rect, TOLERANCE) for rect in placed):
        return False
    return not any(
        barrier.sort in ("foe", "friend", "terrain")
        and _near(place, barrier.box)
        and overlaps(place, barrier.shape, TOLERANCE)
        for barrier in barriers
    )


def _near(rect: Rect, box: Box) -> bool:
    reach = rect.reach
    return box[0] - reach <= rect.x <= box[2] + reach and box[1] - reach <= rect.y <= box[3] + reach


def _touching(placed: Sequence[Rect], foes: Sequence[Rect]) -> Iterator[Rect]:
    """Poses beside placed stands that touch the target: in line, or as far forward or back of it
    as brings them into contact."""
    for pose in beside(placed, placed[0]):
        if in_touch([pose], foes) and not any(overlaps(pose, foe, TOLERANCE) for foe in foes):
            yield pose
            continue
        back = pose.moved(-pose.depth * pose.ux, -pose.depth * pose.uy)
        met = []
        for foe in foes:
            _, contact = slide_into(
                back, foe, (pose.ux, pose.uy), 2.0 * pose.depth, 0.5 * TOLERANCE
            )
            met += [] if contact is None else [contact.at]
        if met and min(met) > 0.0:
            yield back.moved(min(met) * pose.ux, min(met) * pose.uy)


class _Lining:
    """The stands of one charge after the first, with what has been found out about their ways."""

    def __init__(self, moving: Moving, first: Body, end: Rect, foes: Sequence[Rect]) -> None:
        self.moving, self.ways, self.foes = moving, Ways(moving), foes
        self.others = [body for body in moving.bodies if body.id != first.id]
        far = moving.spec.allowance + end.reach
        box = (end.x - far, end.y - far, end.x + far, end.y + far)
        self.barriers = moving.heeded(first, (), box)
        self._known: dict[tuple[str, Rect, tuple[Rect, ...]], StandStudy | None] = {}

    def way(self, body: Body, place: Rect, placed: Sequence[StandStudy]) -> StandStudy | None:
        """A way of a stand to a place after others have been placed, if one is found."""
        ends = tuple(study.end for study in placed)
        key = (body.id, place, ends)
        if key not in self._known:
            found = None
            if self.ways.affords_end(body, place) and has_room(
                self.moving.state, place, ends, self.barriers
            ):
                barriers = [self.moving.placed(study) for study in placed]
                found = self.ways.way(body, place, barriers, detours=True)
            self._known[key] = found
        return self._known[key]

    def touching(
        self, placed: tuple[StandStudy, ...], left: tuple[Body, ...], more: int
    ) -> tuple[StandStudy, ...] | None:
        """All stands placed, so many more of those left in contact; None if it is not found."""
        if more == 0:
            return self._rest(placed, left)
        places = sorted(
            _touching([study.end for study in placed], self.foes),
            key=lambda place: -front_contact(place, self.foes),
        )
        for place in places:
            for body in sorted(left, key=lambda b: math.dist(b.centre, (place.x, place.y))):
                study = self.way(body, place, placed)
                if study is None:
                    continue
                rest = tuple(other for other in left if other.id != body.id)
                found = self.touching((*placed, study), rest, more - 1)
                if found is not None:
                    return found
        return None

    def _rest(
        self, placed: tuple[StandStudy, ...], left: tuple[Body, ...]
    ) -> tuple[StandStudy, ...] | None:
        """Those left placed too, wherever there is room beside or behind."""
        if not left:
            return placed
        ends = [study.end for study in placed]
        for body in left:
            x, y = body.centre
            places = (rect_of(body), *beside(ends, ends[0]), *behind(ends))
            for place in sorted(places, key=lambda p: math.dist((p.x, p.y), (x, y))):
                if not any(in_contact(place, end) for end in ends):
                    continue
                study = self.way(body, place, placed)
                if study is None:
                    continue
                rest = tuple(other for other in left if other.id != body.id)
                found = self._rest((*placed, study), rest)
                if found is not None:
                    return found
        return None


def line_up(
    moving: Moving, first: StandStudy, foes: Sequence[Rect], more_than_that: int = 0
) -> Line | None:
    """A charge whose first stand has its way, with as many stands in contact as one is found with;
    None if none is found with more than so many."""
    lining = _Lining(moving, first.body, first.end, foes)
    others = tuple(lining.others)
    for more in range(len(others), -1, -1):
        if in_touch([first.end], foes) + more <= more_than_that:
            return None
        found = lining.touching((first,), others, more)
        if found is not None:
            moves = tuple(StandMove(stand=s.body.id, path=s.path) for s in found)
            return Line(moves, in_touch([s.end for s in found], foes))
    return None


@BOOK.clause("WM-CHG-4", src="public", bars=Placement, at=Moment.END)
def the_others_beside_it(ask: Context[Placement]) -> Iterator[Finding]:
    """The other stands line up beside the first, as many in contact as any way can bring, each
    with as much front in contact as it can."""
    study = ask.measure(placed_study)
    target = ask.state.units[ask.action.spec.target or ""]
    foes = [rect_of(body) for body in stands_of(ask.state, target)]
    if not any(in_contact(study.stands[0].end, foe) for foe in foes):
        text = f"The charge does not bring {study.unit.name} into contact with {target.name}."
        yield Finding(text, about=target.id)
        return
    moving = Moving(ask.state, ask.action.spec)
    found = list(_more_front(moving, study, foes))
    yield from found
    got = in_touch(study.ends, foes)
    if got < len(study.stands) and not found:
        line = line_up(moving, study.stands[0], foes, got)
        if line is not None:
            text = f"{got} of its stands come into contact; {line.touching} can."
            yield Finding(text, got, line.touching, about=target.id)


def _more_front(moving: Moving, study: MoveStudy, foes: Sequence[Rect]) -> Iterator[Finding]:
    """Stands that could have had more of their front in contact beside those placed before them,
    where no other ends."""
    ways = Ways(moving)
    for index, stand in enumerate(study.stands[1:], 1):
        before = study.stands[:index]
        others = [s.end for s in study.stands if s is not stand]
        got = front_contact(stand.end, foes)
        for pose in beside([s.end for s in before], stand.start):
            could = front_contact(pose, foes)
            if (
                more_than(could, got)
                and has_room(moving.state, pose, others, stand.barriers)
                and ways.finds(stand.body, pose, [moving.placed(s) for s in before])
            ):
                text = (
                    f"{stand.name} has {got:.4f} cm of its front in contact; beside the "
                    f"others it could have {could:.4f}."
                )
                yield Finding(text, got, could, (pose.x, pose.y), stand.body.id)
                break
