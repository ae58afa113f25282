"""Groups in doubt of which a search shows that they are captured, as the count takes them for dead.

That a group lives is not searched: it would be as good as the attack that the search finds.
"""

from typing import Final

import numpy as np

from goban.array_types import Mask
from goban.counting.count_estimate import Count
from goban.counting.estimate import Estimate
from goban.game import Game
from ownership.inference.evaluator import Evaluator

CAPTURE_VISITS: Final = 100
"""Visits of the search for the first move of each line, where a single game is scored."""
_MOST_CHAINS: Final = 4  # that are searched; a board with more in doubt stays so
_HEADS: Final = {"ownership", "policy"}


def captured_stones(evaluator: Evaluator, game: Game, answer: Estimate, visits: int) -> Mask | None:
    """Return bool (N, N): the dead stones in doubt that are captured with either side first, as lines show.

    None unless that settles all that is in doubt, so that the count is safe with it.

    Args:
        evaluator: the model of the search.
        game: that ends with the position of the count.
        answer: its count; other answers are not searched.
        visits: of the search for the first move of each line.
    """
    if not isinstance(answer, Count) or not answer.over or answer.contradicts or not {*evaluator.heads} >= _HEADS:
        return None
    if any(doubt.kind != "may live" for doubt in answer.reasons):
        return None
    points = {point for doubt in answer.reasons for point in doubt.points}
    chains = [chain for chain in answer.position.chains() if points.intersection(chain.points)]
    if not 0 < len(chains) <= _MOST_CHAINS:
        return None
    from ownership.explaining.group_status import explain_group  # with the tree search, which most scores do without

    found = np.zeros(answer.dead.shape, np.bool_)
    for chain in chains:
        status = explain_group(evaluator, game, chain.points[0], visits, second=None)
        if status.status != "dead" or not (status.attacked.end.proof and status.defended.end.proof):
            return None
        found.flat[list(chain.points)] = True
    return found
