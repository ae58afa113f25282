"""The statistics of the results of a match."""

import pytest

from ownership.match.match_folder import games_that_count
from ownership.match.match_game import Ending
from ownership.match.results_table import summary
from ownership.match.statistics import WinLoss, elo, ratings, wilson
from tests.support.matches import result


@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    [(60, 100, 0.5020, 0.6906), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (1, 2, 0.0945, 0.9055), (0, 0, 0.0, 1.0)],
)
def test_wilsons_interval(points: float, games: int, low: float, high: float) -> None:
    assert wilson(points, games) == pytest.approx((low, high), abs=1e-4)


def test_elo_differences() -> None:
    assert elo(0.5) == 0
    assert elo(0.64) == pytest.approx(100, abs=0.1)
    assert elo(0.36) == pytest.approx(-100, abs=0.1)
    assert (elo(1.0), elo(0.0)) == (1200, -1200)


def test_ratings_explain_the_results() -> None:
    points = ratings(3, {(0, 1): WinLoss(640, 360), (1, 2): WinLoss(640, 360), (0, 2): WinLoss(760, 240)})
    assert points[0] - points[1] == pytest.approx(100, abs=2)
    assert points[1] - points[2] == pytest.approx(100, abs=2)
    assert sum(points) == pytest.approx(0)


def test_repeated_and_void_games_do_not_count() -> None:
    results = [result(0, moves="a"), result(1, moves="a"), result(2, moves="a"), result(4, 0, Ending.UNDECIDED)]
    games, repeated = games_that_count(results)
    assert [each.number for each in games] == [0, 1], "the same moves with other colours are another game"
    assert repeated == 1


def test_the_summary() -> None:
    results = [
        result(0),
        result(1),
        result(2),
        result(3, -1),
        result(4, 0),
        result(5, 1, Ending.TIME),
        result(6, 0, Ending.UNDECIDED),
    ]
    text = summary(["alphabeta", "gnugo"], results)
    assert "A - B      6    3     2      1     58.3%  " in text
    assert "1 game left out that could not be counted: no idea" in text
    assert "Elo differences" not in text
    assert "Elo differences of more than 1200 are shown as 1200" in summary(["a", "b"], [result(0), result(1, -1)])
    times = [line.split() for line in text.splitlines() if line.startswith(("A  ", "B  "))][2:]
    assert times == [["A", "0.15", "2.00", "1", "0", "0", "0"], ["B", "0.15", "2.00", "0", "0", "0", "0"]]


def test_the_cross_table_has_the_best_player_first() -> None:
    results = [result(number, 1 if number % 2 == 0 else -1) for number in range(4)]
    results += [result(number, -1 if number % 2 == 0 else 1, first=0, second=2) for number in range(4)]
    results += [result(number, 1, first=1, second=2) for number in range(4)]
    lines = summary(["middle", "weak", "strong"], results).splitlines()
    table = lines.index(next(line for line in lines if line.strip().endswith("Elo")))
    assert lines[table].split() == ["C", "A", "B", "total", "Elo"]
    assert lines[table + 1].split()[:5] == ["C", "-", "4/4", "2/4", "6/8"]
