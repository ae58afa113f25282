"""Positions that come back: played and loaded games may repeat them, the engine's own moves not under superko."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from goban import text_diagram
from tests.support.gtp import Inside

SENT_TWO = """
. . . . .
. . . . .
. . . . O
O O X . .
. X . X .
"""
RETURNED_ONE = ["B", "B1", "W", "A2", "B", "C2", "W", "B2", "B", "D1", "W", "E3", "B", "A1", "W", "C1", "B", "B1"]
THE_RETURN = "B1"


def stones(engine: Inside) -> str:
    rows = engine.value("showboard").strip("\n").split("\n")[:-1]
    return text_diagram.render_text(text_diagram.parse_diagram("\n".join(rows)), coordinates=False)


@pytest.fixture
def returning(engine: Inside, tmp_path: Path) -> Iterator[Path]:
    """A record in which White sends two stones and Black returns one, which brings the position back."""
    record = tmp_path / "returned.sgf"
    record.write_text("(;GM[1]SZ[5]RU[Chinese];B[be];W[ad];B[cd];W[bd];B[de];W[ec];B[ae];W[ce];B[be];W[aa])")
    engine.ask("boardsize 5")
    yield record
    engine.ask("ownership-options player greedy")


@pytest.mark.parametrize("rules", ["chinese", "japanese", "tromp-taylor"])
def test_moves_that_were_played_may_repeat_a_position(engine: Inside, returning: Path, rules: str) -> None:
    """A GUI that replays a game must end on its board, with superko or without."""
    assert returning.exists()
    board = text_diagram.render_text(text_diagram.parse_diagram(SENT_TWO), coordinates=False)
    pairs = [" ".join(RETURNED_ONE[start : start + 2]) for start in range(0, len(RETURNED_ONE), 2)]
    engine.ask(f"kata-set-rules {rules}")
    assert engine.ask(f"gogui-play_sequence {' '.join(pairs)}") == "= "
    assert stones(engine) == board
    engine.ask("clear_board")
    assert engine.all([f"play {pair}" for pair in pairs]) == ["= "] * len(pairs)
    assert stones(engine) == board
    assert engine.ask("play w a5") == "= "


def test_records_may_repeat_a_position(engine: Inside, returning: Path) -> None:
    board = text_diagram.render_text(text_diagram.parse_diagram(SENT_TWO), coordinates=False)
    assert engine.ask(f"loadsgf {returning} 10") == "= "
    assert stones(engine) == board
    engine.all([f"loadsgf {returning} 9", "ownership-options player replay"])
    assert engine.value("genmove b") == THE_RETURN
    assert stones(engine) == board


@pytest.mark.parametrize(("rules", "legal"), [("chinese", False), ("japanese", True)])
def test_the_engine_itself_keeps_to_superko(engine: Inside, returning: Path, rules: str, legal: bool) -> None:
    engine.all([f"loadsgf {returning} 9", f"kata-set-rules {rules}"])
    assert engine.value("is_legal b b1") == str(int(legal))
    assert (THE_RETURN in engine.value("all_legal b").split()) == legal
    engine.send("kata-analyze b 10 allow b B1 1\nname\n")
    shown = engine.read()
    assert engine.read() == "= Ownership"
    assert not shown.removeprefix("=").strip(), "players never repeat a position"
    engine.ask("ownership-options player random")
    assert THE_RETURN not in {engine.value("reg_genmove b") for _ in range(3)}
