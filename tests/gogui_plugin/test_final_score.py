"""The score that GTP answers is that of the library, the command line and the page."""

import json
import re
from collections.abc import Iterator

import numpy as np
import pytest

from goban import text_diagram
from goban.coords import gtp_name
from goban.position import Position
from goban.rulesets import DEFAULT_RULES
from gogui_plugin.loaded_record import load_game
from ownership import cli
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_position import score_position, score_positions
from ownership.scoring.scored_game import ScoreOptions
from ownership.server.score_answers import score_answer
from tests.support.gtp import Inside
from tests.support.paths import EXAMPLES


@pytest.fixture(scope="module")
def default_engine() -> Iterator[Inside]:
    """An engine with the bundled model."""
    engine = Inside()
    yield engine
    engine.close()


@pytest.mark.parametrize("name", ["finished-9x9.sgf", "finished-19x19.sgf"])
def test_the_final_score_is_the_librarys(default_engine: Inside, bundled: Evaluator, name: str) -> None:
    record = load_game(str(EXAMPLES / name)).record
    estimate = score_position(record.position(), record.rules, record.komi, handicap=record.handicap, evaluator=bundled)
    default_engine.ask(f"loadsgf {EXAMPLES / name}")
    assert default_engine.value("final_score") == estimate.result
    lists = {status: default_engine.value(f"final_status_list {status}").split() for status in ("dead", "seki")}
    for status, stones in (("dead", estimate.dead), ("seki", estimate.seki)):
        points = np.flatnonzero(stones).tolist()
        assert sorted(lists[status]) == sorted(gtp_name(point, record.side) for point in points)


@pytest.mark.parametrize("name", ["finished-9x9.sgf", "finished-19x19.sgf", "middlegame-19x19.sgf"])
def test_the_final_score_is_that_of_the_command_line_and_of_the_page(
    default_engine: Inside, bundled: Evaluator, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["score", "--json", str(EXAMPLES / name)]) == 0
    scored = json.loads(capsys.readouterr().out)
    default_engine.ask(f"loadsgf {EXAMPLES / name}")
    assert default_engine.value("final_score") == scored["result"]
    assert default_engine.value("ownership-score").startswith(
        f"{scored['rules']} rules, komi {scored['komi']:g}: {scored['result']} "
    )
    assert sorted(default_engine.value("final_status_list dead").split()) == sorted(scored["dead"])
    page = score_answer(load_game(str(EXAMPLES / name)).record, bundled, ScoreOptions())
    assert {key: page[key] for key in scored if key != "source"} == {
        key: scored[key] for key in scored if key != "source"
    }


def test_a_nearly_empty_board_has_one_score(default_engine: Inside, bundled: Evaluator) -> None:
    default_engine.all(["boardsize 19", "clear_board", "komi 6.5", "kata-set-rules area", "play b q16"])
    position = Position.empty(19).play("Q16")
    [expected] = score_positions([position], DEFAULT_RULES, 6.5, ended=False, evaluator=bundled)
    assert default_engine.value("final_score") == expected.result
    assert default_engine.value("ownership-score").startswith(f"area rules, komi 6.5: {expected.result} expected, ")


SEKI = """
. X . O . O X
X X O O O O X
O O X X X X X
O O X . X . X
. O X X X X X
O O O O O O O
. O . O . O .
"""


def test_stones_in_seki_are_neither_dead_nor_alive(default_engine: Inside) -> None:
    stones = text_diagram.parse_diagram(SEKI).ravel()
    setup = " ".join(
        f"{'B' if stones[point] > 0 else 'W'} {gtp_name(point, 7)}" for point in np.flatnonzero(stones).tolist()
    )
    default_engine.all(["boardsize 7", "komi 0", f"gogui-setup {setup}"])
    dead, alive, seki = (
        default_engine.value(f"final_status_list {status}").split() for status in ("dead", "alive", "seki")
    )
    assert len(dead) + len(alive) + len(seki) == np.count_nonzero(stones)
    assert not set(alive) & {*dead, *seki}


def test_a_chat_on_kgs_is_answered_with_the_score(engine: Inside) -> None:
    engine.all(["boardsize 9", "clear_board", "play b e5"])
    assert re.fullmatch(r"[BW]\+\d+\.\d.*", engine.value("kgs-chat private alice who is ahead?"))
