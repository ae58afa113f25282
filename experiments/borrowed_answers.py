"""python -m experiments.borrowed_answers OUTPUT NETWORK BETTER [--visits 100] [--games 40] [--size 9]

What a network lacks for play: the tree search with the moves of NETWORK and all other answers of BETTER, and the other
way round, against the same search with BETTER alone. This is behind docs/lab/play.md, "What is missing in the network".

OUTPUT keeps the games; the same command resumes an interrupted match, and more `--games` add some.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.command import exit_with, parser_of
from benchmarks.duels import played, strength
from goban.position import Position
from goban.rulesets import Terms
from ownership.inference.evaluator import DEFAULT_TERMS, Evaluator, Prediction
from ownership.inference.files import find_model
from ownership.match.conditions import Conditions
from ownership.match.referee import ModelReferee
from ownership.players.registry import make_player


class Borrower(Evaluator):
    """An evaluator with the policy of another model.

    Args:
        model: name or directory of the model of all other answers.
        policy: that of the policy.
    """

    def __init__(self, model: str, policy: str) -> None:
        super().__init__(find_model(model), threads=1)
        self._lender = Evaluator.load(policy, threads=1)

    def evaluate(
        self,
        positions: Sequence[Position],
        symmetries: int | Sequence[int] = 1,
        terms: Terms | Sequence[Terms] = DEFAULT_TERMS,
    ) -> list[Prediction]:
        """Return the predictions of one model with the policies of the other; see `Evaluator.evaluate`."""
        own, lent = (
            super().evaluate(positions, symmetries, terms),
            self._lender.evaluate(positions, symmetries, terms),
        )
        return [replace(one, policy=other.policy) for one, other in zip(own, lent, strict=True)]


def main() -> int:
    """Print a line of a table for each match."""
    parser = parser_of("experiments.borrowed_answers", __doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("network")
    parser.add_argument("better")
    parser.add_argument("--visits", type=int, default=100, metavar="N", help="a move (default: %(default)s)")
    parser.add_argument("--games", type=int, default=40, metavar="N", help="of each match (default: %(default)s)")
    parser.add_argument("--size", type=int, default=9, metavar="N", help="board side (default: %(default)s)")
    arguments = parser.parse_args()
    evaluators = {
        "moves": Borrower(arguments.better, arguments.network),
        "others": Borrower(arguments.network, arguments.better),
        "better": Evaluator.load(arguments.better, threads=1),
    }
    conditions, referee = Conditions(side=arguments.size, komi=7.0, opening=4), ModelReferee(Evaluator.load("default"))
    print(f"against {arguments.better} | games | won | Elo of the difference\n|---|---|---|---|")
    for name, kind in (("moves", f"moves of {arguments.network}"), ("others", f"all else of {arguments.network}")):
        players = [f"mcts:visits={arguments.visits},threads=1,model={each}" for each in (name, "better")]
        record = played(
            players,
            conditions,
            referee,
            arguments.output / name,
            lambda text: make_player(text, lambda model: evaluators[str(model)]),
            games=arguments.games,
            jobs=1,
        )
        print(f"| {kind} | {strength(record)} |", flush=True)
    return 0


if __name__ == "__main__":
    exit_with(main)
