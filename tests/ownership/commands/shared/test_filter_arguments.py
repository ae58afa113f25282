"""The arguments by which a command chooses among games."""

import argparse

import pytest

from game_datasets.game_filter import GameFilter
from goban.errors import InputError
from ownership.commands.shared.filter_arguments import add_filter_arguments, game_filter


def choose(line: str) -> GameFilter:
    parser = argparse.ArgumentParser()
    add_filter_arguments(parser)
    return game_filter(parser.parse_args(line.split()))


@pytest.mark.parametrize(
    ("line", "chosen"),
    [
        ("", GameFilter()),
        ("--min-rank 9d", GameFilter(min_rank=9)),
        ("--min-rank 1p", GameFilter(min_rank=10)),
        ("--min-rank 18级", GameFilter(min_rank=-17)),
        ("--min-rank 10k", GameFilter(min_rank=-9)),
        ("--since 2010 --until 2010", GameFilter(since=(2010,), until=(2010,))),
        ("--since 2010-06 --until 2010", GameFilter(since=(2010, 6), until=(2010,))),
        ("--since 2010-06-15", GameFilter(since=(2010, 6, 15))),
        ("--min-moves 0 --max-moves 0", GameFilter(min_moves=0, max_moves=0)),
        ("--sides 19,9,19", GameFilter(sides=(9, 19))),
        ("--rules Korean,jp,korean", GameFilter(rules=("japanese", "korean"))),
    ],
)
def test_choices(line: str, chosen: GameFilter) -> None:
    assert choose(line) == chosen


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--min-rank strong", "--min-rank must be a rank such as 30k, 1k, 9d or 1p. Received: strong"),
        ("--min-rank 10d", "--min-rank must be at most 9d or 9p: 10 dan counts as 9. Received: 10d"),
        ("--since soon", "--since must be a date such as 2010, 2010-06 or 2010-06-15. Received: soon"),
        ("--until 2010-13", "--until must be a date such as 2010, 2010-06 or 2010-06-15. Received: 2010-13"),
        ("--until 2010-6", "--until must be a date such as 2010, 2010-06 or 2010-06-15. Received: 2010-6"),
        ("--since 2010 --until 2009-12", "--since must be at most --until 2009-12. Received: 2010"),
        ("--min-moves -1", "--min-moves: expected a whole number from 0 up. Received: -1"),
        ("--max-moves -5", "--max-moves: expected a whole number from 0 up. Received: -5"),
        ("--min-moves 9 --max-moves 8", "--min-moves must be at most --max-moves 8. Received: 9"),
        ("--sides 19,26", "--sides must be board sides 2..25 such as 9,13. Received: 26"),
        ("--sides " + "1" * 5000, "--sides must be board sides 2..25 such as 9,13. Received: 1111"),
        ("--sides 19x19", "--sides must be board sides 2..25 such as 9,13. Received: 19x19"),
        ("--rules korean,chess", "--rules must be one of area, territory, chinese, japanese"),
    ],
)
def test_mistakes(line: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        choose(line)
    assert str(caught.value).startswith(message)
