"""The search for positions with one best move, with an engine that knows its answers beforehand."""

import sys
from pathlib import Path

import pytest

from experiments import best_moves
from experiments.best_moves import BestMove
from goban.coords import BLACK
from goban.errors import InputError

GAME = "(;SZ[5]KM[7.5]RU[Chinese];B[cc];W[bb];B[db];W[bd];B[dd];W[cb];B[ca];W[ba];B[da];W[cd];B[ce];W[be])"

ENGINE = """
import json, sys
for line in sys.stdin:
    query = json.loads(line)
    plies = len(query["moves"])
    if "avoidMoves" in query:
        assert query["avoidMoves"][0] == {"player": "BW"[plies % 2], "moves": ["A5"], "untilDepth": 1}
        moves, lead = [{"order": 0, "move": "B5", "scoreLead": 2.0}], 10.0 - plies
    else:
        second = 9.0 if plies == 8 else 1.0
        moves = [{"order": 1, "move": "B5", "scoreLead": second}, {"order": 0, "move": "A5", "scoreLead": 10.0}]
        lead = 10.0
    print(json.dumps({"id": query["id"], "moveInfos": moves, "rootInfo": {"scoreLead": lead}}), flush=True)
"""


def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Path, engine: str) -> list[BestMove]:
    (tmp_path / "game.sgf").write_text(GAME)
    (tmp_path / "engine.py").write_text(engine)
    command = f"{sys.executable} {tmp_path / 'engine.py'}"
    output = tmp_path / "best.txt"
    places = ["--kept", str(tmp_path / "kept.jsonl"), "-o", str(output)]
    words = [str(tmp_path / "game.sgf"), "--engine", command, *places, "--positions", "4", "--model", str(model)]
    monkeypatch.setattr(sys, "argv", ["best_moves", *words])
    assert best_moves.main() == 0
    return [BestMove.parse(line) for line in output.read_text().splitlines()]


def test_a_best_move_is_what_the_position_loses_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_model: Path
) -> None:
    """After 6, 7 and 9 moves it is as many points; after 8 moves another move is as good."""
    found = run(tmp_path, monkeypatch, small_model, ENGINE)
    assert sorted((len(each.before), each.points, each.move) for each in found) == [
        (6, 6.0, "A5"),
        (7, 7.0, "A5"),
        (9, 9.0, "A5"),
    ]
    [seventh] = [each for each in found if len(each.before) == 7]
    position = seventh.game().position
    assert position.side == 5 and position.to_move == -BLACK and seventh.point == 0
    assert BestMove.parse(str(seventh)) == seventh
    assert run(tmp_path, monkeypatch, small_model, "raise SystemExit(1)") == found, "no position is searched twice"


def test_an_engine_that_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_model: Path) -> None:
    with pytest.raises(InputError, match=r"expected an answer of .* Received: nothing"):
        run(tmp_path, monkeypatch, small_model, "input()")
