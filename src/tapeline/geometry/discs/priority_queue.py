"""Kernels: a queue by estimate, a heap laid in two arrays."""

from __future__ import annotations

from tapeline.geometry.backends import kernel

__all__ = ["INDEX", "pop", "push"]

#: `i & INDEX` is i, for an index that was read from an array: compiled code then need not ask
#: whether it is below 0 and counts from the end.
INDEX = (1 << 40) - 1


@kernel
def push(
    F: list[float], K: list[int], f: int, k: int, size: int, estimate: float, node: int
) -> int:
    """Put a node in the queue of `size` at F[f:] and K[k:], by estimate, then by number.

    Its number must be the largest so far. Gives how many the queue then holds.
    """
    f, k = f & INDEX, k & INDEX
    hole = size
    while hole > 0:
        up = ((hole - 1) >> 1) & INDEX
        # The new node's number is the largest: of two estimates alike the older stays ahead.
        if F[f + up] <= estimate:
            break
        F[f + hole], K[k + hole] = F[f + up], K[k + up]
        hole = up
    F[f + hole], K[k + hole] = estimate, node
    return size + 1


@kernel
def pop(F: list[float], K: list[int], f: int, k: int, size: int) -> int:
    """Take the first node out of the queue of `size`, which then holds one less."""
    f, k = f & INDEX, k & INDEX
    size -= 1
    estimate, node = F[f + size], K[k + size]
    hole = 0
    while True:
        down = (2 * hole + 1) & INDEX
        if down >= size:
            break
        other = down + 1
        if other < size and (
            F[f + other] < F[f + down]
            or (F[f + other] == F[f + down] and K[k + other] < K[k + down])
        ):
            down = other
        if estimate < F[f + down] or (estimate == F[f + down] and node < K[k + down]):
            break
        F[f + hole], K[k + hole] = F[f + down], K[k + down]
        hole = down
    F[f + hole], K[k + hole] = estimate, node
    return size
