"""GNU Go as a second implementation of the rules, and as an opponent."""

from collections.abc import Iterator

import numpy as np
import pytest

from goban.errors import InputError
from preprocessing.gnugo import find_gnugo
from tests.support.gtp import Inside, Process


@pytest.fixture
def gnugo() -> Iterator[Process]:
    try:
        program = find_gnugo()
    except InputError as error:
        pytest.skip(str(error))
    with Process(program, "--mode", "gtp", "--level", "1", "--chinese-rules") as process:
        yield process


def same(engine: Inside, gnugo: Process, command: str) -> None:
    ours, theirs = (sorted(client.value(command).split()) for client in (engine, gnugo))
    assert ours == theirs, command


@pytest.mark.parametrize("side", [5, 7, 9, 13, 19])
def test_random_games_look_the_same_to_gnugo(engine: Inside, gnugo: Process, side: int) -> None:
    """Legal moves, stones and captures after every few moves; simple ko, as GNU Go plays."""
    random = np.random.default_rng(side)
    for client in (engine, gnugo):
        client.ask(f"boardsize {side}")
        client.ask("clear_board")
    engine.ask("kgs-rules japanese")
    for ply in range(2 * side * side):
        colour = "bw"[ply % 2]
        legal = engine.value(f"all_legal {colour}").split() or ["pass"]
        move = random.choice(legal)
        assert engine.ask(f"play {colour} {move}") == "= "
        assert gnugo.ask(f"play {colour} {move}") == "= "
        if ply % 20 == 19:
            for question in (
                "all_legal b",
                "all_legal w",
                "list_stones b",
                "list_stones w",
                "captures b",
                "captures w",
            ):
                same(engine, gnugo, question)


@pytest.mark.parametrize("side", [7, 8, 9, 10, 11, 13, 14, 15, 18, 19])
def test_fixed_handicap_is_gnugos(engine: Inside, gnugo: Process, side: int) -> None:
    """On 12x12 GNU Go alone takes the fourth line, which GTP begins at 13x13."""
    for count in range(2, 10):
        answers = []
        for client in (engine, gnugo):
            client.ask(f"boardsize {side}")
            client.ask("clear_board")
            answer = client.ask(f"fixed_handicap {count}")
            answers.append((answer[0], *sorted(answer.split()[1:] if answer[0] == "=" else [])))
        assert answers[0] == answers[1], (side, count)


def play_game(engine: Inside, gnugo: Process, side: int, most: int) -> int:
    """Play a game between both engines and return the number of moves."""
    for client in (engine, gnugo):
        client.ask(f"boardsize {side}")
        client.ask("clear_board")
        client.ask("komi 7")
    players = (engine, gnugo)
    passes = 0
    for ply in range(most):
        colour = "bw"[ply % 2]
        mover, other = players[ply % 2], players[1 - ply % 2]
        move = mover.value(f"genmove {colour}").lower()
        if move == "resign":
            return ply
        assert other.ask(f"play {colour} {move}") == "= ", f"{move} after {ply} moves"
        passes = passes + 1 if move == "pass" else 0
        if passes == 2:
            return ply
    return most


def test_a_game_on_9x9_refereed_by_gnugo(engine: Inside, gnugo: Process) -> None:
    assert play_game(engine, gnugo, 9, 60) > 0
    for question in ("list_stones b", "list_stones w", "captures b", "captures w"):
        same(engine, gnugo, question)


@pytest.mark.slow
def test_a_game_on_19x19_refereed_by_gnugo(engine: Inside, gnugo: Process) -> None:
    assert play_game(engine, gnugo, 19, 40) > 0
    for question in ("list_stones b", "list_stones w", "captures b", "captures w"):
        same(engine, gnugo, question)


def test_gnugo_too_accepts_moves_that_repeat_a_position(engine: Inside, gnugo: Process) -> None:
    """White sends two stones, Black returns one, and the position is back."""
    for client in (engine, gnugo):
        client.all(["boardsize 5", "clear_board"])
        for move in ("b B1", "w A2", "b C2", "w B2", "b D1", "w E3", "b A1", "w C1", "b B1", "w A5"):
            assert client.ask(f"play {move}") == "= ", move
    for question in ("list_stones b", "list_stones w", "captures b", "captures w"):
        same(engine, gnugo, question)
