"""Plain minimax, and the searches that are compared with it."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from goban.coords import pass_point
from goban.counting.counted_score import tromp_taylor
from goban.position import Position
from ownership.search.alphabeta.alphabeta_options import AlphaBetaOptions
from ownership.search.alphabeta.alphabeta_search import SCALE, AlphaBetaSearch
from ownership.search.alphabeta.candidate_moves import moves_to_try, unsettled_moves
from ownership.search.leaf_evaluation import LeafValue
from ownership.search.search_limits import Limits
from ownership.search.search_result import SearchResult

EVERYTHING = AlphaBetaOptions(width=None)


NARROW = AlphaBetaOptions(width=4, least_width=2, forcing=2, vital=1, policy_weight=0.7)


def as_it_stands(position: Position) -> float:
    """The score of a game that ends here with all stones alive."""
    return tromp_taylor(position.stones) - 0.5


def guess(positions: Sequence[Position]) -> list[LeafValue]:
    """The area as it stands and a bit of noise, a policy and a deviation that are all noise."""
    return [guess_at(position) for position in positions]


def guess_at(position: Position) -> LeafValue:
    noise = np.random.default_rng((position.hash % 2**31, position.to_move + 1, position.ko + 1))
    policy = noise.random(position.side**2 + 1, np.float32) ** 4
    score = tromp_taylor(position.stones) - 0.5 + float(noise.normal())
    return LeafValue(score, policy / policy.sum(), 0.5 + float(noise.random()))


def without_policy(positions: Sequence[Position]) -> list[LeafValue]:
    return [leaf._replace(policy=None) for leaf in guess(positions)]


class Minimax:
    """The definition of a search's result, without techniques."""

    def __init__(self, options: AlphaBetaOptions, leaf: Callable[[Position], LeafValue]) -> None:
        self.options, self.leaf = options, leaf

    def value(self, line: list[Position], passes: int, depth: int) -> float:
        """The best score for the side to move, in thousandths of a point."""
        position = line[-1]
        if passes == 2:
            return round(SCALE * as_it_stands(position)) * position.to_move
        if depth == 0:
            return self.settled(line, self.options.quiet_plies if self.options.uses("quiescence") else 0)
        ply = len(line) - 1
        leaf = self.leaf(position)
        policy, deviation = leaf.policy, leaf.deviation
        assert policy is not None
        moves = moves_to_try(position, policy, self.options, ply, passes)
        best = max(float(policy[move]) for move in moves)
        values = []
        for move in self.new(line, moves) or [pass_point(position.side)]:
            cost = self.options.policy_weight * deviation * np.log(max(best, 1e-4) / max(float(policy[move]), 1e-4))
            cost = round(SCALE * cost) if self.new(line, moves) else 0
            after = passes + 1 if move == pass_point(position.side) else 0
            values.append(-self.value([*line, position.play(move)], after, depth - 1) - cost)
        share = self.options.softening if ply else 0.0
        return round((1 - share) * max(values) + share * (round(SCALE * leaf.score) * position.to_move))

    def settled(self, line: list[Position], plies: int) -> float:
        position = line[-1]
        leaf = self.leaf(position)
        value = round(SCALE * leaf.score) * position.to_move
        moves = unsettled_moves(position, leaf.policy, self.options) if plies else []
        return max([value, *(-self.settled([*line, position.play(move)], plies - 1) for move in self.new(line, moves))])

    def new(self, line: list[Position], moves: Iterable[int]) -> list[int]:
        """The moves after which the stones stand as never before."""
        here = line[-1]
        return [
            move
            for move in moves
            if move == pass_point(here.side) or here.play(move).hash not in {each.hash for each in line}
        ]


def last(position: Position, options: AlphaBetaOptions, **limits: float) -> SearchResult:
    *_, result = AlphaBetaSearch(guess, as_it_stands, options, Limits(**limits)).run(position)  # type: ignore[arg-type]
    return result


def minimax(
    position: Position, options: AlphaBetaOptions, depth: int, leaf: Callable[[Position], LeafValue] = guess_at
) -> float:
    passed = position.recent[:1] == (pass_point(position.side),)
    return Minimax(options, leaf).value([position], int(passed), depth) * position.to_move / SCALE


KO_FIGHTS = [
    ". X O . / X O . O / . X O . / . . . .",
    "X . X O / X X O . / O O . O / . X O .",
    "O X . X / . O X . / O . O X / . O X .",
]
