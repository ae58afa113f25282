"""Which games are copies of games that were seen before."""

import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from game_records.game_record import GameRecord
from game_records.sgf import parse_game
from goban import coords
from goban.coords import sgf_name
from preprocessing.seen_games import SeenGames


def copies(text: str) -> list[GameRecord]:
    """Return a game and its copies: cut, without passes, turned, with the first move set up, played on."""
    moves = re.findall(r";[BW]\[[a-s]*\]", text)
    first = f"A{moves[0][1]}{moves[0][2:]}"
    texts = [moves, moves[:-2], [each for each in moves if "[]" not in each], [first, *moves[1:]], [*moves, ";B[]"]]
    whole, *others = (parse_game(f"(;SZ[9]{''.join(each)})".encode()) for each in texts)
    turned = coords.destinations(9)[5][whole.move_points]
    return [whole, *others, replace(whole, move_points=turned)]


def test_copies_share_opening_and_course() -> None:
    random = np.random.default_rng(1)
    with closing(SeenGames()) as seen:
        for number in range(200):
            points = [sgf_name(point, 9) for point in random.permutation(81)[:30].tolist()]
            points[14] = ""
            moves = "".join(f";{'BW'[ply % 2]}[{point}]" for ply, point in enumerate(points))
            whole, *others = copies(moves + ";B[];W[]")
            assert {copy.opening for copy in others} == {whole.opening}
            assert seen.first_source(whole.course, f"game {number}") is None
            assert {seen.first_source(copy.course, "copy") for copy in others} == {f"game {number}"}


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="what is written is counted on Linux")
def test_the_index_of_games_writes_nothing_for_a_game() -> None:
    """A transaction for each game would write ever more pages to the disk; the first 64 MiB are kept in memory."""
    random = np.random.default_rng(0)
    with closing(SeenGames()) as seen:
        before = writes()
        for number in range(5000):
            opening, moves = random.integers(1 << 63), random.integers(0, 722, 200)
            assert seen.first_source((f"{opening:016x}", moves.astype("<i2").tobytes()), f"game {number}") is None
        assert writes() - before < 100


def writes() -> int:
    """Return how often this process has written to files."""
    found = re.search(r"syscw: (\d+)", Path("/proc/self/io").read_text())
    assert found
    return int(found[1])


def test_a_game_that_goes_apart_is_no_copy() -> None:
    stones = "".join(f";{'BW'[number % 2]}[{'abcdefghi'[number % 9]}{'aceg'[number // 9]}]" for number in range(20))
    with closing(SeenGames()) as seen:
        for ending in (";B[ii]", ";B[hi]"):
            assert seen.first_source(parse_game(f"(;SZ[9]{stones}{ending})".encode()).course, ending) is None
        for ending in (";B[ii]", ";B[hi]"):
            longer = parse_game(f"(;SZ[9]{stones}{ending};W[ig])".encode())
            assert seen.first_source(longer.course, "longer") == ending
        assert seen.first_source(parse_game(f"(;SZ[9]{stones})".encode()).course, "cut") in (";B[ii]", ";B[hi]")
