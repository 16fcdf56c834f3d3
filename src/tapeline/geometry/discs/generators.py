"""Kernel: everywhere a disc can get to, as the sources of straight last legs."""

from __future__ import annotations

from tapeline.geometry.backends import entry, no_refcount
from tapeline.geometry.discs.clearance import BOARD, Floats, Ints
from tapeline.geometry.discs.clearance_grid import CELLS, leg_clear, outside_solids
from tapeline.geometry.discs.dominance import gather
from tapeline.geometry.discs.tangent_graph import search

__all__ = ["NOWHERE", "sources"]

#: Given where the disc may not stand at the start.
NOWHERE = 10


@entry(
    "int64(float64, float64, float64, float64, float64, "
    "float64[::1], int64[::1], float64[::1], int64, float64[::1], float64[::1], "
    "int64[::1], int64[::1], int64[::1], float64[::1], "
    "float64[::1], int64[::1], int64[::1], int64[::1], float64[::1], float64[::1], "
    f"float64[::1], int64[::1], {CELLS}, {BOARD})"
)
@no_refcount
def sources(
    sx: float,
    sy: float,
    limit: float,
    r: float,
    slack: float,
    C: Floats,
    N: list[int],
    A: list[float],
    room: int,
    G: Floats,
    U: Floats,
    cand: list[int],
    head: list[int],
    some: list[int],
    near: list[float],
    F: list[float],
    K: list[int],
    found: list[int],
    told: list[int],
    L: list[float],
    V: list[float],
    X: Floats,
    Y: Ints,
    CF: Floats,
    CG: Ints,
    CV: Ints,
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
    """All states of a disc within a limit, written to V as generators.

    G, U: empty. X, Y: rings that the disc may not start inside of. V: GENERATOR floats for each
    that `found` has room for. The rest as `search`. Gives as `search`; 4 when `found` is full,
    NOWHERE if the disc may not stand at the start.
    """
    if not leg_clear(sx, sy, sx, sy, r, slack, CF, CG, CV, W, J, E, D, S, T, B, R, Q):
        return NOWHERE
    if not outside_solids(sx, sy, CF, CG, X, Y):
        return NOWHERE
    code = search(
        sx,
        sy,
        limit,
        r,
        slack,
        C,
        N,
        A,
        room,
        G,
        U,
        0,
        cand,
        head,
        some,
        near,
        F,
        K,
        found,
        told,
        L,
        CF,
        CG,
        CV,
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
    if code != 0:
        return code
    if told[0] == len(found):
        return 4
    gather(found, told[0], F, K, cand, C, A, room, V)
    return 0
