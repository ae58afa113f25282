"""Long-term evaluation: the moves of continuations, their ends, and the values of moves by them."""

import math
from collections.abc import Sequence
from itertools import count, islice

import numpy as np
import pytest

from goban import text_diagram
from goban.coords import BLACK, WHITE, gtp_name, parse_gtp
from goban.errors import InputError
from goban.move_effects import sensible_moves
from goban.position import Position
from ownership.search.leaf_evaluation import LeafValue
from ownership.search.local_continuations import Episode, LongTermMove, LongTermOptions, LongTermSearch, window_around

EMPTY_5 = ". . . . . / . . . . . / . . . . . / . . . . . / . . . . ."


class Oracle:
    """Leaves that prefer the points of `order`; Black owns `share` more of every point after each of its stones."""

    def __init__(self, order: str = "", share: float = 0.1) -> None:
        self.order, self.share = order.split(), share
        self.calls: list[int] = []

    def __call__(self, positions: Sequence[Position]) -> list[LeafValue]:
        """Return one leaf a position."""
        self.calls.append(len(positions))
        return [self.leaf(each) for each in positions]

    def leaf(self, position: Position) -> LeafValue:
        """Return a policy in which each point of `order` has half the probability of the one before."""
        policy = np.full(position.side**2 + 1, 1e-4, np.float32)
        for rank, vertex in enumerate(self.order):
            policy[parse_gtp(vertex, position.side)] = 0.5**rank
        policy *= position.legal_points()
        ownership = np.full((position.side, position.side), self.share * (position.stones == BLACK).sum(), np.float32)
        return LeafValue(float(ownership.sum()), policy / policy.sum(), 1.0, ownership)


def search(board: str, moves: str, oracle: Oracle, colour: int = BLACK, **options: float) -> LongTermSearch:
    position = Position.from_diagram(board, colour)
    points = [parse_gtp(vertex, position.side) for vertex in moves.split()]
    chosen = LongTermOptions(**{"settled": 0.0, **options})  # type: ignore[arg-type]
    return LongTermSearch(oracle, position, oracle.leaf(position), points, chosen)


def finished(search: LongTermSearch) -> list[LongTermMove]:
    *_, last = search.run()
    return last


def rows(board: str) -> list[str]:
    """Return the points of a diagram, row by row."""
    return board.replace("/", " ").split()


def all_episodes(search: LongTermSearch) -> list[Episode]:
    return [episode for episodes in search.episodes for episode in episodes]


@pytest.mark.parametrize(
    ("point", "width", "window"),
    [
        ("C3", 3, ". . . . . / . X X X . / . X X X . / . X X X . / . . . . ."),
        ("A5", 3, "X X . . . / X X . . . / . . . . . / . . . . . / . . . . ."),
        ("E2", 5, ". . . . . / . . X X X / . . X X X / . . X X X / . . X X X"),
        ("B4", 1, ". . . . . / . X . . . / . . . . . / . . . . . / . . . . ."),
        ("B4", 99, "X X X X X / X X X X X / X X X X X / X X X X X / X X X X X"),
    ],
)
def test_windows_are_cut_off_at_the_edges(point: str, width: int, window: str) -> None:
    found = window_around(5, parse_gtp(point, 5), width)
    assert rows(text_diagram.render_text(found.reshape(5, 5).astype(np.int8), coordinates=False)) == rows(window)


def test_the_first_continuation_plays_the_likeliest_points_of_the_window() -> None:
    [move] = finished(search(EMPTY_5, "B2", Oracle("E5 C3 A1 B1 E1"), window=3, steps=3))
    marks = {point: str(number) for number, point in enumerate(move.line, 1)}
    assert rows(text_diagram.render_text(np.zeros((5, 5), np.int8), marks=marks, coordinates=False)) == rows(
        ". . . . . / . . . . . / . . 2 . . / . 1 . . . / 3 4 . . ."
    )


@pytest.mark.parametrize("colour", [BLACK, WHITE])
@pytest.mark.parametrize(
    "board",
    [EMPTY_5, ". X . O . / X X X O O / . X O O . / X X X O O / . X . O .", ". X O . / X O . . / . . . . / . . . ."],
)
def test_continuations_stay_inside_the_window_and_fill_no_eye(board: str, colour: int) -> None:
    position = Position.from_diagram(board, colour)
    moves = sensible_moves(position)
    found = search(
        board, " ".join(gtp_name(move, position.side) for move in moves), Oracle(), colour, window=3, steps=20
    )
    finished(found)
    for move, episodes in zip(moves, found.episodes, strict=True):
        for episode in episodes:
            after = position.play(move)
            for point in episode.moves:
                assert point in sensible_moves(after) and window_around(position.side, move, 3)[point]
                after = after.play(point)
            assert after == episode.position
            assert len(episode.moves) == 20 or not any(episode.window[each] for each in sensible_moves(after))


@pytest.mark.parametrize(("settled", "plies"), [(0.0, 6), (0.05, 1), (0.15, 1)])
def test_a_continuation_ends_when_the_ownership_settles(settled: float, plies: int) -> None:
    found = search(EMPTY_5, "C3", Oracle(share=0.1), settled=settled, steps=6)
    finished(found)  # White's plies change nothing, Black's 0.1
    assert {len(each.moves) for each in all_episodes(found)} == {plies}


@pytest.mark.parametrize(("settled", "plies"), [(0.05, 2), (0.15, 1)])
def test_it_settles_after_the_last_ply_and_not_over_all(settled: float, plies: int) -> None:
    found = search(EMPTY_5, "C3", Oracle(share=0.1), WHITE, settled=settled, steps=6)
    finished(found)
    assert {len(each.moves) for each in all_episodes(found)} == {plies}


@pytest.mark.parametrize(("colour", "changes"), [(BLACK, (2.5, 2.5, 5.0, 5.0)), (WHITE, (0.0, -2.5, -2.5, -5.0))])
def test_changes_are_points_of_the_mover(colour: int, changes: tuple[float, ...]) -> None:
    [move] = finished(search(EMPTY_5, "C3", Oracle("C3", share=0.1), colour, steps=3, episodes=2))
    for each in move.changes:
        assert each == pytest.approx(changes)


def test_a_move_is_worth_its_log_prior_and_the_mean_change_at_the_end() -> None:
    move = LongTermMove(0, 0.25, ((1.0, 2.0, 3.0), (1.0, -1.0)), (0,))
    assert move.value(0.5) == pytest.approx(math.log(0.25) + 0.5 * (3 - 1) / 2)
    assert move.value(0.5, steps=1) == pytest.approx(math.log(0.25) + 0.5 * (2 - 1) / 2)
    assert move.value(0.5, episodes=1) == pytest.approx(math.log(0.25) + 0.5 * 3)
    assert move.value(0.0) == math.log(0.25)


def test_weight_decides_between_prior_and_points() -> None:
    board = ". . . . . / . . . . . / X X X X X / . . . . . / . . . . ."

    class Corner(Oracle):
        """Leaves that are worth 20 points to Black once it has the corner."""

        def leaf(self, position: Position) -> LeafValue:
            """Return the leaf with that score."""
            leaf = super().leaf(position)
            return leaf._replace(score=20.0 * (position.stones[0, 0] == BLACK))

    for weight, best in ((0.0, "C5"), (0.01, "C5"), (1.0, "A5")):
        moves = finished(search(board, "C5 A5", Corner("C5 D5 A5"), steps=0, weight=weight))
        assert gtp_name(moves[0].point, 5) == best


def test_more_steps_and_episodes_keep_the_results_of_fewer() -> None:
    few = finished(search(EMPTY_5, "C3 B2", Oracle("A1 B1 C1 D1"), steps=2, episodes=2))
    many = finished(search(EMPTY_5, "B2 D4 C3", Oracle("A1 B1 C1 D1"), steps=5, episodes=4))
    known = {each.point: each for each in many}
    for each in few:
        assert [changes[:3] for changes in known[each.point].changes[:2]] == list(each.changes)
        assert known[each.point].gain(2, 2) == each.gain()


def test_the_seed_decides_the_samples() -> None:
    lines = []
    for seed in (0, 0, 1):
        found = search(EMPTY_5, "C3", Oracle(), steps=4, episodes=8, seed=seed)
        finished(found)
        lines.append([each.moves for each in all_episodes(found)])
    assert lines[0] == lines[1] != lines[2]
    assert lines[0][0] == lines[2][0], "the first episode is not sampled"
    assert len(set(map(tuple, lines[0]))) > 4


def test_all_continuations_are_evaluated_together() -> None:
    oracle = Oracle()
    finished(search(EMPTY_5, "A1 C3 E5", oracle, steps=3, episodes=5))
    assert oracle.calls == [3, 15, 15, 15]


def test_a_stopped_search_keeps_its_result() -> None:
    assert list(search(EMPTY_5, "C3", Oracle()).run(lambda: True)) == []
    calls = count()
    results = list(search(EMPTY_5, "C3 B2", Oracle(), steps=8).run(lambda: next(calls) >= 3))
    assert [len(each[0].changes[0]) for each in results] == [1, 2, 3]
    assert [len(each[0].changes[0]) for each in islice(search(EMPTY_5, "C3", Oracle()).run(), 2)] == [1, 2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"window": 4}, "window must be odd. Received: 4"),
        ({"window": 0}, r"window: expected a whole number 1\.\.99. Received: 0"),
        ({"episodes": 0}, "episodes: expected a whole number 1"),
        ({"candidates": 0}, "candidates: expected a whole number 1"),
        ({"steps": 1001}, r"steps: expected a whole number 0\.\.1000"),
    ],
)
def test_options_out_of_range(options: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        LongTermOptions(**options)
