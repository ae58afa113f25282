"""When it is settled: in how many moves the owner of each point will be final, and whether the game is decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask
from goban.coords import BLACK, WHITE, colour_name
from goban.counting.expected_score import expected_score, score_deviation, score_interval
from goban.errors import plural
from goban.position import Position
from goban.rulesets import Terms
from ownership.inference.evaluator import Evaluator
from ownership.inference.prediction import Prediction
from ownership.inference.settling_network import RANGES, SOON, settling_chances

WAITS: Final = (0, 20, 80)  # moves; the classes of a map end here, one more has the rest
_SMALL: Final = 0.05  # share of the board that is open when only small endgame is left


@dataclass(frozen=True, eq=False)
class Settled:
    """How settled a position is.

    Attributes:
        position: N by N.
        ownership: float32 (N, N) in [-1, 1], Black's +1.
        chances: float32 (N, N, len(RANGES) + 1), that the owner is final from a move in each range on.
        lead: Black's expected points minus White's, komi included.
        interval: the bounds of the score with a probability of 90%.
    """

    position: Position
    ownership: NDArray[np.float32]
    chances: NDArray[np.float32]
    lead: float
    interval: tuple[float, float]

    @property
    def share(self) -> float:
        """The expected share of points whose owner is final."""
        return settled_share(self.chances)

    @property
    def soon(self) -> float:
        """The same in 20 moves."""
        return settled_share(self.chances, SOON)

    @property
    def waits(self) -> NDArray[np.int8]:
        """The class of each point, int8 (N, N): 0 settled, 1 within 20 moves, 2 within 80, 3 later."""
        return waits_of(self.chances)

    @property
    def owner(self) -> NDArray[np.int8]:
        """The owner of each point if it stays as it is, int8 (N, N)."""
        return np.sign(self.ownership).astype(np.int8)

    def final(self, colour: int) -> Mask:
        """Return the points that are settled as a colour's, bool (N, N)."""
        mine: Mask = (self.waits == 0) & (self.owner == colour)
        return mine

    @property
    def winner(self) -> int | None:
        """The colour that wins however the game goes on, or None while that is open.

        The 90% interval has one winner, who also wins after losing half of what is not settled: of each point that is
        likely its own, by the chance that it is not.
        """
        leader = BLACK if self.lead > 0 else WHITE
        worst = leader * self.interval[0 if leader == BLACK else 1]
        open_points = (1 - self.chances[..., 0]) * (1 + leader * self.ownership)
        return leader if worst > 0 and leader * self.lead > float(open_points.sum(dtype=np.float64)) / 2 else None

    @property
    def only_small_endgame(self) -> bool:
        """Whether so little is open that dame and small endgame moves are all that is left."""
        return 1 - self.share < _SMALL

    @property
    def verdict(self) -> str:
        """One sentence without a full stop about the game."""
        parts = [f"the game is decided: {colour_name(self.winner)} wins"] if self.winner is not None else []
        parts += ["only dame and small endgame moves are left"] if self.only_small_endgame else []
        return ", and ".join(parts) or "the game is not decided"

    @property
    def text(self) -> str:
        """The verdict and the figures, three lines."""
        black, white = (int(self.final(colour).sum()) for colour in (BLACK, WHITE))
        rest = self.waits.size - black - white
        return (
            f"{self.share:.0%} of the board is settled, {self.soon:.0%} in 20 moves\n"
            f"final: {plural(black, 'point')} of Black's, {white} of White's; {rest} are open\n{self.verdict}"
        )

    def summary(self) -> dict[str, Any]:
        """Return the figures about the whole board as JSON values."""
        return {
            "settled": round(self.share, 4),
            "settled_in_20": round(self.soon, 4),
            "decided": None if self.winner is None else colour_name(self.winner),
            "only_small_endgame": self.only_small_endgame,
        }

    def as_json(self) -> dict[str, Any]:
        """Return the summary, and the chances of each range of moves at each point, row by row from the top."""
        chances = np.round(self.chances.astype(np.float64), 4).tolist()
        return self.summary() | {
            "map": settled_map(self.chances, self.ownership),
            "ranges": list(RANGES),
            "chances": chances,
        }


def settled(evaluator: Evaluator, positions: Sequence[Position], terms: Terms, symmetries: int = 1) -> list[Settled]:
    """Return how settled positions of one board side are.

    Args:
        evaluator: a model with ownership and policy.
        positions: at least one.
        terms: of the game.
        symmetries: of the board to average over, 1, 4 or 8.

    Raises:
        InputError: a model without a policy.
    """
    predictions = evaluator.evaluate(positions, symmetries, terms)
    chances = settling_chances(positions, predictions)
    return [_settled(*each, terms) for each in zip(positions, predictions, chances, strict=True)]


def settled_share(chances: NDArray[np.float32], last: int = 0) -> float:
    """Return the expected share of points whose owner is final by the end of a range, given the chances of points."""
    return float(chances[..., : last + 1].sum(axis=-1).mean(dtype=np.float64))


def waits_of(chances: NDArray[np.float32]) -> NDArray[np.int8]:
    """Return how long points stay open, int8 (N, N): 0 settled, 1 within 20 moves, 2 within 80, 3 longer."""
    reached = np.cumsum(chances, axis=-1)[..., [RANGES.index(moves) for moves in WAITS]]
    waits: NDArray[np.int8] = (reached < 0.5).sum(axis=-1).astype(np.int8)
    return waits


def settled_map(chances: NDArray[np.float32], ownership: NDArray[np.float32]) -> list[str]:
    """Return the rows of a map: X and O where the owner is final, Black or White, else 1, 2 or 3 as in `waits_of`."""
    waits = waits_of(chances)
    marks = np.where(waits == 0, np.where(ownership > 0, "X", "O"), waits.astype(np.str_))
    return ["".join(row) for row in marks.tolist()]


def _settled(position: Position, prediction: Prediction, chances: NDArray[np.float32], terms: Terms) -> Settled:
    owners, lead, deviation = prediction.owners, prediction.lead, prediction.deviation
    if lead is None:
        lead = expected_score(position, owners, terms.ruleset, terms.total_komi)
    if deviation is None:
        deviation = score_deviation(owners)
    return Settled(position, owners, chances, lead, score_interval(lead, deviation, position, terms))
