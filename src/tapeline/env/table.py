"""The environments: of PettingZoo, the sides of a game as agents that act in turn (AEC), and of
Gymnasium, one side of it against an opponent."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv

from tapeline.dice import Roll, SeededDice
from tapeline.engine.asks import AttestedChoice
from tapeline.engine.score import leader, points_of
from tapeline.env.choices import (
    CANDIDATE,
    MOST,
    Chosen,
    candidates,
    described,
    may_act,
    wish_space,
    wished,
)
from tapeline.env.encoding import BOUND, Encoding
from tapeline.errors import DocumentError, Fault
from tapeline.opponent.games import player_of
from tapeline.picture import draw
from tapeline.picture.png import pixels
from tapeline.play.battle import load
from tapeline.table.marks import Value

__all__ = ["RENDER_MODES", "Form", "SideEnv", "TableEnv"]

Form = Literal["candidates", "wish"]
RENDER_MODES = ["svg", "rgb_array"]


class TableEnv(AECEnv[str, dict[str, Any], Any]):  # type: ignore[misc]
    """A scene with goals, played by its sides.

    scene: a file or a document. form: what an action is: the number of one of the "candidates", of
    which the mask tells those that there are; or a "wish" (`choices.WISH`), of which the nearest
    legal thing is done; `infos` of the agent says `short_by`. steps: after so many the game is cut
    off (truncated). render_mode: "svg" gives a picture as text, "rgb_array" an array (height,
    width, 3) of uint8, None none. raster: cells along the longer edge of the table of `raster` in
    observations; 0: none.

    An observation is `{"observation": ..., "action_mask": ...}`, the mask with candidates only;
    see `Encoding.observe`, and with candidates `candidates`, a row for each (`choices.CANDIDATE`).
    Rewards are points: own less the most of any other side, as they change. Dice come from the seed
    of `reset`, and what only happens on a real table by the chances that the system states. A side
    that can do nothing ends the game, truncated; `infos` says why.

    Raises DocumentError for a scene that is none, or that states no goals.
    """

    def __init__(
        self,
        scene: str | Path | dict[str, Any],
        form: Form = "candidates",
        steps: int = 2_000,
        render_mode: str | None = None,
        raster: int = 0,
    ) -> None:
        super().__init__()
        self._start = load(scene)
        if self._start.state.game is None:
            raise DocumentError("scene", [Fault("game", "states no goals: nothing can be won")])
        if form not in ("candidates", "wish"):
            raise ValueError(f'form must be "candidates" or "wish"; got {form!r}')
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(
                f"render_mode must be one of {RENDER_MODES} or None; got {render_mode!r}"
            )
        self.form = form
        self.steps = steps
        self.render_mode = render_mode
        self.metadata = {
            "name": f"tapeline/{self._start.system.name}-v0",
            "render_modes": RENDER_MODES,
            "render_fps": 4,
            # By `turn_based_aec_to_parallel`: sides take turns.
            "is_parallelizable": True,
        }
        self.encoding = Encoding(self._start, raster)
        self.possible_agents = list(self.encoding.sides)
        self._actions: dict[str, spaces.Space[Any]] = {}
        self._observations: dict[str, spaces.Space[Any]] = {}
        inside = self.encoding.space()
        if form == "candidates":
            shape = (MOST, len(CANDIDATE))
            inside["candidates"] = spaces.Box(-BOUND, BOUND, shape, np.float32)
        for agent in self.possible_agents:
            whole: dict[str, spaces.Space[Any]] = {"observation": inside}
            self._actions[agent] = wish_space()
            if form == "candidates":
                whole["action_mask"] = spaces.Box(0, 1, (MOST,), np.int8)
                self._actions[agent] = spaces.Discrete(MOST)
            self._observations[agent] = spaces.Dict(whole)
        self.infos: dict[str, dict[str, Any]] = {}
        self._seed = 0
        self._begin(0)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may say."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. Without a seed it follows from that of the last game."""
        if seed is None:
            _, seed = seeding.np_random(None) if not self._seed else (None, self._seed + 1)
        self._begin(seed)

    def _begin(self, seed: int) -> None:
        self._seed = seed
        self._dice = SeededDice(f"env:{seed}")
        self._chance = Random(f"env:{seed}")
        self.battle = self._start
        self._found: list[Chosen] | None = None
        self.done = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        """The position as an agent sees it; candidates for whoever acts only."""
        seen = self.encoding.observe(self.battle, agent)
        if self.form == "wish":
            return {"observation": seen}
        found = self._candidates if agent == self.agent_selection else []
        seen["candidates"] = described(self.battle, self.encoding, found)
        return {"observation": seen, "action_mask": self.mask(agent)}

    def mask(self, agent: str) -> NDArray[np.int8]:
        """Which candidates there are for an agent: 1 or 0 each."""
        mask = np.zeros(MOST, np.int8)
        if agent == self.agent_selection:
            mask[: len(self._candidates)] = 1
        return mask

    def step(self, action: Any) -> None:
        """Do what the agent whose turn it is says. Numbers that the mask leaves out begin again at
        the first candidate; `infos` says `masked`. Raises ValueError for a wish of NaN."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        chosen, masked = (
            self._chosen(action),
            self.form != "wish" and action >= len(self._candidates),
        )
        self._cumulative_rewards[agent] = 0.0
        before = {one: self.margin(one) for one in self.agents}
        self.play(chosen)
        self.rewards = {one: self.margin(one) - before[one] for one in self.agents}
        if self.form == "wish" and chosen is not None:
            self.infos[agent]["short_by"] = chosen.short_by
        elif masked:
            self.infos[agent]["masked"] = True
        self._accumulate_rewards()

    def _chosen(self, action: Any) -> Chosen | None:
        if self.form == "wish":
            return wished(self.battle, np.asarray(action, np.float32), str(self._seed))
        return self._candidates[int(action) % len(self._candidates)]

    @property
    def _candidates(self) -> list[Chosen]:
        """What may be done now; found when it is first asked for, as others may play this turn."""
        if self._found is None:
            over = any((*self.terminations.values(), *self.truncations.values()))
            self._found = [] if over else candidates(self.battle, str(self._seed))
        return self._found

    def play(self, chosen: Chosen | None) -> None:
        """Do something for the side whose turn it is; None: it has nothing to do."""
        before = self.battle
        if chosen is not None and chosen.action is None:
            self.battle, _ = before.answer(chosen.value, dice=self._dice)
        elif chosen is not None:
            self.battle, _ = before.play(chosen.action, dice=self._dice)
        self.done += 1
        self._go_on()
        if self.battle is before:
            self._end(f"{self.agent_selection} had nothing to do")

    def _go_on(self) -> None:
        """Whose turn it is now, what can be done, and whether the game goes on."""
        while (value := self._happens()) is not None:
            self.battle, _ = self.battle.answer(value[0], dice=self._dice)
        battle = self.battle
        game = battle.state.game
        assert game is not None
        self.agent_selection = battle.next_to_act[0]
        over = game.over and battle.pending is None
        self._found = None
        self.infos = {agent: {} for agent in self.agents}
        if over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif not may_act(battle):
            self._end(f"{self.agent_selection} had nothing to do")
        elif self.done >= self.steps:
            self._end(f"{self.steps} steps were done")

    def _end(self, why: str) -> None:
        """Cut the game off."""
        self.truncations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"why": why} for agent in self.agents}

    def _happens(self) -> tuple[Value] | None:
        """The answer to a question about what only happens on a real table."""
        ask = None if self.battle.pending is None else self.battle.pending.ask
        attested = self.battle.system.attested
        if isinstance(ask, AttestedChoice) and not isinstance(ask, Roll) and ask.clause in attested:
            return (attested[ask.clause].draw(self._chance),)
        return None

    def margin(self, agent: str) -> float:
        """Its points less the most of any other side."""
        points = points_of(self.battle.state)
        own = points.pop(agent)
        return float(own - max(points.values(), default=0))

    @property
    def winner(self) -> str | None:
        """The side with the most points; None if two have as many."""
        return leader(self.battle.state)

    def render(self) -> Any:
        """The table as SVG, or as an array. Raises PngError where an array wants an extra."""
        if self.render_mode is None:
            return None
        drawn = draw(self.battle.state, self.battle.system)
        return drawn if self.render_mode == "svg" else pixels(drawn)

    def close(self) -> None:
        """Nothing is held open."""


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
