"""A way that the search over levels found: its parts on each level, and its steps in order."""

from __future__ import annotations

from collections.abc import Sequence

from tapeline.geometry.plane.legs import Arc, Leg, Line, Path
from tapeline.geometry.surfaces.images import Image, Part, Source, ends_on
from tapeline.geometry.surfaces.links import Gate
from tapeline.geometry.surfaces.network import Network
from tapeline.geometry.surfaces.steps import Step
from tapeline.geometry.surfaces.windows import crossings

__all__ = ["parts_of", "steps_of"]


def parts_of(gates: Sequence[Gate], image: Image, ends: Sequence[float]) -> tuple[Part, ...]:
    """A leg of an image as what it is on each level, and the gates between."""
    px, py, qx, qy = ends
    parts: list[Part] = []
    at: Image | None = image
    while at is not None and at.windows:
        flat = [v for z in at.windows for v in (z.real, z.imag)]
        fractions = [0.0] * (len(flat) // 4)
        crossings(px, py, qx, qy, flat, fractions)
        gate = gates[at.gate]
        p, q = complex(px, py), complex(qx, qy)
        along, onward = (gate.b - gate.a) / gate.length, (gate.d - gate.c) / gate.length
        cross = p + fractions[-1] * (q - p)
        s = min(gate.length, max(0.0, ((cross - gate.c) / onward).real))
        out, into = gate.c + s * onward, gate.a + s * along
        parts.append((at.level, Line(out.real, out.imag, qx, qy)))
        parts.append((gate, out))
        # Back into the plane before the gate.
        t = (p - gate.c) / onward
        before = at.before
        assert before is not None
        if at.sense != before.sense:
            t = t.conjugate()
        p = gate.a + t * along
        px, py, qx, qy = p.real, p.imag, into.real, into.imag
        at = before
    assert at is not None
    parts.append((at.level, Line(px, py, qx, qy)))
    parts.reverse()
    return tuple(parts)


def steps_of(
    levels: Network, sources: Sequence[Source], number: int, turned: float, parts: Sequence[Part]
) -> tuple[Step, ...]:
    """The whole way: to a source, round it, and on by parts."""
    chain: list[tuple[Source, float, Sequence[Part]]] = []
    while number >= 0:
        source = sources[number]
        chain.append((source, turned, parts))
        number, turned, parts = source.parent, source.turned, source.parts
    steps: list[Step] = []
    legs: list[Leg] = []

    def walked(level: int) -> None:
        if legs:
            path = Path(tuple(legs))
            name = levels.levels[level].id
            steps.append(Step(name, path, path.end, path.length))
            legs.clear()

    for source, sweep, onward in reversed(chain):
        if source.radius * sweep > 0.0:
            legs.append(Arc(source.x, source.y, source.radius, source.angle, source.sense * sweep))
        for what, then in onward:
            if isinstance(what, int):
                assert isinstance(then, Line)
                if then.length > 0.0:
                    legs.append(then)
                continue
            assert isinstance(then, complex)
            walked(what.start)
            name = levels.levels[what.end].id
            link = what.link
            if steps and steps[-1].link == link.id and steps[-1].cost == link.cost == 0.0:
                steps.pop()  # there and back again on the spot
                continue
            steps.append(
                Step(name, Path(()), (then.real, then.imag), link.cost, link.id, link.kind)
            )
    if legs:
        last = ends_on(chain[0])
        walked(last)
    return tuple(steps)
