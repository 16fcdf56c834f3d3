"""A path of legs as a way in three dimensions: on foot over the ground, or through the air."""

from __future__ import annotations

from tapeline.engine.paths import LegPath
from tapeline.engine.state import State
from tapeline.rules.trench_crusade.flight import fly
from tapeline.rules.trench_crusade.state import flies
from tapeline.rules.trench_crusade.walker import route_of, settle, walker_of
from tapeline.table.bodies import Body
from tapeline.travel.route import Route

__all__ = ["lay"]


def lay(state: State, body: Body, path: LegPath) -> Route:
    """The way a path makes, as far as anything carries the base; FLYING models fly it."""
    if flies(body):
        return fly(state, body, path)
    walker = walker_of(state, body)
    walker.follow(path)
    settle(walker)
    return route_of(walker)
