"""The players that the engine takes, by name and options."""

import pytest

from gogui_plugin.session import PLAYER_NAMES
from tests.support.gtp import Inside


@pytest.mark.parametrize(
    "player",
    ["mcts", "mcts:visits=9", "alphabeta:depth=2,width=4", "longterm:episodes=2", "policy:temperature=1", "random"],
)
def test_players_by_name_and_options(engine: Inside, player: str) -> None:
    engine.all(["boardsize 5", "ownership-options seconds_per_move 0.2", f"ownership-options player {player}"])
    assert f" player {player}\n" in engine.value("ownership-options")
    vertex = engine.value("genmove b")
    assert engine.value("list_stones b") == ("" if vertex == "pass" else vertex)


def test_longterm_keeps_its_own_number_of_candidates(engine: Inside, capsys: pytest.CaptureFixture[str]) -> None:
    engine.all(["boardsize 5", "ownership-options player longterm:steps=0", "genmove b"])
    assert ", 6 nodes," in capsys.readouterr().err  # the position and 5 candidates


@pytest.mark.parametrize(("model", "player"), [("small_model", "mcts"), ("owner_model", "greedy")])
def test_the_strongest_player_that_the_model_can_be(model: str, player: str, request: pytest.FixtureRequest) -> None:
    engine = Inside("--model", str(request.getfixturevalue(model)), "--time", "0.1")
    assert f" player {player}\n" in engine.value("ownership-options")
    engine.ask("boardsize 5")
    assert engine.value("genmove b") == (engine.value("list_stones b") or "pass")
    engine.close()


@pytest.mark.parametrize(
    ("player", "message"),
    [
        ("stranger", f"expected a player ({', '.join(PLAYER_NAMES)}) or a GTP program"),
        ("alphabeta:deep=1", "player alphabeta: expected options model=, "),
    ],
)
def test_a_player_that_is_none_changes_nothing(engine: Inside, player: str, message: str) -> None:
    assert message in engine.ask(f"ownership-options player {player}")
    assert " player greedy\n" in engine.value("ownership-options")


def test_players_by_chance_play_another_game_each_time(engine: Inside) -> None:
    engine.ask("ownership-options player random")
    moves = []
    for _ in range(8):
        engine.ask("clear_board")
        moves.append(engine.value("reg_genmove b"))
        assert engine.value("reg_genmove b") == moves[-1]
    assert len(set(moves)) > 3
