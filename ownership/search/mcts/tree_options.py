"""What a tree search takes: its numbers, and how the move to play is chosen."""

from dataclasses import dataclass
from math import inf
from typing import Final

from goban.errors import check_fields

CHOICES: Final = ("visits", "lcb")
"""By what the move to play is chosen: the most visits, or the highest lower confidence bound."""

_SHARE: Final = (0.0, 1.0)
_RANGES: Final = {
    **dict.fromkeys(("exploration_scaling", "score_centre", "minimax", "rollouts", "policy_share", "noise"), _SHARE),
    **dict.fromkeys(("exploration", "first_play", "score_weight", "waiting", "rave", "temperature"), (0.0, inf)),
    "value_weighting": (0.0, inf),
    **dict.fromkeys(("score_scale", "policy_temperature"), (0.01, inf)),
    **dict.fromkeys(("batch", "threads"), (1, inf)),
    "seed": (0, inf),
}


@dataclass(frozen=True)
class TreeOptions:
    """How a tree is searched.

    Args:
        exploration: weight of the policy in the choice of a move: c of PUCT.
        exploration_scaling: how far the exploration follows the standard deviation of the values below a position, 0 to
            1: 0 leaves it as it is, 1 makes it proportional to them (Wu: Other methods implemented in KataGo, 2021).
            Rollouts, whose results differ by chance, do without.
        first_play: first-play urgency: by how much a move not yet tried is valued below its position, times the
            square root of the probability that the policy gives to all moves tried.
        score_weight: the most that the expected score adds to a value or takes away; winning adds or takes 1.
        score_scale: points that are worth half of that.
        score_centre: share, 0 to 1, of the score expected at the root that is the middle of the two: a side that is far
            ahead or behind still plays for points. Rollouts do without.
        batch: positions that a worker evaluates together, at most.
        waiting: how many visits may wait for their evaluations, as a share of the visits made, though always one: a
            visit that waits cannot guide the next one.
        threads: workers; with one of them and a batch of 1, the same search builds the same tree.
        minimax: share of the best move's value in the value of a position, 0 to 1; the rest is the mean over visits.
        value_weighting: how much less moves that seem worse count in the value of a position. Each visit counts by the
            probability that its move is better than the mean, to this power; with 0, and with rollouts, all count
            alike.
        rollouts: share of a rollout's result in the value of a leaf, 0 to 1; the rest is the network's.
        rave: visits at which the mean of a move counts as much as that of all rollouts in which the same side played
            there first (Gelly and Silver: Combining online and offline knowledge in UCT, 2007); 0 leaves those out.
        policy_share: share of the policy in the priors of moves, 0 to 1; the rest is the same for all moves.
        noise: share of chance in the policy at the root, 0 to 1.
        policy_temperature: of the policy at the root; above 1 it is flatter.
        choice: one of CHOICES.
        temperature: 0 plays the best move; 1 draws one by visits.
        seed: of everything random in a search.

    Raises:
        InputError: a number out of range, or an unknown choice.
    """

    exploration: float = 1.1
    exploration_scaling: float = 0.85
    first_play: float = 0.15
    score_weight: float = 0.3
    score_scale: float = 10.0
    score_centre: float = 0.8
    batch: int = 4
    waiting: float = 1 / 16
    threads: int = 2
    minimax: float = 0.0
    value_weighting: float = 0.25
    rollouts: float = 0.0
    rave: float = 0.0
    policy_share: float = 1.0
    noise: float = 0.0
    policy_temperature: float = 1.0
    choice: str = "lcb"
    temperature: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        check_fields(self, _RANGES, {"choice": CHOICES})
