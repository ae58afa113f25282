"""Players without a search: which moves they try, and when they pass or resign."""

from dataclasses import replace

import numpy as np
import pytest

from goban import diagram
from goban.coords import BLACK, WHITE, gtp_name, pass_point
from goban.position import Position
from goban.scoring import RULESETS
from ownership.evaluator import Opinion
from ownership.players import RESIGN, Candidate, OnePlyPlayer, Ranking, Situation, own_eyes, sensible_moves


@pytest.mark.parametrize(
    ("board", "eyes"),
    [
        (". X . / X X X / . X .", "A3 C3 A1 C1"),
        (". X O / X O . / . . .", ""),
        (". X . / X X . / . . .", "A3"),
        (". X . . / X . X . / . X . . / . . . .", "A4 B3"),
        ("O X . . / X . X . / . X O . / . . . .", ""),
        ("O X . . / X . X . / . X . . / . . . .", "B3"),
        (". . / . .", ""),
    ],
)
def test_own_eyes(board: str, eyes: str) -> None:
    found = own_eyes(diagram.parse(board))
    assert {gtp_name(point, len(found)) for point in np.flatnonzero(found).tolist()} == set(eyes.split())


def situation(board: str, to_move: int = BLACK, **changes: object) -> Situation:
    position = Position.from_diagram(board, to_move)
    asked = Situation(position, frozenset({position.hash}), 0, RULESETS["area"], 0.0, 0)
    return replace(asked, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("board", "colour", "moves"),
    [
        (". X . / X X X / . X .", BLACK, ""),
        (". X . / X X X / . X .", WHITE, ""),
        (". O . / O X . / . . .", BLACK, "C3 C2 A1 B1 C1"),
        (". O X / X X . / . . .", BLACK, "A3 C2 A1 B1 C1"),
    ],
)
def test_sensible_moves_are_legal_and_fill_no_own_eye(board: str, colour: int, moves: str) -> None:
    found = sensible_moves(situation(board, colour))
    assert [gtp_name(point, 3) for point in found] == moves.split()


def candidate(point: int, gain: float, lead: float = 0.0, deviation: float = 5.0) -> Candidate:
    return Candidate(point, gain, lead, deviation, np.zeros((3, 3), np.float32), 1)


@pytest.mark.parametrize(
    ("finished", "candidates", "plies", "decision"),
    [
        (False, [candidate(4, -3.0), candidate(9, 0.0)], 0, 4),
        (False, [candidate(9, 0.0), candidate(4, -3.0)], 0, 4),
        (False, [candidate(9, 0.0)], 0, pass_point(3)),
        (True, [candidate(4, 0.4), candidate(9, 0.0)], 0, pass_point(3)),
        (True, [candidate(4, 0.6), candidate(9, 0.0)], 0, 4),
        (False, [candidate(4, 1.0, lead=-50)], 3, 4),
        (False, [candidate(4, 1.0, lead=-50)], 4, RESIGN),
        (False, [candidate(4, 1.0, lead=-5)], 4, 4),
    ],
)
def test_when_to_pass_and_to_resign(finished: bool, candidates: list[Candidate], plies: int, decision: int) -> None:
    asked = situation(". . . / . . . / . . .", plies=plies)
    ownership = np.ones((3, 3), np.float32) if finished else np.zeros((3, 3), np.float32)
    ranking = Ranking(asked.estimate(Opinion(ownership, None, None)), tuple(candidates))
    assert ranking.estimate.finished == finished
    assert OnePlyPlayer(None, 0.02).decide(asked, ranking) == decision  # type: ignore[arg-type]
