"""Records that `loadsgf` reads, and their moves played again."""

from pathlib import Path

import pytest

from tests.support.gtp import Inside
from tests.support.paths import EXAMPLES


@pytest.mark.parametrize("komi", ["KM[0]", ""])
def test_a_komi_that_is_missing_or_excluded_is_assumed(engine: Inside, tmp_path: Path, komi: str) -> None:
    (tmp_path / "game.sgf").write_text(f"(;SZ[19]RU[Japanese]{komi}RE[B+3.5];B[pd];W[dp])")
    assert engine.all([f"loadsgf {tmp_path / 'game.sgf'}", "get_komi"]) == ["= ", "= 6.5"]


def test_a_record_with_an_illegal_move_can_be_loaded_up_to_there(engine: Inside, tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text("(;SZ[9];B[ee];W[cc];B[ee];W[gg])")
    refused = "? cannot load file: illegal move: move 3, Black E5: the point is occupied"
    answers = engine.all([f"loadsgf {tmp_path / 'game.sgf'}{number}" for number in ("", " 4", " 3")])
    assert answers == [refused, refused, "= "]


def test_loadsgf_names_skipped_parts(engine: Inside, tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text("(;SZ[9]KM[seven];B[ee])")
    assert engine.ask(f"loadsgf {tmp_path / 'game.sgf'}") == "= expected a komi in points. Received: 'seven'"


@pytest.mark.parametrize("name", ["finished-9x9.sgf", "two words.sgf", "ends in 7.sgf", "J\u00e4ger.sgf", "12"])
def test_loadsgf_takes_any_name(engine: Inside, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes((EXAMPLES / "finished-9x9.sgf").read_bytes())
    assert engine.ask(f"loadsgf {path}") == "= "
    assert engine.ask(f'loadsgf "{path}" 2') == "= "
    assert engine.value("list_stones b") == "F6"


def test_replay_walks_through_a_record(engine: Inside) -> None:
    engine.all([f"loadsgf {EXAMPLES / 'finished-9x9.sgf'}", "ownership-options player replay"])
    wanted = engine.value("printsgf")
    assert engine.value("genmove b") == "pass"
    engine.ask("clear_board")
    assert engine.ask("genmove w") == "? expected the colour of the record's move 1. Received: White"
    for number in range(45):
        assert engine.ask(f"genmove {'bw'[number % 2]}").startswith("= ")
    assert engine.value("printsgf").split()[1:] == wanted.split()[1:]
    engine.all(["clear_board", "play b a1"])
    assert engine.ask("genmove w").startswith("? expected the record's position after 1 move.")
    engine.ask("boardsize 13")
    assert engine.ask("genmove b") == "? expected the record's board side, 9. Received: 13; set the board size"
