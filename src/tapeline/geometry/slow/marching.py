"""Kernel: the border of all places within a cost, marched over squares."""

from __future__ import annotations

import math

from tapeline.geometry.discs.clearance import Floats, Ints
from tapeline.geometry.gears import entry, kernel
from tapeline.geometry.slow.polishing import polish
from tapeline.geometry.slow.pricing import place_cost
from tapeline.geometry.slow.spreading import GROUND, NET, SPREAD

__all__ = ["march"]

#: Squares along the side of one that is looked at first.
_COARSE = 4
#: Cost: a way not yet polished may be too dear by this.
_ROUGH = 0.01


@kernel
def _price(
    x: float,
    y: float,
    limit: float,
    level: float,
    NF: Floats,
    NI: Ints,
    LI: Ints,
    LN: Ints,
    LC: Floats,
    AP: Floats,
    AI: Ints,
    order: Ints,
    cost: Floats,
    SL: Floats,
    SF: Floats,
    SI: Ints,
    taken: Ints,
    tried: list[float],
    found: list[int],
    P: list[float],
    K: list[int],
    chain: list[int],
    XL: Floats,
    AR: Floats,
    AQ: Ints,
    AF: Ints,
    AC: Floats,
    WT: Floats,
    r: float,
    slack: float,
    W: Floats,
    J: Ints,
    E: Floats,
    D: Floats,
    S: Ints,
    T: Ints,
    B: Ints,
    R: Floats,
    Q: Ints,
) -> float:
    """What it costs to get to a place; not polished where that cannot tell it from `level`."""
    c = place_cost(
        x,
        y,
        limit,
        NF,
        NI,
        LI,
        LN,
        LC,
        AP,
        AI,
        order,
        cost,
        SL,
        SF,
        SI,
        taken,
        tried,
        found,
        XL,
        AR,
        AQ,
        AF,
        AC,
        WT,
        r,
        slack,
        W,
        J,
        E,
        D,
        S,
        T,
        B,
        R,
        Q,
    )
    if c <= level or c > level + _ROUGH:
        return c
    return polish(
        x,
        y,
        c,
        found[0],
        NF,
        NI,
        LI,
        LN,
        LC,
        AP,
        AI,
        order,
        cost,
        SL,
        SF,
        SI,
        taken,
        P,
        K,
        chain,
        XL,
        AR,
        AQ,
        AF,
        AC,
        WT,
        r,
        slack,
        W,
        J,
        E,
        D,
        S,
        T,
        B,
        R,
        Q,
    )


@kernel
def _cross(
    ax: float,
    ay: float,
    bx: float,
    by: float,
    limit: float,
    level: float,
    eps: float,
    NF: Floats,
    NI: Ints,
    LI: Ints,
    LN: Ints,
    LC: Floats,
    AP: Floats,
    AI: Ints,
    order: Ints,
    cost: Floats,
    SL: Floats,
    SF: Floats,
    SI: Ints,
    taken: Ints,
    tried: list[float],
    found: list[int],
    P: list[float],
    K: list[int],
    chain: list[int],
    XL: Floats,
    AR: Floats,
    AQ: Ints,
    AF: Ints,
    AC: Floats,
    WT: Floats,
    r: float,
    slack: float,
    W: Floats,
    J: Ints,
    E: Floats,
    D: Floats,
    S: Ints,
    T: Ints,
    B: Ints,
    R: Floats,
    Q: Ints,
) -> float:
    """The part of the way from a, within the level, to b, which is not, up to the border."""
    lo, hi = 0.0, 1.0
    length = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    f, g = -1.0, math.inf
    known = 0
    last = 0
    for _ in range(60):
        if (hi - lo) * length <= eps:
            break
        t = 0.5 * (lo + hi)
        if known >= 2 and g < math.inf:
            t = lo + (hi - lo) * (-f / (g - f))
            margin = 0.25 * eps / length
            t = min(max(t, lo + margin), hi - margin)
        elif known == 0:
            t = 0.0
        elif known == 1:
            t = 1.0
        x, y = ax + t * (bx - ax), ay + t * (by - ay)
        c = place_cost(
            x,
            y,
            limit,
            NF,
            NI,
            LI,
            LN,
            LC,
            AP,
            AI,
            order,
            cost,
            SL,
            SF,
            SI,
            taken,
            tried,
            found,
            XL,
            AR,
            AQ,
            AF,
            AC,
            WT,
            r,
            slack,
            W,
            J,
            E,
            D,
            S,
            T,
            B,
            R,
            Q,
        )
        if c < math.inf:
            c = polish(
                x,
                y,
                c,
                found[0],
                NF,
                NI,
                LI,
                LN,
                LC,
                AP,
                AI,
                order,
                cost,
                SL,
                SF,
                SI,
                taken,
                P,
                K,
                chain,
                XL,
                AR,
                AQ,
                AF,
                AC,
                WT,
                r,
                slack,
                W,
                J,
                E,
                D,
                S,
                T,
                B,
                R,
                Q,
            )
        if known < 2:
            if known == 0:
                f = c - level
            else:
                g = c - level
            known += 1
            continue
        if c <= level:
            lo, f = t, c - level
            if last == 1 and g < math.inf:
                g *= 0.5
            last = 1
            if f > -0.25 * eps:
                break
        else:
            hi, g = t, c - level
            if last == -1:
                f *= 0.5
            last = -1
    return lo


@kernel
def _mixed(i: int, j: int, columns: int, inside: Ints) -> bool:
    """Whether some corners known on the border of sixteen squares are inside and some are not."""
    first = inside[j * columns + i]
    for k in range(_COARSE + 1):
        for at in (
            j * columns + i + k,
            (j + _COARSE) * columns + i + k,
            (j + k) * columns + i,
            (j + k) * columns + i + _COARSE,
        ):
            if inside[at] >= 0 and inside[at] != first:
                return True
    return False


@entry(
    "int64(float64, float64, float64, int64, int64, float64, float64, float64, "
    "int64[::1], float64[::1], "
    f"{NET}{SPREAD}float64[::1], int64[::1], float64[::1], int64[::1], int64[::1], {GROUND})"
)
def march(
    x0: float,
    y0: float,
    step: float,
    columns: int,
    rows: int,
    limit: float,
    level: float,
    eps: float,
    inside: list[int],
    place: list[float],
    NF: Floats,
    NI: Ints,
    LI: Ints,
    LN: Ints,
    LC: Floats,
    AP: Floats,
    AI: Ints,
    order: Ints,
    cost: Floats,
    SL: Floats,
    SF: Floats,
    SI: Ints,
    taken: Ints,
    tried: list[float],
    found: list[int],
    P: list[float],
    K: list[int],
    chain: list[int],
    XL: Floats,
    AR: Floats,
    AQ: Ints,
    AF: Ints,
    AC: Floats,
    WT: Floats,
    r: float,
    slack: float,
    W: Floats,
    J: Ints,
    E: Floats,
    D: Floats,
    S: Ints,
    T: Ints,
    B: Ints,
    R: Floats,
    Q: Ints,
) -> int:
    """Which corners of a mesh of squares cost `level` or less, and where its sides leave that.

    columns, rows: corners of the mesh, one more than a multiple of 4 each. inside: 1 or 0 a corner.
    place: two a corner, for the side east and the side north of it: the part of it, from its west
    or south end, where the border is; -1 where both ends are alike. Squares are looked at first by
    sixteens: of those with nothing but like corners on their border no more is asked.
    Gives how many sides the border crosses.
    """
    for k in range(columns * rows):
        inside[k] = -1
        place[2 * k] = place[2 * k + 1] = -1.0
    for j in range(0, rows, _COARSE):
        for i in range(0, columns, _COARSE):
            c = _price(
                x0 + step * i,
                y0 + step * j,
                limit,
                level,
                NF,
                NI,
                LI,
                LN,
                LC,
                AP,
                AI,
                order,
                cost,
                SL,
                SF,
                SI,
                taken,
                tried,
                found,
                P,
                K,
                chain,
                XL,
                AR,
                AQ,
                AF,
                AC,
                WT,
                r,
                slack,
                W,
                J,
                E,
                D,
                S,
                T,
                B,
                R,
                Q,
            )
            inside[j * columns + i] = 1 if c <= level else 0
    again = True
    while again:
        again = False
        for j in range(0, rows - 1, _COARSE):
            for i in range(0, columns - 1, _COARSE):
                if inside[(j + 1) * columns + i + 1] >= 0 or not _mixed(i, j, columns, inside):
                    continue
                again = True
                for v in range(j, j + _COARSE + 1):
                    for u in range(i, i + _COARSE + 1):
                        if inside[v * columns + u] < 0:
                            c = _price(
                                x0 + step * u,
                                y0 + step * v,
                                limit,
                                level,
                                NF,
                                NI,
                                LI,
                                LN,
                                LC,
                                AP,
                                AI,
                                order,
                                cost,
                                SL,
                                SF,
                                SI,
                                taken,
                                tried,
                                found,
                                P,
                                K,
                                chain,
                                XL,
                                AR,
                                AQ,
                                AF,
                                AC,
                                WT,
                                r,
                                slack,
                                W,
                                J,
                                E,
                                D,
                                S,
                                T,
                                B,
                                R,
                                Q,
                            )
                            inside[v * columns + u] = 1 if c <= level else 0
    for j in range(0, rows - 1, _COARSE):
        for i in range(0, columns - 1, _COARSE):
            for v in range(j, j + _COARSE + 1):
                for u in range(i, i + _COARSE + 1):
                    if inside[v * columns + u] < 0:
                        inside[v * columns + u] = inside[j * columns + i]
    crossings = 0
    for j in range(rows):
        for i in range(columns):
            k = j * columns + i
            for up in range(2):
                if (up == 0 and i + 1 == columns) or (up == 1 and j + 1 == rows):
                    continue
                other = k + 1 if up == 0 else k + columns
                if inside[k] == inside[other]:
                    continue
                ax, ay = x0 + step * i, y0 + step * j
                bx, by = (ax + step, ay) if up == 0 else (ax, ay + step)
                if inside[k] == 0:
                    ax, ay, bx, by = bx, by, ax, ay
                t = _cross(
                    ax,
                    ay,
                    bx,
                    by,
                    limit,
                    level,
                    eps,
                    NF,
                    NI,
                    LI,
                    LN,
                    LC,
                    AP,
                    AI,
                    order,
                    cost,
                    SL,
                    SF,
                    SI,
                    taken,
                    tried,
                    found,
                    P,
                    K,
                    chain,
                    XL,
                    AR,
                    AQ,
                    AF,
                    AC,
                    WT,
                    r,
                    slack,
                    W,
                    J,
                    E,
                    D,
                    S,
                    T,
                    B,
                    R,
                    Q,
                )
                place[2 * k + up] = t if inside[k] == 1 else 1.0 - t
                crossings += 1
    return crossings
