"""Kernels: queues by value: pairs in two arrays, and numbered things whose values still fall.

Binary heaps; the second keeps the place of each number, so that one whose value falls is moved up.
Source: Williams 1964 (heaps); indexed heap as in Sedgewick, Algorithms.
"""

from __future__ import annotations

from tapeline.geometry.backends import Floats, kernel

__all__ = ["INDEX", "pop", "push", "take_least", "value_fell"]

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


@kernel
def value_fell(
    values: Floats, stride: int, first: int, heap: list[int], place: list[int], count: int, i: int
) -> int:
    """Put number i in, or move it to where its lower value belongs. Gives how many are in.

    values: that of i is at `stride * i + first`. heap: numbers, the least first. place: of each
    number in the heap, -1 while it has not been put in.
    """
    at = place[i]
    if at < 0:
        at = count
        count += 1
    value = values[stride * i + first]
    while at > 0:
        above = heap[(at - 1) // 2]
        if values[stride * above + first] <= value:
            break
        heap[at], place[above] = above, at
        at = (at - 1) // 2
    heap[at], place[i] = i, at
    return count


@kernel
def take_least(
    values: Floats, stride: int, first: int, heap: list[int], place: list[int], count: int
) -> int:
    """Take out the number at heap[0], of `count`. Gives how many are left."""
    count -= 1
    if count <= 0:
        return 0
    i, at = heap[count], 0
    value = values[stride * i + first]
    while True:
        below = 2 * at + 1
        if below >= count:
            break
        if below + 1 < count:
            left, right = heap[below], heap[below + 1]
            if values[stride * right + first] < values[stride * left + first]:
                below += 1
        lower = heap[below]
        if values[stride * lower + first] >= value:
            break
        heap[at], place[lower] = lower, at
        at = below
    heap[at], place[i] = i, at
    return count
