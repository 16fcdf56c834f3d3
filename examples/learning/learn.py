"""A program that learns to play: MaskablePPO (sb3-contrib) on a small scene, against random play.

    pip install 'tapeline[env,fast]' sb3-contrib
    python examples/learning/learn.py examples/trench-well.json --minutes 15 -o learnt.zip

What may be done changes with every position, so the number of a candidate means nothing by itself:
the network looks at each candidate with the same weights, and says how good it is. Every few
thousand steps it plays games that it does not learn from, and a line of the curve is written; what
won most of these is kept, and plays others at the end.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import SubprocVecEnv
from torch import nn

from tapeline.env import SideEnv
from tapeline.env.choices import CANDIDATE, MOST
from tapeline.geometry import backends

#: What a point of the next step counts.
GAMMA = 0.99
#: Points that the whole length of the table counts, by which own bodies have come nearer.
PULL = 4.0
#: Points that a game won counts at its end, beside its margin; one lost, as many less.
WIN = 4.0
#: What all rewards are divided by, so that the value of a position is a number near one.
SCALE = 5.0
#: How fast it learns at first.
RATE = 1e-3


class Candidates(gymnasium.ObservationWrapper):  # type: ignore[type-arg]
    """A row of features for each candidate, then what is the same for all of them, in one array."""

    def __init__(self, one: SideEnv) -> None:
        super().__init__(one)
        encoding, state = one.table.encoding, one.table.battle.state
        self.kinds = 1 + len(encoding.system.actions)
        self.bodies = len(encoding.bodies)
        self.size = max(state.table.width, state.table.depth)
        self.columns = [encoding.columns.index(name) for name in ("x", "y")]
        self.near = 0.0
        self.own = np.array([state.bodies[b].side == one.side for b in encoding.bodies])
        self.features = self.kinds + 2 * self.bodies + 10
        self.rest = 3 + 4 * self.bodies
        shape = (MOST * self.features + self.rest,)
        self.observation_space = gymnasium.spaces.Box(-10.0, 10.0, shape, np.float32)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Points, what winning counts, and by how much own bodies have come nearer to the goals: a
        difference of potentials, which changes no game's best play (Ng, Harada & Russell 1999)."""
        before = self.near
        seen, reward, over, cut, info = super().step(action)
        gain = float(reward) - before
        if over or cut:
            margin = self.unwrapped.table.margin(self.unwrapped.side)  # type: ignore[attr-defined]
            gain += WIN * float(np.sign(margin))
        else:
            gain += GAMMA * self.near
        return seen, gain / SCALE, over, cut, info

    def observation(self, observation: Any) -> Any:
        """Lengths are parts of the table's longer edge."""
        seen = observation["observation"]
        places = seen["bodies"][:, self.columns] / self.size
        goals = seen["goals"][seen["goals"][:, 1] > 0, 1:3] / self.size
        there = seen["on_table"].astype(bool)
        gaps = np.array([_least(place, goals) for place in places]) * there
        self.near = (
            -PULL * float(gaps[there & self.own].mean()) if (there & self.own).any() else 0.0
        )
        foes = places[there & ~self.own]
        near = np.zeros((MOST, self.features), np.float32)
        for row, told in zip(
            near, seen["candidates"][observation["action_mask"] > 0], strict=False
        ):
            self._tell(row, told, places, goals, foes)
        round_, last, _, acting, _ = seen["turn"]
        rest = [round_ / max(last, 1.0), (seen["score"][0] - max(seen["score"][1:])) / 10, acting]
        flat = [near.ravel(), rest, (places * there[:, None]).ravel(), there, gaps]
        return np.clip(np.concatenate(flat), -10, 10).astype(np.float32)

    def _tell(self, features: Any, row: Any, places: Any, goals: Any, foes: Any) -> None:
        """Of a candidate: its kind, who, with whom, from and to where, how far from enemies and
        from goals before and after."""
        told = dict(zip(CANDIDATE, row, strict=True))
        features[int(told["kind"])] = 1.0
        after = features[self.kinds :]
        here = there = np.zeros(2)
        who, whom = int(told["who"]) - 1, int(told["whom"]) - 1
        if 0 <= who < self.bodies:
            after[who] = 1.0
            here = there = places[who]
        if 0 <= whom < self.bodies:
            after[self.bodies + whom] = 1.0
            there = places[whom]
        if told["x"] or told["y"]:
            there = np.array([told["x"], told["y"]]) / self.size
        gaps = [_least(place, goals) for place in (here, there)]
        from_foes = [_least(place, foes) for place in (here, there)]
        after[2 * self.bodies :] = [
            *here, *there, *from_foes, *gaps, gaps[1] - gaps[0], told["number"] / 10
        ]  # fmt: skip

    def action_masks(self) -> Any:
        """What may be done."""
        return self.unwrapped.action_masks()  # type: ignore[attr-defined]


def _least(place: Any, others: Any) -> float:
    return float(np.hypot(*(others - place).T).min()) if len(others) else 0.0


class Scores(nn.Module):
    """How good each candidate is, by the same weights; and what is looked at to tell who wins."""

    def __init__(self, features: int, rest: int, width: int = 64) -> None:
        super().__init__()
        self.features, self.latent_dim_pi, self.latent_dim_vf = features, MOST, width
        self.context = nn.Sequential(nn.Linear(rest, width), nn.Tanh())
        self.score = nn.Sequential(
            nn.Linear(features + width, width), nn.Tanh(), nn.Linear(width, 1)
        )
        self.value = nn.Sequential(
            nn.Linear(rest, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh()
        )

    def forward(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Both, of a batch of observations."""
        return self.forward_actor(seen), self.forward_critic(seen)

    def forward_actor(self, seen: torch.Tensor) -> torch.Tensor:
        """How good each candidate is."""
        near, rest = self._parted(seen)
        context = self.context(rest).unsqueeze(1).expand(-1, MOST, -1)
        return self.score(torch.cat((near, context), 2)).squeeze(2)

    def forward_critic(self, seen: torch.Tensor) -> torch.Tensor:
        """What tells who is going to win."""
        return self.value(self._parted(seen)[1])

    def _parted(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        cut = MOST * self.features
        return seen[:, :cut].reshape(-1, MOST, self.features), seen[:, cut:]


class Policy(MaskableActorCriticPolicy):
    """Scores of candidates are what the distribution is made of, as they are."""

    def __init__(self, *given: Any, sizes: tuple[int, int], **keywords: Any) -> None:
        self.sizes = sizes
        super().__init__(*given, **keywords)

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = Scores(*self.sizes)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = nn.Identity()
        self.optimizer = self.optimizer_class(
            self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )


def side_of(scene: str, side: str | None) -> Candidates:
    """The environment that is learnt in."""
    backends.use("compiled")
    return Candidates(SideEnv(scene, side=side, opponent="random"))


def games(model: Any, scene: str, many: int, seed: int) -> dict[str, int]:
    """Games against random play, each side in turn, by what seems best: won, drawn, lost."""
    counted = {"won": 0, "drawn": 0, "lost": 0}
    sides = side_of(scene, None).unwrapped.table.possible_agents  # type: ignore[attr-defined]
    for number in range(many):
        one = side_of(scene, sides[number % 2])
        seen, over, cut = one.reset(seed=seed + number)[0], False, False
        while not (over or cut):
            action, _ = model.predict(seen, action_masks=one.action_masks(), deterministic=True)
            seen, _, over, cut, _ = one.step(int(action))
        margin = one.unwrapped.table.margin(one.unwrapped.side)  # type: ignore[attr-defined]
        counted["won" if margin > 0 else "lost" if margin < 0 else "drawn"] += 1
    return counted


class Curve(BaseCallback):
    """Writes how it stands every so many steps, keeps the best, and ends learning when the time is
    over."""

    def __init__(self, scene: str, minutes: float, path: Path, every: int, many: int) -> None:
        super().__init__()
        self.scene, self.minutes, self.every, self.many = scene, minutes, every, many
        self.begun, self.path, self.next = time.monotonic(), path, 0
        self.most, self.best = -1, dict[str, Any]()
        self.path.write_text("minutes,steps,won,drawn,lost\n")

    def rate(self, _: float) -> float:
        """How fast it learns: slower and slower."""
        return RATE * max(0.1, 1.0 - (time.monotonic() - self.begun) / 60 / self.minutes)

    def _on_step(self) -> bool:
        minutes = (time.monotonic() - self.begun) / 60
        if self.num_timesteps >= self.next:
            self.next = self.num_timesteps + self.every
            found = games(self.model, self.scene, self.many, 10_000)
            if found["won"] > self.most:
                state = self.model.policy.state_dict()
                self.most, self.best = found["won"], {k: v.clone() for k, v in state.items()}
            with self.path.open("a", newline="") as out:
                csv.writer(out).writerow([f"{minutes:.2f}", self.num_timesteps, *found.values()])
            print(f"{minutes:5.1f} min, {self.num_timesteps} steps: {found}", flush=True)
        return minutes < self.minutes


def main() -> None:
    """Learn, write the curve, and play the games that count."""
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("scene", help="a scene with goals")
    words.add_argument("--minutes", type=float, default=15.0)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--processes", type=int, default=2)
    words.add_argument("--games", type=int, default=200, help="at the end, against random play")
    words.add_argument("--curve", type=Path, default=Path("curve.csv"))
    words.add_argument("-o", "--out", type=Path, default=Path("learnt.zip"))
    said = words.parse_args()
    torch.set_num_threads(1)
    sample = side_of(said.scene, None)
    sides = sample.unwrapped.table.possible_agents  # type: ignore[attr-defined]
    made = [lambda side=sides[n % 2]: side_of(said.scene, side) for n in range(4 * said.processes)]
    curve = Curve(said.scene, said.minutes, said.curve, 10_240, 40)
    model = MaskablePPO(
        Policy, SubprocVecEnv(made), n_steps=512, batch_size=512, n_epochs=5, gamma=GAMMA,
        learning_rate=curve.rate, ent_coef=0.002, target_kl=0.03, seed=said.seed, verbose=0,
        policy_kwargs={"sizes": (sample.features, sample.rest)},
    )  # fmt: skip
    model.learn(10**9, curve)
    model.policy.load_state_dict(curve.best)
    model.save(said.out, exclude=["learning_rate", "lr_schedule"])
    found = games(model, said.scene, said.games, 20_000)
    print(f"{said.games} games against random play: {found}")


if __name__ == "__main__":
    main()
