"""Kernels: numbered things taken the one with the least value first, while values still fall.

A binary heap of numbers with the place of each in it, so that one whose value falls is moved up.
Source: Williams 1964 (heaps); indexed heap as in Sedgewick, Algorithms.
"""

from __future__ import annotations

from tapeline.geometry.backends import Floats, kernel

__all__ = ["take_least", "value_fell"]


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
