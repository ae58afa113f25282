"""Evaluators of a user's own: what they may leave out, where they are taken, and what is refused."""

import os
import pickle
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goban.coords import BLACK, WHITE
from goban.counting.expectation import Expectation
from goban.errors import InputError
from goban.game import Game
from goban.position import Position
from goban.rulesets import Terms
from ownership import (
    Evaluator,
    Limits,
    Prediction,
    ScoreOptions,
    TreeOptions,
    TreeSearch,
    read_game,
    score_game,
    score_games,
    score_position,
    score_positions,
)
from tests.support.paths import EXAMPLES

MIDDLE = Position.from_diagram(["..X.O..", "..X.O..", "..X.O..", "..X.O..", "..X.O..", "..X.O..", "..X.O.."])


class Own:
    """Predicts figures that functions of a position give."""

    def __init__(self, **figures: Callable[[Position], Any]) -> None:
        self.figures = figures
        self.asked: list[tuple[int, Sequence[Terms]]] = []

    def evaluate(self, positions: Sequence[Position], *, terms: Sequence[Terms]) -> list[Prediction]:
        self.asked.append((len(positions), terms))
        return [Prediction(**{name: of(each) for name, of in self.figures.items()}) for each in positions]


def by_column(position: Position) -> NDArray[np.float32]:
    """Black owns the left part, White the right one."""
    side = position.side
    return np.tile(np.sign(side // 2 - np.arange(side)).astype(np.float32), (side, 1))


def uniform(position: Position) -> NDArray[np.float32]:
    return np.ones(position.side**2 + 1, np.float32)


def owners() -> Own:
    return Own(ownership=by_column)


def test_a_prediction_needs_no_figure_but_those_that_are_given() -> None:
    values = np.zeros((5, 5), np.float32)
    prediction = Prediction(ownership=values)
    assert prediction.ownership is not None and prediction.ownership.dtype == np.float32
    rest = ("policy", "deviation", "lead", "win_rate", "own_win_rate", "resign", "files")
    assert [getattr(prediction, name) for name in rest] == [None] * 7
    values[0, 0] = 1  # the caller's array can still be written
    with pytest.raises(ValueError, match="read-only"):
        prediction.ownership[0, 0] = 1
    with pytest.raises(InputError, match="expected a prediction with an ownership"):
        _ = Prediction(policy=np.ones(26, np.float32)).owners


def test_an_evaluator_is_taken_in_place_of_a_model() -> None:
    for evaluator in (owners(), Evaluator.of(owners())):
        answer = score_position(MIDDLE, "chinese", 0, evaluator=evaluator, second_judge=None)
        assert (answer.result, answer.safe) == ("0", True)
        assert (answer.owner[:, :3] == BLACK).all() and (answer.owner[:, 4:] == WHITE).all()
        assert score_positions([MIDDLE], "chinese", 0, evaluator=evaluator)[0].result == "0"
    assert score_position(MIDDLE, "chinese", 0, evaluator="fast").result == "0"


def test_a_record_is_scored_with_its_name() -> None:
    game = read_game(EXAMPLES / "finished-9x9.sgf")
    assert score_game(game, owners()).model == "Own"
    own = owners()
    own.name = "mine"  # type: ignore[attr-defined]
    [scored] = score_games([game], own)
    assert scored.model == "mine"  # type: ignore[union-attr]
    assert "play" not in score_game(game, own).model
    judged = score_game(game, "fast", ScoreOptions(move=20, second_judge=own))
    assert judged.model == "fast"


def test_a_second_judge_may_be_an_own_evaluator(bundled: Evaluator) -> None:
    mirrored = Own(ownership=lambda position: -by_column(position))
    unsafe = Position.from_diagram(["..X.O..", "..X.O..", "..X.O..", "..X.O..", "..X.O..", "..XOO..", "..X.O.O"])
    first = score_position(unsafe, "chinese", 0, evaluator=mirrored, second_judge=None)
    both = score_position(unsafe, "chinese", 0, evaluator=mirrored, second_judge=owners())
    assert first.state == "unsafe"
    assert abs(both.ownership).mean() < abs(first.ownership).mean(), "the two cancel each other"


def test_figures_are_blacks_with_either_side_to_move() -> None:
    own = Own(ownership=by_column, policy=uniform, lead=lambda _: 4.5, win_rate=lambda _: 0.75, deviation=lambda _: 3)
    evaluator = Evaluator.of(own)
    assert evaluator.heads == ("ownership", "policy", "deviation", "lead", "win_rate")
    for colour in (BLACK, WHITE):
        position = Position.from_stones(MIDDLE.stones, colour)
        [found] = evaluator.evaluate([position], 8)
        assert np.array_equal(found.owners, by_column(position))
        assert (found.lead, found.win_rate, found.own_win_rate, found.deviation) == (4.5, 0.75, 0.75, 3)
        assert found.policy is not None and found.policy.sum() == pytest.approx(1)
        assert found.policy[2] == 0, "C7 is occupied"
        [seen] = evaluator.outputs([position], [Terms("chinese", 0)])["lead"].tolist()
        assert seen == 4.5 * colour


def test_the_score_of_a_game_that_goes_on_is_the_predicted_lead() -> None:
    own = Own(ownership=by_column, policy=uniform, lead=lambda _: 4.5, win_rate=lambda _: 0.75)
    answer = score_position(Position.empty(9), "chinese", 7, ended=False, evaluator=own)
    assert isinstance(answer, Expectation)
    assert (answer.score, answer.black_wins) == (4.5, 0.75)


def test_the_terms_and_all_that_a_position_holds_reach_the_evaluator() -> None:
    own = Own(ownership=by_column, lead=lambda position: position.prisoners[0])
    evaluator, terms = Evaluator.of(own), [Terms("chinese", 7), Terms("japanese", 0.5)]
    evaluator.evaluate([MIDDLE, MIDDLE], terms=terms)
    assert own.asked[-1] == (2, tuple(terms))
    evaluator.evaluate([MIDDLE], terms=terms[0])
    assert len(own.asked) == 2, "from the cache"
    others = [
        Position.from_stones(MIDDLE.stones, prisoners=(3, 0)),
        Position.from_stones(MIDDLE.stones, recent=(49,) * 7),
    ]
    assert [each.lead for each in evaluator.evaluate(others, terms=terms[0])] == [3, 0]
    assert own.asked[-1][0] == 2


@pytest.mark.parametrize("options", [TreeOptions(), TreeOptions(rollouts=1), TreeOptions(rollouts=0.5)])
def test_a_tree_search_grows_by_an_evaluator(options: TreeOptions) -> None:
    def policy(position: Position) -> NDArray[np.float32]:
        weights = uniform(position)
        weights[40] = 100
        return weights

    game = Game.empty(9, ruleset="chinese", komi=7)
    search = TreeSearch.of_game(Own(ownership=by_column, policy=policy), game, options)
    for _ in search.run(game, Limits(visits=60)):
        pass
    assert search.result().moves[0].point == 40


def test_a_search_names_what_the_evaluator_does_not_predict() -> None:
    message = r"tree search needs a model with the head policy\. Received: Own, with ownership only"
    with pytest.raises(InputError, match=message):
        TreeSearch.of_game(owners(), Game.empty(9), TreeOptions())
    with pytest.raises(InputError, match=r"the owner of each point needs .* Received: Own, with policy only"):
        score_position(MIDDLE, evaluator=Own(policy=uniform))


WRONG: list[tuple[Own, str]] = [
    (Own(), "expected at least one of ownership, policy, deviation, lead, win_rate, resign. Received: none"),
    (Own(ownership=lambda _: np.zeros(361)), r"expected ownership of shape \(19, 19\)\. Received: \(361,\)"),
    (Own(ownership=lambda _: np.full((19, 19), 2)), r"expected ownership from -1 to 1\. Received: 2\.0"),
    (Own(ownership=lambda _: np.full((19, 19), np.nan)), r"expected ownership from -1 to 1\. Received: nan"),
    (Own(policy=lambda _: np.ones(361)), r"expected policy of shape \(362,\)\. Received: \(361,\)"),
    (Own(policy=lambda _: -np.ones(362)), r"expected policy of finite numbers from 0 up\. Received: -1\.0"),
    (Own(lead=lambda _: np.inf), r"expected lead of finite numbers\. Received: inf"),
    (Own(win_rate=lambda _: 55), r"expected win_rate from 0 to 1\. Received: 55\.0"),
]


@pytest.mark.parametrize(("own", "message"), WRONG)
def test_a_figure_of_another_shape_or_out_of_range_is_named(own: Own, message: str) -> None:
    with pytest.raises(InputError, match=f"^evaluator Own: {message}$"):
        Evaluator.of(own)


def test_a_figure_that_is_missing_later_is_named() -> None:
    own = owners()
    evaluator = Evaluator.of(own)
    own.figures = {"policy": uniform}
    with pytest.raises(InputError, match=r"expected ownership in every prediction\. Received: one without"):
        evaluator.evaluate([MIDDLE])
    own.evaluate = lambda positions, *, terms: []  # type: ignore[method-assign]
    with pytest.raises(InputError, match=r"evaluator Own: expected 1 predictions\. Received: 0"):
        evaluator.evaluate([MIDDLE])
    own.evaluate = lambda positions, *, terms: [np.zeros((7, 7))]  # type: ignore[method-assign, list-item]
    with pytest.raises(TypeError, match=r"evaluator Own: expected a list of Prediction\. Received: ndarray in it"):
        evaluator.evaluate([MIDDLE])


@pytest.mark.parametrize("wrong", [5, object(), {}])
def test_what_is_no_evaluator_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="expected a model by name or an evaluator, such as"):
        Evaluator.of(wrong)


def test_an_evaluator_may_know_one_board_side_only() -> None:
    own = owners()
    own.side = 7  # type: ignore[attr-defined]
    evaluator = Evaluator.of(own)
    evaluator.evaluate([MIDDLE])
    with pytest.raises(InputError, match=r"Own plays on boards of side 7 only\. Received: side 9"):
        evaluator.evaluate([Position.empty(9)])


def test_one_thread_evaluates_at_a_time() -> None:
    running, most = 0, 0

    def slowly(position: Position) -> NDArray[np.float32]:
        nonlocal running, most
        running += 1
        most = max(most, running)
        time.sleep(0.01)
        running -= 1
        return by_column(position)

    evaluator = Evaluator.of(Own(ownership=slowly), cached=0)
    threads = [threading.Thread(target=evaluator.evaluate, args=([MIDDLE],)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


class Plain:
    """An evaluator that a pickle holds."""

    def evaluate(self, positions: Sequence[Position], *, terms: Sequence[Terms]) -> list[Prediction]:
        return [Prediction(ownership=by_column(each)) for each in positions]


def test_a_pickled_evaluator_answers_the_same() -> None:
    again = pickle.loads(pickle.dumps(Evaluator.of(Plain())))
    assert np.array_equal(again.ownership([MIDDLE])[0], by_column(MIDDLE))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_forked_child_evaluates_while_a_thread_of_its_parent_does() -> None:
    entered, leave = threading.Event(), threading.Event()

    def waiting(position: Position) -> NDArray[np.float32]:
        if position.to_move == WHITE:
            entered.set()
            leave.wait()
        return by_column(position)

    evaluator = Evaluator.of(Own(ownership=waiting), cached=0)
    thread = threading.Thread(target=evaluator.evaluate, args=([Position.from_stones(MIDDLE.stones, WHITE)],))
    thread.start()
    entered.wait()
    child = os.fork()
    if not child:
        evaluator.evaluate([MIDDLE])
        os._exit(7)
    leave.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_all_symmetries_share_an_answer() -> None:
    own = owners()
    evaluator = Evaluator.of(own)
    for symmetries in (1, 4, 8, [3]):
        evaluator.evaluate([MIDDLE], symmetries)
    assert len(own.asked) == 2
