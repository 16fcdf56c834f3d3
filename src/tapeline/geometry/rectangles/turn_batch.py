"""Kernels: first contact of many turning rectangles with many parts, from flat arrays.

Of the parts what a turn sweeps leaves few to `turn_impact`; the first of them in the way of the
turn are looked at first.
"""

from __future__ import annotations

import math

from tapeline.geometry.backends import Floats, kernel
from tapeline.geometry.epsilons import LENGTH, RELATIVE
from tapeline.geometry.plane.searches import first_from
from tapeline.geometry.rectangles.impact_batch import Contacts, Motions
from tapeline.geometry.rectangles.separating_axis import Pair, depth_of_parts
from tapeline.geometry.rectangles.slide_impact import PackedParts, frame_of
from tapeline.geometry.rectangles.turn import Turning, TurnRoom, turn_spans
from tapeline.geometry.rectangles.turn_impact import FRONT, UNSURE, box_turn, front_of, swept_until

__all__ = ["TURNING", "first_turns"]

#: Parts that are put in order before a turn is held against them.
_HANDFUL = 96
#: Angle: how far beyond the first contact a part is looked for that is met at once with it.
_TIE = 1e-6
#: Numbers of scratch that `first_turns` takes beside room for contacts.
TURNING = 20 + FRONT + 2 * _HANDFUL


@kernel
def _begun(boxes: Floats, lo: int, x: float) -> int:
    """The first part from lo on whose box begins to the right of x."""
    hi = len(boxes) // 4
    while lo < hi:
        mid = (lo + hi) // 2
        if boxes[4 * mid] - boxes[4 * mid + 2] > x:
            hi = mid
        else:
            lo = mid + 1
    return lo


@kernel
def _first_angle(pair: Pair, turn: Turning, need: float, room: TurnRoom) -> float:
    """Angle of the first contact of a turn that gets deeper than need; infinite if none."""
    if depth_of_parts(pair.a, pair.b, pair.radius, room.four) > need:
        return 0.0
    out = room.out
    if turn_spans(pair, turn, need, room) == 0:
        return math.inf
    start = out[0]
    middle = 0.5 * (out[0] + out[1])
    count = turn_spans(pair, turn, 0.0, room)
    for i in range(count):
        if out[2 * i] <= middle <= out[2 * i + 1]:
            return min(start, out[2 * i])
    return start


@kernel
def _aside(x: float, y: float, w: float, h: float, g: Floats) -> bool:
    """Whether a box about (x, y) from the pivot, half lengths w, h, is out of what is swept.

    g: as `swept_until` has left it.
    """
    if x * g[38] + y * g[39] - w * abs(g[38]) - h * abs(g[39]) > g[40]:
        return True
    if g[30] <= 0.0:
        return False
    lag = g[33] * y - g[34] * x + w * abs(g[34]) + h * abs(g[33]) < -LENGTH
    lead = x * g[36] - y * g[35] + w * abs(g[36]) + h * abs(g[35]) < -LENGTH
    return (lag and lead) or (g[30] == 1.0 and (lag or lead))


@kernel
def _out_of_reach(
    k: int, parts: PackedParts, px: float, py: float, reach: float, g: Floats
) -> bool:
    """Whether part k, itself and not its box, is out of the sector or of the ring about the pivot.

    reach: the ring's outer radius. g: as `swept_until` has left it.
    """
    corners, normals, radius = parts.corners, parts.normals, parts.radii[k]
    start, stop = parts.starts[k], parts.starts[k + 1]
    lag, lead = -math.inf, -math.inf
    far = 0.0
    off = -math.inf
    for i in range(start, stop, 2):
        x, y = corners[i] - px, corners[i + 1] - py
        lag, lead = max(lag, g[33] * y - g[34] * x), max(lead, x * g[36] - y * g[35])
        far = max(far, x * x + y * y)
        if stop - start > 4:
            j = 3 * (i // 2)
            off = max(off, normals[j] * px + normals[j + 1] * py - normals[j + 2])
    if off > radius + reach:
        return True
    if g[8] > 0.0:
        far = math.sqrt(far) + radius + LENGTH
        if far * far < g[8]:
            return True
    late, early = lag + radius < -LENGTH, lead + radius < -LENGTH
    return (g[30] > 0.0 and late and early) or (g[30] == 1.0 and (late or early))


@kernel
def first_turns(asked: Motions, parts: PackedParts, found: Contacts) -> int:
    """First contacts of turns: angles, not signed. found: with TURNING + 8 * (12 * most corners of
    a part + 4) numbers of scratch. Returns -1.
    """
    corners, starts, radii, boxes = parts.corners, parts.starts, parts.radii, parts.boxes
    (loops, pivots, angles, need), (scratch, at, part) = asked, found
    work, four = scratch[0:8], scratch[8:12]
    g = scratch[20 : 20 + FRONT]
    held = scratch[20 + FRONT : 20 + FRONT + _HANDFUL]
    keys = scratch[20 + FRONT + _HANDFUL : TURNING]
    out = scratch[TURNING : len(scratch)]
    loop = scratch[(TURNING + len(scratch)) // 2 : len(scratch)]
    for i in range(len(angles)):
        px, py = pivots[2 * i], pivots[2 * i + 1]
        best = abs(angles[i])
        sense = 1.0 if angles[i] >= 0.0 else -1.0
        which = -1
        front_of(frame_of(loops, 8 * i), px, py, sense, g)
        narrow = math.cos(best)
        swept_until(best, narrow, math.sin(best), g)
        narrow = narrow - RELATIVE if best < 3.14 else -2.0
        outer, inner = g[7], g[8]
        reach = math.sqrt(outer)
        # What lies in the sector, by the handful; then from the first in the way of the turn to the
        # last, as a contact leaves little of the sector to those behind it.
        nx = loops[8 * i] + loops[8 * i + 4] - 2.0 * px
        ny = sense * (loops[8 * i + 1] + loops[8 * i + 5] - 2.0 * py)
        k = first_from(parts.rights, 1, 0, 0, len(parts.rights), px - reach)
        last = _begun(boxes, k, px + reach)
        while k < last:
            stop = min(last, k + _HANDFUL)
            # By their boxes first; none of this branches.
            some = 0
            while k < stop:
                held[some] = k
                y = abs(boxes[4 * k + 1] - py) - boxes[4 * k + 3]
                x = boxes[4 * k] + boxes[4 * k + 2] - px
                some += 1 if (y <= reach) & (x >= -reach) else 0
                k += 1
            # Then by the ring and the sector, and how far round from the middle of the rectangle
            # each is, by a number that grows with the angle.
            sector = int(g[30])
            floor = -LENGTH if sector > 0 else -math.inf
            tx, ty = g[33], g[34]
            lx, ly = g[35], g[36]
            ux, uy = g[4], g[5]
            beside = g[37]
            vx, vy = g[38], g[39]
            above = g[40]
            count = 0
            for m in range(some):
                j = int(held[m])
                x = boxes[4 * j] - px
                w = boxes[4 * j + 2]
                y = boxes[4 * j + 1] - py
                h = boxes[4 * j + 3]
                ax, ay = abs(x), abs(y)
                gx, gy = max(ax - w, 0.0), max(ay - h, 0.0)
                near = gx * gx + gy * gy <= outer
                gx, gy = ax + w + LENGTH, ay + h + LENGTH
                near &= gx * gx + gy * gy >= inner
                near &= x * ux + y * uy - w * abs(ux) - h * abs(uy) <= beside
                near &= x * vx + y * vy - w * abs(vx) - h * abs(vy) <= above
                lag = tx * y - ty * x + w * abs(ty) + h * abs(tx)
                lead = x * ly - y * lx + w * abs(ly) + h * abs(lx)
                near &= (min(lag, lead) if sector == 1 else max(lag, lead)) >= floor
                y *= sense
                along, across = x * nx + y * ny, nx * y - ny * x
                key = across / (abs(along) + abs(across) + LENGTH)
                turned = 2.0 - key if along < 0.0 else key
                keys[count] = turned + 4.0 if turned < -0.5 else turned
                held[count] = j
                count += 1 if near else 0
            for m in range(1, count):
                key = keys[m]
                w = held[m]
                q = m
                while q > 0 and keys[q - 1] > key:
                    keys[q], held[q] = keys[q - 1], held[q - 1]
                    q -= 1
                keys[q], held[q] = key, w
            for m in range(count):
                j = int(held[m])
                x, y = boxes[4 * j] - px, boxes[4 * j + 1] - py
                if which >= 0 and _aside(x, y, boxes[4 * j + 2], boxes[4 * j + 3], g):
                    continue
                # Of two that are met at once it is the one farther left.
                tie = min(abs(angles[i]), best + _TIE) if j < which else best
                s = UNSURE
                general = False
                r = radii[j]
                first, stop = starts[j], starts[j + 1]
                turn = Turning(px, py, sense, tie)
                if r == 0.0 or stop - first == 2:
                    s = box_turn(g, turn, narrow, need, j, parts, TurnRoom(loop, four, out))
                elif _out_of_reach(j, parts, px, py, reach, g):
                    continue
                if s == UNSURE:
                    general = True
                    pair = Pair(loops[8 * i : 8 * i + 8], corners[first:stop], r)
                    s = _first_angle(pair, turn, need, TurnRoom(work, four, out))
                if s < best or (s <= best and (which < 0 or j < which)):
                    best, which = s, j
                    if general:
                        out[6], out[7] = math.cos(best), math.sin(best)
                    narrow = out[6] - RELATIVE if best < 3.14 else -2.0
                    swept_until(best, out[6], out[7], g)
        at[i], part[i] = best, which
    return -1
