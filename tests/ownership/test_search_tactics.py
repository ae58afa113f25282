"""The search finds the right moves of tactical positions; see `tactics.txt`, whose answers GNU Go confirms."""

from collections import Counter

import numpy as np
import pytest

from goban.coords import gtp_name
from goban.errors import InputError
from ownership.gtp_client import GtpClient
from ownership.search.alphabeta import Search
from ownership.search.options import Limits, SearchOptions
from preprocessing.gnugo import find_gnugo
from tests.ownership.tactics import Goal, Problem, problems

OPTIONS = SearchOptions(narrowing=0.8, least_width=4, forcing=3, policy_weight=0.0, quiet_plies=6)
PROBLEMS = list(problems())


def test_there_are_many_of_all_kinds() -> None:
    kinds = Counter(problem.kind.partition(",")[0] for problem in PROBLEMS)
    assert sum(kinds.values()) >= 40
    assert set(kinds) == {"ladder", "net", "race", "life and death", "snapback", "ko"}
    assert len({(problem.position, problem.position.to_move) for problem in PROBLEMS}) == len(PROBLEMS)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.kind)
def test_the_search_finds_the_answer(problem: Problem) -> None:
    goal = Goal(problem)
    *_, result = Search(goal.evaluate, goal.count, OPTIONS, Limits(nodes=800)).run(problem.position)
    assert result.move in problem.answers, f"{problem.name}\n{gtp_name(result.move, problem.position.side)}"


@pytest.fixture(scope="module")
def gnugo() -> GtpClient:
    try:
        return GtpClient([str(find_gnugo()), "--mode", "gtp"])
    except InputError as error:
        pytest.skip(str(error))


@pytest.mark.slow
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.kind)
def test_gnugo_finds_the_answers_right(problem: Problem, gnugo: GtpClient) -> None:
    """After an answer, the chain cannot be saved, or caught; the best other move is no answer."""
    position, side = problem.position, problem.position.side
    target, reads = gtp_name(problem.target, side), "owl_" if problem.kind.startswith("life") else ""
    own = int(position.stones.flat[problem.target]) == position.to_move
    for point in problem.answers:
        after = position.play(point)
        if after.stones.flat[problem.target]:
            _show(gnugo, after.stones.ravel())
            assert gnugo.ask(f"{reads}{'attack' if own else 'defend'} {target}").startswith("0"), problem.name
    _show(gnugo, position.stones.ravel())
    assert gnugo.ask(f"{reads}{'attack' if own else 'defend'} {target}").startswith("1"), problem.name


def _show(gnugo: GtpClient, stones: np.ndarray[tuple[int], np.dtype[np.int8]]) -> None:
    side = int(len(stones) ** 0.5)
    gnugo.ask(f"boardsize {side}")
    gnugo.ask("clear_board")
    for point in np.flatnonzero(stones).tolist():
        gnugo.ask(f"play {'b' if stones[point] > 0 else 'w'} {gtp_name(point, side)}")
