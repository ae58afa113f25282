"""python -m experiments.longterm_training DATASET OUTPUT [--minutes 60] [--window 9] [--steps 8] [--model fast]

Train the agent of long-term evaluation by REINFORCE with a learnt baseline. This is behind the page
docs/papers/long-term-evaluation.md, "The trained agent".

Every episode begins with the move of a recorded game, since only after that move do the owners at the record's end show
how it turned out. Its reward is how much better the predicted ownership inside the window agrees with these owners
after the continuation than before: the mean over the window of their product.

OUTPUT gets agent.keras, curve.csv and curve.png; the same command continues a training that was interrupted, and a
larger `--minutes` prolongs it.
"""

import argparse
import csv
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import keras
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from benchmarks.command import exit_with
from experiments.longterm.agent import AgentChoice, load_agent, new_agent
from experiments.longterm.episodes import Setting, batch_of
from experiments.longterm.positions import draw
from goban.rulesets import RULESETS
from ownership.inference.evaluator import Evaluator
from ownership.search.leaves import NetworkLeaves
from ownership.search.longterm import Choose, PolicyInWindow
from preprocessing.dataset.table import GameTable, load_games
from preprocessing.storage import replacing
from viz.curves import tidy
from viz.figure import new_row, save
from viz.palette import CURVES, GREY

EPISODES: Final = 128  # of an update
HELD_OUT: Final = 256  # positions on which the agent is compared with the policy while it learns
_COMPARED: Final = 1024  # positions of the last comparison
_BETWEEN: Final = 300.0  # seconds between two comparisons
_FIELDS: Final = ("minutes", "updates", "reward", "explained", "plies", "agent", "policy", "difference", "error")


class Training:
    """A training in a folder, which it continues.

    Args:
        games: to learn from.
        held_out: games for the comparison with the policy.
        setting: how episodes are played.
        output: the folder.
        rate: learning rate of Adam.
        seed: of weights, positions and samples.
    """

    def __init__(
        self, games: GameTable, held_out: GameTable, setting: Setting, output: Path, rate: float, seed: int
    ) -> None:
        self._games, self._setting, self._output, self._seed = games, setting, output, seed
        self._held_out = list(islice(draw(held_out, (0,)), HELD_OUT))
        self._policy = setting.play(self._held_out, PolicyInWindow(0.0), (0,), 1)
        self.curve = _read(output / "curve.csv") if (output / "agent.keras").exists() else []
        if self.curve:
            self._agent = load_agent(output / "agent.keras")
        else:
            self._agent = new_agent(seed)
            self._agent.compile(optimizer=keras.optimizers.Adam(rate, clipnorm=1.0), loss=None)
            self._agent.optimizer.build(self._agent.trainable_variables)
        self._updates = int(self.curve[-1]["updates"]) if self.curve else 0
        self._spent = 60 * self.curve[-1]["minutes"] if self.curve else 0.0

    def run(self, minutes: float) -> None:
        """Train until so many minutes were spent in all runs; compare and save every few minutes."""
        if not self.curve:
            self._record([])
        began, spent = time.monotonic(), self._spent
        measured: list[dict[str, float]] = []
        while spent < 60 * minutes:
            measured.append(self._update())
            spent, last = self._spent + time.monotonic() - began, 60 * self.curve[-1]["minutes"]
            if spent >= min(last + _BETWEEN, 60 * minutes):
                self._record(measured, spent)
                measured = []

    def compare(self, held_out: GameTable) -> None:
        """Print how well the ownership in the window agrees with the records after continuations of each kind."""
        positions = list(islice(draw(held_out, (1,)), _COMPARED))
        choices: dict[str, Choose] = {"the policy": PolicyInWindow(0.0), "the agent": AgentChoice(self._agent)}
        choices["the agent before training"] = AgentChoice(new_agent(self._seed))
        print("| continuation by | plies | agreement | right owner, % |\n|---|---|---|---|")
        for name, choose in choices.items():
            outcomes = self._setting.play(positions, choose, (1,), 1)
            agreements = np.array([(each.agreements[0], each.agreements[-1]) for each in outcomes])
            right = 100 * np.array([(each.right_before, each.right()) for each in outcomes])
            if name == "the policy":
                print(f"| none | 0 | {agreements[:, 0].mean():.3f} | {right[:, 0].mean():.1f} |")
            plies = np.mean([len(each.episode.moves) for each in outcomes])
            print(f"| {name} | {plies:.1f} | {_change(agreements, 3)} | {_change(right, 1)} |", flush=True)

    def _update(self) -> dict[str, float]:
        """Play episodes and learn from them; which positions depends on the seed and the number of the update alone."""
        choice = AgentChoice(self._agent, keep=True)
        self._updates += 1
        seed = (self._seed, self._updates)
        outcomes = self._setting.play(list(islice(draw(self._games, seed), EPISODES)), choice, seed, 1)
        batch = batch_of(choice, outcomes, self._setting.steps)
        acted, reward = batch["y"]["acted"] > 0, batch["y"]["reward"]
        baseline = np.asarray(self._agent.predict_on_batch(batch["x"])["baseline"])
        self._agent.train_on_batch(batch["x"], batch["y"])
        explained = 1 - np.var((reward - baseline)[acted]) / max(np.var(reward[acted]), 1e-12)
        return {
            "reward": float(np.mean([each.reward for each in outcomes])),
            "explained": float(explained),
            "plies": float(np.mean([len(each.episode.moves) for each in outcomes])),
        }

    def _record(self, measured: Sequence[dict[str, float]], spent: float = 0.0) -> None:
        """Compare the agent with the policy on the held-out positions; add a row to the curve, and save everything."""
        outcomes = self._setting.play(self._held_out, AgentChoice(self._agent), (0,), 1)
        agent, policy = (np.array([each.reward for each in found]) for found in (outcomes, self._policy))
        row = {
            "minutes": spent / 60,
            "updates": self._updates,
            **{name: float(np.mean([each[name] for each in measured] or [0])) for name in _FIELDS[2:5]},
            "agent": float(agent.mean()),
            "policy": float(policy.mean()),
            "difference": float((agent - policy).mean()),
            "error": float((agent - policy).std() / len(agent) ** 0.5),
        }
        self.curve.append(row)
        self._output.mkdir(parents=True, exist_ok=True)
        with replacing(self._output / "agent.keras") as partial:
            self._agent.save(partial)
        with replacing(self._output / "curve.csv") as partial, partial.open("w", newline="") as file:
            writer = csv.DictWriter(file, _FIELDS)
            writer.writeheader()
            writer.writerows(self.curve)
        save(drawn_curve(self.curve), self._output / "curve.png")
        print(" ".join(f"{name} {value:.4g}" for name, value in row.items()), flush=True)


def _change(pairs: NDArray[np.float64], digits: int) -> str:
    """Return the mean of the second column, and its paired difference from the first with the standard error."""
    change = pairs[:, 1] - pairs[:, 0]
    error = change.std() / len(change) ** 0.5
    return f"{pairs[:, 1].mean():.{digits}f} ({change.mean():+.{digits}f} ± {error:.{digits}f})"


def _read(path: Path) -> list[dict[str, float]]:
    with path.open(newline="") as file:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def drawn_curve(curve: Sequence[dict[str, float]]) -> Axes:
    """Draw how much continuations improve the ownership, on games of the training and on held-out ones."""
    left, right = new_row(2, 4.8, 3.6)
    minutes = [row["minutes"] for row in curve]
    left.plot(minutes[1:], [row["reward"] for row in curve[1:]], color=CURVES[1], label="agent, in training")
    left.plot(minutes, [row["agent"] for row in curve], color=CURVES[0], label="agent, held-out games")
    left.plot(minutes, [row["policy"] for row in curve], color=GREY, label="policy, held-out games")
    left.set(xlabel="minutes", ylabel="reward", title="Reward of an episode")
    left.legend(frameon=False)
    right.plot(minutes[1:], [row["plies"] for row in curve[1:]], color=CURVES[0])
    right.set(xlabel="minutes", ylabel="plies", title="Length of an episode", ylim=(0, None))
    for axes in (left, right):
        tidy(axes)
    return left


def main() -> int:
    """Train, print a line for each comparison on the way, and a table at the end."""
    parser = argparse.ArgumentParser(prog="python -m experiments.longterm_training", description=main.__doc__)
    parser.add_argument("dataset")
    parser.add_argument("output", type=Path)
    parser.add_argument("--minutes", type=float, default=60.0, help="in all runs (%(default)g)")
    parser.add_argument("--window", type=int, default=9, help="side of the window (%(default)s)")
    parser.add_argument("--steps", type=int, default=8, help="plies of an episode, at most (%(default)s)")
    parser.add_argument("--model", default="fast", metavar="NAME|DIR", help="evaluates positions (%(default)s)")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate (%(default)g)")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    leaves = NetworkLeaves(Evaluator.load(arguments.model, cached=0), RULESETS["area"], 0.0)
    games, held_out = (load_games(arguments.dataset, split) for split in ("train", "validation"))
    setting = Setting(leaves, arguments.window, arguments.steps)
    training = Training(games, held_out, setting, arguments.output, arguments.rate, arguments.seed)
    training.run(arguments.minutes)
    training.compare(held_out)
    return 0


if __name__ == "__main__":
    exit_with(main)
