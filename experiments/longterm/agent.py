"""A recurrent agent that plays continuations of long-term evaluation; `experiments.longterm_training` trains it.

At every ply it sees a small square of the board, the glimpse, and decides whether to stop, which of its points to play,
and around which of its points to look next.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

import keras
import numpy as np
from keras import ops
from numpy.typing import NDArray

from goban.errors import InputError
from goban.kernels import label, liberties
from goban.tactics import flags_of, sensible
from ownership.search.longterm import Episode

GLIMPSE: Final = 7  # side of the square that it sees
PLANES: Final = 14
_REACH: Final = GLIMPSE // 2
STATE: Final = 96
_FILTERS: Final = 32
_FORBIDDEN: Final = -1e9
_LEAST: Final = 1e-6  # probability of a move
_SCALE: Final = 0.2  # of log probabilities that the sensor reads
_ENTROPY: Final = 0.003  # weight of the entropy of moves in the loss, against premature certainty

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Observation:
    """What the agent sees of E episodes.

    Attributes:
        glimpses: float32 (E, G, G, PLANES), from the point of view of the side to move.
        play: float32 (E, G*G), log prior of each point as the next move, _FORBIDDEN where none is allowed.
        look: float32 (E, G*G), log prior of each point as the centre of the next glimpse.
    """

    glimpses: Floats
    play: Floats
    look: Floats

    @classmethod
    def of(cls, episodes: Sequence[Episode], centres: Sequence[int]) -> "Observation":
        """Return the glimpses of episodes around points of their boards, flat indices."""
        glimpses = np.stack([_glimpse(*each) for each in zip(episodes, centres, strict=True)])
        prior, allowed, inside = (glimpses[..., plane].reshape(len(episodes), -1) for plane in (0, 1, 2))
        play = np.where(allowed > 0, prior, _FORBIDDEN)
        look = np.where(inside > 0, prior, _FORBIDDEN)
        glimpses[..., 0] *= _SCALE
        return cls(glimpses, play.astype(np.float32), look.astype(np.float32))


def _glimpse(episode: Episode, centre: int) -> Floats:
    """Return float32 (G, G, PLANES): the planes of a board around a point, 0 outside of the board."""
    side = episode.position.side
    planes = np.zeros((side + 2 * _REACH, side + 2 * _REACH, PLANES), np.float32)
    planes[_REACH:-_REACH, _REACH:-_REACH] = _planes(episode).reshape(side, side, PLANES)
    row, column = divmod(centre, side)
    return planes[row : row + GLIMPSE, column : column + GLIMPSE]


def _planes(episode: Episode) -> Floats:
    """Return float32 (N*N, PLANES)."""
    position, leaf = episode.position, episode.leaf
    assert leaf.policy is not None and leaf.ownership is not None
    stones = position.stones.ravel()
    own, other = stones == position.to_move, stones == -position.to_move
    counts = liberties(position.side, stones.copy(), label(position.side, stones.copy()))
    allowed = episode.window & sensible(position, flags_of(position))
    last = np.zeros(len(stones), bool)
    last[[point for point in position.recent[:1] if point < len(stones)]] = True
    change = np.zeros(len(stones)) if episode.change is None else episode.change.ravel() * position.to_move
    columns = [
        np.log(np.maximum(leaf.policy[:-1], _LEAST)),
        allowed,
        episode.window,
        np.ones(len(stones)),
        own,
        other,
        *(each & (counts == count) for each in (own, other) for count in (1, 2)),
        last,
        leaf.ownership.ravel() * position.to_move,
        change,
        np.full(len(stones), len(episode.moves) % 2),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


@keras.saving.register_keras_serializable(package="experiments")
class Agent(keras.Model):  # type: ignore[misc]
    """A convolutional sensor, a GRU, and heads for the next move, the next glimpse, the end, and the reward to come.

    Input: `glimpses` (B, T, G, G, PLANES) of T plies, and `state` (B, 96) before them.
    Output: `play` and `look` (B, T, G*G), which are added to the logarithms of the priors; `stop` (B, T), the logit of
    the end; `baseline` (B, T), the expected reward; `state` (B, 96) after the last ply.

    Before training `play` and `look` are 0, so that the agent follows the policy.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.sensor = [keras.layers.Conv2D(_FILTERS, 3, padding="same", activation="relu") for _ in range(2)]
        self.summary = keras.layers.Dense(STATE, activation="relu")
        self.memory = keras.layers.GRU(STATE, return_sequences=True, return_state=True)
        self.mixed = keras.layers.Conv2D(_FILTERS, 1, activation="relu")
        self.broadcast = keras.layers.Dense(_FILTERS)
        self.points = keras.layers.Conv2D(2, 1, kernel_initializer="zeros")
        self.end = keras.layers.Dense(1, bias_initializer=keras.initializers.Constant(-2.5), kernel_initializer="zeros")
        self.expected = keras.layers.Dense(1, kernel_initializer="zeros")

    def call(self, inputs: dict[str, Any]) -> dict[str, Any]:
        """Return the outputs by head."""
        plies = ops.shape(inputs["glimpses"])[1]
        seen = ops.reshape(inputs["glimpses"], (-1, GLIMPSE, GLIMPSE, PLANES))
        for layer in self.sensor:
            seen = layer(seen)
        summary = self.summary(ops.reshape(seen, (-1, GLIMPSE * GLIMPSE * _FILTERS)))
        memory, state = self.memory(ops.reshape(summary, (-1, plies, STATE)), initial_state=inputs["state"])
        known = ops.reshape(self.broadcast(memory), (-1, 1, 1, _FILTERS))
        points = self.points(self.mixed(ops.relu(seen + known)))
        points = ops.reshape(points, (-1, plies, GLIMPSE * GLIMPSE, 2))
        return {
            "play": points[..., 0],
            "look": points[..., 1],
            "stop": self.end(memory)[..., 0],
            "baseline": self.expected(memory)[..., 0],
            "state": state,
        }

    def compute_loss(self, x: Any, y: Any, y_pred: Any, *_: Any, **__: Any) -> Any:
        """Return the loss of REINFORCE, whose gradient raises the probability of acts that did better than expected.

        Args:
            x: not used.
            y: of E episodes and T plies: `play_prior` and `look_prior` (E, T, G*G); `play`, `look`, `stop` (E, T), the
                choices; `reward` (E, T), still to come; `acted` (E, T), 1 up to the end and 0 after it.
            y_pred: the outputs.
        """
        plays = ops.log_softmax(y_pred["play"] + y["play_prior"])
        looks = ops.log_softmax(y_pred["look"] + y["look_prior"])
        chosen = _at(plays, y["play"]) + _at(looks, y["look"])
        ends = y["stop"] * ops.log_sigmoid(y_pred["stop"]) + (1 - y["stop"]) * ops.log_sigmoid(-y_pred["stop"])
        surprise = y["reward"] - y_pred["baseline"]
        entropy = -ops.sum(ops.exp(plays) * ops.maximum(plays, -50.0), axis=-1)
        policy = ops.stop_gradient(surprise) * (ends + (1 - y["stop"]) * chosen) + _ENTROPY * entropy
        loss = ops.square(surprise) / 2 - policy
        return ops.sum(y["acted"] * loss) / ops.sum(y["acted"])


def _at(values: Any, places: Any) -> Any:
    """Return the values (E, T) at places (E, T) of (E, T, G*G)."""
    return ops.take_along_axis(values, ops.cast(places, "int32")[..., None], axis=-1)[..., 0]


def new_agent(seed: int) -> Agent:
    """Return an agent with fresh weights."""
    keras.utils.set_random_seed(seed)
    agent = Agent()
    agent({"glimpses": np.zeros((1, 1, GLIMPSE, GLIMPSE, PLANES), np.float32), "state": np.zeros((1, STATE))})
    return agent


def load_agent(path: Path) -> Agent:
    """Return the agent of a .keras file; raise InputError if it holds none."""
    try:
        agent = keras.saving.load_model(path)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"{path}: expected an agent. Received: {error}") from None
    if not isinstance(agent, Agent):
        raise InputError(f"{path}: expected an agent. Received: another network")
    return agent


@dataclass(frozen=True, eq=False)
class Act:
    """One ply of an episode, as training needs it: what was seen, and the choices; places are those of the glimpse."""

    glimpse: Floats
    play_prior: Floats
    look_prior: Floats
    play: int
    look: int
    stop: bool


class AgentChoice:
    """The choice of moves by an agent, which remembers what it saw of each episode.

    Args:
        agent: the network.
        keep: whether to keep the acts of each episode in `acts`.

    In the first episode of a candidate it takes what is likeliest, in the others a sample.
    """

    def __init__(self, agent: Agent, *, keep: bool = False) -> None:
        self._agent, self._keep = agent, keep
        self._memory: WeakKeyDictionary[Episode, tuple[int, Floats]] = WeakKeyDictionary()
        self.acts: WeakKeyDictionary[Episode, list[Act]] = WeakKeyDictionary()

    def __call__(self, episodes: Sequence[Episode]) -> list[int | None]:
        """Return the next move of each episode, None to end it; see `ownership.search.longterm.Choose`."""
        start = np.zeros(STATE, np.float32)
        centres, states = zip(*(self._memory.get(each, (_first(each), start)) for each in episodes), strict=True)
        seen = Observation.of(episodes, centres)
        outputs = self._agent.predict_on_batch({"glimpses": seen.glimpses[:, None], "state": np.stack(states)})
        plays, looks = outputs["play"][:, 0] + seen.play, outputs["look"][:, 0] + seen.look
        stops = 1 / (1 + np.exp(-outputs["stop"][:, 0]))
        moves: list[int | None] = []
        for number, episode in enumerate(episodes):
            play, look = _taken(episode, plays[number]), _taken(episode, looks[number])
            threshold = 0.5 if episode.number == 0 else episode.random.random()
            blocked = bool(seen.play[number, play] <= _FORBIDDEN)
            stop = blocked or bool(stops[number] > threshold)
            moves.append(None if stop else _point(episode, centres[number], play))
            self._memory[episode] = _point(episode, centres[number], look), outputs["state"][number]
            if self._keep and not blocked:
                act = Act(seen.glimpses[number], seen.play[number], seen.look[number], play, look, stop)
                self.acts.setdefault(episode, []).append(act)
        return moves


def _first(episode: Episode) -> int:
    """Return the candidate, around which the agent looks first."""
    return episode.position.recent[0]


def _taken(episode: Episode, logits: Floats) -> int:
    """Return the place with the highest logit, or a sampled one unless it is the first episode of a candidate."""
    if episode.number == 0:
        return int(logits.argmax())
    chances = np.exp(logits.astype(np.float64) - logits.max())
    return int(episode.random.choice(len(chances), p=chances / chances.sum()))


def _point(episode: Episode, centre: int, place: int) -> int:
    """Return the flat index on the board of a place in the glimpse around a point."""
    side = episode.position.side
    down, right = divmod(place, GLIMPSE)
    return centre + (down - _REACH) * side + right - _REACH
