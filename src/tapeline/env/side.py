"""The environment of Gymnasium: one side of a game, the others played by built-in opponents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium

from tapeline.dice import Roll
from tapeline.env.choices import Chosen
from tapeline.env.table import RENDER_MODES, Form, TableEnv
from tapeline.opponent.games import player_of

__all__ = ["SideEnv"]


class SideEnv(gymnasium.Env[dict[str, Any], Any]):
    """One side of a scene with goals, against a level of `tapeline.opponent` or "random".

    side: its id, the first of the scene unless given. The rest is as in `TableEnv`; where nothing
    can be done the game is truncated. Raises as `TableEnv`, KeyError for another level,
    ValueError for another side.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        scene: str | Path | dict[str, Any],
        side: str | None = None,
        opponent: str = "random",
        form: Form = "candidates",
        steps: int = 2_000,
        render_mode: str | None = None,
        raster: int = 0,
    ) -> None:
        self.table = TableEnv(scene, form, steps, render_mode, raster)
        sides = self.table.possible_agents
        self.side = side or sides[0]
        if self.side not in sides:
            raise ValueError(f"no side {side!r}; sides are {', '.join(sides)}")
        self.opponent = opponent
        self.render_mode = render_mode
        self.observation_space = self.table.observation_space(self.side)
        self.action_space = self.table.action_space(self.side)
        player_of(opponent, 0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """A new game, gone on with until it is for the side to act."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(1 << 31)) if seed is None else seed
        self.table.reset(drawn)
        self._others = player_of(self.opponent, drawn)
        self._let_others_act()
        return self._seen(), dict(self.table.infos[self.side])

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Do something, then let the others act until it is for the side to act again."""
        table = self.table
        before = table.margin(self.side)
        table.step(action)
        short_by = table.infos[self.side].get("short_by")
        self._let_others_act()
        info = dict(table.infos[self.side])
        if short_by is not None:
            info["short_by"] = short_by
        over, cut = table.terminations[self.side], table.truncations[self.side]
        return self._seen(), table.margin(self.side) - before, over, cut, info

    def action_masks(self) -> Any:
        """The mask of candidates, as MaskablePPO of sb3-contrib asks for it."""
        return self.table.mask(self.side).astype(bool)

    def _seen(self) -> dict[str, Any]:
        return self.table.observe(self.side)

    def _let_others_act(self) -> None:
        table = self.table
        while table.agent_selection != self.side and not (
            table.terminations[self.side] or table.truncations[self.side]
        ):
            battle = table.battle
            if battle.pending is not None:
                assert not isinstance(battle.pending.ask, Roll)
                table.play(Chosen(None, self._others.reply(battle)))
            else:
                action = self._others.act(battle, table.agent_selection)
                table.play(None if action is None else Chosen(action))

    def render(self) -> Any:
        """The table as a picture, as `TableEnv.render`."""
        return self.table.render()
