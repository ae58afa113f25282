"""A model's prediction for a position, made from its network's outputs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from goban.counting.expected_score import Forecast, expected_score, logistic_probability
from goban.errors import InputError
from goban.position import Position
from goban.rulesets import Terms
from ownership.inference.model_files import ModelFiles

Outputs = dict[str, NDArray[np.float32]]  # of a network, by head


@dataclass(frozen=True, eq=False)
class Prediction:
    """A model's prediction for one position of board side N; None for figures that it does not predict.

    `owners` is the ownership for those who need it.

    Attributes:
        ownership: float32 (N, N) in [-1, 1], the expected owner of each point: +1 Black, -1 White.
        policy: float32 (N*N + 1,), the probability of each next move by flat index, the last being the pass; 0 for
            illegal moves.
        deviation: standard deviation of the final score in points.
        lead: Black's points minus White's, komi included; from networks of KataGo and models with a `margin` head.
        win_rate: the probability that Black wins, 0..1, a game without result counting half; from the same models.
        own_win_rate: the same as the network has it, not calibrated, by which searches value positions.
        resign: the probability that the side to move resigns, 0..1.
        files: the model.
    """

    ownership: NDArray[np.float32] | None = None
    policy: NDArray[np.float32] | None = None
    deviation: float | None = None
    lead: float | None = None
    win_rate: float | None = None
    own_win_rate: float | None = None
    resign: float | None = None
    files: ModelFiles | None = None

    def __post_init__(self) -> None:
        """Keep the arrays read-only: callers share them through the cache."""
        for name in ("ownership", "policy"):
            if (given := getattr(self, name)) is not None:
                array = np.asarray(given, np.float32).view()
                array.flags.writeable = False
                object.__setattr__(self, name, array)

    @property
    def owners(self) -> NDArray[np.float32]:
        """The ownership; raise InputError if the model has no such head."""
        if self.ownership is None:
            if self.files is not None:
                self.files.require_head("ownership", "the owner of each point")
            raise InputError("expected a prediction with an ownership. Received: one without")
        return self.ownership

    @property
    def forecast(self) -> Forecast:
        """The prediction of the final score."""
        return Forecast(self.lead, self.deviation, self.win_rate)


def predictions_of(
    files: ModelFiles, positions: Sequence[Position], terms: Sequence[Terms], outputs: Outputs
) -> Iterator[Prediction]:
    """Yield the prediction about each position, given the outputs from the point of view of the side to move."""
    movers = np.array([position.to_move for position in positions], np.float32)
    owners = (2 * outputs["ownership"] - 1) * movers[:, None, None] if "ownership" in outputs else None
    policies = _legal_policies(outputs["policy"], positions) if "policy" in outputs else None
    deviations, leads, win_rates = outputs.get("deviation"), outputs.get("lead"), outputs.get("win_rate")
    resigned = outputs.get("resign")
    spreads = outputs.get("own_spread")
    for index, position in enumerate(positions):
        wins = None if win_rates is None else 0.5 + (float(win_rates[index]) - 0.5) * position.to_move
        prediction = Prediction(
            None if owners is None else owners[index].copy(),  # a view would keep the whole batch in memory
            None if policies is None else policies[index].copy(),
            None if deviations is None else float(deviations[index]),
            None if leads is None else float(leads[index]) * position.to_move,
            wins,
            wins,
            None if resigned is None else float(resigned[index, 0]),
            files,
        )
        if "margin" in outputs:
            area, spread = outputs["margin"][index].tolist()
            own_spread = spread if spreads is None else float(spreads[index])
            prediction = _with_margin(prediction, position, terms[index], area, spread, own_spread)
        yield prediction


def _with_margin(
    prediction: Prediction, position: Position, terms: Terms, area: float, spread: float, own_spread: float
) -> Prediction:
    """Return a prediction with the lead and the chance to win of a head of margins.

    Args:
        prediction: one without.
        position: what it is about.
        terms: of the game.
        area: the expected area of the side to move minus the other's, in points.
        spread: of the logistic distribution around it, in points, calibrated.
        own_spread: the same as the network has it.
    """
    lead = expected_score(position, prediction.owners, terms.ruleset, terms.total_komi)
    lead += area * position.to_move - float(prediction.owners.sum(dtype=np.float64))
    wins, own_wins = (logistic_probability(lead, each) for each in (spread, own_spread))
    return replace(prediction, lead=lead, win_rate=wins, own_win_rate=own_wins)


def _legal_policies(policies: NDArray[np.float32], positions: Sequence[Position]) -> NDArray[np.float32]:
    """Return policies (B, N*N + 1) over legal moves alone, uniform where they give these no probability."""
    legal = np.stack([position.legal_points() for position in positions])
    chances: NDArray[np.float32] = legal * (policies + np.finfo(np.float32).tiny)
    chances /= chances.sum(axis=1, keepdims=True)
    return chances
