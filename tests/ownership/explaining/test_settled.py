"""When points are settled: maps, sentences, the command, and the network that bundled weights make."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from game_records.record_sources import read_game
from goban.coords import BLACK, WHITE
from goban.errors import InputError
from goban.game import Game
from goban.position import Position
from goban.rulesets import RULESETS, Terms
from ownership import Prediction
from ownership.cli import main
from ownership.explaining.settled import Settled, settled
from ownership.inference.evaluator import Evaluator
from ownership.inference.settling_network import RANGES
from tests.support.paths import EXAMPLES

GAME = EXAMPLES / "finished-9x9.sgf"


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator.load("default")


@pytest.fixture(scope="module")
def game() -> Game:
    return read_game(str(GAME)).as_game()


@pytest.fixture(scope="module")
def whole(evaluator: Evaluator, game: Game) -> list[Settled]:
    return settled(evaluator, game.positions, game.terms)


def test_an_empty_board_is_open_and_a_finished_one_is_settled(whole: list[Settled]) -> None:
    first, last = whole[0], whole[-1]
    assert first.share < 0.05 and first.winner is None and not first.only_small_endgame
    assert last.share > 0.95 and last.winner == BLACK and last.only_small_endgame
    assert last.verdict == "the game is decided: Black wins, and only dame and small endgame moves are left"
    assert (last.waits == 0).mean() > 0.95
    shares = np.array([each.share for each in whole])
    assert np.corrcoef(shares, np.arange(len(shares)))[0, 1] > 0.9
    assert all(each.share <= each.soon for each in whole)


def test_chances_turn_with_the_board_and_swap_with_the_colours(evaluator: Evaluator, game: Game) -> None:
    position = game.positions[20]
    swapped = Position.from_stones(-position.stones, -position.to_move)
    turned = Position.from_stones(np.rot90(position.stones), position.to_move)
    plain = Position.from_stones(position.stones, position.to_move)
    here, other, around = settled(evaluator, [plain, swapped, turned], Terms(RULESETS["area"], 0.0), 8)
    np.testing.assert_allclose(here.chances, other.chances, atol=1e-3)
    assert np.abs(np.rot90(here.chances) - around.chances).mean() < 0.03
    assert here.owner[3, 3] == -other.owner[3, 3]
    np.testing.assert_allclose(here.chances.sum(axis=-1), 1, atol=1e-4)


def _settled(chance: float, ownership: float, lead: float, off: float) -> Settled:
    """A position on 3x3 whose points are all settled with one chance."""
    chances = np.zeros((3, 3, len(RANGES) + 1), np.float32)
    chances[..., 0], chances[..., -1] = chance, 1 - chance
    board = Position.empty(3)
    return Settled(board, np.full((3, 3), ownership, np.float32), chances, lead, (lead - off, lead + off))


def test_the_game_is_decided_when_half_of_what_is_open_cannot_change_the_winner() -> None:
    assert _settled(0.9, 1.0, 1.0, 0.5).winner == BLACK  # half of 9 x 0.1 points, each worth 2, is 0.9
    assert _settled(0.9, 1.0, 0.8, 0.5).winner is None
    assert _settled(0.9, 1.0, 1.0, 1.5).winner is None, "the interval"
    assert _settled(0.9, -1.0, -1.0, 0.5).winner == WHITE
    assert _settled(0.96, 1.0, 0.1, 1.0).verdict == "only dame and small endgame moves are left"
    assert _settled(0.94, 1.0, 0.1, 1.0).verdict == "the game is not decided"


def test_the_classes_of_a_map() -> None:
    one = _settled(1.0, 1.0, 0, 0)
    one.chances[0] = 0
    one.chances[0, 0, 0], one.chances[0, 1, 2], one.chances[0, 2, 3] = 1, 1, 1
    one.chances[1, 0] = [0.4, 0.05, 0.05, 0, 0.2, 0.3]
    one.chances[1, 1] = [0.4, 0, 0, 0, 0, 0.6]
    assert one.waits.tolist() == [[0, 1, 2], [1, 3, 0], [0, 0, 0]]
    assert one.final(BLACK).sum() == 5 and one.final(WHITE).sum() == 0


class _WithoutPolicy:
    def evaluate(self, positions: Sequence[Position], *, terms: Sequence[Terms]) -> list[Prediction]:
        return [Prediction(ownership=each.stones.astype(np.float32)) for each in positions]


def test_a_model_without_a_policy_is_refused(game: Game) -> None:
    with pytest.raises(InputError, match=r"expected a model that predicts moves\. Received: one without a policy"):
        settled(Evaluator.of(_WithoutPolicy()), game.positions[:1], game.terms)


def test_the_command_prints_a_position(capsys: pytest.CaptureFixture[str], whole: list[Settled]) -> None:
    assert main(["settled", str(GAME), "--move", "24", "--model", "default"]) == 0
    assert capsys.readouterr().out == whole[24].text + "\n"
    assert main(["settled", str(GAME), "--move", "24", "--model", "default", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["settled"] == round(whole[24].share, 4) and found["ranges"] == list(RANGES)
    np.testing.assert_allclose(found["chances"], whole[24].chances, atol=1e-4)


def test_the_command_prints_a_game(capsys: pytest.CaptureFixture[str], whole: list[Settled]) -> None:
    assert main(["settled", str(GAME), "--every", "20", "--model", "default"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [int(line.split()[0]) for line in lines] == [0, 20, 40, 45]
    assert lines[-1] == f"  45  {whole[-1].share:4.0%}  {whole[-1].verdict}"
    assert main(["settled", str(GAME), "--every", "20", "--model", "default", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[1] == {"move": 20, **whole[20].summary()}


@pytest.mark.parametrize("further", [[], ["--every", "15"]])
def test_the_command_draws(tmp_path: Path, further: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "map.svg"
    assert main(["settled", str(GAME), "--move", "30", "--picture", str(path), *further]) == 0
    assert path.read_text().startswith("<?xml") and f"Wrote {path}" in capsys.readouterr().err


def test_the_command_refuses_other_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settled", str(GAME), "--picture", str(tmp_path / "map.txt")]) == 2
    assert "expected a picture file ending in .png, .svg, .pdf" in capsys.readouterr().err
