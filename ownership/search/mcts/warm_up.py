"""The kernels of the tree search, compiled by a search without a network."""

from collections.abc import Sequence

from goban.coords import pass_point
from goban.game import Game
from goban.position import Position
from ownership.search.leaves import Leaf
from ownership.search.mcts.options import TreeOptions
from ownership.search.mcts.search import TreeSearch
from ownership.search.options import Limits


class _Nothing:
    """Knows nothing about any position."""

    def evaluate(self, positions: Sequence[Position]) -> list[Leaf]:
        return [self.ended(position) for position in positions]

    def ended(self, position: Position) -> Leaf:
        return Leaf(0.0)


def warm_up() -> None:
    """Call every kernel of the search, so that numba caches it on disk."""
    game = Game.empty(2)
    search = TreeSearch(_Nothing(), game.ruleset, TreeOptions(threads=1, noise=0.1))
    for each in (game, game.play(pass_point(2))):
        for _ in search.run(each, Limits(visits=8)):
            pass
    search.result()
    search.ownership()
