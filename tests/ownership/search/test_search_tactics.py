"""The search finds the right moves of tactical positions; see `tactics.txt`, whose answers GNU Go confirms."""

from collections import Counter
from collections.abc import Sequence

import pytest

from goban.coords import gtp_name
from goban.errors import InputError
from goban.game import Game
from goban.position import Position
from goban.rulesets import RULESETS
from ownership.players.gtp_client import GtpClient
from ownership.search.alphabeta.alphabeta_options import AlphaBetaOptions
from ownership.search.alphabeta.alphabeta_search import AlphaBetaSearch
from ownership.search.leaf_evaluation import LeafValue
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_limits import Limits
from preprocessing.gnugo import find_gnugo
from tests.support.goal import Goal
from tests.support.paths import DATA
from tests.support.problems import Problem, gnugo_confirms, read_problems, set_up

OPTIONS = AlphaBetaOptions(narrowing=0.8, least_width=4, forcing=3, policy_weight=0.0, quiet_plies=6)
FILE = DATA / "tactics.txt"
PROBLEMS = list(read_problems(FILE))


def test_there_are_many_of_all_kinds() -> None:
    kinds = Counter(problem.kind.partition(",")[0] for problem in PROBLEMS)
    assert sum(kinds.values()) >= 40
    assert set(kinds) == {"ladder", "net", "race", "life and death", "snapback", "ko"}
    assert len({(problem.position, problem.position.to_move) for problem in PROBLEMS}) == len(PROBLEMS)


def test_the_file_is_as_it_would_be_written() -> None:
    assert "\n".join(map(str, PROBLEMS)) == FILE.read_text("utf-8")


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.kind)
def test_the_search_finds_the_answer(problem: Problem) -> None:
    goal = Goal(problem)
    *_, result = AlphaBetaSearch(goal.evaluate, goal.count, OPTIONS, Limits(nodes=800)).run(problem.position)
    assert result.move in problem.answers, f"{problem}{gtp_name(result.move, problem.position.side)}"


class TreeGoal(Goal):
    """The same for a tree, in which a chain is caught or lives with a probability."""

    def evaluate(self, positions: Sequence[Position]) -> list[LeafValue]:
        return [leaf._replace(deviation=15.0) for leaf in super().evaluate(positions)]

    def ended(self, position: Position) -> LeafValue:
        return LeafValue(self.count(position))


@pytest.mark.long
def test_the_tree_search_finds_more_answers_with_more_visits() -> None:
    """Of 41 problems 32, 34 and 40."""
    found = Counter[int]()
    for problem in PROBLEMS:
        game = Game((problem.position,))
        search = TreeSearch(TreeGoal(problem), RULESETS["area"], TreeOptions(threads=1, batch=1))
        for visits in (20, 100, 400):
            for _ in search.run(game, Limits(visits=visits)):
                pass
            found[visits] += search.result().move in problem.answers
    assert found[20] < found[100] < found[400] >= len(PROBLEMS) - 3


@pytest.fixture(scope="module")
def gnugo() -> GtpClient:
    try:
        return GtpClient([str(find_gnugo()), "--mode", "gtp"])
    except InputError as error:
        pytest.skip(str(error))


@pytest.mark.slow
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.kind)
def test_gnugo_finds_the_answers_right(problem: Problem, gnugo: GtpClient) -> None:
    """It depends on who moves first; after an answer, the chain cannot be saved, or caught."""
    position, target = problem.position, gtp_name(problem.target, problem.position.side)
    reading = "owl_" if problem.kind.startswith("life") else ""
    own = int(position.stones.flat[problem.target]) == position.to_move
    set_up(gnugo, position)
    assert gnugo.ask(f"{reading}{'attack' if own else 'defend'} {target}").startswith("1"), str(problem)
    assert all(gnugo_confirms(gnugo, position, each, problem.target, reading) for each in problem.answers), str(problem)
